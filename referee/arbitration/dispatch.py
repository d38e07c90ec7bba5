"""Who decides what is asked of the table: its business, its courts, requests to go back, its reports, its moving."""

from __future__ import annotations

from referee.arbitration import deviations, disputes, table_reports, takebacks
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.match.events.transfer_events import Arrive
from referee.match.evidence import Evidence
from referee.match.table import commands, transfer_policy


def settled(evidence: Evidence, ask: Move) -> tuple[Event, ...]:
    """The facts that follow from what is asked of a table that was opened. Raises Refused (TABLE-*), Malformed."""
    if evidence.match.gone is not None and not isinstance(ask, Arrive):
        raise Refused("match_moved", "TABLE-HOME-1")
    for court in (
        transfer_policy.DECIDES,
        disputes.DECIDES,
        takebacks.DECIDES,
        table_reports.DECIDES,
        deviations.DECIDES,
    ):
        if type(ask) in court:
            return court[type(ask)](evidence, ask)
    return commands.decided(evidence.match, ask)
