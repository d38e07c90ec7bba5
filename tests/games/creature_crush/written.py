"""Positions written down and read again, and what the tests of them share."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from referee.engine.events import Event, fold
from referee.engine.game import Impossible, Malformed
from referee.engine.referee import awaited, play
from referee.engine.seats import CLOCK, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.moves import Pass
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.state import Table

Data = dict[str, Any]


def read(data: Data) -> Table:
    """The table of a position, which is the same once written and read again."""
    state = GAME.position(data)
    written = GAME.written(state)
    jsonschema.validate(written, GAME.position_schema(state.rules.variant))
    assert GAME.position(written) == state
    return state


def faults(data: Data) -> dict[str, str]:
    """What is wrong with the form of a position, by place."""
    with pytest.raises(Malformed) as malformed:
        GAME.position(data)
    assert not isinstance(malformed.value, Impossible)
    return {error["pointer"]: error["detail"] for error in malformed.value.errors}


def asked(state: Table) -> set[int]:
    """The seats that are awaited, no clock."""
    return {int(seat) for seat in awaited(state) - {CLOCK}}


def all_pass(state: Table) -> tuple[tuple[Event, ...], Table]:
    """All facts until no window is open any more, if nobody flips anything, and the table then."""
    facts: tuple[Event, ...] = ()
    while isinstance(state.agenda[-1], Chain):
        more = play(state, Seat(asked(state).pop()), Pass())
        facts, state = facts + more, fold(state, more)
    return facts, state
