"""Routes by which players accept or call an official, who answers or resigns."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http.access.authorization import ANY_SEAT, HOST_OR_ARBITER, SEAT_OR_PROXY
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import (
    MATCH_PATH,
    entry_written_response,
    execute_table_command,
    match_changed_response,
    receipt_headers,
)
from api.resources.officials.schemas import CallBody
from referee.engine.seats import BYSTANDER
from referee.match.events.office_events import AnswerCall, AnswerOfficial, CallOfficial, ResignOffice, WithdrawCall

OFFICIAL_PATH = f"{MATCH_PATH}/officials/<int(min=1, max=2147483647):official>"
CALL_PARAMETER = "<int(min=1, max=2147483647):call>"
SEAT_CALLS_PATH = f"{MATCH_PATH}/seats/<seat:seat>/calls"
blueprint = EndpointBlueprint("officials")


@blueprint.declare(
    Endpoint(
        "POST",
        f"{OFFICIAL_PATH}/consents",
        "answerOfficial",
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


@blueprint.declare(
    Endpoint(
        "POST",
        SEAT_CALLS_PATH,
        "callOfficial",
        SEAT_OR_PROXY,
        body=CallBody,
        response=(201, shapes.WriteResultSchema),
        key=True,
        etag=True,
        problems=[
            "no-official",
            "nobody-calls",
            "call-open",
            "too-many-calls",
            "not-running",
            "match-over",
            "idempotency-key-reused",
        ],
    )
)
def call_official(body: dict[str, Any], match: str, seat: int) -> Response:
    """Call an official to the table for a seat: play and its clock stop.

    Until an accepted official answers, the seat withdraws the call, or ten minutes are over, nobody moves. `call` of
    the match shows it to everybody. Afterwards the open question has the time that was left. After three calls that
    came to nothing a seat calls nobody any more in this match.
    """
    done = execute_table_command(match, CallOfficial(seat, body["reason"]), f"seat{seat}", None)
    return entry_written_response(done, BYSTANDER)


@blueprint.declare(
    Endpoint(
        "DELETE",
        f"{SEAT_CALLS_PATH}/{CALL_PARAMETER}",
        "withdrawCall",
        SEAT_OR_PROXY,
        response=(204, None),
        receipt=True,
        problems=["no-such-call", "not-your-call", "call-closed", "log-frozen", "archived"],
    )
)
def withdraw_call(match: str, seat: int, call: int) -> Response:
    """Withdraw a seat's call of an official; play goes on."""
    done = execute_table_command(match, WithdrawCall(call, seat), f"seat{seat}-calls-{call}", None, "withdrawn")
    return Response(status=204, headers=receipt_headers(done))


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/calls/{CALL_PARAMETER}/answer",
        "answerCall",
        HOST_OR_ARBITER,
        response=(201, shapes.WriteResultSchema),
        key=True,
        etag=True,
        problems=["no-such-call", "not-accepted", "call-closed", "idempotency-key-reused"],
    )
)
def answer_call(match: str, call: int) -> Response:
    """Answer a call as an official whom everybody has accepted; play goes on.

    An official who has something to rule on opens a dispute, and play waits for that.
    """
    official = g.caller.official.number if g.caller.official is not None else 0
    done = execute_table_command(match, AnswerCall(call, official), f"official{official}", None)
    return entry_written_response(done, BYSTANDER)
