"""Who decides what is asked of the table: its business, its courts, requests to go back."""

from __future__ import annotations

from referee.desk import business
from referee.desk.court import courts, takebacks
from referee.desk.court.evidence import Evidence
from referee.kernel.facts import Event, Move


def settled(evidence: Evidence, ask: Move) -> tuple[Event, ...]:
    """The facts that follow from what is asked of a table that was opened. Raises Refused (TABLE-*), Malformed."""
    if type(ask) in courts.DECIDES:
        return courts.decided(evidence, ask)
    if type(ask) in takebacks.DECIDES:
        return takebacks.decided(evidence, ask)
    return business.decided(evidence.match, ask)
