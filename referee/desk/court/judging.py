"""What the referee says of a dispute by itself: it replays the log and judges the entry again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.desk.court.asks import OpenDispute
from referee.desk.court.evidence import Evidence
from referee.desk.court.records import Dispute
from referee.kernel.rulings import Refused
from referee.kernel.seats import CHANCE


@dataclass(frozen=True)
class Finding:
    """What a court finds: `stands`, `does_not_stand` or `undecided`; a key of the texts with parameters, the clauses.

    `knowing`: the seats that may know the reason and the clauses, where they rest on what is hidden; None: everybody.
    """

    verdict: str
    reason: str
    params: dict[str, Any] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    knowing: tuple[int, ...] | None = None


def parties(evidence: Evidence, ask: OpenDispute) -> tuple[int, ...]:
    """The seats that a dispute is between: whoever opens it, and whoever made the entry or the report.

    Raises Refused where there is no such entry of play, or it counts no more.
    """
    found = {int(ask.by)} if ask.by.isdecimal() else set[int]()
    if ask.claim == "wrong_refusal":
        return tuple(sorted(found))
    entry = evidence.entry(ask.about)
    if entry is None or entry.version <= evidence.began:
        raise Refused("court.no_such_entry", "TABLE-DISPUTE-1", about=ask.about)
    if entry.seat >= 0:
        found.add(entry.seat)
    elif entry.seat == CHANCE and entry.reporter.isdecimal():
        found.add(int(entry.reporter))
    return tuple(sorted(found))


def judged(evidence: Evidence, ask: OpenDispute) -> Finding:
    """The automatic ruling."""
    raise NotImplementedError


def asked(evidence: Evidence, dispute: Dispute) -> tuple[str, str]:
    """The question that was open at the disputed entry, and the type of the move: what makes two disputes alike."""
    raise NotImplementedError
