"""Positions written down and read again, and what the tests of them share."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import Event, apply_events
from referee.engine.game import ContradictoryPosition
from referee.engine.referee import play_move, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CLOCK, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.moves import Pass
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.state import Table
from tests.games.schemas import fit

Data = dict[str, Any]


def read(data: Data) -> Table:
    """The table of a position, which is the same once written and read again."""
    state = GAME.decode_position(data)
    written = GAME.encode_position(state)
    fit(written, GAME.name, state.rules.variant)
    assert GAME.decode_position(written) == state
    return state


def faults(data: Data) -> dict[str, str]:
    """What is wrong with the form of a position, by place."""
    with pytest.raises(MalformedInput) as malformed:
        GAME.decode_position(data)
    assert not isinstance(malformed.value, ContradictoryPosition)
    return {error["pointer"]: error["detail"] for error in malformed.value.errors}


def asked(state: Table) -> set[int]:
    """The seats that are awaited, no clock."""
    return {int(seat) for seat in seats_that_must_act(state) - {CLOCK}}


def all_pass(state: Table) -> tuple[tuple[Event, ...], Table]:
    """All facts until no window is open any more, if nobody flips anything, and the table then."""
    events: tuple[Event, ...] = ()
    while isinstance(state.agenda[-1], Chain):
        more = play_move(state, Seat(asked(state).pop()), Pass())
        events, state = events + more, apply_events(state, more)
    return events, state
