"""Schemas of the questions with a short form.

All other questions are written as steps.
"""

from __future__ import annotations

from referee.cardscript.positions.schema import (
    BACK,
    BINDINGS_SCHEMA,
    Schema,
    describe_schema,
    list_schema,
    question_schema,
)
from referee.games.munchkin.card_attributes import TEXT_NAMES
from referee.games.munchkin.components import DOORS, TREASURES
from referee.games.munchkin.positions.schema_parts import SEAT, CardSchemas, build_seats_schema

ON_TURN = describe_schema("The seat asked; if left out, the active player.", SEAT)
TEXT_NAMES_HINT = f"{', '.join(TEXT_NAMES)}, power/ followed by a name"
DIE_FACE: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
CARD_COUNT: Schema = {
    "type": "integer",
    "minimum": 1,
    "maximum": 40,
    "description": "The number of cards; if left out, the number on the card.",
}


def build_question_schemas(cards: CardSchemas) -> list[Schema]:
    """Return the schema of each question, with the cards of an edition."""
    of_a_text: dict[str, Schema] = {
        "card": describe_schema("The card whose text is being carried out.", cards.any),
        "part": {
            "type": "string",
            "description": f"Which of its texts: {TEXT_NAMES_HINT}; if left out, the first that asks this question.",
        },
        "by": describe_schema("The player for whom it is carried out; if left out, the active player.", SEAT),
        "line": {
            "type": "integer",
            "minimum": 0,
            "maximum": 40,
            "description": "The line that asks, counted from 0; if left out, the first that asks this question.",
        },
        "known": BINDINGS_SCHEMA,
        "secret": list_schema("The names in `known` whose values only that player may see.", {"type": "string"}),
        "seat": describe_schema("The seat asked; if left out, the one for whom the text is carried out.", SEAT),
    }
    flight = describe_schema("The monster to escape.", {"enum": cards.card_names_of_kinds("monster", "door_special")})
    return [
        question_schema(
            "calm",
            "The active player may act outside combat. This is the default question if no combat is running.",
            seat=ON_TURN,
            stage={
                "enum": ["start", "choice", "after"],
                "description": "start (the default): before the door is kicked open; choice: before choosing "
                "between a monster from the hand and looting; after: once that is chosen.",
            },
        ),
        question_schema("fight", "A combat is open. This is the default question if a combat is running."),
        question_schema(
            "claim",
            "The main player has claimed the kill, and the other players may act against it.",
            passed=build_seats_schema("The seats that have passed; nobody if left out."),
        ),
        question_schema(
            "flee",
            "A fighter chooses the next monster to run from.",
            begun={"type": "boolean", "description": "Whether anybody has already run away; false if left out."},
        ),
        question_schema(
            "flight_die", "A die is to be rolled to escape a monster.", ("monster",), seat=ON_TURN, monster=flight
        ),
        question_schema(
            "flight_die_fell",
            "A die was rolled to escape a monster; a card may still change the result.",
            ("monster", "value"),
            seat=ON_TURN,
            monster=flight,
            value=describe_schema("The number that it shows.", DIE_FACE),
        ),
        question_schema("die", "A die is to be rolled for a card.", ("card",), **of_a_text),
        question_schema(
            "die_fell",
            "A die was rolled for a card; another card may still change the result.",
            ("card", "value"),
            **of_a_text,
            value=describe_schema("The number that it shows.", DIE_FACE),
        ),
        question_schema(
            "curse",
            "The victim of a curse may respond before it strikes.",
            ("card",),
            card=describe_schema("The curse.", {"enum": cards.card_names_of_kinds("curse")}),
            victim=describe_schema("The player who is cursed; if left out, the active player.", SEAT),
            by=describe_schema("The player who played it; if left out, nobody: it was behind the door.", SEAT),
        ),
        question_schema(
            "share",
            "The fighters pick from the face-up treasures.",
            ("order",),
            order=list_schema("The seats that pick, in this order.", SEAT, 1, len(cards.boxes.whole)),
        ),
        question_schema(
            "take",
            "The living players take cards from a dead player's belongings.",
            ("of", "order"),
            of=describe_schema("The dead player.", SEAT),
            order=build_seats_schema("The seats that still have to take a card, in this order.", 1),
        ),
        question_schema(
            "keep_one",
            "A player keeps one of the door cards just drawn.",
            ("drawn",),
            seat=ON_TURN,
            drawn=list_schema("The hand cards that were just drawn.", {"enum": [*cards.boxes.whole, BACK]}, 2, 10),
        ),
        question_schema("choose", "A card text asks a player to choose.", ("card",), **of_a_text),
        question_schema(
            "offer", "A card text offers a player something, to accept or decline.", ("card",), **of_a_text
        ),
        question_schema(
            "lose_items",
            "A card text takes items that are in play.",
            ("card",),
            **of_a_text,
            chosen_by=describe_schema("The player who chooses; if left out, the seat asked.", SEAT),
            count=CARD_COUNT,
        ),
        question_schema(
            "pay",
            "A card text takes items worth a given amount.",
            ("card",),
            **of_a_text,
            owed={
                "type": "integer",
                "minimum": 1,
                "maximum": 100_000,
                "description": "The gold still owed; if left out, the amount on the card.",
            },
        ),
        question_schema(
            "discard",
            "A card text makes a player discard hand cards of their choice.",
            ("card",),
            **of_a_text,
            count=CARD_COUNT,
        ),
        question_schema("open_door", "The top door card is turned face up.", seat=ON_TURN),
        question_schema(
            "turn_up",
            "Treasures won with a helper are turned face up.",
            count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; one if left out."},
        ),
        question_schema(
            "shuffle",
            "A deck is shuffled.",
            ("where",),
            where={"enum": [DOORS, TREASURES], "description": "The deck."},
        ),
        question_schema(
            "name_cards",
            "At a real table, the cards of a seat are named to the referee.",
            ("seat",),
            seat=describe_schema("Whose hand.", SEAT),
            count={
                "type": "integer",
                "minimum": 1,
                "maximum": cards.count,
                "description": "How many; all if left out.",
            },
        ),
        question_schema(
            "ready",
            "Everybody puts cards into play before the first turn.",
            ready=build_seats_schema("The seats that are ready; nobody if left out."),
        ),
        question_schema(
            "first_turn",
            "Dice are rolled to decide who takes the first turn.",
            contenders=build_seats_schema("The seats that roll; everybody if left out.", 1),
            cast=list_schema("Their rolls so far, in the same order.", DIE_FACE, 0, 6),
        ),
    ]
