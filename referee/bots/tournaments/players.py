"""The minds that can take part in matches in memory, by their names.

This is the one place that knows them.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.bots.minds import LEVELS, think
from referee.bots.playing import Below, Mind
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.seats import Seat
from referee.engine.steps import State

SEEDS = 1 << 62  # of thoughts


class UnknownMindError(LookupError):
    """There is no mind of this name."""


@dataclass(frozen=True)
class LevelMind:
    """A level of bots. It remembers nothing."""

    name: str
    level: int

    def choose_move(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is awaited."""
        return think(self.level, view, seat, draw_seed(below)).move

    def answer_invitation(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is invited, or None to decline."""
        return think(self.level, view, seat, draw_seed(below), is_invited=True).move


def draw_seed(below: Below) -> str:
    """Draw the seed of a thought."""
    return str(below(SEEDS))


def list_minds() -> tuple[str, ...]:
    """Return the names of the minds that there are."""
    return tuple(map(str, LEVELS))


def find_mind(name: str, game: Game) -> Mind:
    """Return a fresh mind for one seat in one match. Raises UnknownMindError."""
    if name not in list_minds():
        raise UnknownMindError(f"there is no mind {name} for {game.name}; minds: {', '.join(list_minds())}")
    return LevelMind(name, int(name))
