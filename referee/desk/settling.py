"""Who decides what is asked of the table: its business, its courts, requests to go back, its reports."""

from __future__ import annotations

from referee.desk import business
from referee.desk.court import courts, deviations, reports, takebacks
from referee.desk.court.evidence import Evidence
from referee.kernel.facts import Event, Move


def settled(evidence: Evidence, ask: Move) -> tuple[Event, ...]:
    """The facts that follow from what is asked of a table that was opened. Raises Refused (TABLE-*), Malformed."""
    for court in (courts.DECIDES, takebacks.DECIDES, reports.DECIDES, deviations.DECIDES):
        if type(ask) in court:
            return court[type(ask)](evidence, ask)
    return business.decided(evidence.match, ask)
