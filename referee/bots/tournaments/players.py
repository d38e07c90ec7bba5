"""The minds that can take part in matches in memory, by their names.

This is the one place that knows them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.bots.playing import Below, Mind
from referee.bots.policy import choose_greedy_move, choose_tempting_move
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import sample_legal_move
from referee.engine.seats import Seat
from referee.engine.steps import State

Choice = Callable[[State, Seat, Below], Move | None]


class UnknownMindError(LookupError):
    """There is no mind of this name."""


@dataclass(frozen=True)
class SimpleMind:
    """A mind without a memory: one function for moves, one for invitations."""

    name: str
    move: Choice
    answer: Choice

    def choose_move(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is awaited."""
        return self.move(view, seat, below)

    def answer_invitation(self, view: State, seat: Seat, below: Below, /) -> Move | None:
        """Return the move of a seat that is invited, or None to decline."""
        return self.answer(view, seat, below)


def accept_half_the_time(view: State, seat: Seat, below: Below) -> Move | None:
    """Choose any legal move half of the time, else decline."""
    return sample_legal_move(view, seat, below) if below(2) else None


MINDS: dict[str, tuple[Choice, Choice]] = {
    "0": (sample_legal_move, accept_half_the_time),
    "1": (choose_greedy_move, choose_tempting_move),
}


def list_minds() -> tuple[str, ...]:
    """Return the names of the minds that there are."""
    return tuple(MINDS)


def find_mind(name: str, game: Game) -> Mind:
    """Return a fresh mind for one seat in one match. Raises UnknownMindError."""
    if name not in MINDS:
        raise UnknownMindError(f"there is no mind {name} for {game.name}; minds: {', '.join(list_minds())}")
    return SimpleMind(name, *MINDS[name])
