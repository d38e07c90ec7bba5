"""The boards of a position: what lies on their places, and what is marked on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.positions.schema_check import Error, error
from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.card_attributes import X
from referee.games.creature_crush.components import CRUSHES, FIELDS, ON_FIELD, SEAT_OF, SEATS, face
from referee.games.creature_crush.positions.names import Names
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Lasting

Data = dict[str, Any]
BACK = "?"
COUNTED = ("damage", "acted", "ready")


def said_at(data: Data) -> Iterator[tuple[str, int, str, Data]]:
    """Every place of the boards on which something lies: its pointer, seat and place, and what is said of it."""
    for seat, player in enumerate(data["seats"]):
        for place in (*FIELDS[seat], *CRUSHES[seat]):
            said = player["board"].get(place[:2])
            if said is not None:
                kind = "creature" if place in ON_FIELD else "card"
                yield f"/seats/{seat}/board/{place[:2]}", seat, place, said if isinstance(said, dict) else {kind: said}


def unpaid(data: Data, names: Names) -> list[Error]:
    """The errors of crush cards for which nobody can tell how many dice were burned."""
    found = []
    for pointer, seat, place, said in said_at(data):
        if place not in ON_FIELD and "dice" not in said:
            card = names.of(said.get("card", BACK), seat)
            if is_back(card) or face(card).cost == X:
                found.append(error(f"{pointer}/dice", "is missing: how many dice were burned for it?"))
    return found


def read(data: Data, names: Names) -> tuple[dict[str, Cards], dict[str, Any]]:
    """What lies on the boards, and the fields of the table that say what is marked on it."""
    zones: dict[str, Cards] = {}
    marks: dict[str, dict[str, Any]] = {"damage": {}, "acted": {}, "ready": {}, "lasting": {}, "paid": {}}
    for _, seat, place, said in said_at(data):
        card = names.of(str(said.get("creature", said.get("card", BACK))), seat)
        zones[place] = (card,)
        if place not in ON_FIELD:
            marks["paid"][place] = said.get("dice", face(card).cost if not is_back(card) else 0)
            continue
        for name in COUNTED:
            if said.get(name):
                marks[name][card] = said[name]
        if said.get("changes"):
            marks["lasting"][card] = tuple(_change(each, names, seat) for each in said["changes"])
    return zones, marks


def _change(said: Data, names: Names, seat: int) -> Lasting:
    by = said["by"]
    known = by in names.box or by in names.plain
    return Lasting(said["stat"], said["amount"], said.get("this_turn", False), names.of(by, seat) if known else by)


def strange_changes(data: Data, names: Names) -> list[Error]:
    """The errors of changes that no card made."""
    return [
        error(f"{pointer}/changes/{at}/by", f"nothing here is called {each['by']!r}")
        for pointer, _, _, said in said_at(data)
        for at, each in enumerate(said.get("changes", ()))
        if each["by"] not in names.box and each["by"] not in names.plain
    ]


def written(table: Table, seat: int) -> Data:
    """What a position says of a board."""
    said: Data = {}
    for place in (*FIELDS[seat], *CRUSHES[seat]):
        card = table.at(place)
        if card:
            said[place[:2]] = _creature(table, card) if place in ON_FIELD else _crush(table, place, card)
    return said


def _creature(table: Table, card: str) -> Any:
    marks: Data = {name: getattr(table, name)[card] for name in COUNTED if getattr(table, name).get(card)}
    if table.lasting.get(card):
        marks["changes"] = [_written_change(each) for each in table.lasting[card]]
    return {"creature": card, **marks} if marks else card


def _written_change(change: Lasting) -> Data:
    said: Data = {"stat": change.stat, "amount": change.amount, "by": change.by}
    return said | ({"this_turn": True} if change.this_turn else {})


def _crush(table: Table, place: str, card: str) -> Any:
    dice = table.paid.get(place, 0)
    return card if not is_back(card) and face(card).cost == dice else {"card": card, "dice": dice}


def pointers() -> dict[str, str]:
    """The places of the boards, by the pointers of the members that say what lies there."""
    return {f"/seats/{SEAT_OF[place]}/board/{place[:2]}": place for seat in SEATS
            for place in (*FIELDS[seat], *CRUSHES[seat])}  # fmt: skip
