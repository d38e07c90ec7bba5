"""The outcome of a match (MK-22.1, MK-22.2, MK-22.3, MK-26.10)."""

from __future__ import annotations

from itertools import groupby

from referee.engine.game import Outcome
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


def compute_outcome(table: Table) -> Outcome | None:
    """Return the outcome, the winner first and the others by level, or None.

    It is None while play goes on.
    MK-26.10: A game that has gone on for the number of turns set for it ends as a draw.
    MK-26.9-R2: The last one left has won. Those who have left come last.
    """
    if not table.way:
        return None

    def rank(seat: int) -> tuple[bool, bool, int]:
        return seat != table.winner, seat in table.gone, -table.levels[seat]

    placement = tuple(tuple(seats) for _, seats in groupby(sorted(range(table.rules.seats), key=rank), key=rank))
    if table.winner == NOBODY:
        return Outcome((), "outcome.too_many_turns", ("MK-26.10",), placement)
    if table.way == "last_one_left":
        return Outcome((table.winner,), "outcome.last_one_left", ("MK-26.9",), placement)
    return Outcome((table.winner,), "outcome.level_ten", ("MK-22.1", "MK-22.2"), placement)
