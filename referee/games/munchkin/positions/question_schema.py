"""The questions that a position can say in short; any other stands as the referee keeps it."""

from __future__ import annotations

from referee.cardscript.positions.schema import BACK, NAMED, Schema, asks, listed, one
from referee.games.munchkin.card_attributes import TEXTS
from referee.games.munchkin.components import DOORS, TREASURES
from referee.games.munchkin.positions.schema_parts import SEAT, Cards, seats

ON_TURN = one("The seat asked; if left out, the one whose turn it is.", SEAT)
WHICH = f"{', '.join(TEXTS)}, power/ and a name"
FACE: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
HOW_MANY: Schema = {
    "type": "integer",
    "minimum": 1,
    "maximum": 40,
    "description": "How many; if left out, as the card says.",
}


def questions(cards: Cards) -> list[Schema]:
    """The schema of each question, with the cards of an edition."""
    of_a_text: dict[str, Schema] = {
        "card": one("The card whose text is being carried out.", cards.any),
        "part": {
            "type": "string",
            "description": f"Which of its texts: {WHICH}; if left out, one that asks this.",
        },
        "by": one("For whom it is carried out; if left out, the player on turn.", SEAT),
        "line": {
            "type": "integer",
            "minimum": 0,
            "maximum": 40,
            "description": "Its line; if left out, the first to ask.",
        },
        "known": NAMED,
        "secret": listed("Those of the names that only that player may know.", {"type": "string"}),
        "seat": one("The seat asked; if left out, the one for whom the text is carried out.", SEAT),
    }
    flight = one("The monster that it is to escape.", {"enum": cards.called("monster", "door_special")})
    return [
        asks(
            "calm",
            "The player on turn is in calm. Asked if the position names no question and no combat.",
            seat=ON_TURN,
            stage={
                "enum": ["start", "choice", "after"],
                "description": "Before the door is kicked open (if left out), "
                "before the choice between a monster of the hand and looting, or after all that.",
            },
        ),
        asks("fight", "A combat is open. Asked if the position names no question and there is one."),
        asks(
            "claim",
            "Main claims the kill, and the others may speak up.",
            passed=seats("Who has said already that they will not; nobody if left out."),
        ),
        asks(
            "flee",
            "A fighter says from which monster to run next.",
            begun={"type": "boolean", "description": "Whether somebody has run already; false if left out."},
        ),
        asks("flight_die", "A die is to be rolled to escape a monster.", ("monster",), seat=ON_TURN, monster=flight),
        asks(
            "flight_die_fell",
            "The die of a flight lies there, and may still be turned by a card.",
            ("monster", "value"),
            seat=ON_TURN,
            monster=flight,
            value=one("What it shows.", FACE),
        ),
        asks("die", "A die is to be rolled for a card.", ("card",), **of_a_text),
        asks(
            "die_fell",
            "The die of a card lies there, and may still be turned by another.",
            ("card", "value"),
            **of_a_text,
            value=one("What it shows.", FACE),
        ),
        asks(
            "curse",
            "Whoever is cursed may answer before the curse strikes.",
            ("card",),
            card=one("The curse.", {"enum": cards.called("curse")}),
            victim=one("Who is cursed; if left out, the player on turn.", SEAT),
            by=one("Who played it; if left out, it was behind the door.", SEAT),
        ),
        asks(
            "share",
            "The treasures that lie open are picked.",
            ("order",),
            order=listed("Who picks, in this order.", SEAT, 1, len(cards.boxes.whole)),
        ),
        asks(
            "take",
            "The living take of what a dead player leaves.",
            ("of", "order"),
            of=one("The dead player.", SEAT),
            order=seats("Who has still to take a card, in this order.", 1),
        ),
        asks(
            "keep_one",
            "Of the doors just drawn one is kept.",
            ("drawn",),
            seat=ON_TURN,
            drawn=listed("The cards of the hand that were drawn.", {"enum": [*cards.boxes.whole, BACK]}, 2, 10),
        ),
        asks("choose", "A card text lets a player choose.", ("card",), **of_a_text),
        asks("offer", "A card text offers something.", ("card",), **of_a_text),
        asks(
            "lose_items",
            "A card text takes items in play.",
            ("card",),
            **of_a_text,
            chosen_by=one("Who says which; if left out, the seat asked.", SEAT),
            count=HOW_MANY,
        ),
        asks(
            "pay",
            "A card text takes items worth so much.",
            ("card",),
            **of_a_text,
            owed={
                "type": "integer",
                "minimum": 1,
                "maximum": 100_000,
                "description": "What is still owed; if left out, as the card says.",
            },
        ),
        asks(
            "discard",
            "A card text takes hand cards of the own choice.",
            ("card",),
            **of_a_text,
            count=HOW_MANY,
        ),
        asks("open_door", "The top door is turned up.", seat=ON_TURN),
        asks(
            "turn_up",
            "Treasures won with a helper are turned up.",
            count={"type": "integer", "minimum": 1, "maximum": 40, "description": "How many; one if left out."},
        ),
        asks(
            "shuffle",
            "A deck is shuffled.",
            ("where",),
            where={"enum": [DOORS, TREASURES], "description": "Which one."},
        ),
        asks(
            "name_cards",
            "At a real table the cards of a seat are named to the referee.",
            ("seat",),
            seat=one("Whose hand.", SEAT),
            count={
                "type": "integer",
                "minimum": 1,
                "maximum": cards.count,
                "description": "How many; all if left out.",
            },
        ),
        asks(
            "ready",
            "Everybody puts down what they want before the first turn.",
            ready=seats("Who is ready; nobody if left out."),
        ),
        asks(
            "first_turn",
            "A die is rolled for who begins.",
            contenders=seats("Who rolls; everybody if left out.", 1),
            cast=listed("What they have rolled so far.", FACE, 0, 6),
        ),
    ]
