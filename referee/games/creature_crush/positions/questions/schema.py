"""The questions that a position can say in short; any other stands as the referee keeps it."""

from __future__ import annotations

from referee.cardscript.positions.schema import NAMED, Schema, asks, listed, one, thing
from referee.games.creature_crush.card_attributes import TEXTS
from referee.games.creature_crush.components import DECKS, DRAFTS, HANDS, POOL, SOUGHT
from referee.games.creature_crush.positions.names import Names
from referee.games.creature_crush.positions.questions.happened import KINDS

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 1}
PIPS: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
ON_TURN = one("The seat asked; if left out, the one whose turn it is.", SEAT)
LINE: Schema = {"type": "integer", "minimum": 0, "maximum": 40}
SECRET = listed("Those of the names that only that player may know.", {"type": "string"})


def _event(effects: Schema) -> dict[str, Schema]:
    """The members that say what has happened."""
    return {
        "event": {"enum": list(KINDS), "description": "What has happened."},
        "by": one("Whose event it is; if left out, of the player on turn.", SEAT),
        "about": {
            "type": "object",
            "description": "The cards that it is about: attacker, defender, summoned, flipped, card, victim/0 and "
            "victim/1 (by the player who had them).",
            "additionalProperties": listed("Cards.", {"type": "string"}),
        },
        "effects": one("The effects that it set off; if left out, those of the cards that it is about.", effects),
    }


def questions(names: Names, variant: str) -> list[Schema]:
    """The questions of a format."""
    card = {"enum": names.known()}
    effect = thing(
        "A text of a card that was activated.",
        ("card", "part"),
        card=one("The card.", card),
        part={"enum": list(TEXTS), "description": "Which of its texts."},
        by=one("For whom it is carried out; if left out, the player on turn.", SEAT),
        line={**LINE, "description": "The line that is next; the first if left out."},
        known=NAMED,
        secret=SECRET,
    )
    effects = listed("Effects.", effect)
    happened = _event(effects)
    window = thing(
        "A window in which players may answer an event by flipping a crush card.",
        ("event",),
        **happened,
        next=one("Who is asked next; if left out, the player who is not on turn.", SEAT),
        passed={"type": "integer", "minimum": 0, "maximum": 2,
                "description": "How many have passed in a row; nobody if left out."},
    )  # fmt: skip
    links = one(
        "The effects that wait, the oldest first; if left out, those that the first window's event set off.", effects
    )
    text: dict[str, Schema] = {
        "card": one("The card whose text is being carried out.", card),
        "part": {"enum": list(TEXTS), "description": "Which of its texts; if left out, the first that asks this."},
        "by": one("For whom it is carried out; if left out, the player on turn.", SEAT),
        "line": {**LINE, "description": "The line that asks; if left out, the first to ask this."},
        "known": NAMED,
        "secret": SECRET,
    }
    count = {"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; if left out, as the card says."}
    creature = one("The creature.", {"enum": names.known("creature")})
    answers = {
        "type": "object",
        "description": "What some have answered already, by their seats.",
        "additionalProperties": listed("Cards.", {"type": "string"}, 0, 40),
    }
    other = one("Whose cards; if left out, of the player who is not on turn.", SEAT)
    striker = one("The creature whose direct attack does it; if left out, a text does.", creature)
    found = [
        asks("combat", "An action of the combat phase. Asked if the position names no question.", seat=ON_TURN),
        asks("tactic", "An action of the tactic phase.", seat=ON_TURN),
        asks("answer_draw", "A draw was offered.",
             seat=one("Who answers; if left out, the player who is not on turn.", SEAT)),
        asks("order", "Which of several effects activated at once is carried out first.", ("event",), **happened,
             left=one("The effects still to be ordered; if left out, all.", effects),
             chosen=one("Those that come first, in their order; none if left out.", effects)),
        asks("respond", "Whether a crush card is flipped in answer to what has happened.", ("windows",),
             windows=listed("The open windows, the innermost last.", window, 1, 40), links=links),
        asks("choose", "A card text lets its player choose one thing; of those that dice have hit, where it rolled "
             "some: their pips are known as dice/ and the name of what is chosen.", ("card",), **text),
        asks("choose_some", "A card text lets its player choose several things.", ("card",), **text, count=count),
        asks("at_random", "Chance finds targets for a card text.", ("card",), **text, count=count),
        asks("target_dice", "Dice are to be rolled that find a target by its cost.", ("card",), **text),
        asks("place", "A creature is revived, taken over or moved: to which place?", ("card",), **text,
             creature=one("The creature; if left out, the one that the text names.", creature)),
        asks("search", "A player looks through the own deck, which lies as sought.", ("card",), **text),
        asks("reroll", "A player may roll start dice again.", ("card",), **text),
        asks("roll_again", "Start dice are to be rolled again.", ("card", "dice"), **text,
             dice=listed("What they show now.", PIPS, 1, 5)),
        asks("start_dice", "Start dice are to be rolled.", seat=ON_TURN,
             dice={"type": "integer", "minimum": 1, "maximum": 5, "description": "How many; one if left out."},
             which={"enum": ["basic", "triple", "quadruple", "extra"], "description": "Which; basic if left out."},
             extra={"type": "integer", "minimum": 0, "maximum": 100,
                    "description": "How many additional dice are to follow; none if left out."},
             alike={"type": "integer", "minimum": 0, "maximum": 6,
                    "description": "What the dice before all show; 0 if left out."}),
        asks("mill", "At a real table the top card of a deck is destroyed: which is it?", seat=other,
             count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many more; one if left out."},
             creature=striker),
        asks("discard", "Chance picks hand cards that are destroyed.", seat=other, creature=striker,
             count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; one if left out."}),
        asks("random_field", "Chance finds what a direct attack destroys on the field.", ("creature",),
             creature=one("The attacker.", creature),
             targets=listed("Among which it is found, crush cards by their places; if left out, the crush cards of the "
                            "other player, without any the creatures.", {"type": "string"}, 1, 9)),
        asks("turn_over", "At a real table cards on the field are destroyed: what were the crush cards?", ("what",),
             what=listed("The creatures, and the places of the crush cards.", {"type": "string"}, 1, 18),
             creature=striker),
        asks("shuffle", "A pile is shuffled.", ("where",),
             where={"enum": [POOL, *DECKS], "description": "Which one."}),
        asks("name_cards", "At a real table the cards of a seat are named to the referee.", ("seat",),
             seat=one("Whose cards.", SEAT),
             place={"enum": [*HANDS, *SOUGHT, *DRAFTS], "description": "Where they lie; the hand if left out."},
             count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; all if left out."}),
        asks("first_turn", "A die is rolled for who begins.",
             cast=listed("What was rolled so far; nothing if left out.", PIPS, 0, 1)),
        asks("deck_ready", "At a real table both say that their decks lie ready.", given=answers),
    ]  # fmt: skip
    if variant == "arena":
        found.append(asks("keep", "Each keeps four of the seven cards drawn.", given=answers))
    if variant == "league":
        found.append(asks("bring_deck", "Both bring their decks.", given=answers))
    return found
