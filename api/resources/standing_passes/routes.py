"""Routes for standing passes: the windows that a seat passes in advance.

Only the seat itself can read them, and no log holds them.
"""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import SEAT_OWNER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import json_response, replay_header
from api.resources.seats.routes import SEAT_PATH
from api.resources.standing_passes import schemas as shapes
from referee.engine.seats import Seat
from referee.match.table.auto_pass import UNTIL_TURN_END, AutoPass

STANDING_PASSES_PATH = f"{SEAT_PATH}/standing-passes"
blueprint = EndpointBlueprint("passes", tag="windows")


@blueprint.declare(
    Endpoint("GET", STANDING_PASSES_PATH, "getStandingPasses", SEAT_OWNER, response=(200, shapes.StandingPassesSchema))
)
def get_standing_passes(match: str, seat: int) -> Response:
    """Return the kinds of window that this seat passes now, and those it could."""
    return json_response(standing_pass_to_dict(context.get_match_service().get_auto_pass(match, Seat(seat))))


@blueprint.declare(
    Endpoint(
        "PUT",
        STANDING_PASSES_PATH,
        "setStandingPasses",
        SEAT_OWNER,
        body=shapes.StandingPassesBody,
        key=True,
        response=(200, shapes.StandingPassesResultSchema),
        problems=["not-running", "match-over", "idempotency-key-reused"],
    )
)
def set_standing_passes(body: dict[str, Any], match: str, seat: int) -> Response:
    """Pass windows of these kinds in advance, an open one at once.

    They replace the earlier ones. A window with a time limit is left to the clock, unless the match has `quick_close`.
    A pass made this way is in the log like one made by hand.
    """
    service, own = context.get_match_service(), Seat(seat)
    stands, replayed = service.set_auto_pass(
        match,
        own,
        tuple(body["kinds"]),
        body["until"],
        key=preconditions.require_idempotency_key(),
        unless_mine=tuple(body.get("unless_mine", ())),
    )
    result = {**standing_pass_to_dict(stands), "receipt": service.immediate_pass_receipt(match, own, stands)}
    return json_response(result, headers=replay_header(replayed))


@blueprint.declare(Endpoint("DELETE", STANDING_PASSES_PATH, "deleteStandingPasses", SEAT_OWNER, response=(204, None)))
def drop_standing_passes(match: str, seat: int) -> Response:
    """Drop the standing passes: the seat answers each window itself again."""
    context.get_match_service().clear_auto_pass(match, Seat(seat))
    return Response(status=204)


def standing_pass_to_dict(stands: AutoPass | None) -> dict[str, Any]:
    """Return a standing pass as its seat sees it."""
    return {
        "kinds": [] if stands is None else list(stands.kinds),
        "unless_mine": [] if stands is None else list(stands.unless_mine),
        "until": None if stands is None else stands.until,
        "turn": stands.turn if stands is not None and stands.until == UNTIL_TURN_END else None,
        "windows": list(g.caller.table.rules.windows),
    }
