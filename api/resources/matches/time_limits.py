"""The time limits of a match as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.match.aggregate import Clocks, SeatAssignment
from referee.match.events.dispute_state import Speaking

OBJECTION_MS = 5000  # to object to what somebody says for all, where people have devices of their own


def parse_clocks(
    given: dict[str, Any] | None, devices: Mapping[str, str], seats: Iterable[SeatAssignment]
) -> Clocks | None:
    """Return time limits from their JSON form; None for none given.

    Where everything lies on a real table and nothing else is said, one person may speak for all. If several have
    devices of their own, there is time to object; where one device speaks for all, nobody could.
    """
    several = sum(seat.kind == "human" for seat in seats) > 1
    default = (OBJECTION_MS if several else 0) if all(held == "table" for held in devices.values()) else None
    if given is None:
        return None if default is None else Clocks(speaking=Speaking(default))
    objection_ms = given.get("objection_ms", default)
    speaking = None if objection_ms is None else Speaking(objection_ms)
    return Clocks(given.get("move_ms"), given.get("window_ms"), given["quick_close"], speaking)


def clocks_to_dict(clocks: Clocks) -> dict[str, Any]:
    """Return the time limits of a match as data."""
    objection_ms = None if clocks.speaking is None else clocks.speaking.objection_ms
    return {
        "move_ms": clocks.move_ms,
        "window_ms": clocks.window_ms,
        "quick_close": clocks.quick_close,
        "objection_ms": objection_ms,
    }
