"""How a dispute goes through its courts: opened, judged by replay, attested, voted on, ruled, appealed against.

Each step is one entry, with the ruling and its remedy in it; so whoever is killed in the middle has written all or
nothing of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from referee.arbitration import auto_ruling, quotas
from referee.arbitration.auto_ruling import Finding
from referee.arbitration.remedies import ladder
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.events.dispute_commands import (
    Appeal,
    Attest,
    CastVote,
    CourtLate,
    Look,
    OpenDispute,
    Rule,
    WithdrawDispute,
)
from referee.match.events.dispute_events import (
    Appealed,
    Attested,
    CourtCalled,
    DisputeOpened,
    DisputeWithdrawn,
    Looked,
    RulingIssued,
    Voted,
)
from referee.match.events.dispute_state import LEVELS, Dispute, Precedent
from referee.match.evidence import Evidence

Facts = tuple[Event, ...]


def decided(evidence: Evidence, ask: Move) -> Facts:
    """The facts that follow from what is asked of the courts. Raises Refused with TABLE-* clauses, Malformed."""
    return DECIDES[type(ask)](evidence, ask)


def voices(match: Match) -> frozenset[int]:
    """The seats that people hold: those that attest and vote."""
    return frozenset(seat for seat, chair in enumerate(match.chairs) if chair.kind == "human" and chair.taken)


def judges(match: Match, dispute: Dispute) -> frozenset[int]:
    """The seats that decide a dispute at the table: those that are no party of it; all, if there are only these."""
    return (voices(match) - set(dispute.parties)) or voices(match)


def awaited(match: Match, dispute: Dispute) -> list[int]:
    """The seats whose word is awaited: those that decide and have not spoken yet."""
    attested, voted = ({each.seat for each in said} for said in (dispute.testimony, dispute.votes))
    spoken = {"attesting": attested, "voting": voted}.get(dispute.stage)
    return [] if spoken is None else sorted(judges(match, dispute) - spoken)


def may_rule(match: Match, dispute: Dispute, by: str, seats: tuple[int, ...]) -> bool:
    """Whether host or arbiter, who holds these seats, may rule: nobody does in his own cause, unless all who are there
    are parties. It is his own too where he opened the dispute as what he is, without a seat."""
    held = set(seats) & voices(match)
    party = bool(held & set(dispute.parties)) or dispute.by == by
    return not party or voices(match) <= set(dispute.parties)


def next_court(match: Match, court: str) -> str | None:
    """The court above; None if there is none. A table at which nobody has a voice, for one phone speaks for all, is
    none."""
    above = (level for level in match.courts.levels if LEVELS.index(level) > LEVELS.index(court))
    return next((level for level in above if level != "table" or voices(match)), None)


def late(match: Match, now_ms: int) -> Dispute | None:
    """The dispute whose stage is over by time; None if there is none."""
    over = (each for each in match.disputes if each.open and each.until_ms is not None and each.until_ms <= now_ms)
    return next(over, None)


def found(match: Match, number: int) -> Dispute:
    """The dispute of this number. Raises Refused."""
    dispute = next((each for each in match.disputes if each.number == number), None)
    if dispute is None:
        raise Refused("court.no_such_dispute", "TABLE-DISPUTE-1", dispute=number)
    return dispute


def _asked(evidence: Evidence, ask: OpenDispute) -> Facts:
    quotas.disputing(evidence, ask.by)
    return opened(evidence, ask)


def opened(evidence: Evidence, ask: OpenDispute) -> Facts:
    """A dispute, asked for or said by a witness, with the referee's ruling. Raises Refused (TABLE-*), Malformed."""
    match, number = evidence.match, evidence.version + 1
    if match.state is None:
        raise Refused("not_running", "TABLE-DISPUTE-1")
    if match.status in ("void", "withdrawn", "abandoned", "archived"):
        raise Refused("match_over", "TABLE-END-1")
    for each in match.disputes:
        if each.open and (each.about, each.claim) == (ask.about, ask.claim):
            raise Refused("court.dispute_open", "TABLE-DISPUTE-1", about=ask.about, dispute=each.number)
    if match.end is not None and evidence.now_ms > evidence.ended_ms + match.courts.claims_ms:
        raise Refused("court.out_of_time", "TABLE-DISPUTE-1")
    parties = auto_ruling.parties(evidence, ask)
    secret = ask.claim == "wrong_refusal"
    dispute = DisputeOpened(
        number, ask.by, ask.about, ask.claim, parties, ask.clause, ask.move, ask.saw, ask.statement, secret,
        evidence.left_ms,
    )  # fmt: skip
    finding = auto_ruling.judged(evidence, ask)
    after = dispute.apply(match)
    ruling = _ruling(after.disputes[-1], "referee", "referee", finding, "leave" if finding.verdict == "stands" else "")
    return (dispute, ruling, *_going_on(evidence, after, number, finding.verdict, "referee"))


def _ruling(dispute: Dispute, court: str, by: str, finding: Finding, remedy: str) -> RulingIssued:
    return RulingIssued(
        dispute.number, court, by, finding.verdict, remedy, finding.reason, finding.params, finding.clauses,
        knowing=finding.knowing,
    )  # fmt: skip


def _going_on(evidence: Evidence, match: Match, number: int, verdict: str, court: str) -> Facts:
    """What comes after a finding of a court: nothing where it stands; else a remedy is voted on, or a question that
    only people can answer is put to them."""
    if verdict == "stands":
        return ()
    levels = match.courts.levels
    if "table" not in levels or not voices(match) or (court == "table" and verdict == "undecided"):
        return _to_the_arbiter(evidence, match, number)
    stage = "attesting" if verdict == "undecided" else "voting"
    return (CourtCalled(number, "table", stage, evidence.now_ms + match.courts.answer_ms),)


def _to_the_arbiter(evidence: Evidence, match: Match, number: int) -> Facts:
    """The arbiter is called; where the match has none, what is in the log stands (TABLE-RULING-3)."""
    if "arbiter" in match.courts.levels:
        return (CourtCalled(number, "arbiter", "ruling", evidence.now_ms + match.courts.rule_ms),)
    return _in_doubt(match, number)


def _in_doubt(match: Match, number: int) -> Facts:
    """Nobody is left to decide, or nobody came who could: what is in the log stands (TABLE-RULING-3)."""
    dispute = found(match, number)
    doubt = Finding("stands", "court.in_doubt", {}, ("TABLE-RULING-3",))
    return (_ruling(dispute, dispute.court, "table", doubt, "leave"),)


def _attest(evidence: Evidence, ask: Attest) -> Facts:
    dispute = found(evidence.match, ask.dispute)
    if dispute.stage != "attesting":
        raise Refused("court.closed", "TABLE-DISPUTE-3", dispute=ask.dispute)
    if ask.seat not in voices(evidence.match):
        raise Refused("court.no_say", "TABLE-DISPUTE-3", seat=ask.seat)
    said = Attested(ask.dispute, ask.seat, ask.holds, ask.saw)
    return (said, *_attested(evidence, said.apply(evidence.match), ask.dispute, False))


def _attested(evidence: Evidence, match: Match, number: int, time_up: bool) -> Facts:
    """What the testimony comes to, as soon as more than half of those who decide agree, or all have spoken."""
    dispute = found(match, number)
    deciding = judges(match, dispute)
    said = {each.seat: each.holds for each in dispute.testimony if each.seat in deciding}
    yes, no = sum(said.values()), len(said) - sum(said.values())
    if 2 * max(yes, no) <= len(deciding):
        if not time_up and len(said) < len(deciding):
            return ()
        if time_up and yes != no and 2 * len(said) >= len(deciding):
            pass  # those who spoke are half of the table, and more of them say the one thing
        else:
            return _to_the_arbiter(evidence, match, number)
    if no > yes:
        finding = Finding("stands", "court.table_denies", {"yes": yes, "no": no}, ("TABLE-DISPUTE-3",))
        return (_ruling(dispute, "table", "table", finding, "leave"),)
    finding = Finding("does_not_stand", "court.table_attests", {"yes": yes, "no": no}, ("TABLE-DISPUTE-3",))
    ruling = _ruling(dispute, "table", "table", finding, "")
    return (ruling, *_going_on(evidence, ruling.apply(match), number, "does_not_stand", "table"))


def _vote(evidence: Evidence, ask: CastVote) -> Facts:
    dispute = found(evidence.match, ask.dispute)
    if dispute.stage != "voting":
        raise Refused("court.closed", "TABLE-DISPUTE-4", dispute=ask.dispute)
    if ask.seat not in judges(evidence.match, dispute):
        raise Refused("court.no_say", "TABLE-DISPUTE-4", seat=ask.seat)
    offered = {each.name: each for each in ladder.ladder(evidence, dispute, int(BYSTANDER))}
    if ask.remedy not in offered or not offered[ask.remedy].offered:
        raise Refused("court.not_offered", "TABLE-DISPUTE-4", remedy=ask.remedy)
    voted = Voted(ask.dispute, ask.seat, ask.remedy)
    return (voted, *_voted(evidence, voted.apply(evidence.match), ask.dispute, False))


def _voted(evidence: Evidence, match: Match, number: int, time_up: bool) -> Facts:
    """What the votes come to: more than half of those who decide for one remedy, or at the end of the time most."""
    dispute = found(match, number)
    deciding = judges(match, dispute)
    counted = Counter(each.remedy for each in dispute.votes if each.seat in deciding).most_common()
    spoken = sum(count for _, count in counted)
    best, most = counted[0] if counted else ("", 0)
    tied = len(counted) > 1 and counted[1][1] == most
    if 2 * most <= len(deciding):
        if not time_up and spoken < len(deciding):
            return ()
        if tied or 2 * spoken < len(deciding) or not counted:
            return _to_the_arbiter(evidence, match, number)
    finding = Finding("does_not_stand", "court.table_votes", {"votes": most}, ("TABLE-DISPUTE-4",))
    ruling = _ruling(dispute, "table", "table", finding, best)
    try:
        return (ruling, *ladder.carried_out(evidence, dispute, best))
    except Refused:  # what was offered cannot be done any more, for play went on or another remedy was faster
        return _to_the_arbiter(evidence, match, number)


def remediable(match: Match, dispute: Dispute) -> bool:
    """Whether a match that was voided still leaves a remedy for a dispute: only where it was voided for that one."""
    return match.status != "void" or any(each.remedy == "void" for each in dispute.verdicts)


def _not_void(match: Match, dispute: Dispute) -> None:
    """Raises Refused once the match was voided for another dispute: no remedy for this one brings it back."""
    if not remediable(match, dispute):
        raise Refused("match_over", "TABLE-REMEDY-4")


def _rule(evidence: Evidence, ask: Rule) -> Facts:
    match, dispute = evidence.match, found(evidence.match, ask.dispute)
    _not_void(match, dispute)
    if dispute.stage == "withdrawn" or any(each.court == "arbiter" for each in dispute.verdicts):
        raise Refused("court.closed", "TABLE-RULING-4", dispute=ask.dispute)
    if "arbiter" not in match.courts.levels:
        raise Refused("court.no_arbiter", "TABLE-RULING-4")
    if not may_rule(match, dispute, ask.by, ask.seats):
        raise Refused("court.own_cause", "TABLE-RULING-4")
    verdict = "does_not_stand" if ask.upheld else "stands"
    before = _last_ruling(evidence, dispute)
    departs, departing = before.cites, before.knowing
    if before.verdict in (verdict, "undecided"):
        departs, departing = (), None
    keep = _kept(evidence, dispute, ask, verdict) if ask.keep else None
    of_the_game = (match.rules.last_word,) if match.rules.last_word else ()  # where the rules give it to a person
    cites = tuple(dict.fromkeys((*ask.cites, *of_the_game)))
    ruling = RulingIssued(
        dispute.number, "arbiter", ask.by, verdict, ask.remedy, f"court.{ask.by}_ruled", {}, cites, ask.reason,
        departs, keep, departing=departing,
    )  # fmt: skip
    return (ruling, *ladder.carried_out(evidence, dispute, ask.remedy, ask.fix, arbiter=True))


def _kept(evidence: Evidence, dispute: Dispute, ask: Rule, verdict: str) -> Precedent:
    match = evidence.match
    question, move = alike(evidence, dispute)
    return Precedent(
        match.id, dispute.number, match.game, dispute.claim, question, move, verdict, ask.cites, ask.reason, ask.by
    )


def _last_ruling(evidence: Evidence, dispute: Dispute) -> RulingIssued:
    """The last ruling on a dispute; the first is in the entry that opened it."""
    return next(
        fact for entry in reversed(evidence.entries) for fact in reversed(entry.facts)
        if isinstance(fact, RulingIssued) and fact.dispute == dispute.number
    )  # fmt: skip


def alike(evidence: Evidence, dispute: Dispute) -> tuple[str, str]:
    """What makes two disputes alike, as far as everybody may know it: the question that was open, and the type of the
    move; empty of a refused move, and of one that only some have seen."""
    question, move = auto_ruling.asked(evidence, dispute)
    entry = None if dispute.claim == "wrong_refusal" else evidence.entry(dispute.about)
    shown = entry is not None and entry.seen_by(BYSTANDER)[0] is not None
    return question, move if shown else ""


def _appeal(evidence: Evidence, ask: Appeal) -> Facts:
    match, dispute = evidence.match, found(evidence.match, ask.dispute)
    _not_void(match, dispute)
    if dispute.stage != "ruled":
        raise Refused("court.closed", "TABLE-RULING-2", dispute=ask.dispute)
    if ask.seat not in voices(match):
        raise Refused("court.no_say", "TABLE-RULING-2", seat=ask.seat)
    court = next_court(match, dispute.court)
    if court is None:
        raise Refused("court.last_court", "TABLE-RULING-2")
    ruled_at = max(
        (each.at_ms for each in evidence.entries for fact in each.facts
         if isinstance(fact, RulingIssued) and fact.dispute == dispute.number),
        default=0,
    )  # fmt: skip
    if evidence.now_ms > ruled_at + match.courts.appeal_ms:
        raise Refused("court.out_of_time", "TABLE-RULING-2")
    appealed = Appealed(ask.dispute, ask.seat, ask.clause, ask.grounds, evidence.left_ms)
    if court == "arbiter":
        return (appealed, *_to_the_arbiter(evidence, match, dispute.number))
    until = evidence.now_ms + match.courts.answer_ms
    return (appealed, CourtCalled(dispute.number, court, "attesting", until))


def _withdraw(evidence: Evidence, ask: WithdrawDispute) -> Facts:
    dispute = found(evidence.match, ask.dispute)
    if not dispute.open:
        raise Refused("court.closed", "TABLE-DISPUTE-5", dispute=ask.dispute)
    if ask.by != dispute.by:
        raise Refused("court.not_yours", "TABLE-DISPUTE-5", dispute=ask.dispute)
    return (DisputeWithdrawn(ask.dispute),)


def _look(evidence: Evidence, ask: Look) -> Facts:
    dispute = found(evidence.match, ask.dispute)
    if not dispute.open or evidence.match.courts.arbiter_sees != "full":
        raise Refused("still_running", "TABLE-RULING-5")
    return (Looked(ask.dispute),)


def _time_up(evidence: Evidence, ask: CourtLate) -> Facts:
    dispute = found(evidence.match, ask.dispute)
    if not dispute.open or dispute.until_ms is None or dispute.until_ms > evidence.now_ms:
        raise Refused("court.closed", "TABLE-DISPUTE-2", dispute=ask.dispute)
    if dispute.stage == "ruling":
        return _in_doubt(evidence.match, ask.dispute)
    settle = _attested if dispute.stage == "attesting" else _voted
    facts = settle(evidence, evidence.match, ask.dispute, True)
    assert facts, "a stage whose time is up goes on to another"
    return facts


DECIDES: dict[type[Move], Callable[[Evidence, Any], Facts]] = {
    OpenDispute: _asked,
    Attest: _attest,
    CastVote: _vote,
    Rule: _rule,
    Appeal: _appeal,
    WithdrawDispute: _withdraw,
    CourtLate: _time_up,
    Look: _look,
}
