"""Routes that open the commitments of the log, to check its hidden parts.

A seat may open its own parts at any time. Everything may be opened once the match is over.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response

from api.http import context
from api.http.access.authorization import NAMED_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import json_response
from api.http.schemas.paging import next_link_header
from api.resources.matches.routes import MATCH_PATH, seeds_to_dict
from api.resources.reveals import schemas as shapes
from referee.engine.seats import FULL_VIEWER as EVERYTHING
from referee.queries import reveals
from referee.queries.reveals import CommitmentReveal

blueprint = EndpointBlueprint("openings", tag="proofs")


def reveal_to_dict(opening: CommitmentReveal) -> dict[str, Any]:
    """Return an opened commitment as JSON data."""
    return {**asdict(opening), "salt": opening.salt.hex()}


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/openings",
        "listOpenings",
        NAMED_VIEWER,
        query=shapes.OpeningsQuery,
        response=(200, shapes.OpeningsSchema),
    )
)
def list_openings(query: dict[str, Any], match: str) -> Response:
    """List salt and part behind each commitment of the log.

    With those of its own part a seat can check, even while the match runs, that the log holds what the seat was shown.
    They reveal nothing of what others saw.

    `full` gets whole entries, and the secrets behind all salts and draws, once the match is over. They are not
    available while a remedy has the match run again, or while an arbiter inspects all cards of a running match.
    """
    service, loaded, viewer = context.get_match_service(), context.get_loaded_match(match), query["viewer"]
    found, cursor = reveals.list_reveals(service, loaded, viewer, query["after"], query["limit"])
    body: dict[str, Any] = {"items": [reveal_to_dict(each) for each in found], "next_cursor": cursor}
    if viewer == EVERYTHING:
        secrets = reveals.disclose_secrets(service, loaded.match)
        body["secrets"] = [{**asdict(each), "secret": each.secret.hex()} for each in secrets]
        body["seeds"] = seeds_to_dict(loaded.match)
    return json_response(body, headers=next_link_header(cursor))
