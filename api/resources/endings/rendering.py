"""Proposed ends in answers."""

from __future__ import annotations

from typing import Any

from referee.match.aggregate import Match
from referee.match.events.dispute_state import EndProposal
from referee.match.table import endings


def ending_to_dict(match: Match, ending: EndProposal | None) -> dict[str, Any] | None:
    """Return a proposed end as everybody who may see the match sees it."""
    if ending is None:
        return None
    return {
        "ending": ending.number,
        "by": int(ending.by) if ending.by.isdecimal() else ending.by,
        "reason": ending.reason,
        "placement": [list(place) for place in ending.placement],
        "stage": ending.stage,
        "granted": list(ending.granted),
        "against": list(ending.against),
        "asks": sorted(endings.find_awaited_seats(match, ending)),
    }
