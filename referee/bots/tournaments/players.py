"""The minds that can take part in matches in memory, by their names.

This is the one place that knows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.bots.levels import BOT_STYLES, list_styles
from referee.bots.memory import SeatMemory
from referee.bots.minds import BRIEF, LEVELS, think
from referee.bots.playing import Below, Mind
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.games import game_of

SEEDS = 1 << 62  # of thoughts


class UnknownMindError(LookupError):
    """There is no mind of this name."""


@dataclass
class LevelMind:
    """A level of bots, for one seat in one match.

    If it searches, it remembers what the seat has seen since its first question, and may have a style.
    """

    name: str
    level: int
    style: str = ""
    memory: SeatMemory | None = None

    def choose_move(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is awaited."""
        return self._think(view, seat, below, False)

    def answer_invitation(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is invited, or None to decline."""
        return self._think(view, seat, below, True)

    def note_events(self, events: Sequence[Event], /) -> None:
        """Remember what happens, as the seat may know it."""
        if self.memory is not None:
            self.memory.note_events(events)

    def _think(self, view: State, seat: Seat, below: Below, is_invited: bool) -> Move | None:
        if self.level >= BRIEF and self.memory is None:
            self.memory = SeatMemory(game_of(view), seat, view)
        known = NOTHING_REMEMBERED if self.memory is None else self.memory.places
        return think(self.level, view, seat, draw_seed(below), is_invited, memory=known, style=self.style).move


def draw_seed(below: Below) -> str:
    """Draw the seed of a thought."""
    return str(below(SEEDS))


def list_minds(game: str = "") -> tuple[str, ...]:
    """Return the names of the minds of a game, or of all games.

    They are the levels, and those of them that search with each style.
    """
    styles = list_styles(game) if game else BOT_STYLES
    styled = (f"{level}-{style['id']}" for level in LEVELS if level >= BRIEF for style in styles)
    return (*map(str, LEVELS), *styled)


def find_mind(name: str, game: Game) -> Mind:
    """Return a fresh mind for one seat in one match. Raises UnknownMindError."""
    if name not in list_minds(game.name):
        raise UnknownMindError(f"there is no mind {name} for {game.name}; minds: {', '.join(list_minds(game.name))}")
    level, _, style = name.partition("-")
    return LevelMind(name, int(level), style)
