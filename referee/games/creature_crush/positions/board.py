"""The boards of a position: what lies on their places, and what is marked on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.engine.positions.form import SchemaError, build_error
from referee.engine.positions.rows import Found, Position
from referee.engine.positions.schema import BACK
from referee.engine.positions.shapes import (
    FLAG,
    Member,
    Shape,
    choice_shape,
    list_shape,
    number_shape,
    record_shape,
    short_record_shape,
)
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import COST_X, KEYWORDS, PROHIBITIONS
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    COLUMNS,
    CRUSH_PLACES,
    FIELD_PLACES,
    MOST_START_DICE,
    SEATS,
    face_of,
)
from referee.games.creature_crush.positions.names import CardNames
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange

CHANGED = ("attack", "armor", "life", "shield", "growth", "spared", *KEYWORDS, *(f"cannot_{w}" for w in PROHIBITIONS))
MANY = 100  # of anything that is counted on a creature
ROW_PHRASES = {"A": "of the front row", "B": "of the row of defenders"}
UNTIL = Shape({"enum": [*SEATS]}, lambda seat, _position: str(seat), int)

# What is marked on a creature: the member of a position, and the attribute of the table that maps creatures.
MARKS = {"damage": "damage", "acted": "acted", "ready": "ready", "changes": "lasting"}
Lying = dict[str, Any]  # what lies on a place: a creature and its marks, or a crush card and the dice burned for it


def build_board_shape(names: CardNames) -> Shape:
    """Return the shape of a board: what lies on each place."""
    count = number_shape(0, MANY)
    change = record_shape(
        partial(LastingChange, this_turn=False),
        Member(
            "stat", choice_shape(*CHANGED), "The value or keyword that it changes, or what it cannot do.", needed=True
        ),
        Member(
            "amount",
            number_shape(-MANY, MANY),
            "How much it adds; of a keyword 1, or -99 if it has lost it.",
            needed=True,
        ),
        Member("this_turn", FLAG, "Whether it ends with the turn; if left out, it lasts.", usual=False),
        Member("until_turn_of", UNTIL, "The seat whose next turn ends it.", usual=""),
        Member("by", names.build_card_shape(), "The card whose effect it is.", needed=True),
        says="A change that an effect made to a creature.",
    )
    creature = short_record_shape(
        dict,
        Member("creature", names.build_card_shape("creature"), "The creature.", needed=True),
        Member("damage", count, "Its damage; none if left out."),
        Member("acted", count, "How many actions it has taken in this turn; none if left out."),
        Member("ready", count, "How many additional actions effects gave it for this turn; none if left out."),
        Member("changes", list_shape(change, 0, MANY), "What effects have changed; nothing if left out."),
        says="A creature, and what is marked on it.",
    )
    change_of_cost = number_shape(-MANY, MANY)
    crush_card = short_record_shape(
        partial(dict, card=BACK),
        Member("card", names.build_card_shape("crush", BACK), "The card; if left out, it is unknown: ?"),
        Member(
            "dice", number_shape(0, MOST_START_DICE),
            "The dice that were burned for it; if left out, as its card says. Required for an unknown card and for a "
            "card with cost X.",
        ),
        Member("saved", change_of_cost, "The change of its cost when it was laid, in dice; none if left out.", usual=0),
        says="A crush card.",
    )  # fmt: skip
    field = [
        Member(
            f"{row}{column}", creature,
            f"The creature on {row}{column}, a place {phrase}; just its name if nothing is marked on it. If left out, "
            "nothing lies there.",
        )
        for row, phrase in ROW_PHRASES.items() for column in COLUMNS
    ]  # fmt: skip
    crush = [
        Member(f"C{column}", crush_card, f"The card face down on C{column}. If left out, nothing lies there.")
        for column in COLUMNS
    ]
    return record_shape(dict, *field, *crush)


def find_board(table: Table, seat: int) -> dict[str, Lying]:
    """Return what lies on the places of a board."""
    return {
        place[:2]: _find_lying_thing(table, place, table.card_at(place))
        for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat])
        if table.card_at(place)
    }


def _find_lying_thing(table: Table, place: str, card: str) -> Lying:
    if place in ALL_FIELD_PLACES:
        marks = {name: getattr(table, attribute).get(card) for name, attribute in MARKS.items()}
        return {"creature": card} | {name: mark for name, mark in marks.items() if mark}
    dice = table.paid.get(place, 0)
    as_card_says = not is_back(card) and face_of(card).cost == dice
    saved = {"saved": table.saved[place]} if place in table.saved else {}
    return {"card": card, **saved} if as_card_says else {"card": card, "dice": dice, **saved}


def _iterate_boards(p: Position) -> Iterator[tuple[str, str, Lying]]:
    """Yield the place, pointer and content of each place on which something lies."""
    for seat, player in enumerate(p["seats"]):
        for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat]):
            if place[:2] in player["board"]:
                yield place, f"/seats/{seat}/board/{place[:2]}", player["board"][place[:2]]


def find_unpaid_errors(p: Position) -> Iterator[SchemaError]:
    """Find crush cards for which nobody can tell how many dice were burned."""
    for place, pointer, lying in _iterate_boards(p):
        if place in ALL_FIELD_PLACES or "dice" in lying:
            continue
        if is_back(lying["card"]) or face_of(lying["card"]).cost == COST_X:
            yield build_error(f"{pointer}/dice", "is missing: say how many dice were burned for this card")


def read_boards(p: Position) -> Found:
    """Return what lies on the boards as a table holds it.

    These are zones, and what is marked on creatures, by card, and paid for crush cards, by place.
    """
    found: Found = {"zones": {}, "paid": {}, "saved": {}, **{attribute: {} for attribute in MARKS.values()}}
    for place, _, lying in _iterate_boards(p):
        card = lying.get("creature") or lying["card"]
        found["zones"][place] = (card,)
        if place not in ALL_FIELD_PLACES:
            found["paid"][place] = lying["dice"] if "dice" in lying else face_of(card).cost
            found["saved"] |= {place: lying["saved"]} if lying.get("saved") else {}
        for name, attribute in MARKS.items():
            if lying.get(name):
                found[attribute][card] = lying[name]
    return found
