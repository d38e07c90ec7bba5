"""The courts of a match: who attests, votes and rules, and which court comes next."""

from __future__ import annotations

from referee.arbitration.auto_ruling import CourtFinding
from referee.arbitration.offices import has_official
from referee.arbitration.remedies import ladder
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, CHANCE
from referee.match.aggregate import Match
from referee.match.events.dispute_events import CourtCalled, RulingIssued
from referee.match.events.dispute_state import IMPOSSIBLE_TABLE, LEVELS, Dispute
from referee.match.evidence import Evidence
from referee.match.table.officials import find_human_seats

Events = tuple[Event, ...]


def find_deciding_seats(match: Match, dispute: Dispute) -> frozenset[int]:
    """Return the seats that decide a dispute at the table.

    They are those that are no party. If there are only parties, all decide (TABLE-DISPUTE-3), and also if the claimant
    has no seat: that person may sit at any of them (TABLE-DISPUTE-11).
    """
    people = find_human_seats(match)
    if match.courts.counts_words and not dispute.by.isdecimal():
        return people
    return (people - set(dispute.parties)) or people


def may_claimant_attest(match: Match, dispute: Dispute) -> bool:
    """Tell whether the claimant may be among those who attest.

    Then silence confirms no claim. So it is where only parties attest, and, from the third edition of the courts on,
    where the claim accuses nobody or comes from somebody without a seat. In matches of the first edition one answer of
    two is enough.
    """
    deciding, claimant = find_deciding_seats(match, dispute), dispute.by
    asked = not claimant.isdecimal() or int(claimant) in deciding
    return match.courts.needs_consent and (deciding <= set(dispute.parties) or (match.courts.counts_words and asked))


def find_awaited_seats(match: Match, dispute: Dispute) -> list[int]:
    """Return the seats that still have to attest or vote."""
    if dispute.stage == "voting":
        return sorted(find_voting_seats(match, dispute) - {each.seat for each in dispute.votes})
    if dispute.stage == "attesting":
        return sorted(find_deciding_seats(match, dispute) - {each.seat for each in dispute.testimony})
    return []


def find_voting_seats(match: Match, dispute: Dispute) -> frozenset[int]:
    """Return the seats that choose a remedy: all people, where all must consent."""
    return find_human_seats(match) if match.courts.needs_consent else find_deciding_seats(match, dispute)


def find_next_court(match: Match, dispute: Dispute, court: str) -> str | None:
    """Return the next court above this one for a dispute; None if there is none.

    The table is skipped if nobody has a vote there, because one phone speaks for all, and the arbiter if nobody is one.
    """
    staffed = {"table": bool(find_human_seats(match)), "arbiter": has_official(match, dispute)}
    above = (level for level in match.courts.levels if LEVELS.index(level) > LEVELS.index(court))
    return next((level for level in above if staffed[level]), None)


def require_dispute(match: Match, number: int) -> Dispute:
    """Return the dispute of this number. Raises IllegalMove."""
    dispute = next((each for each in match.disputes if each.number == number), None)
    if dispute is None:
        raise IllegalMove("court.no_such_dispute", "TABLE-DISPUTE-1", dispute=number)
    return dispute


def find_appeal_court(match: Match, dispute: Dispute) -> str | None:
    """Return the court that hears an appeal against the last ruling, or None.

    TABLE-RULING-7: What the referee has proved is not put to the table.
    """
    court = find_next_court(match, dispute, dispute.court)
    proved = match.courts.needs_consent and bool(dispute.verdicts) and dispute.verdicts[0].verdict == "stands"
    return find_next_court(match, dispute, court) if court == "table" and proved else court


def build_ruling(dispute: Dispute, court: str, by: str, finding: CourtFinding, remedy: str) -> RulingIssued:
    """Return the ruling of a court with its finding."""
    return RulingIssued(
        dispute.number, court, by, finding.verdict, remedy, finding.reason, finding.params, finding.clauses,
        knowing=finding.knowing,
    )  # fmt: skip


def call_arbiter(evidence: Evidence, match: Match, number: int) -> Events:
    """Call the arbiter, or settle the dispute by default if there is none."""
    if has_official(match, require_dispute(match, number)):
        return (CourtCalled(number, "arbiter", "ruling", evidence.now_ms + match.courts.rule_ms),)
    return settle_by_default(evidence, match, number)


def settle_by_default(evidence: Evidence, match: Match, number: int) -> Events:
    """Return what holds where nobody decides.

    TABLE-RULING-3: Where no court is left to decide, or no arbiter rules in the set time, what is in the log stands.

    TABLE-DISPUTE-9: If an entry does not stand and the table does not agree on a remedy, the mildest one is carried out
    that needs nobody's consent: to correct it, or, if the referee itself found it wrong, to go back to before it.
    """
    dispute = require_dispute(match, number)
    if not match.courts.needs_consent or dispute.verdicts[-1].verdict != "does_not_stand":
        doubt = CourtFinding("stands", "court.in_doubt", {}, ("TABLE-RULING-3",))
        return (build_ruling(dispute, dispute.court, "table", doubt, "leave"),)
    # That a table cannot be so accuses no entry, so going back before one is no remedy that follows by itself.
    proved = dispute.verdicts[0].verdict == "does_not_stand" and dispute.claim != IMPOSSIBLE_TABLE
    mildest = next(
        (
            each.name
            for each in ladder.list_remedies(evidence, dispute, int(BYSTANDER))
            if each.mild and (proved or (each.name == "partial_fix" and _is_about_chance(evidence, dispute)))
        ),
        "leave",
    )
    reason = "court.no_remedy_agreed" if mildest == "leave" else "court.mildest_remedy"
    finding = CourtFinding("does_not_stand", reason, {}, ("TABLE-DISPUTE-9",))
    ruling = build_ruling(dispute, dispute.court, "table", finding, mildest)
    return (ruling, *ladder.carry_out_remedy(evidence, dispute, mildest))


def _is_about_chance(evidence: Evidence, dispute: Dispute) -> bool:
    """Tell whether people at the table saw what is disputed.

    They see real dice, and cards turned up. What a player did with a hidden hand, nobody else can attest.
    """
    entry = evidence.find_entry(dispute.about)
    return entry is not None and entry.seat == CHANCE
