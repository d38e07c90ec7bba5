"""The boards of a position: what lies on their places, and what is marked on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.positions.schema_check import SchemaError, build_error
from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    CRUSH_PLACES,
    FIELD_PLACES,
    SEAT_BY_PLACE,
    SEATS,
    face_of,
)
from referee.games.creature_crush.positions.names import CardNames
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange

Data = dict[str, Any]
BACK = "?"
COUNTED_MARKS = ("damage", "acted", "ready")


def iterate_board_places(data: Data) -> Iterator[tuple[str, int, str, Data]]:
    """Yield pointer, seat, place and content of each place on which something lies."""
    for seat, player in enumerate(data["seats"]):
        for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat]):
            said = player["board"].get(place[:2])
            if said is not None:
                kind = "creature" if place in ALL_FIELD_PLACES else "card"
                yield f"/seats/{seat}/board/{place[:2]}", seat, place, said if isinstance(said, dict) else {kind: said}


def find_unpaid_errors(data: Data, names: CardNames) -> list[SchemaError]:
    """Find crush cards for which nobody can tell how many dice were burned."""
    found = []
    for pointer, seat, place, said in iterate_board_places(data):
        if place not in ALL_FIELD_PLACES and "dice" not in said:
            card = names.find_card(said.get("card", BACK), seat)
            if is_back(card) or face_of(card).cost == COST_X:
                found.append(build_error(f"{pointer}/dice", "is missing: say how many dice were burned for this card"))
    return found


def decode_boards(data: Data, names: CardNames) -> tuple[dict[str, Cards], dict[str, Any]]:
    """Return what lies on the boards, and the table's fields for what is marked on it."""
    zones: dict[str, Cards] = {}
    marks: dict[str, dict[str, Any]] = {"damage": {}, "acted": {}, "ready": {}, "lasting": {}, "paid": {}}
    for _, seat, place, said in iterate_board_places(data):
        card = names.find_card(str(said.get("creature", said.get("card", BACK))), seat)
        zones[place] = (card,)
        if place not in ALL_FIELD_PLACES:
            marks["paid"][place] = said.get("dice", face_of(card).cost if not is_back(card) else 0)
            continue
        for name in COUNTED_MARKS:
            if said.get(name):
                marks[name][card] = said[name]
        if said.get("changes"):
            marks["lasting"][card] = tuple(_decode_change(each, names, seat) for each in said["changes"])
    return zones, marks


def _decode_change(said: Data, names: CardNames, seat: int) -> LastingChange:
    by = said["by"]
    is_card = by in names.box or by in names.cards_by_name
    return LastingChange(
        said["stat"], said["amount"], said.get("this_turn", False), names.find_card(by, seat) if is_card else by
    )


def find_change_errors(data: Data, names: CardNames) -> list[SchemaError]:
    """Find changes that name a card which does not exist."""
    return [
        build_error(f"{pointer}/changes/{at}/by", f"unknown card {each['by']!r}")
        for pointer, _, _, said in iterate_board_places(data)
        for at, each in enumerate(said.get("changes", ()))
        if each["by"] not in names.box and each["by"] not in names.cards_by_name
    ]


def encode_board(table: Table, seat: int) -> Data:
    """Return what a position says of a board."""
    said: Data = {}
    for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat]):
        card = table.card_at(place)
        if card:
            said[place[:2]] = (
                _encode_creature(table, card) if place in ALL_FIELD_PLACES else _encode_crush_card(table, place, card)
            )
    return said


def _encode_creature(table: Table, card: str) -> Any:
    marks: Data = {name: getattr(table, name)[card] for name in COUNTED_MARKS if getattr(table, name).get(card)}
    if table.lasting.get(card):
        marks["changes"] = [_encode_change(each) for each in table.lasting[card]]
    return {"creature": card, **marks} if marks else card


def _encode_change(change: LastingChange) -> Data:
    said: Data = {"stat": change.stat, "amount": change.amount, "by": change.by}
    return said | ({"this_turn": True} if change.this_turn else {})


def _encode_crush_card(table: Table, place: str, card: str) -> Any:
    dice = table.paid.get(place, 0)
    return card if not is_back(card) and face_of(card).cost == dice else {"card": card, "dice": dice}


def build_places_by_pointer() -> dict[str, str]:
    """Return the places of the boards by the JSON pointers of their members."""
    return {f"/seats/{SEAT_BY_PLACE[place]}/board/{place[:2]}": place for seat in SEATS
            for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat])}  # fmt: skip
