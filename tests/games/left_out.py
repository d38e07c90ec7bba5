"""Positions that leave something out: what a ruling asks for, and how far facts can be followed."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game
from referee.engine.referee import build_view, judge_candidates, judge_move, preview_move, seats_that_may_act
from referee.engine.rulings import Undetermined
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
    state = game.positions.decode_position(data)
    assert game.positions.decode_position(game.positions.encode_position(state)) == state
    ruling = judge_move(state, Seat(seat), move)
    if not ruling.needs:
        return ruling.verdict
    need = ruling.needs[0]
    for lang in ("en", "de"):
        assert game.rulebook.render_text(need.key, lang, **need.params).endswith("?")
    return ":".join((need.key, *map(str, need.params.values())))


def followed(game: Game, data: Data, move: Move, seat: int = 0) -> tuple[tuple[Event, ...], str]:
    """The facts of a granted move as far as the position fixes them, and what it would have to say for more."""
    events, need = preview_move(game.positions.decode_position(data), Seat(seat), move)
    return events, need.key if need else ""


def judged_and_tried(state: State, seats: int, most: int = 25) -> Iterator[Move]:
    """Judges `most` moves of each seat and folds the facts of those granted; each move that was judged."""
    for seat in map(Seat, range(seats)):
        try:
            seats_that_may_act(state)
        except Undetermined:
            return  # nobody can tell whether there is anything to answer
        for move, _against in islice(judge_candidates(state, seat), most):
            ruling = judge_move(state, seat, move)
            yield move
            if ruling.granted:
                try:
                    events, _need = preview_move(build_view(state, seat), seat, move)
                except Undetermined:
                    continue
                apply_events(build_view(state, seat), events)
