"""Who decides what is asked of the table: its business, its courts, requests to go back, its reports, its moving."""

from __future__ import annotations

from referee.desk import business, homes
from referee.desk.court import courts, deviations, reports, takebacks
from referee.desk.court.evidence import Evidence
from referee.desk.home_facts import Arrive
from referee.kernel.facts import Event, Move
from referee.kernel.rulings import Refused


def settled(evidence: Evidence, ask: Move) -> tuple[Event, ...]:
    """The facts that follow from what is asked of a table that was opened. Raises Refused (TABLE-*), Malformed."""
    if evidence.match.gone is not None and not isinstance(ask, Arrive):
        raise Refused("match_moved", "TABLE-HOME-1")
    for court in (homes.DECIDES, courts.DECIDES, takebacks.DECIDES, reports.DECIDES, deviations.DECIDES):
        if type(ask) in court:
            return court[type(ask)](evidence, ask)
    return business.decided(evidence.match, ask)
