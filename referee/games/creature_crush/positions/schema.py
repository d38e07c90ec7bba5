"""The form of a position as JSON Schema, for each format; every member says what it is (KERNEL-POSITION-1)."""

from __future__ import annotations

from functools import cache

from referee.cardscript.positions import schema as forms
from referee.cardscript.positions.schema import BACK, EMPTIED, SOURCE, STEP, Schema, listed, one, thing
from referee.games.creature_crush.components import DECK_SIZE, MOST_START_DICE, VARIANTS
from referee.games.creature_crush.events.course import ENDS
from referee.games.creature_crush.positions.names import Names, names_of
from referee.games.creature_crush.positions.questions.schema import PIPS, SEAT, questions
from referee.games.creature_crush.settings import SETTINGS

MANY = 100  # of anything that is counted on a creature
WHERE = {"A": "of the front row", "B": "of the row of defenders", "C": "for a crush card"}


def _number(says: str, most: int, least: int = 0) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": says}


CHANGE = thing(
    "A change that an effect made to a creature.",
    ("stat", "amount", "by"),
    stat={"enum": ["attack", "armor"], "description": "What is changed."},
    amount=_number("By how much.", MANY, -MANY),
    this_turn={"type": "boolean", "description": "Whether it ends with the turn; if left out, it stays."},
    by={"type": "string", "description": "The card whose effect it is."},
)


def _creature(names: Names, place: str) -> Schema:
    creatures = {"enum": names.known("creature")}
    return {
        "description": f"The creature on {place}, a place {WHERE[place[0]]}; by name if nothing is marked on it. "
        "Nothing lies there if this is left out.",
        "anyOf": [
            creatures,
            thing(
                "A creature, and what is marked on it.",
                ("creature",),
                creature=one("The creature.", creatures),
                damage=_number("Its damage; none if left out.", MANY),
                acted=_number("How many actions it has taken in this turn; none if left out.", MANY),
                ready=_number("How many more actions effects gave it for this turn; none if left out.", MANY),
                changes=listed("What effects changed; nothing if left out.", CHANGE, 0, MANY),
            ),
        ],
    }


def _crush(names: Names, place: str) -> Schema:
    cards = {"enum": [*names.known("crush"), BACK]}
    dice = _number(
        "The dice that were burned for it; if left out, as its card says. Has to be said of a card that nobody has "
        "named, and of one with cost X.", MOST_START_DICE,
    )  # fmt: skip
    return {
        "description": f"What lies face down on {place}. Nothing lies there if this is left out.",
        "anyOf": [
            cards,
            thing("A crush card.", card=one("The card; if left out, nobody has named it: ?", cards), dice=dice),
        ],
    }


def _board(names: Names) -> Schema:
    places: dict[str, Schema] = {}
    for row in ("A", "B", "C"):
        for column in (1, 2, 3):
            place = f"{row}{column}"
            places[place] = _crush(names, place) if row == "C" else _creature(names, place)
    return thing("The own board, by its places; what it does not list is free.", (), **places)


def _player(names: Names, variant: str) -> Schema:
    every, most = names.known(), names.total

    def cards(says: str) -> Schema:
        return forms.cards(says, every, most)

    named = {"enum": every}
    members: dict[str, Schema] = {
        "deck": cards("The deck, its top first."),
        "hand": cards("The hand."),
        "hell": forms.or_more("The open discard pile, the topmost last.", named, most),
        "board": _board(names),
        "extra_dice": _number("Additional start dice for the next turn; none if left out.", MANY),
        "flipped": listed(
            "Crush cards turned up whose effect is still to come; if left out, those that the question speaks of.",
            {"enum": names.known("crush")},
        ),
        "sought": cards("The deck while its player looks through it; nothing if left out."),
    }
    if variant == "arena":
        members["draft"] = cards("The cards to choose from in the draft; none if left out.")
    if variant == "league":
        members["list"] = listed(
            "The deck list; nobody has given one if left out.", {"enum": names.decks()}, 0, DECK_SIZE
        )
    return thing("What a player has.", ("board",), **members)


def _members(names: Names, variant: str) -> dict[str, Schema]:
    return {
        "variant": {"const": variant, "description": "The format; Skirmish if left out."},
        "edition": {"type": "string", "description": "The cards that are played with; the game's own if left out."},
        "settings": {**SETTINGS, "description": "What was agreed; each has its usual value if left out."},
        "cards": one("Who holds the cards: the server if left out.", SOURCE),
        "dice": one("Who rolls the dice: the server if left out.", SOURCE),
        "named": listed("Seats whose cards are named to the referee at a real table.", SEAT, 0, 2),
        "seats": listed("The two players; the first is seat 0.", _player(names, variant), 2, 2),
        "pool": forms.cards("All cards that are in no deck, its top first.", names.known(), names.total),
        "turn": {
            "description": "Whose turn it is; null during the preparation. If left out, that of who is asked in the "
            "combat or tactic phase.",
            "anyOf": [SEAT, {"type": "null"}],
        },
        "opener": one("Who played the first turn; if left out, as the turns tell, else seat 0.", SEAT),
        "turns": _number("Turns that have begun; if left out, 3 in a turn of the opener, else 4.", 100_000),
        "phase": {
            "enum": ["start", "combat", "tactic", ""],
            "description": "The phase of the turn; if left out, tactic where the question is one of the tactic phase, "
            "else combat; empty between two turns.",
        },
        "start_dice": listed("The start dice that are not burned; none if left out.", PIPS, 0, MOST_START_DICE),
        "burned": _number("How many start dice were burned in this turn; none if left out.", MOST_START_DICE),
        "entered": listed(
            "The creatures that have entered a field in this turn, in this order; none if left out.",
            {"enum": names.known("creature")},
        ),
        "quiet": _number("How many turns in a row nothing has changed; none if left out.", 100_000),
        "stirred": {"type": "boolean", "description": "Whether something has changed in this turn; false if left out."},
        "drafted": _number("How many rounds of the draft are over; none if left out.", 5),
        "offered": one("Who has offered a draw in this turn; nobody if left out.", SEAT),
        "winner": one("Who has won; nobody if left out.", SEAT),
        "way": {"enum": [*ENDS], "description": "How the match ended."},
        "question": {
            "description": "What is asked; null: the match is over. If left out, the combat phase.",
            "anyOf": [*questions(names, variant), STEP, {"type": "null"}],
        },
        "pending_steps": listed("What waits beneath the question, nearest first; if left out, only the turn.", STEP),
        "emptied": EMPTIED,
    }


@cache
def schema(variant: str, edition: str = "") -> Schema:
    """The JSON Schema of a position of a format, with the cards of an edition."""
    members = _members(names_of(variant, edition), variant)
    if variant != "arena":
        del members["drafted"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Creature Crush, position ({variant})",
        "description": "What is left out is unknown, never empty, unless its description says what it stands for.",
        "type": "object",
        "additionalProperties": False,
        "required": ["seats"] if variant == VARIANTS[0] else ["variant", "seats"],
        "properties": members,
    }
