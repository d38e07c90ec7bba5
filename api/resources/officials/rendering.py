"""Officials in answers."""

from __future__ import annotations

from typing import Any

from api.http.responses import format_time
from referee.match.aggregate import Match
from referee.match.table import officials
from referee.match.table.office_state import Official, OfficialCall


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


def call_to_dict(call: OfficialCall | None) -> dict[str, Any] | None:
    """Return the open call of an official, or None."""
    if call is None:
        return None
    return {
        "call": call.number,
        "by": call.by,
        "reason": call.reason,
        "since": format_time(call.since_ms),
        "until": format_time(call.until_ms),
    }
