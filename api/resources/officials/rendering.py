"""Officials in answers."""

from __future__ import annotations

from typing import Any

from referee.match.aggregate import Match
from referee.match.events.dispute_state import Official
from referee.match.table import officials


def official_to_dict(match: Match, official: Official) -> dict[str, Any]:
    """Return an official as everybody who may see the match sees them."""
    return {
        "official": official.number,
        "role": official.role,
        "person": official.person,
        "accepted": list(official.accepted),
        "refused": list(official.refused),
        "asks": sorted(officials.find_awaited_seats(match, official)),
        "decides": officials.is_accepted(match, official),
        "left": official.left,
    }
