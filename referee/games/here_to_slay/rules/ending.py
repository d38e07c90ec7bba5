"""How a match has ended (HTS-WIN-1 to HTS-WIN-4, HTS-AMB-73)."""

from __future__ import annotations

from referee.engine.game import Outcome
from referee.games.here_to_slay.state import NOBODY, Table

OUTCOME_CLAUSES = {
    "three_monsters": ("HTS-WIN-1", "HTS-WIN-4"),
    "six_classes": ("HTS-WIN-2", "HTS-WIN-4"),
    "last_one_left": ("HTS-AMB-73", "HTS-WIN-4"),
}


def compute_outcome(table: Table) -> Outcome | None:
    """The winner, and all others together behind; None while nobody has won."""
    if table.winner == NOBODY:
        return None
    others = tuple(seat for seat in range(table.rules.seats) if seat != table.winner)
    return Outcome((table.winner,), f"outcome.{table.way}", OUTCOME_CLAUSES[table.way], ((table.winner,), others))
