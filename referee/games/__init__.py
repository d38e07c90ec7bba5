"""The games that can be refereed. No game knows another."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from referee.engine.game import Game
from referee.engine.steps import State


@cache
def load_games() -> dict[str, Game]:
    """Return every game by its name: each folder here that has an object GAME."""
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))
    return {name: import_module(f"referee.games.{name}").GAME for name in folders}


def game_of(state: State) -> Game:
    """Return the game that a state or view belongs to.

    Raises LookupError if none does.
    """
    for game in load_games().values():
        if isinstance(state, game.state_type):
            return game
    raise LookupError(f"no game is played on {type(state).__name__}")
