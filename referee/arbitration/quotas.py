"""Quotas: how many disputes and takebacks one seat may bring, and have open.

They are counted from the log, for each match and seat (or for the host, or the arbiters). So a player who leaves and
comes back, or has several tokens, gets no more. What was refused is in no log and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.rulings import IllegalMove
from referee.match.entries import LogEntry
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import HOUR_MS
from referee.match.events.takeback_events import RequestTakeback
from referee.match.evidence import Evidence

MINUTE_MS = 60_000


def check_dispute_quota(evidence: Evidence, by: str) -> None:
    """Raise IllegalMove if the claimant `by` has exceeded the quota of disputes.

    `by` is a seat's number, `host` or `arbiter`. A witness's contradiction counts only while the dispute is open.

    TABLE-DISPUTE-7: A seat, the host and the arbiters may each open only as many disputes within an hour, and have as
    many open at a time, as the match is set. A witness who contradicts a report may always do so.
    """
    courts = evidence.match.courts
    still_open = sum(each.is_open and each.by == by for each in evidence.match.disputes)
    if courts.open_disputes is not None and still_open >= courts.open_disputes:
        raise IllegalMove("court.too_many_open", "TABLE-DISPUTE-7", limit=courts.open_disputes)
    mine = (each for each in evidence.entries if isinstance(each.move, OpenDispute) and each.move.by == by)
    if wait := _compute_wait_minutes(evidence, mine, courts.disputes_an_hour):
        raise IllegalMove("court.too_many_disputes", "TABLE-DISPUTE-7", limit=courts.disputes_an_hour, minutes=wait)


def check_takeback_quota(evidence: Evidence, seat: int) -> None:
    """Raise IllegalMove if a seat has asked to go back too often.

    TABLE-TAKEBACK-6: Within an hour a seat may ask to go back only as often as the match is set, however many tokens it
    has. What is refused does not count.
    """
    limit = evidence.match.courts.takebacks_an_hour
    mine = (each for each in evidence.entries if isinstance(each.move, RequestTakeback) and each.move.seat == seat)
    if wait := _compute_wait_minutes(evidence, mine, limit):
        raise IllegalMove("too_many_takebacks", "TABLE-TAKEBACK-6", seat=seat, limit=limit, minutes=wait)


def _compute_wait_minutes(evidence: Evidence, mine: Iterable[LogEntry], limit: int | None) -> int:
    """Return in how many minutes, rounded up, there are fewer than `limit` an hour.

    Return 0 if there are fewer now.
    """
    if limit is None:
        return 0
    recent = sorted(each.at_ms for each in mine if each.at_ms > evidence.now_ms - HOUR_MS)
    if len(recent) < limit:
        return 0
    return -(-(recent[-limit] + HOUR_MS - evidence.now_ms) // MINUTE_MS)
