"""Positions written down and read again, and what the tests of them share."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import Event, apply_events
from referee.engine.referee import play_move, seats_that_must_act
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.engine.seats import CLOCK, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.moves import Pass
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.state import Table
from tests.games.schemas import fit

Data = dict[str, Any]
MIDGAME: Data = GAME.positions.build_examples("skirmish")[0]
OWN_BOARD, OTHER_BOARD = (player["board"] for player in MIDGAME["seats"])
DECK_LIST: list[str] = GAME.positions.build_examples("league")[-1]["seats"][0]["list"]
ATTACK: Data = {"event": "attack", "about": {"attacker": ["bog_leech"], "defender": ["stone_owl"]}}
BOTH_EFFECTS: list[Data] = [
    {"card": "bog_leech", "part": "attacks"},
    {"card": "stone_owl", "part": "attacked", "by": 1},
]


def build_midgame(*seats: Data, **more: Any) -> Data:
    """A position in the middle of a match. `seats` replace what is usual for the players."""
    said = [*seats, *[{}] * (2 - len(seats))]
    players = [{**player, **other} for player, other in zip(MIDGAME["seats"], said, strict=True)]
    return {**MIDGAME, "seats": players, **more}


def change_board(board: Data, **more: Any) -> Data:
    """A board with other things on some places. None clears a place."""
    return {place: said for place, said in {**board, **more}.items() if said is not None}


def build_question(asks: str, **more: Any) -> Data:
    """The member that names a question."""
    return {"asks": asks, **more}


def read(data: Data) -> Table:
    """The table of a position, which is the same once written and read again."""
    state = GAME.positions.decode_position(data)
    written = GAME.positions.encode_position(state)
    fit(written, GAME.name, state.rules.variant)
    assert GAME.positions.decode_position(written) == state
    return state


def faults(data: Data) -> dict[str, str]:
    """What is wrong with the form of a position, by place."""
    with pytest.raises(MalformedInput) as malformed:
        GAME.positions.decode_position(data)
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
