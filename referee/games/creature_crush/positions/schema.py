"""The form of a position as JSON Schema, for each format (KERNEL-POSITION-1).

Every member has a description.
"""

from __future__ import annotations

from functools import cache

from referee.cardscript.positions import schema as forms
from referee.cardscript.positions.schema import (
    BACK,
    CHANCE_SOURCE_SCHEMA,
    EMPTIED_SCHEMA,
    STEP_SCHEMA,
    Schema,
    describe_schema,
    list_schema,
    object_schema,
)
from referee.games.creature_crush.components import DECK_SIZE, MOST_START_DICE, VARIANTS
from referee.games.creature_crush.events.course import END_CLAUSES
from referee.games.creature_crush.positions.names import CardNames, load_card_names
from referee.games.creature_crush.positions.questions.schema import PIPS, SEAT, build_question_schemas
from referee.games.creature_crush.settings import SETTINGS

MANY = 100  # of anything that is counted on a creature
ROW_PHRASES = {"A": "of the front row", "B": "of the row of defenders", "C": "for a crush card"}


def _build_number_schema(says: str, most: int, least: int = 0) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": says}


CHANGE_SCHEMA = object_schema(
    "A change that an effect made to a creature.",
    ("stat", "amount", "by"),
    stat={"enum": ["attack", "armor"], "description": "The value that it changes."},
    amount=_build_number_schema("How much it adds.", MANY, -MANY),
    this_turn={"type": "boolean", "description": "Whether it ends with the turn; if left out, it lasts."},
    by={"type": "string", "description": "The card whose effect it is."},
)


def _build_creature_schema(names: CardNames, place: str) -> Schema:
    creatures = {"enum": names.list_names("creature")}
    return {
        "description": f"The creature on {place}, a place {ROW_PHRASES[place[0]]}; just its name if nothing is marked "
        "on it. If left out, nothing lies there.",
        "anyOf": [
            creatures,
            object_schema(
                "A creature, and what is marked on it.",
                ("creature",),
                creature=describe_schema("The creature.", creatures),
                damage=_build_number_schema("Its damage; none if left out.", MANY),
                acted=_build_number_schema("How many actions it has taken in this turn; none if left out.", MANY),
                ready=_build_number_schema(
                    "How many additional actions effects gave it for this turn; none if left out.", MANY
                ),
                changes=list_schema("What effects have changed; nothing if left out.", CHANGE_SCHEMA, 0, MANY),
            ),
        ],
    }


def _build_crush_schema(names: CardNames, place: str) -> Schema:
    cards = {"enum": [*names.list_names("crush"), BACK]}
    dice = _build_number_schema(
        "The dice that were burned for it; if left out, as its card says. Required for an unknown card "
        "and for a card with cost X.", MOST_START_DICE,
    )  # fmt: skip
    return {
        "description": f"The card face down on {place}. If left out, nothing lies there.",
        "anyOf": [
            cards,
            object_schema(
                "A crush card.", card=describe_schema("The card; if left out, it is unknown: ?", cards), dice=dice
            ),
        ],
    }


def _build_board_schema(names: CardNames) -> Schema:
    places: dict[str, Schema] = {}
    for row in ("A", "B", "C"):
        for column in (1, 2, 3):
            place = f"{row}{column}"
            places[place] = _build_crush_schema(names, place) if row == "C" else _build_creature_schema(names, place)
    return object_schema("The player's board, by place; a place that is not listed is empty.", (), **places)


def _build_player_schema(names: CardNames, variant: str) -> Schema:
    every, most = names.list_names(), names.card_count

    def cards(says: str) -> Schema:
        return forms.cards_schema(says, every, most)

    named = {"enum": every}
    members: dict[str, Schema] = {
        "deck": cards("The deck, from the top down."),
        "hand": cards("The hand."),
        "hell": forms.open_cards_schema("The face-up discard pile, from the bottom up.", named, most),
        "board": _build_board_schema(names),
        "extra_dice": _build_number_schema("Additional start dice for the next turn; none if left out.", MANY),
        "flipped": list_schema(
            "Crush cards turned up whose effect is still to come; if left out, those that the question names.",
            {"enum": names.list_names("crush")},
        ),
        "sought": cards("The deck while its player searches it; empty if left out."),
    }
    if variant == "arena":
        members["draft"] = cards("The cards to choose from in the draft; none if left out.")
    if variant == "league":
        members["list"] = list_schema(
            "The deck list; if left out, none was given.", {"enum": names.list_deck_names()}, 0, DECK_SIZE
        )
    return object_schema("The cards and dice of a player.", ("board",), **members)


def _build_members(names: CardNames, variant: str) -> dict[str, Schema]:
    return {
        "variant": {"const": variant, "description": "The format; Skirmish if left out."},
        "edition": {"type": "string", "description": "The edition of the cards; the game's own if left out."},
        "settings": {**SETTINGS, "description": "The settings of the match; each has its default if left out."},
        "cards": describe_schema("The source of cards; the server if left out.", CHANCE_SOURCE_SCHEMA),
        "dice": describe_schema("The source of dice; the server if left out.", CHANCE_SOURCE_SCHEMA),
        "named": list_schema("Seats whose cards are named to the referee at a real table.", SEAT, 0, 2),
        "seats": list_schema("The two players; the first is seat 0.", _build_player_schema(names, variant), 2, 2),
        "pool": forms.cards_schema(
            "All cards that are not in a deck, from the top down.", names.list_names(), names.card_count
        ),
        "turn": {
            "description": "Whose turn it is; null during the preparation. If left out, the seat asked, "
            "in a question of the combat or tactic phase.",
            "anyOf": [SEAT, {"type": "null"}],
        },
        "opener": describe_schema(
            "Who played the first turn; if left out, it follows from `turns`, or else is seat 0.", SEAT
        ),
        "turns": _build_number_schema(
            "The number of turns that have begun; if left out, 3 in a turn of the opener, else 4.", 100_000
        ),
        "phase": {
            "enum": ["start", "combat", "tactic", ""],
            "description": "The phase of the turn; empty between two turns. If left out, tactic for a question of the "
            "tactic phase, otherwise combat.",
        },
        "start_dice": list_schema("The start dice that are not burned; none if left out.", PIPS, 0, MOST_START_DICE),
        "burned": _build_number_schema("The number of start dice burned in this turn; 0 if left out.", MOST_START_DICE),
        "entered": list_schema(
            "The creatures that have entered a field in this turn, in this order; none if left out.",
            {"enum": names.list_names("creature")},
        ),
        "quiet": _build_number_schema("The number of turns in a row without any change; 0 if left out.", 100_000),
        "stirred": {"type": "boolean", "description": "Whether anything has changed in this turn; false if left out."},
        "drafted": _build_number_schema("The number of draft rounds that are over; 0 if left out.", 5),
        "offered": describe_schema("Who has offered a draw in this turn; nobody if left out.", SEAT),
        "winner": describe_schema("Who has won; nobody if left out.", SEAT),
        "way": {"enum": [*END_CLAUSES], "description": "How the match ended."},
        "question": {
            "description": "The open question; null if the match is over. If left out, an action of the combat phase.",
            "anyOf": [*build_question_schemas(names, variant), STEP_SCHEMA, {"type": "null"}],
        },
        "pending_steps": list_schema(
            "The steps beneath the question, nearest first; if left out, only the turn.", STEP_SCHEMA
        ),
        "emptied": EMPTIED_SCHEMA,
    }


@cache
def build_schema(variant: str, edition: str = "") -> Schema:
    """Return the JSON Schema of a position of a format, with the cards of an edition."""
    members = _build_members(load_card_names(variant, edition), variant)
    if variant != "arena":
        del members["drafted"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Creature Crush, position ({variant})",
        "description": "A member that is left out is unknown, never empty, unless its description names a default.",
        "type": "object",
        "additionalProperties": False,
        "required": ["seats"] if variant == VARIANTS[0] else ["variant", "seats"],
        "properties": members,
    }
