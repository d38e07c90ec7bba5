"""What is hidden in the log, and can be checked: a seat's own part at any time, all of it once the match is over."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response

from api.http import endpoint
from api.http.access.authorization import FULL, SEAT
from api.http.endpoint import Room
from api.http.responses import answer
from api.resources.matches.routes import MATCH, following, seeds_of
from api.resources.reveals import schemas as shapes
from referee.engine.seats import FULL as EVERYTHING
from referee.queries import reveals
from referee.queries.reveals import Opening

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
    found, cursor = reveals.openings(endpoint.desk(), endpoint.loaded(match), seat, query["after"], query["limit"])
    body = {"items": [told(each) for each in found], "next_cursor": cursor}
    return answer(body, headers=following(cursor))


@room.call(
    "GET", f"{MATCH}/full/openings", "listFullOpenings", FULL, query=shapes.OpeningsQuery,
    gives=(200, shapes.DisclosedSchema), problems=["still-running"],
)  # fmt: skip
def list_full_openings(query: dict[str, Any], match: str) -> Response:
    """Whole entries with their salts, and the secrets behind all salts and draws, once the match is over; not while a
    remedy has it run again, and not while an arbiter looks at all cards of a match that runs."""
    desk, loaded = endpoint.desk(), endpoint.loaded(match)
    found, cursor = reveals.openings(desk, loaded, EVERYTHING, query["after"], query["limit"])
    secrets = [{**asdict(each), "secret": each.secret.hex()} for each in reveals.disclosed(desk, loaded.match)]
    body = {
        "items": [told(each) for each in found],
        "next_cursor": cursor,
        "secrets": secrets,
        "seeds": seeds_of(loaded.match),
    }
    return answer(body, headers=following(cursor))
