"""Boxes that stand alone, made of the designs of the game's own cards under names of their own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.rulebook.editions import CardBook
from referee.games.books import install_book_text
from referee.games.munchkin.card_attributes import DOOR_KINDS
from referee.games.munchkin.components import ENTRIES
from referee.games.munchkin.texts.books import LEAST_CARDS

Entry = dict[str, Any]
NOT_IN_BOOKS = ("sourced", "licensed", "note")


def list_whole_box() -> list[Entry]:
    """All designs of the game's own box, under other names."""
    return [_rename(entry) for _, entry in ENTRIES]


def list_least_box() -> list[Entry]:
    """A box with no card more than it needs, of every kind as far as that goes."""
    found: list[Entry] = []
    left = {what: least for what, (_, least) in LEAST_CARDS.items()}
    whole = [{**entry, "copies": 1} for entry in list_whole_box()]
    for entry in [each for each in whole if each["kind"] == "monster"][::3][: left["monsters"]]:
        found.append(entry)
        left["doors"] -= 1
    others = [each for each in whole if each["kind"] != "monster"]
    # the first of each kind first, so that every kind is there
    kinds = list(dict.fromkeys(each["kind"] for each in others))
    of_kind = {kind: [each for each in others if each["kind"] == kind] for kind in kinds}
    in_turn = [each for number in range(len(others)) for kind in kinds for each in of_kind[kind][number : number + 1]]
    for entry in in_turn:
        deck = "doors" if entry["kind"] in DOOR_KINDS else "treasures"
        if left[deck]:
            found.append(entry)
            left[deck] -= 1
    if left["doors"]:  # the box has fewer different doors than that
        more = next(each for each in found if each["kind"] == "curse")
        more["copies"] += left["doors"]
    return found


def write_book(name: str, entries: Iterable[Entry], **more: str) -> str:
    """The text of a book with these cards, a card to a line."""
    head = {"book": name, "game": "munchkin", "title": "Attic box", **more}
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    return json.dumps(head, ensure_ascii=False)[:-1] + ', "cards": [\n' + lines + "\n]}\n"


@cache
def install_box(name: str) -> CardBook:
    """The whole box or the least one, installed as any book is."""
    return install_book_text(write_book(f"attic_{name}", {"whole": list_whole_box, "least": list_least_box}[name]()))


def _rename(entry: LocatedMapping) -> Entry:
    plain: Entry = json.loads(json.dumps({key: value for key, value in entry.items() if key not in NOT_IN_BOOKS}))
    plain["id"] = f"own_{plain['id']}"
    for power in plain.get("powers", ()):
        power["name"] = f"own_{power['name']}"
    return plain
