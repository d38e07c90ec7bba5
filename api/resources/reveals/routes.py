"""What is hidden in the log, and can be checked: a seat's own part at any time, all of it once the match is over."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response

from api.http import context
from api.http.access.authorization import FULL_VIEWER, SEAT_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import json_response
from api.resources.matches.routes import MATCH_PATH, next_link_header, seeds_to_dict
from api.resources.reveals import schemas as shapes
from referee.engine.seats import FULL_VIEWER as EVERYTHING
from referee.queries import reveals
from referee.queries.reveals import CommitmentReveal

blueprint = EndpointBlueprint("openings", "What the commitments of the log open to.")


def reveal_to_dict(opening: CommitmentReveal) -> dict[str, Any]:
    """An opening as JSON data."""
    return {**asdict(opening), "salt": opening.salt.hex()}


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/seats/<seat:seat>/openings",
        "listSeatOpenings",
        SEAT_VIEWER,
        query=shapes.OpeningsQuery,
        response=(200, shapes.OpeningsSchema),
    )
)
def list_seat_openings(query: dict[str, Any], match: str, seat: int) -> Response:
    """Salt and part behind each commitment to what this seat saw: with them it can check, also while the match runs,
    that the log holds what it was shown. They tell nothing of what others saw."""
    found, cursor = reveals.list_reveals(
        context.get_match_service(), context.get_loaded_match(match), seat, query["after"], query["limit"]
    )
    body = {"items": [reveal_to_dict(each) for each in found], "next_cursor": cursor}
    return json_response(body, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/full/openings",
        "listFullOpenings",
        FULL_VIEWER,
        query=shapes.OpeningsQuery,
        response=(200, shapes.FullOpeningsSchema),
        problems=["still-running"],
    )
)
def list_full_openings(query: dict[str, Any], match: str) -> Response:
    """Whole entries with their salts, and the secrets behind all salts and draws, once the match is over; not while a
    remedy has it run again, and not while an arbiter looks at all cards of a match that runs."""
    service, loaded = context.get_match_service(), context.get_loaded_match(match)
    found, cursor = reveals.list_reveals(service, loaded, EVERYTHING, query["after"], query["limit"])
    secrets = [
        {**asdict(each), "secret": each.secret.hex()} for each in reveals.disclose_secrets(service, loaded.match)
    ]
    body = {
        "items": [reveal_to_dict(each) for each in found],
        "next_cursor": cursor,
        "secrets": secrets,
        "seeds": seeds_to_dict(loaded.match),
    }
    return json_response(body, headers=next_link_header(cursor))
