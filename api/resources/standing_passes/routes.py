"""Standing passes: what a seat lets pass in advance. They are its own secret: nobody else reads them, and no log."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import endpoint
from api.http.access.authorization import OWNER
from api.http.endpoint import Room
from api.http.responses import answer
from api.resources.seats.routes import SEAT
from api.resources.standing_passes import schemas as shapes
from referee.engine.seats import Seat
from referee.match.table.auto_pass import TURN, Standing

PASSES = f"{SEAT}/standing-passes"
room = Room("passes", "What a seat lets pass in advance, so that nobody waits for it.")


@room.call("GET", PASSES, "getStandingPasses", OWNER, gives=(200, shapes.StandingPassesSchema))
def get_standing_passes(match: str, seat: int) -> Response:
    """What this seat lets pass now, and what it could."""
    return answer(shown(endpoint.desk().let_passed(match, Seat(seat))))


@room.call(
    "PUT", PASSES, "setStandingPasses", OWNER, body=shapes.StandingPassesBody, key=True,
    gives=(200, shapes.PutPassesSchema), problems=["not-running", "match-over", "idempotency-key-reused"],
)  # fmt: skip
def set_standing_passes(body: dict[str, Any], match: str, seat: int) -> Response:
    """Lets windows of these kinds pass, an open one at once, in place of what stood.

    A window that has a limit of time is left to the clock. What is played so stands in the log like a pass by hand.
    """
    desk, own = endpoint.desk(), Seat(seat)
    stands, replayed = desk.let_pass(match, own, tuple(body["kinds"]), body["until"], key=endpoint.key())
    told = {**shown(stands), "receipt": desk.passed_at_once(match, own, stands)}
    return answer(told, headers={"Idempotency-Replayed": "true"} if replayed else {})


@room.call("DELETE", PASSES, "dropStandingPasses", OWNER, gives=(204, None))
def drop_standing_passes(match: str, seat: int) -> Response:
    """Lets nothing pass any more: this seat answers each window itself."""
    endpoint.desk().let_none_pass(match, Seat(seat))
    return Response(status=204)


def shown(stands: Standing | None) -> dict[str, Any]:
    """A standing pass as its seat sees it."""
    return {
        "kinds": [] if stands is None else list(stands.kinds),
        "until": None if stands is None else stands.until,
        "turn": stands.turn if stands is not None and stands.until == TURN else None,
        "windows": list(g.caller.table.rules.windows),
    }
