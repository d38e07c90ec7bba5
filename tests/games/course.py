"""given a table / when a move / then facts: what the tests of every game can say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from referee.engine.chance import PickResult
from referee.engine.events import Event, Move, apply_events
from referee.engine.prompts import TimedOut
from referee.engine.referee import judge_candidates, play_move, resolve_pending_steps, seats_that_must_act
from referee.engine.rulings import IllegalMove, Ruling
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.engine.steps import State

E = TypeVar("E", bound=Event)
S = TypeVar("S", bound=State)
QUIET = ("Opened", "Became", "Closed", "Cleared", "Noted", "cards.Bound", "cards.Answered")  # bookkeeping


def settled(state: S) -> S:
    """The table when nothing more happens by itself."""
    return apply_events(state, resolve_pending_steps(state))


def when(state: S, seat: int, *moves: Move) -> tuple[tuple[Event, ...], S]:
    """All facts of these moves of a seat, one after the other, and the table then."""
    events: tuple[Event, ...] = ()
    for move in moves:
        more = play_move(state, Seat(seat), move)
        events, state = events + more, apply_events(state, more)
    return events, state


def then(state: S, seat: int, *moves: Move) -> S:
    """The table after these moves of a seat."""
    return when(state, seat, *moves)[1]


def pulled(state: S, card: str) -> tuple[tuple[Event, ...], S]:
    """Chance picks this card out of the hand."""
    return when(state, CHANCE, PickResult((card,)))


def times_out(state: S) -> tuple[tuple[Event, ...], S]:
    """The time of the open question is up."""
    return when(state, CLOCK, TimedOut())


def refusal(state: State, seat: int, move: Move) -> Ruling:
    """The ruling against a move; the test fails if it is granted."""
    with pytest.raises(IllegalMove) as refused:
        play_move(state, Seat(seat), move)
    return refused.value.ruling


def refused(state: State, seat: int, move: Move) -> tuple[str, str]:
    """Why a move is refused, and by which clause in the first place."""
    ruling = refusal(state, seat, move)
    return ruling.reason, ruling.clauses[0]


def of(events: Iterable[Event], kind: type[E]) -> list[E]:
    """The facts of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def asked(state: State) -> set[int]:
    """The seats that are awaited, no clock or chance."""
    return {int(seat) for seat in seats_that_must_act(state) if seat >= 0}


def near_misses(state: State, seat: int) -> list[Move]:
    """The moves that are listed for a seat and refused."""
    return [move for move, ruling in judge_candidates(state, Seat(seat)) if ruling is not None]
