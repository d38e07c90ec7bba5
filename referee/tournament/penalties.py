"""The ledger of penalties: which grade the next case of an infraction gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.engine.rulebook.book import Text, read_yaml
from referee.tournament.state import Tournament

CAUTION, WARNING, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION = GRADES = (
    "caution", "warning", "game_loss", "match_loss", "disqualification",
)  # fmt: skip
LOSSES = (GAME_LOSS, MATCH_LOSS)  # a table is one game, so both cost the table
PRIVATE_GRADES = (CAUTION, WARNING)  # which only the player and the officials learn of


@dataclass(frozen=True, slots=True)
class Infraction:
    """What is punished: the clause that it breaks, and the grade of each case."""

    name: str
    clause: str
    ladder: tuple[str, ...]
    says: Text


@cache
def load_infractions() -> dict[str, Infraction]:
    """Return all infractions by name, as `penalties.yaml` lists them."""
    listed = read_yaml(Path(__file__).parent / "penalties.yaml")["infractions"]
    return {
        name: Infraction(name, each["clause"], tuple(each["ladder"]), each["says"]) for name, each in listed.items()
    }


def propose_grade(state: Tournament, player: int, infraction: str) -> str:
    """Return the grade that the next case of an infraction gets.

    TOURNAMENT-PENALTY-2: Each further case of the same infraction is punished by the next grade of its ladder; the last
    grade stays. Penalties that were expunged do not count.
    """
    ladder = load_infractions()[infraction].ladder
    cases = sum(
        each.player == player and each.infraction == infraction and each.stage != "expunged" for each in state.penalties
    )
    return ladder[min(cases, len(ladder) - 1)]
