"""The route by which players accept or refuse an official."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http.access.authorization import ANY_SEAT
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import MATCH_PATH, execute_table_command, match_changed_response
from referee.match.events.office_events import AnswerOfficial

OFFICIAL_PATH = f"{MATCH_PATH}/officials/<int(min=1, max=2147483647):official>"
blueprint = EndpointBlueprint("officials", "People without a seat who have the last word in disputes.")


@blueprint.declare(
    Endpoint(
        "POST",
        f"{OFFICIAL_PATH}/acceptances",
        "acceptOfficial",
        ANY_SEAT,
        body=shapes.ConsentBody,
        response=(200, shapes.ChangedMatchSchema),
        key=True,
        etag=True,
        problems=["no-such-official", "official-accepted", "no-say", "idempotency-key-reused"],
    )
)
def accept_official(body: dict[str, Any], match: str, official: int) -> Response:
    """Accept or refuse an official for all seats of this token.

    The official decides nothing before every player has accepted them. Who sits down later has accepted them by that.
    From the start on, nobody takes a yes back.
    """
    command = AnswerOfficial(official, body["grant"], g.caller.seats)
    scope = f"officials-seat{min(g.caller.seats)}"
    return match_changed_response(execute_table_command(match, command, scope, None))
