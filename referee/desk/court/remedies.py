"""The ladder of remedies: what each would do, why it is offered or is not, and what follows once it is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.desk.court.evidence import Evidence
from referee.desk.court.records import Dispute
from referee.kernel.facts import Event


@dataclass(frozen=True)
class Remedy:
    """A rung of the ladder. `offered`: the table may choose it by vote; else only an arbiter. `why`: a key of the
    texts with `params`. `to`: the version it goes back to, if it does. `keeps` and `drops`: versions of later moves.
    `crosses`: the rules of takebacks that it breaks (`referee.desk.court.crossing`). `learned`: the seats that have
    seen since what would be hidden again.
    """

    name: str
    offered: bool
    why: str
    params: dict[str, Any] = field(default_factory=dict)
    to: int | None = None
    keeps: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()
    crosses: tuple[str, ...] = ()
    learned: tuple[int, ...] = ()


def ladder(evidence: Evidence, dispute: Dispute) -> tuple[Remedy, ...]:
    """All remedies for a dispute, the mildest first."""
    raise NotImplementedError


def carried_out(
    evidence: Evidence, dispute: Dispute, remedy: str, fix: tuple[Any, ...] = (), arbiter: bool = False
) -> tuple[Event, ...]:
    """The facts of a remedy. Raises Refused (court.not_offered, court.position_impossible), Malformed."""
    raise NotImplementedError
