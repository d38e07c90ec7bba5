"""Routes by which players accept or refuse an official, and officials resign."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http.access.authorization import ANY_SEAT, HOST_OR_ARBITER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import MATCH_PATH, execute_table_command, match_changed_response, receipt_headers
from referee.match.events.office_events import AnswerOfficial, ResignOffice

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


@blueprint.declare(
    Endpoint(
        "DELETE",
        OFFICIAL_PATH,
        "resignOffice",
        HOST_OR_ARBITER,
        response=(204, None),
        receipt=True,
        problems=["no-such-official", "not-your-office", "log-frozen", "archived"],
    )
)
def resign_office(match: str, official: int) -> Response:
    """Give one's own office back.

    From then on the match is one without this official; disputes that wait for one are settled at once if nobody else
    is one. An official who has looked at hidden cards still takes no seat.
    """
    known = {each.number: each for each in g.table.officials}
    if official in known and known[official].person != g.caller.grant.person:
        raise Problem("not-your-office")
    if official in known and known[official].left:
        return Response(status=204)
    done = execute_table_command(match, ResignOffice(official), f"officials-{official}", None, "resigned")
    return Response(status=204, headers=receipt_headers(done))
