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
    """
    if not table.way:
        return None
    by_level = sorted(range(table.rules.seats), key=lambda seat: (seat != table.winner, -table.levels[seat]))
    placement = tuple(
        tuple(seats) for _, seats in groupby(by_level, key=lambda seat: (seat != table.winner, table.levels[seat]))
    )
    if table.winner == NOBODY:
        return Outcome((), "outcome.too_many_turns", ("MK-26.10",), placement)
    return Outcome((table.winner,), "outcome.level_ten", ("MK-22.1", "MK-22.2"), placement)
