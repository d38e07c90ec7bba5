"""Routes to end a match by the word of the table: propose it, and answer."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import preconditions
from api.http.access.authorization import CLAIMANT, SEAT_OR_TABLE_HOST, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.resources.endings import schemas as shapes
from api.resources.endings.rendering import ending_to_dict
from api.resources.matches.routes import MATCH_PATH, entry_written_response, execute_table_command
from api.resources.matches.schemas import ConsentBody, EndWriteResultSchema
from referee.engine.seats import BYSTANDER
from referee.match.events.ending_events import AnswerEnd, EndMatch
from referee.match.events.transfer_events import AnswerTransfer
from referee.service.requests import CommandResult

ENDING_PATH = f"{MATCH_PATH}/endings/<int(min=1, max=2147483647):ending>"
blueprint = EndpointBlueprint("endings", tag="matches")


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/end",
        "endMatch",
        CLAIMANT,
        body=shapes.EndBody,
        response=(201, EndWriteResultSchema),
        key=True,
        etag=True,
        precondition="required",
        problems=[
            *(
                "not-running",
                "match-over",
                "placement-incomplete",
                "left-seats-last",
                "end-proposed",
                "host-or-arbiter-only",
            ),
            *("stale-version", "idempotency-key-reused"),
        ],
    )
)
def end_match(body: dict[str, Any], match: str) -> Response:
    """Propose to end a match, as host or player.

    Play goes on until every player has agreed; for players without a device the host agrees. Who is alone at the table
    ends the match at once, and places seats that were left last, all together.
    """
    caller: Caller = g.caller
    key, strict = preconditions.require_idempotency_key(), preconditions.parse_if_match(True)
    command = EndMatch(body["reason"], tuple(map(tuple, body.get("placement", ()))))
    if caller.table.courts.edition is None:  # type: ignore[union-attr]
        if caller.grant.role not in ("host", "arbiter"):
            raise Problem("host-or-arbiter-only")
        return end_response(execute_table_command(match, command, caller.grant.role, strict, key), None)
    by = str(min(caller.seats)) if caller.seats else caller.grant.role
    command = EndMatch(command.reason, command.placement, by, list_spoken_seats(caller))
    return end_response(execute_table_command(match, command, end_scope(caller), strict, key), None)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{ENDING_PATH}/consents",
        "answerEnding",
        SEAT_OR_TABLE_HOST,
        body=ConsentBody,
        response=(201, EndWriteResultSchema),
        key=True,
        etag=True,
        problems=["no-such-ending", "end-decided", "no-say", "match-over", "idempotency-key-reused"],
    )
)
def answer_end(body: dict[str, Any], match: str, ending: int) -> Response:
    """Answer a proposed end, or a move to another server, for all seats of this token.

    The last consent ends the match, one refusal the question. A player who has agreed may still refuse meanwhile.
    """
    asks_to_move = any(each.number == ending for each in g.caller.table.transfers)
    answer = AnswerTransfer if asks_to_move else AnswerEnd
    command = answer(ending, body["grant"], list_spoken_seats(g.caller))
    return end_response(execute_table_command(match, command, end_scope(g.caller), None), ending)


def list_spoken_seats(caller: Caller) -> tuple[int, ...]:
    """Return the seats that the caller holds, and for the host those without a device."""
    chairs = caller.table.chairs  # type: ignore[union-attr]
    without_device = (seat for seat, chair in enumerate(chairs) if caller.is_host and chair.kind == "table")
    return tuple(sorted({*caller.seats, *without_device}))


def end_scope(caller: Caller) -> str:
    """Return the scope of the keys: the first seat of the token, or its role."""
    return f"end-seat{min(caller.seats)}" if caller.seats else caller.grant.role


def end_response(done: CommandResult, number: int | None) -> Response:
    """Return the result of a write, and the proposed end after it."""
    match, asked = done.match, done.entry if number is None else number
    found = next((each for each in match.endings if each.number == asked), None)
    return entry_written_response(done, BYSTANDER, {"ending": ending_to_dict(match, found)})
