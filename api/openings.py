"""What is hidden in the log, and can be checked: a seat's own part at any time, all of it once the match is over."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response

from api import door
from api.answers import answer
from api.door import Room
from api.matches import MATCH, following, seeds_of
from api.rights import FULL, SEAT
from api.schemas import chance as shapes
from referee.desk import openings
from referee.desk.openings import Opening
from referee.kernel.seats import FULL as EVERYTHING

room = Room("openings", "What the commitments of the log open to.")


def told(opening: Opening) -> dict[str, Any]:
    """An opening as JSON data."""
    return {**asdict(opening), "salt": opening.salt.hex()}


@room.call(
    "GET", f"{MATCH}/seats/<seat:seat>/openings", "listSeatOpenings", SEAT, query=shapes.OpeningsQuery,
    gives=(200, shapes.OpeningsSchema),
)  # fmt: skip
def list_seat_openings(query: dict[str, Any], match: str, seat: int) -> Response:
    """Salt and part behind each commitment to what this seat saw: with them it can check, also while the match runs,
    that the log holds what it was shown. They tell nothing of what others saw."""
    found, cursor = openings.openings(door.desk(), door.loaded(match), seat, query["after"], query["limit"])
    body = {"items": [told(each) for each in found], "next_cursor": cursor}
    return answer(body, headers=following(cursor))


@room.call(
    "GET", f"{MATCH}/full/openings", "listFullOpenings", FULL, query=shapes.OpeningsQuery,
    gives=(200, shapes.DisclosedSchema), problems=["still-running"],
)  # fmt: skip
def list_full_openings(query: dict[str, Any], match: str) -> Response:
    """Whole entries with their salts, and the secrets behind all salts and draws, once the match is over; not while a
    remedy has it run again, and not while an arbiter looks at all cards of a match that runs."""
    desk, loaded = door.desk(), door.loaded(match)
    found, cursor = openings.openings(desk, loaded, EVERYTHING, query["after"], query["limit"])
    secrets = [{**asdict(each), "secret": each.secret.hex()} for each in openings.disclosed(desk, loaded.match)]
    body = {
        "items": [told(each) for each in found],
        "next_cursor": cursor,
        "secrets": secrets,
        "seeds": seeds_of(loaded.match),
    }
    return answer(body, headers=following(cursor))
