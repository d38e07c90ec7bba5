"""What positions and moves are worth to a seat, for bots. No rule looks at it."""

from __future__ import annotations

from typing import Any, Protocol

from referee.engine.events import Move


class Evaluation(Protocol):
    """Judges positions and moves: a module with these functions, or an object.

    A class derived from it leaves out what is always worth nothing.
    """

    def evaluate_state(self, view: Any, seat: int, /) -> int:
        """Return how good an unfinished position is for a seat, judged by its view.

        Only differences between values count. The function is pure and uses no chance. Raises Undetermined if a
        position says too little.
        """
        return 0

    def expected_gain(self, view: Any, seat: int, move: Move, /) -> int:
        """Return what a legal move is worth to a seat beyond its foreseeable events.

        This is what dice, hidden cards and the answers of others may bring, in the unit of `evaluate_state`. Raises
        Undetermined if a position says too little.
        """
        return 0


class EqualEvaluation(Evaluation):
    """All positions and moves are worth the same."""
