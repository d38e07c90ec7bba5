"""The outcome of a match.

Clauses: HTS-WIN-1 to HTS-WIN-4, HTS-AMB-73.
HTS-WIN-1: The third slain monster wins the game on the spot, before any reward, new monster or trigger.
HTS-WIN-2: A player who ends their own turn with all six classes in the party wins.
HTS-WIN-4: A win ends the game: no further move is accepted. There are no draws.
HTS-AMB-73: The last player left at the table has won.
"""

from __future__ import annotations

from referee.engine.game import Outcome
from referee.games.here_to_slay.state import NOBODY, Table

OUTCOME_CLAUSES = {
    "three_monsters": ("HTS-WIN-1", "HTS-WIN-4"),
    "six_classes": ("HTS-WIN-2", "HTS-WIN-4"),
    "last_one_left": ("HTS-AMB-73", "HTS-WIN-4"),
}


def compute_outcome(table: Table) -> Outcome | None:
    """Return the winner, with all others sharing second place, or None before the end."""
    if table.winner == NOBODY:
        return None
    others = tuple(seat for seat in range(table.rules.seats) if seat != table.winner)
    return Outcome((table.winner,), f"outcome.{table.way}", OUTCOME_CLAUSES[table.way], ((table.winner,), others))
