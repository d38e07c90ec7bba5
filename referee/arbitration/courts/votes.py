"""Votes of the table for a remedy, and proposals that everybody has to accept."""

from __future__ import annotations

from collections import Counter

from referee.arbitration.auto_ruling import CourtFinding
from referee.arbitration.courts.levels import (
    Events,
    build_ruling,
    call_arbiter,
    find_deciding_seats,
    find_voting_seats,
    require_dispute,
)
from referee.arbitration.remedies import ladder
from referee.arbitration.remedies.manual_corrections import build_malformed_error, find_public_corrections
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.events.dispute_commands import CastVote
from referee.match.events.dispute_events import Voted
from referee.match.events.dispute_state import UNANIMOUS_REMEDIES, Dispute
from referee.match.evidence import Evidence


def handle_vote(evidence: Evidence, command: CastVote) -> Events:
    """Record a vote and what the votes now decide (TABLE-DISPUTE-4, -9)."""
    dispute, clause = require_dispute(evidence.match, command.dispute), evidence.match.courts.voting_clause
    if dispute.stage != "voting":
        raise IllegalMove("court.closed", clause, dispute=command.dispute)
    if command.seat not in find_voting_seats(evidence.match, dispute):
        raise IllegalMove("court.no_say", clause, seat=command.seat)
    voted = _build_vote(evidence, dispute, command)
    offered = {each.name for each in ladder.list_remedies(evidence, dispute, int(BYSTANDER)) if each.offered}
    if command.remedy not in offered and not voted.fix:
        raise IllegalMove("court.not_offered", clause, remedy=command.remedy)
    return (voted, *decide_by_votes(evidence, voted.apply(evidence.match), command.dispute, False))


def decide_by_votes(evidence: Evidence, match: Match, number: int, time_up: bool) -> Events:
    """Return what the votes decide, once one remedy has a majority or the time is up.

    TABLE-DISPUTE-4: Where an entry does not stand, the table chooses one of the offered remedies by vote, with the same
    majorities.
    """
    dispute = require_dispute(match, number)
    if match.courts.needs_consent:
        return _decide_by_consent(evidence, match, dispute, time_up)
    deciding = find_deciding_seats(match, dispute)
    counted = Counter(each.remedy for each in dispute.votes if each.seat in deciding).most_common()
    spoken = sum(count for _, count in counted)
    best, most = counted[0] if counted else ("", 0)
    tied = len(counted) > 1 and counted[1][1] == most
    if best in UNANIMOUS_REMEDIES and most < len(deciding):  # one vote against it, or none, is enough
        return () if not time_up and spoken < len(deciding) else call_arbiter(evidence, match, number)
    if 2 * most <= len(deciding):
        if not time_up and spoken < len(deciding):
            return ()
        if tied or 2 * spoken < len(deciding) or not counted:
            return call_arbiter(evidence, match, number)
    finding = CourtFinding("does_not_stand", "court.table_votes", {"votes": most}, ("TABLE-DISPUTE-4",))
    ruling = build_ruling(dispute, "table", "table", finding, best)
    try:
        return (ruling, *ladder.carry_out_remedy(evidence, dispute, best))
    except IllegalMove:  # the remedy is no longer possible, because play went on or another remedy came first
        return call_arbiter(evidence, match, number)


def _build_vote(evidence: Evidence, dispute: Dispute, command: CastVote) -> Voted:
    """Return the vote that a command casts; a proposal is accepted as it stands.

    Raises IllegalMove, MalformedInput if its corrections cannot be carried out.
    """
    if not evidence.match.courts.needs_consent:
        if command.fix or command.agrees_to:
            raise IllegalMove("court.not_offered", "TABLE-DISPUTE-4", remedy=command.remedy)
        return Voted(command.dispute, command.seat, command.remedy)
    fix, number = command.fix, evidence.version + 1
    if command.agrees_to:
        proposed = [each for each in dispute.votes if each.number == command.agrees_to]
        if not proposed or proposed[0].remedy != command.remedy or fix:
            raise IllegalMove("court.no_such_proposal", "TABLE-DISPUTE-9", proposal=command.agrees_to)
        fix, number = proposed[0].fix, command.agrees_to
    else:
        same = (each.number for each in dispute.votes if (each.remedy, each.fix) == (command.remedy, fix))
        number = next(same, number)
    if fix and command.remedy != "partial_fix":
        raise build_malformed_error("", "fix.only_partial_fix")
    ladder.carry_out_remedy(evidence, dispute, command.remedy, fix)  # what cannot be done is not proposed
    return Voted(
        command.dispute, command.seat, command.remedy, fix, number, find_public_corrections(evidence.match, fix),
        evidence.version + 1,
    )  # fmt: skip


def _decide_by_consent(evidence: Evidence, match: Match, dispute: Dispute, time_up: bool) -> Events:
    """Return what follows once all have agreed to one proposal, or all have spoken.

    TABLE-DISPUTE-9: A remedy needs the consent of all people at the table.
    """
    people = find_voting_seats(match, dispute)
    votes = {each.seat: each for each in dispute.votes if each.seat in people}
    proposals = {each.number: each for each in votes.values()}
    if len(votes) < len(people) and not time_up:
        return ()
    if len(votes) < len(people) or len(proposals) > 1:
        return call_arbiter(evidence, match, dispute.number)
    (agreed,) = proposals.values()
    finding = CourtFinding("does_not_stand", "court.all_agree", {"votes": len(votes)}, ("TABLE-DISPUTE-9",))
    ruling = build_ruling(dispute, "table", "table", finding, agreed.remedy)
    try:
        return (ruling, *ladder.carry_out_remedy(evidence, dispute, agreed.remedy, agreed.fix))
    except IllegalMove:  # no longer possible, because play went on or another remedy came first
        return call_arbiter(evidence, match, dispute.number)
