"""Offices: who sits at the table, and who may have the last word there."""

from __future__ import annotations

from referee.match.aggregate import Match
from referee.match.events.dispute_state import Dispute


def find_human_seats(match: Match) -> frozenset[int]:
    """Return the seats that people hold; these attest and vote."""
    return frozenset(seat for seat, chair in enumerate(match.chairs) if chair.kind == "human" and chair.taken)


def has_official(match: Match) -> bool:
    """Tell whether somebody is there who may have the last word in disputes."""
    return "arbiter" in match.courts.levels


def may_rule(match: Match, dispute: Dispute, by: str, seats: tuple[int, ...]) -> bool:
    """Tell whether host or arbiter, who holds these seats, may rule on a dispute.

    TABLE-RULING-4: Nobody rules in a dispute that a seat of theirs is a party of, unless all who sit there are parties.

    A host or arbiter who opened the dispute without a seat is a party too.
    """
    held = set(seats) & find_human_seats(match)
    party = bool(held & set(dispute.parties)) or dispute.by == by
    return not party or find_human_seats(match) <= set(dispute.parties)
