"""What waits for people at the table and has waited long enough."""

from __future__ import annotations

from referee.arbitration import calls, disputes
from referee.arbitration.real_tables import table_reports
from referee.engine.events import Move
from referee.match.aggregate import Match
from referee.match.events.dispute_commands import DecisionDeadline
from referee.match.events.office_events import CallDeadline
from referee.match.events.report_events import WitnessDeadline


def find_overdue_case(match: Match, now_ms: int) -> tuple[Move, str] | None:
    """Return the command that goes on with a dispute, report or call whose time is up.

    With it comes the key under which it is written once. None: nothing is overdue.
    """
    if (dispute := disputes.find_overdue_dispute(match, now_ms)) is not None:
        return DecisionDeadline(dispute.number), f"court:{dispute.number}:{dispute.until_ms}"
    if (report := table_reports.find_overdue_report(match, now_ms)) is not None:
        return WitnessDeadline(report.report), f"witness:{report.report}:{report.until_ms}"
    if (call := calls.find_overdue_call(match, now_ms)) is not None:
        return CallDeadline(call.number), f"call:{call.number}:{call.until_ms}"
    return None
