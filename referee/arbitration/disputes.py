"""Disputes on their way through the courts: opening, testimony, votes, rulings.

Each step is one entry, which holds the ruling and its remedy. So a killed process has written all of it or nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.arbitration import auto_ruling, quotas
from referee.arbitration.auto_ruling import CourtFinding
from referee.arbitration.remedies import ladder
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
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
    Voted,
)
from referee.match.events.dispute_state import LEVELS, Dispute, Precedent
from referee.match.evidence import Evidence

Events = tuple[Event, ...]


def decide_dispute_command(evidence: Evidence, command: Move) -> Events:
    """Return the events of a command to the courts.

    Raises IllegalMove with TABLE-* clauses, MalformedInput.
    """
    return COMMAND_HANDLERS[type(command)](evidence, command)


def find_human_seats(match: Match) -> frozenset[int]:
    """Return the seats that people hold; these attest and vote."""
    return frozenset(seat for seat, chair in enumerate(match.chairs) if chair.kind == "human" and chair.taken)


def find_deciding_seats(match: Match, dispute: Dispute) -> frozenset[int]:
    """Return the seats that decide a dispute at the table.

    They are those that are no party. If there are only parties, all decide (TABLE-DISPUTE-3).
    """
    return (find_human_seats(match) - set(dispute.parties)) or find_human_seats(match)


def find_awaited_seats(match: Match, dispute: Dispute) -> list[int]:
    """Return the seats that still have to attest or vote."""
    attested, voted = ({each.seat for each in votes} for votes in (dispute.testimony, dispute.votes))
    spoken = {"attesting": attested, "voting": voted}.get(dispute.stage)
    return [] if spoken is None else sorted(find_deciding_seats(match, dispute) - spoken)


def may_rule(match: Match, dispute: Dispute, by: str, seats: tuple[int, ...]) -> bool:
    """Tell whether host or arbiter, who holds these seats, may rule on a dispute.

    TABLE-RULING-4: Nobody rules in a dispute that a seat of theirs is a party of, unless all who sit there are parties.

    A host or arbiter who opened the dispute without a seat is a party too.
    """
    held = set(seats) & find_human_seats(match)
    party = bool(held & set(dispute.parties)) or dispute.by == by
    return not party or find_human_seats(match) <= set(dispute.parties)


def find_next_court(match: Match, court: str) -> str | None:
    """Return the next higher court; None if there is none.

    The table is skipped if nobody has a vote there, because one phone speaks for all.
    """
    above = (level for level in match.courts.levels if LEVELS.index(level) > LEVELS.index(court))
    return next((level for level in above if level != "table" or find_human_seats(match)), None)


def find_overdue_dispute(match: Match, now_ms: int) -> Dispute | None:
    """Return the dispute whose stage is over by time; None if there is none."""
    over = (each for each in match.disputes if each.is_open and each.until_ms is not None and each.until_ms <= now_ms)
    return next(over, None)


def require_dispute(match: Match, number: int) -> Dispute:
    """Return the dispute of this number. Raises IllegalMove."""
    dispute = next((each for each in match.disputes if each.number == number), None)
    if dispute is None:
        raise IllegalMove("court.no_such_dispute", "TABLE-DISPUTE-1", dispute=number)
    return dispute


def _handle_open_dispute(evidence: Evidence, command: OpenDispute) -> Events:
    """Open a dispute of a caller, within the quota (TABLE-DISPUTE-7)."""
    quotas.check_dispute_quota(evidence, command.by)
    return open_dispute(evidence, command)


def open_dispute(evidence: Evidence, command: OpenDispute) -> Events:
    """Return the events of a dispute with the referee's ruling.

    A caller or a contradicting witness opens it. Raises IllegalMove (TABLE-*), MalformedInput.
    """
    match, number = evidence.match, evidence.version + 1
    if match.state is None:
        raise IllegalMove("not_running", "TABLE-DISPUTE-1")
    if match.status in ("void", "withdrawn", "abandoned", "archived"):
        raise IllegalMove("match_over", "TABLE-END-1")
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
    finding = auto_ruling.judge_dispute(evidence, command)
    after = dispute.apply(match)
    ruling = _build_ruling(
        after.disputes[-1], "referee", "referee", finding, "leave" if finding.verdict == "stands" else ""
    )
    return (dispute, ruling, *_continue_after_finding(evidence, after, number, finding.verdict, "referee"))


def _build_ruling(dispute: Dispute, court: str, by: str, finding: CourtFinding, remedy: str) -> RulingIssued:
    return RulingIssued(
        dispute.number, court, by, finding.verdict, remedy, finding.reason, finding.params, finding.clauses,
        knowing=finding.knowing,
    )  # fmt: skip


def _continue_after_finding(evidence: Evidence, match: Match, number: int, verdict: str, court: str) -> Events:
    """Return what follows a finding: nothing if the entry stands, else the next court.

    The table votes on a remedy, or attests if the question is one that only people can answer.
    """
    if verdict == "stands":
        return ()
    levels = match.courts.levels
    if "table" not in levels or not find_human_seats(match) or (court == "table" and verdict == "undecided"):
        return _call_arbiter(evidence, match, number)
    stage = "attesting" if verdict == "undecided" else "voting"
    return (CourtCalled(number, "table", stage, evidence.now_ms + match.courts.answer_ms),)


def _call_arbiter(evidence: Evidence, match: Match, number: int) -> Events:
    """Call the arbiter; without one the entry stands (TABLE-RULING-3)."""
    if "arbiter" in match.courts.levels:
        return (CourtCalled(number, "arbiter", "ruling", evidence.now_ms + match.courts.rule_ms),)
    return _uphold_in_doubt(match, number)


def _uphold_in_doubt(match: Match, number: int) -> Events:
    """Return the ruling that what is in the log stands.

    TABLE-RULING-3: Where no court is left to decide, or no arbiter rules in the set time, what is in the log stands.
    """
    dispute = require_dispute(match, number)
    doubt = CourtFinding("stands", "court.in_doubt", {}, ("TABLE-RULING-3",))
    return (_build_ruling(dispute, dispute.court, "table", doubt, "leave"),)


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
    at the end of the time the majority of those who spoke, if they are half of the table. Else it goes to the arbiter.
    """
    dispute = require_dispute(match, number)
    deciding = find_deciding_seats(match, dispute)
    answers = {each.seat: each.holds for each in dispute.testimony if each.seat in deciding}
    yes, no = sum(answers.values()), len(answers) - sum(answers.values())
    if 2 * max(yes, no) <= len(deciding):
        if not time_up and len(answers) < len(deciding):
            return ()
        if time_up and yes != no and 2 * len(answers) >= len(deciding):
            pass  # at least half of the table has spoken, with a majority
        else:
            return _call_arbiter(evidence, match, number)
    if no > yes:
        finding = CourtFinding("stands", "court.table_denies", {"yes": yes, "no": no}, ("TABLE-DISPUTE-3",))
        return (_build_ruling(dispute, "table", "table", finding, "leave"),)
    finding = CourtFinding("does_not_stand", "court.table_attests", {"yes": yes, "no": no}, ("TABLE-DISPUTE-3",))
    ruling = _build_ruling(dispute, "table", "table", finding, "")
    return (ruling, *_continue_after_finding(evidence, ruling.apply(match), number, "does_not_stand", "table"))


def _handle_vote(evidence: Evidence, command: CastVote) -> Events:
    """Record a seat's vote, and what the votes now decide (TABLE-DISPUTE-4)."""
    dispute = require_dispute(evidence.match, command.dispute)
    if dispute.stage != "voting":
        raise IllegalMove("court.closed", "TABLE-DISPUTE-4", dispute=command.dispute)
    if command.seat not in find_deciding_seats(evidence.match, dispute):
        raise IllegalMove("court.no_say", "TABLE-DISPUTE-4", seat=command.seat)
    offered = {each.name: each for each in ladder.list_remedies(evidence, dispute, int(BYSTANDER))}
    if command.remedy not in offered or not offered[command.remedy].offered:
        raise IllegalMove("court.not_offered", "TABLE-DISPUTE-4", remedy=command.remedy)
    voted = Voted(command.dispute, command.seat, command.remedy)
    return (voted, *_decide_by_votes(evidence, voted.apply(evidence.match), command.dispute, False))


def _decide_by_votes(evidence: Evidence, match: Match, number: int, time_up: bool) -> Events:
    """Return what the votes decide, once one remedy has a majority or the time is up.

    TABLE-DISPUTE-4: Where an entry does not stand, the table chooses one of the offered remedies by vote, with the same
    majorities.
    """
    dispute = require_dispute(match, number)
    deciding = find_deciding_seats(match, dispute)
    counted = Counter(each.remedy for each in dispute.votes if each.seat in deciding).most_common()
    spoken = sum(count for _, count in counted)
    best, most = counted[0] if counted else ("", 0)
    tied = len(counted) > 1 and counted[1][1] == most
    if 2 * most <= len(deciding):
        if not time_up and spoken < len(deciding):
            return ()
        if tied or 2 * spoken < len(deciding) or not counted:
            return _call_arbiter(evidence, match, number)
    finding = CourtFinding("does_not_stand", "court.table_votes", {"votes": most}, ("TABLE-DISPUTE-4",))
    ruling = _build_ruling(dispute, "table", "table", finding, best)
    try:
        return (ruling, *ladder.carry_out_remedy(evidence, dispute, best))
    except IllegalMove:  # the remedy is no longer possible, because play went on or another remedy came first
        return _call_arbiter(evidence, match, number)


def is_remediable(match: Match, dispute: Dispute) -> bool:
    """Tell whether a dispute can still have a remedy: not if another voided the match."""
    return match.status != "void" or any(each.remedy == "void" for each in dispute.verdicts)


def _require_not_voided(match: Match, dispute: Dispute) -> None:
    """Raise IllegalMove if the match was voided for another dispute."""
    if not is_remediable(match, dispute):
        raise IllegalMove("match_over", "TABLE-REMEDY-4")


def _handle_ruling(evidence: Evidence, command: IssueRuling) -> Events:
    """Return the ruling of host or arbiter and its remedy.

    TABLE-RULING-4: The host or an arbiter may have the last word, with a reason and the clauses. The ruling is marked
    as theirs and cites what it departs from.
    """
    match, dispute = evidence.match, require_dispute(evidence.match, command.dispute)
    _require_not_voided(match, dispute)
    if dispute.stage == "withdrawn" or any(each.court == "arbiter" for each in dispute.verdicts):
        raise IllegalMove("court.closed", "TABLE-RULING-4", dispute=command.dispute)
    if "arbiter" not in match.courts.levels:
        raise IllegalMove("court.no_arbiter", "TABLE-RULING-4")
    if not may_rule(match, dispute, command.by, command.seats):
        raise IllegalMove("court.own_cause", "TABLE-RULING-4")
    verdict = "does_not_stand" if command.upheld else "stands"
    before = _find_last_ruling(evidence, dispute)
    departs, departing = before.cites, before.knowing
    if before.verdict in (verdict, "undecided"):
        departs, departing = (), None
    keep = _build_precedent(evidence, dispute, command, verdict) if command.keep else None
    # Some games give the last word to a person by a clause of their own.
    of_the_game = (match.rules.last_word_clause,) if match.rules.last_word_clause else ()
    cites = tuple(dict.fromkeys((*command.cites, *of_the_game)))
    ruling = RulingIssued(
        dispute.number, "arbiter", command.by, verdict, command.remedy, f"court.{command.by}_ruled", {}, cites,
        command.reason, departs, keep, departing=departing,
    )  # fmt: skip
    return (ruling, *ladder.carry_out_remedy(evidence, dispute, command.remedy, command.fix, arbiter=True))


def _build_precedent(evidence: Evidence, dispute: Dispute, command: IssueRuling, verdict: str) -> Precedent:
    match = evidence.match
    question, move = build_precedent_key(evidence, dispute)
    return Precedent(
        match.id,
        dispute.number,
        match.game,
        dispute.claim,
        question,
        move,
        verdict,
        command.cites,
        command.reason,
        command.by,
    )


def _find_last_ruling(evidence: Evidence, dispute: Dispute) -> RulingIssued:
    """Return the last ruling on a dispute; the entry that opened it holds the first."""
    return next(
        event for entry in reversed(evidence.entries) for event in reversed(entry.events)
        if isinstance(event, RulingIssued) and event.dispute == dispute.number
    )  # fmt: skip


def build_precedent_key(evidence: Evidence, dispute: Dispute) -> tuple[str, str]:
    """Return what makes two disputes alike: the open question and the move's type.

    The type is empty for a refused move, and for a move that not everybody has seen.
    """
    question, move = auto_ruling.find_question_and_move(evidence, dispute)
    entry = None if dispute.claim == "wrong_refusal" else evidence.find_entry(dispute.about)
    shown = entry is not None and entry.view_for(BYSTANDER)[0] is not None
    return question, move if shown else ""


def _handle_appeal(evidence: Evidence, command: AppealRuling) -> Events:
    """Return the appeal against a ruling and the call of the next court.

    TABLE-RULING-2: Any seat may appeal against a ruling to the next court for a set time, naming the clause that it
    finds misapplied.
    """
    match, dispute = evidence.match, require_dispute(evidence.match, command.dispute)
    _require_not_voided(match, dispute)
    if dispute.stage != "ruled":
        raise IllegalMove("court.closed", "TABLE-RULING-2", dispute=command.dispute)
    if command.seat not in find_human_seats(match):
        raise IllegalMove("court.no_say", "TABLE-RULING-2", seat=command.seat)
    court = find_next_court(match, dispute.court)
    if court is None:
        raise IllegalMove("court.last_court", "TABLE-RULING-2")
    ruled_at = max(
        (each.at_ms for each in evidence.entries for event in each.events
         if isinstance(event, RulingIssued) and event.dispute == dispute.number),
        default=0,
    )  # fmt: skip
    if evidence.now_ms > ruled_at + match.courts.appeal_ms:
        raise IllegalMove("court.out_of_time", "TABLE-RULING-2")
    appealed = Appealed(command.dispute, command.seat, command.clause, command.grounds, evidence.left_ms)
    if court == "arbiter":
        return (appealed, *_call_arbiter(evidence, match, dispute.number))
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
    return (DisputeWithdrawn(command.dispute),)


def _handle_inspection(evidence: Evidence, command: InspectCards) -> Events:
    """Let an arbiter look at all cards while a dispute is open.

    TABLE-RULING-5: That an arbiter looked is an entry of the log.
    """
    dispute = require_dispute(evidence.match, command.dispute)
    if not dispute.is_open or evidence.match.courts.arbiter_sees != "full":
        raise IllegalMove("still_running", "TABLE-RULING-5")
    return (CardsInspected(command.dispute),)


def _handle_deadline(evidence: Evidence, command: DecisionDeadline) -> Events:
    """Go on with a stage whose time is up: decide, or call the next court."""
    dispute = require_dispute(evidence.match, command.dispute)
    if not dispute.is_open or dispute.until_ms is None or dispute.until_ms > evidence.now_ms:
        raise IllegalMove("court.closed", "TABLE-DISPUTE-2", dispute=command.dispute)
    if dispute.stage == "ruling":
        return _uphold_in_doubt(evidence.match, command.dispute)
    settle = _decide_by_testimony if dispute.stage == "attesting" else _decide_by_votes
    events = settle(evidence, evidence.match, command.dispute, True)
    assert events, "a stage whose time is up goes on to another"
    return events


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    OpenDispute: _handle_open_dispute,
    Attest: _handle_attest,
    CastVote: _handle_vote,
    IssueRuling: _handle_ruling,
    AppealRuling: _handle_appeal,
    WithdrawDispute: _handle_withdrawal,
    DecisionDeadline: _handle_deadline,
    InspectCards: _handle_inspection,
}
