"""Disputes on their way through the courts: opening, testimony, votes, rulings.

Each step is one entry, which holds the ruling and its remedy. So a killed process has written all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.arbitration import auto_ruling, offices, quotas
from referee.arbitration.auto_ruling import CourtFinding
from referee.arbitration.courts.last_word import handle_ruling, require_not_voided
from referee.arbitration.courts.levels import (
    build_ruling,
    call_arbiter,
    find_appeal_court,
    find_deciding_seats,
    find_next_court,
    may_claimant_attest,
    require_dispute,
    settle_by_default,
)
from referee.arbitration.courts.votes import decide_by_votes, handle_vote
from referee.arbitration.real_tables import impossible_tables, slips
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import Match
from referee.match.events.dispute_commands import (
    AppealRuling,
    Attest,
    CastVote,
    DecisionDeadline,
    InspectCards,
    IssueRuling,
    OpenDispute,
    WithdrawDispute,
)
from referee.match.events.dispute_events import (
    Appealed,
    Attested,
    CardsInspected,
    CourtCalled,
    DisputeOpened,
    DisputeWithdrawn,
    RulingIssued,
)
from referee.match.events.dispute_state import IMPOSSIBLE_TABLE, Dispute
from referee.match.evidence import Evidence
from referee.match.game_moves import apply_all
from referee.match.table.endings import is_ended_by_tournament
from referee.match.table.officials import find_human_seats, find_official

Events = tuple[Event, ...]


def decide_dispute_command(evidence: Evidence, command: Move) -> Events:
    """Return the events of a command to the courts.

    Raises IllegalMove with TABLE-* clauses, MalformedInput.
    """
    return COMMAND_HANDLERS[type(command)](evidence, command)


def find_overdue_dispute(match: Match, now_ms: int) -> Dispute | None:
    """Return the dispute whose stage is over by time; None if there is none."""
    over = (each for each in match.disputes if each.is_open and each.until_ms is not None and each.until_ms <= now_ms)
    return next(over, None)


def _handle_open_dispute(evidence: Evidence, command: OpenDispute) -> Events:
    """Open a dispute of a caller who may, within the quota (TABLE-DISPUTE-7, -11)."""
    offices.require_claimant(evidence.match, command.by, command.official)
    quotas.check_dispute_quota(evidence, command.by)
    return open_dispute(evidence, command)


def open_dispute(evidence: Evidence, command: OpenDispute) -> Events:
    """Return the events of a dispute with the referee's ruling.

    A caller or a contradicting witness opens it. Raises IllegalMove (TABLE-*), MalformedInput.
    """
    match, number = evidence.match, evidence.version + 1
    if match.state is None:
        raise IllegalMove("not_running", "TABLE-DISPUTE-1")
    if match.status in ("void", "withdrawn", "abandoned", "archived") or is_ended_by_tournament(match):
        raise IllegalMove("match_over", "TABLE-END-1")
    command = impossible_tables.name_subject(evidence, command)
    for each in match.disputes:
        if each.is_open and (each.about, each.claim) == (command.about, command.claim):
            raise IllegalMove("court.dispute_open", "TABLE-DISPUTE-1", about=command.about, dispute=each.number)
    if match.end is not None and evidence.now_ms > evidence.ended_ms + match.courts.claims_ms:
        raise IllegalMove("court.out_of_time", "TABLE-DISPUTE-1")
    parties = auto_ruling.find_parties(evidence, command)
    secret = command.claim == "wrong_refusal"
    dispute = DisputeOpened(
        number, command.by, command.about, command.claim, parties, command.clause, command.move, command.saw,
        command.statement, secret, evidence.left_ms,
    )  # fmt: skip
    judge = impossible_tables.judge_table if command.claim == IMPOSSIBLE_TABLE else auto_ruling.judge_dispute
    finding = judge(evidence, command)
    opened = dispute.apply(match)
    ruling = build_ruling(
        opened.disputes[-1], "referee", "referee", finding, "leave" if finding.verdict == "stands" else ""
    )
    after = ruling.apply(opened)
    events = (dispute, ruling, *_continue_after_finding(evidence, after, number, finding.verdict, "referee"))
    return (*events, *_count_admission(evidence, events, number))


def _count_admission(evidence: Evidence, events: Events, number: int) -> Events:
    """Return the testimony of a reporter who has admitted the slip.

    TABLE-TAP-4: In a dispute about the report an admission counts as testimony.
    """
    after = apply_all(evidence.match, events)
    dispute = require_dispute(after, number)
    seat = slips.find_admitting_seat(evidence, dispute.about) if dispute.claim == "misreported" else None
    if seat is None or dispute.stage != "attesting":
        return ()
    attested = Attested(number, seat, True)
    return (attested, *_decide_by_testimony(evidence, attested.apply(after), number, False))


def _continue_after_finding(evidence: Evidence, match: Match, number: int, verdict: str, court: str) -> Events:
    """Return what follows a finding: nothing if the entry stands, else the next court.

    The table votes on a remedy, or attests if the question is one that only people can answer.
    """
    if verdict == "stands":
        return ()
    levels = match.courts.levels
    if "table" not in levels or not find_human_seats(match) or (court == "table" and verdict == "undecided"):
        return call_arbiter(evidence, match, number)
    stage = "attesting" if verdict == "undecided" else "voting"
    return (CourtCalled(number, "table", stage, evidence.now_ms + match.courts.answer_ms),)


def _handle_attest(evidence: Evidence, command: Attest) -> Events:
    """Record a seat's testimony, and what the testimony now decides (TABLE-DISPUTE-3)."""
    dispute = require_dispute(evidence.match, command.dispute)
    if dispute.stage != "attesting":
        raise IllegalMove("court.closed", "TABLE-DISPUTE-3", dispute=command.dispute)
    if command.seat not in find_human_seats(evidence.match):
        raise IllegalMove("court.no_say", "TABLE-DISPUTE-3", seat=command.seat)
    attested = Attested(command.dispute, command.seat, command.holds, command.saw)
    return (attested, *_decide_by_testimony(evidence, attested.apply(evidence.match), command.dispute, False))


def _decide_by_testimony(evidence: Evidence, match: Match, number: int, time_up: bool) -> Events:
    """Return what the testimony decides, once a majority agrees or all have spoken.

    TABLE-DISPUTE-3: What only people can know is put to the seats. More than half of those who are no party decide, or
    at the end of the time the majority of those who spoke, if they are half of the table. Where the claimant may be
    among those who answer, silence confirms no claim. Else it goes to the arbiter.
    """
    dispute = require_dispute(match, number)
    deciding = find_deciding_seats(match, dispute)
    answers = {each.seat: each.holds for each in dispute.testimony if each.seat in deciding}
    yes, no = sum(answers.values()), len(answers) - sum(answers.values())
    if 2 * max(yes, no) <= len(deciding):
        if not time_up and len(answers) < len(deciding):
            return ()
        if time_up and yes != no and 2 * len(answers) >= len(deciding) and not may_claimant_attest(match, dispute):
            pass  # at least half of the table has spoken, with a majority
        else:
            return call_arbiter(evidence, match, number)
    if no > yes:
        finding = CourtFinding("stands", "court.table_denies", {"yes": yes, "no": no}, ("TABLE-DISPUTE-3",))
        return (build_ruling(dispute, "table", "table", finding, "leave"),)
    finding = CourtFinding("does_not_stand", "court.table_attests", {"yes": yes, "no": no}, ("TABLE-DISPUTE-3",))
    ruling = build_ruling(dispute, "table", "table", finding, "")
    return (ruling, *_continue_after_finding(evidence, ruling.apply(match), number, "does_not_stand", "table"))


def _handle_appeal(evidence: Evidence, command: AppealRuling) -> Events:
    """Return the appeal against a ruling and the call of the next court.

    TABLE-RULING-2: Any seat may appeal against a ruling to the next court for a set time, naming the clause that it
    finds misapplied.
    """
    match, dispute = evidence.match, require_dispute(evidence.match, command.dispute)
    require_not_voided(match, dispute)
    if dispute.stage != "ruled":
        raise IllegalMove("court.closed", "TABLE-RULING-2", dispute=command.dispute)
    if command.seat not in find_human_seats(match):
        raise IllegalMove("court.no_say", "TABLE-RULING-2", seat=command.seat)
    offices.require_not_proved(match, dispute)
    court = find_appeal_court(match, dispute)
    if court is None:
        skipped = find_next_court(match, dispute, dispute.court) is not None
        raise IllegalMove("court.last_court", *(("TABLE-RULING-7",) if skipped else ()), "TABLE-RULING-2")
    ruled_at = max(
        (each.at_ms for each in evidence.entries for event in each.events
         if isinstance(event, RulingIssued) and event.dispute == dispute.number),
        default=0,
    )  # fmt: skip
    if evidence.now_ms > ruled_at + match.courts.appeal_ms:
        raise IllegalMove("court.out_of_time", "TABLE-RULING-2")
    appealed = Appealed(command.dispute, command.seat, command.clause, command.grounds, evidence.left_ms)
    if court == "arbiter":
        return (appealed, *call_arbiter(evidence, match, dispute.number))
    until = evidence.now_ms + match.courts.answer_ms
    return (appealed, CourtCalled(dispute.number, court, "attesting", until))


def _handle_withdrawal(evidence: Evidence, command: WithdrawDispute) -> Events:
    """Withdraw a dispute that is still open, at its claimant's request.

    TABLE-DISPUTE-5: Then what was played stands.
    """
    dispute = require_dispute(evidence.match, command.dispute)
    if not dispute.is_open:
        raise IllegalMove("court.closed", "TABLE-DISPUTE-5", dispute=command.dispute)
    if command.by != dispute.by:
        raise IllegalMove("court.not_yours", "TABLE-DISPUTE-5", dispute=command.dispute)
    if dispute.looked and evidence.match.courts.edition is not None:
        raise IllegalMove("court.cards_seen", "TABLE-RULING-5", dispute=command.dispute)
    return (DisputeWithdrawn(command.dispute),)


def _handle_inspection(evidence: Evidence, command: InspectCards) -> Events:
    """Let an arbiter look at all cards while a dispute waits for the ruling.

    TABLE-RULING-5: That an arbiter looked is an entry of the log.
    """
    match, dispute = evidence.match, require_dispute(evidence.match, command.dispute)
    if match.courts.edition is None:
        may = dispute.is_open and match.courts.arbiter_sees == "full"
    else:
        official = find_official(match, command.official)
        may = dispute.stage == "ruling" and official is not None and offices.may_inspect(match, official)
    if not may:
        raise IllegalMove("still_running", "TABLE-RULING-5")
    return (CardsInspected(command.dispute, command.official),)


def _handle_deadline(evidence: Evidence, command: DecisionDeadline) -> Events:
    """Go on with a stage whose time is up: decide, or call the next court."""
    dispute = require_dispute(evidence.match, command.dispute)
    if not dispute.is_open or dispute.until_ms is None or dispute.until_ms > evidence.now_ms:
        raise IllegalMove("court.closed", "TABLE-DISPUTE-2", dispute=command.dispute)
    if dispute.stage == "ruling":
        return settle_by_default(evidence, evidence.match, command.dispute)
    settle = _decide_by_testimony if dispute.stage == "attesting" else decide_by_votes
    events = settle(evidence, evidence.match, command.dispute, True)
    assert events, "a stage whose time is up goes on to another"
    return events


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    OpenDispute: _handle_open_dispute,
    Attest: _handle_attest,
    CastVote: handle_vote,
    IssueRuling: handle_ruling,
    AppealRuling: _handle_appeal,
    WithdrawDispute: _handle_withdrawal,
    DecisionDeadline: _handle_deadline,
    InspectCards: _handle_inspection,
}
