"""Every setup that an environment deals by itself, and random play through it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee.bots.env import Environment
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.seats import Seat
from tests.games.matches import ids, setups

MOST = 4000  # moves and declined invitations of a match


def dealt_setups() -> list[Any]:
    """Games and setups as parameters: each variant with the fewest seats is quick, all others are deep."""
    found, seen = [], set()
    for name, setup in setups():
        if "table" in setup.chance.values() or setup.named:
            continue  # an environment has no real cards
        kind = (name, setup.variant)
        found.append(
            pytest.param((name, setup), marks=(pytest.mark.deep,) if kind in seen else (), id=ids((name, setup)))
        )
        seen.add(kind)
    return found


def begun(pair: tuple[str, Setup], seed: int | str = 0) -> Environment:
    """An environment of this setup at its first question."""
    name, setup = pair
    env = Environment(name)
    env.reset(seed, setup.variant, setup.seats, setup.settings, setup.edition)
    return env


def played(env: Environment, dice: random.Random, most: int = MOST) -> Iterator[tuple[Seat, Move | None]]:
    """Plays at random, each move yielded before it is made; None declines an invitation."""
    for _ in range(most):
        if env.outcome is not None:
            return
        seat = env.seat_to_move
        declines = env.may_decline(seat) and dice.random() < 0.5
        move = None if declines else env.sample_move(seat, dice.randrange)
        yield seat, move
        env.step(move)
    assert most < MOST, "the match did not end"
