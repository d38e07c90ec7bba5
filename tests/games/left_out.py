"""Positions that leave something out: what a ruling asks for, and how far facts can be followed."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

from referee.engine.events import Event, Move, fold
from referee.engine.game import Game
from referee.engine.referee import considered, foreseen, heard, judge, view
from referee.engine.rulings import Unknown
from referee.engine.seats import Seat
from referee.engine.steps import State

Data = dict[str, Any]


def less(data: Data, *paths: str) -> Data:
    """A position in which these members are left out, each by its path."""
    data = deepcopy(data)
    for path in paths:
        *way, last = path.split("/")
        there: Any = data
        for part in way:
            there = there[int(part) if isinstance(there, list) else part]
        del there[last]
    return data


def verdict(game: Game, data: Data, move: Move, seat: int = 0) -> str:
    """The verdict, or what the position must still say, as a question in both languages."""
    state = game.position(data)
    assert game.position(game.written(state)) == state
    ruling = judge(state, Seat(seat), move)
    if not ruling.needs:
        return ruling.verdict
    need = ruling.needs[0]
    for lang in ("en", "de"):
        assert game.book.text(need.key, lang, **need.params).endswith("?")
    return ":".join((need.key, *map(str, need.params.values())))


def followed(game: Game, data: Data, move: Move, seat: int = 0) -> tuple[tuple[Event, ...], str]:
    """The facts of a granted move as far as the position fixes them, and what it would have to say for more."""
    facts, need = foreseen(game.position(data), Seat(seat), move)
    return facts, need.key if need else ""


def judged_and_tried(state: State, seats: int, most: int = 25) -> Iterator[Move]:
    """Judges `most` moves of each seat and folds the facts of those granted; each move that was judged."""
    for seat in map(Seat, range(seats)):
        try:
            heard(state)
        except Unknown:
            return  # nobody can tell whether there is anything to answer
        for move, _against in islice(considered(state, seat), most):
            ruling = judge(state, seat, move)
            yield move
            if ruling.granted:
                try:
                    facts, _need = foreseen(view(state, seat), seat, move)
                except Unknown:
                    continue
                fold(view(state, seat), facts)
