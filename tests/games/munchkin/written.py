"""Written positions of three players in the middle of a match, as the tests of Munchkin need them."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from referee.games.munchkin import GAME

Position = dict[str, Any]


def build_midway_position(*seats: Position, **more: Any) -> Position:
    """Return a position of three players in the middle of a match, seat 0 on turn.

    `seats` overrides members of the first players.
    """
    usual = GAME.positions.build_examples("standard")[0]
    players = [{**player, **other} for player, other in zip_longest(usual["seats"], seats, fillvalue={})]
    return {**usual, "seats": players, **more}


def build_combat_position(*seats: Position, combat: Position | None = None, **more: Any) -> Position:
    """Return a position with a combat of seat 0 against the Wolfman."""
    return build_midway_position(*seats, combat={"monsters": ["wolfman"], **(combat or {})}, **more)


def build_question(asks: str, **more: Any) -> Position:
    """Return the member that names a question."""
    return {"asks": asks, **more}


def build_flight_combat(*monsters: str) -> Position:
    """Return a combat in which seat 0 still has to escape these monsters."""
    flight = [{"seat": 0, "monster": monster} for monster in monsters]
    return {"monsters": list(monsters) or ["wolfman"], "to_flee": flight}
