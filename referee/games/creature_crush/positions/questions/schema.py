"""The questions that have a short form in a position, as JSON Schema.

Any other question is written as the referee stores it.
"""

from __future__ import annotations

from referee.cardscript.positions.schema import (
    BINDINGS_SCHEMA,
    Schema,
    describe_schema,
    list_schema,
    object_schema,
    question_schema,
)
from referee.games.creature_crush.card_attributes import TEXT_NAMES
from referee.games.creature_crush.components import DECKS, DRAFTS, HANDS, POOL, SOUGHT
from referee.games.creature_crush.positions.names import CardNames
from referee.games.creature_crush.positions.questions.happened import TRIGGER_KINDS

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 1}
PIPS: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
ON_TURN = describe_schema("The seat asked; if left out, the active player.", SEAT)
LINE: Schema = {"type": "integer", "minimum": 0, "maximum": 40}
SECRET = list_schema("The names in `known` whose values only that player may see.", {"type": "string"})


def _build_event_members(effects: Schema) -> dict[str, Schema]:
    """Build the members that say what has happened."""
    return {
        "event": {"enum": list(TRIGGER_KINDS), "description": "What has happened."},
        "by": describe_schema("The player whose event it is; if left out, the active player.", SEAT),
        "about": {
            "type": "object",
            "description": "The cards that it is about: attacker, defender, summoned, flipped, card, victim/0 and "
            "victim/1 (by the player who had them).",
            "additionalProperties": list_schema("Cards.", {"type": "string"}),
        },
        "effects": describe_schema(
            "The effects that it triggered; if left out, those of the cards that it is about.", effects
        ),
    }


def build_question_schemas(names: CardNames, variant: str) -> list[Schema]:
    """Build the schemas of the questions of a format."""
    card = {"enum": names.list_names()}
    effect = object_schema(
        "A text of a card that was activated.",
        ("card", "part"),
        card=describe_schema("The card.", card),
        part={"enum": list(TEXT_NAMES), "description": "Which of its texts."},
        by=describe_schema("The player for whom it is carried out; if left out, the active player.", SEAT),
        line={**LINE, "description": "The line that comes next; the first if left out."},
        known=BINDINGS_SCHEMA,
        secret=SECRET,
    )
    effects = list_schema("Effects.", effect)
    happened = _build_event_members(effects)
    window = object_schema(
        "A window in which players may flip a crush card in answer to an event.",
        ("event",),
        **happened,
        next=describe_schema("Who is asked next; if left out, the player whose turn it is not.", SEAT),
        passed={"type": "integer", "minimum": 0, "maximum": 2,
                "description": "How many have passed in a row; 0 if left out."},
    )  # fmt: skip
    links = describe_schema(
        "The effects that wait, the oldest first; if left out, those that the first window's event triggered.", effects
    )
    text: dict[str, Schema] = {
        "card": describe_schema("The card whose text is being carried out.", card),
        "part": {
            "enum": list(TEXT_NAMES),
            "description": "Which of its texts; if left out, the first that asks this question.",
        },
        "by": describe_schema("The player for whom it is carried out; if left out, the active player.", SEAT),
        "line": {**LINE, "description": "The line that asks; if left out, the first that asks this question."},
        "known": BINDINGS_SCHEMA,
        "secret": SECRET,
    }
    count = {"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; if left out, as the card says."}
    creature = describe_schema("The creature.", {"enum": names.list_names("creature")})
    answers = {
        "type": "object",
        "description": "The answers already given, by seat.",
        "additionalProperties": list_schema("Cards.", {"type": "string"}, 0, 40),
    }
    other = describe_schema("Whose cards; if left out, those of the player whose turn it is not.", SEAT)
    striker = describe_schema(
        "The creature whose direct attack causes it; if left out, a card text causes it.", creature
    )
    found = [
        question_schema("combat", "An action of the combat phase. This is the default question.", seat=ON_TURN),
        question_schema("tactic", "An action of the tactic phase.", seat=ON_TURN),
        question_schema(
            "answer_draw",
            "A draw was offered.",
            seat=describe_schema("Who answers; if left out, the player whose turn it is not.", SEAT),
        ),
        question_schema(
            "order",
            "Which of several effects activated at once is carried out first.",
            ("event",),
            **happened,
            left=describe_schema("The effects still to be ordered; if left out, all of them.", effects),
            chosen=describe_schema("Those already put first, in order; none if left out.", effects),
        ),
        question_schema(
            "respond",
            "A player may flip a crush card in answer to what has happened.",
            ("windows",),
            windows=list_schema("The open windows, the innermost last.", window, 1, 40),
            links=links,
        ),
        question_schema(
            "choose",
            "A card text lets its player choose one thing. If it rolled dice, only from those that the dice hit; "
            "list the dice in `known` under dice/ followed by the name of what is chosen.",
            ("card",),
            **text,
        ),
        question_schema(
            "choose_some", "A card text lets its player choose several things.", ("card",), **text, count=count
        ),
        question_schema("at_random", "Chance picks targets for a card text.", ("card",), **text, count=count),
        question_schema("target_dice", "Dice are to be rolled to pick a target by its cost.", ("card",), **text),
        question_schema(
            "place",
            "The player chooses a place for a creature that is revived, taken over or moved.",
            ("card",),
            **text,
            creature=describe_schema("The creature; if left out, the one that the text names.", creature),
        ),
        question_schema(
            "search", "A player searches their own deck, whose cards are listed under `sought`.", ("card",), **text
        ),
        question_schema("reroll", "A player may reroll start dice.", ("card",), **text),
        question_schema(
            "roll_again",
            "Start dice are to be rerolled.",
            ("card", "dice"),
            **text,
            dice=list_schema("The numbers that they show now.", PIPS, 1, 5),
        ),
        question_schema(
            "start_dice",
            "Start dice are to be rolled.",
            seat=ON_TURN,
            dice={"type": "integer", "minimum": 1, "maximum": 5, "description": "How many; one if left out."},
            which={"enum": ["basic", "triple", "quadruple", "extra"], "description": "Which; basic if left out."},
            extra={
                "type": "integer",
                "minimum": 0,
                "maximum": 100,
                "description": "How many additional dice are still to follow; none if left out.",
            },
            alike={
                "type": "integer",
                "minimum": 0,
                "maximum": 6,
                "description": "The number that all dice rolled before show; 0 if left out.",
            },
        ),
        question_schema(
            "mill",
            "At a real table, the top card of a deck that is destroyed is named.",
            seat=other,
            count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many more; one if left out."},
            creature=striker,
        ),
        question_schema(
            "discard",
            "Chance picks the hand cards that are destroyed.",
            seat=other,
            creature=striker,
            count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; one if left out."},
        ),
        question_schema(
            "random_field",
            "Chance picks what a direct attack destroys on the field.",
            ("creature",),
            creature=describe_schema("The attacker.", creature),
            targets=list_schema(
                "What it is picked from, crush cards by their places; if left out, the crush cards of the "
                "other player, or the creatures if there are none.",
                {"type": "string"},
                1,
                9,
            ),
        ),
        question_schema(
            "turn_over",
            "At a real table, the crush cards among destroyed cards on the field are named.",
            ("what",),
            what=list_schema("The creatures, and the places of the crush cards.", {"type": "string"}, 1, 18),
            creature=striker,
        ),
        question_schema(
            "shuffle", "A pile is shuffled.", ("where",), where={"enum": [POOL, *DECKS], "description": "The pile."}
        ),
        question_schema(
            "name_cards",
            "At a real table, the cards of a seat are named to the referee.",
            ("seat",),
            seat=describe_schema("Whose cards.", SEAT),
            place={"enum": [*HANDS, *SOUGHT, *DRAFTS], "description": "Where they lie; in the hand if left out."},
            count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; all if left out."},
        ),
        question_schema(
            "first_turn",
            "Dice are rolled to decide who begins.",
            cast=list_schema("The rolls so far; none if left out.", PIPS, 0, 1),
        ),
        question_schema(
            "deck_ready", "At a real table, both players confirm that their decks are ready.", given=answers
        ),
    ]
    if variant == "arena":
        found.append(question_schema("keep", "Each player keeps four of the seven cards drawn.", given=answers))
    if variant == "league":
        found.append(question_schema("bring_deck", "Both players submit their deck lists.", given=answers))
    return found
