"""What a test needs of a game, by what the game declares. A game that lacks it is skipped, never by its name."""

from __future__ import annotations

import pytest

from referee.engine.chance import PickResult, RollResult, ShuffleResult, TurnUpResult
from referee.engine.events import Move
from referee.games import load_games

CHANCE_MOVES = (RollResult, ShuffleResult, PickResult, TurnUpResult)


def require_devices(name: str, hidden: bool = False) -> tuple[str, ...]:
    """The devices of a game that a table may hold, or those whose results may be `hidden`. Skips if there are none."""
    game = load_games()[name]
    found = tuple(device for device in game.devices if not hidden or device not in game.open_devices)
    if not found:
        pytest.skip(f"{name} declares no {'hidden ' if hidden else ''}devices, so nothing is real at its table")
    return found


def require_moves(name: str, *kinds: type[Move]) -> None:
    """Skips unless one of these moves is among those that a game declares."""
    if not {*kinds} & {*load_games()[name].move_types}:
        pytest.skip(f"{name} declares none of the moves {', '.join(kind.TAG for kind in kinds)}")
