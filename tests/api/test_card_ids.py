"""Ids of cards on boards: a card that no transfer moves keeps its id, and those that are moved have the ids named."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api import house
from tests.api.house import Table
from tests.api.streaming import moved
from tests.api.test_told_entries import GAMES, Viewer, board, viewers


def lying(shown: Any, game: str) -> Iterator[tuple[str, Any]]:
    """Where each pile of a board leads, with the pile."""
    if isinstance(shown, dict):
        if {"place", "count", "cards"} <= shown.keys():
            yield shown["place"], shown
        for name, value in shown.items():
            if name != "running":
                yield from lying(value, game)
    elif isinstance(shown, list):
        for value in shown:
            yield from lying(value, game)


def ids_by_place(shown: Any, game: str) -> dict[str, tuple[set[str], bool]]:
    """The ids of the cards in each pile, and whether all of the pile is shown."""
    found = {}
    for place, pile in lying(shown, game):
        ids = {card["id"] for card in pile["cards"]}
        assert len(ids) == len(pile["cards"]), (place, pile)
        found[place] = (ids, pile["count"] == len(ids))
    return found


def follow(viewer: Viewer, game: str) -> tuple[int, int]:
    """Follow the cards of all piles through all entries; return how many stayed and how many were moved."""
    listed = viewer.get("entries?limit=200")["items"]
    stayed = shifted = 0
    start = next(each["version"] for each in listed if any(e["type"] == "table.Started" for e in each["events"]))
    before = ids_by_place(board(viewer, start), game)
    for entry in listed:
        if entry["version"] <= start:
            continue
        after = ids_by_place(board(viewer, entry["version"]), game)
        expected = {place: set(ids) for place, (ids, _) in before.items()}
        swapped = set()
        for transfer in entry["transfers"]:
            source, target = transfer["from"], transfer["to"]
            swapped |= {source, target} if transfer["count"] is None else set()
            expected.setdefault(source, set()).difference_update(each for each in transfer["was"] if each)
            expected.setdefault(target, set()).update(card["id"] for card in transfer["cards"])
            expected.pop(None, None)
            shifted += len(transfer["cards"])
        for place in (before.keys() | after.keys()) - swapped:
            was, now = before.get(place, (set(), True)), after.get(place, (set(), True))
            if was[1] and now[1]:
                assert now[0] == expected.get(place, set()), (entry["version"], place, entry["transfers"])
            stayed += len(was[0] & now[0])
        before = after
    return stayed, shifted


def played(game: str, seed: int, moves: int = 40) -> Table:
    """A match with some moves that were drawn."""
    dice = random.Random(f"{game} {seed}")
    table = house.opened(house.app(), game, 3 if game == "munchkin" else 2, visibility="public", spectator_delay=0)
    for _ in range(moves):
        if not any(isinstance(seat, int) for seat in table.awaited):
            break
        moved(table, dice)
    return table


@pytest.mark.parametrize("game", GAMES)
def test_a_card_that_no_transfer_moves_keeps_its_id(game: str) -> None:
    table = played(game, 1)
    for viewer in viewers(table):
        stayed, shifted = follow(viewer, game)
        assert stayed
        assert shifted
