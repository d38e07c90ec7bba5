"""Takebacks: a seat asks to go back; within the four rules it is granted at once, else the others are asked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import ANY_SEAT, MATCH_VIEWER, SEAT_OR_TABLE_HOST, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response
from api.resources.matches.routes import MATCH_PATH, entry_written_response, execute_table_command
from api.resources.moves.routes import viewer_path
from api.resources.takebacks import schemas as shapes
from referee.arbitration import takebacks
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.events.dispute_state import Takeback
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.service.requests import CommandResult

TAKEBACKS_PATH = f"{MATCH_PATH}/takebacks"
TAKEBACK_PATH = f"{TAKEBACKS_PATH}/<int(min=1, max=2147483647):takeback>"
blueprint = EndpointBlueprint("takebacks", "Going back at the request of a seat.")


@blueprint.declare(
    Endpoint(
        "POST",
        TAKEBACKS_PATH,
        "askTakeback",
        SEAT_OR_TABLE_HOST,
        body=shapes.TakebackBody,
        key=True,
        etag=True,
        response=(201, shapes.TakebackWriteResultSchema),
        precondition="required_of_play",
        problems=[
            "not-your-seat",
            "unknown-seat",
            "not-running",
            "nothing-to-take-back",
            "takeback-barred",
            "in-dispute",
            "too-many-takebacks",
            "no-say-in-takeback",
            "stale-version",
            "idempotency-key-reused",
        ],
    )
)
def ask_takeback(body: dict[str, Any], match: str) -> Response:
    """Asks to go back to where play stood after an entry. It is granted at once if that changes neither who is to move
    nor the turn, if nobody else has moved since, if nobody has seen since what was hidden, and if chance has shown
    nothing since; else the other seats that people hold are asked, and the rules that are waived are named.

    A request blocks nobody: it is overtaken when play goes on. It touches no limit of time, and buys none.
    """
    seat, strict = resolve_takeback_seat(g.caller, body.get("seat")), preconditions.parse_if_match(True)
    done = execute_table_command(match, RequestTakeback(seat, body["to"]), f"seat{seat}", strict)
    return takeback_response(done, seat, done.entry)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{TAKEBACK_PATH}/consents",
        "answerTakeback",
        ANY_SEAT,
        body=shapes.TakebackConsentBody,
        key=True,
        etag=True,
        response=(201, shapes.TakebackWriteResultSchema),
        problems=[
            "not-your-seat",
            "unknown-seat",
            "no-such-takeback",
            "takeback-closed",
            "takeback-overtaken",
            "in-dispute",
            "no-say-in-takeback",
            "takeback-not-to-be-barred",
            "nothing-to-take-back",
            "idempotency-key-reused",
        ],
    )
)
def answer_takeback(body: dict[str, Any], match: str, takeback: int) -> Response:
    """Says yes or no. With the last yes play goes back, in this very entry, and piles from which cards became known are
    shuffled again; one no ends it. With the second no to requests of a seat, `bar` keeps further ones away."""
    seat = resolve_takeback_seat(g.caller, body.get("seat"))
    if body["grant"] and body["bar"]:
        raise Problem("invalid-input", errors=[{"pointer": "/bar", "detail": "Only a no can bar further requests."}])
    done = execute_table_command(match, AnswerTakeback(takeback, seat, body["grant"], body["bar"]), f"seat{seat}", None)
    return takeback_response(done, seat, takeback)


@blueprint.declare(
    Endpoint("GET", TAKEBACKS_PATH, "listTakebacks", MATCH_VIEWER, response=(200, shapes.TakebacksSchema), etag=True)
)
def list_takebacks(match: str) -> Response:
    """All takebacks that were asked for, and what became of them. Onlookers see them as late as everything else."""
    found = load_visible_match(match)
    table = found.match
    body = {
        "items": [takeback_to_dict(table, each) for each in table.takebacks],
        "bars": [asdict(each) for each in table.bars],
    }
    return json_response(body, version=found.version)


@blueprint.declare(
    Endpoint(
        "GET",
        TAKEBACK_PATH,
        "getTakeback",
        MATCH_VIEWER,
        response=(200, shapes.TakebackSchema),
        etag=True,
        problems=["no-such-takeback"],
    )
)
def get_takeback(match: str, takeback: int) -> Response:
    """A takeback that was asked for: the rules that it breaks, and what the others have said."""
    found = load_visible_match(match)
    return json_response(
        takeback_to_dict(found.match, takebacks.require_takeback(found.match, takeback)), version=found.version
    )


def load_visible_match(match: str) -> LoadedMatch:
    """The match as far as whoever asks may look; whoever has to do with the table sees it as it stands."""
    found = context.get_loaded_match(match)
    return (
        views.load_visible_version(context.get_match_service(), found, BYSTANDER, None)
        if g.caller.is_onlooker
        else found
    )


def resolve_takeback_seat(caller: Caller, named: int | None) -> int:
    """The seat that speaks: the one that is named, else the only one of the token. Raises ProblemError."""
    assert caller.table is not None
    mine = [seat for seat in range(len(caller.table.chairs)) if caller.may_view_as_seat(seat)]
    if named is None and len(mine) > 1:
        raise Problem("invalid-input", errors=[{"pointer": "/seat", "detail": f"One of {mine}."}])
    seat = mine[0] if named is None else named
    caller.require_seat_assignment(seat)
    if seat not in mine:
        raise Problem("not-your-seat", params={"seat": seat})
    return seat


def takeback_to_dict(match: Match, takeback: Takeback) -> dict[str, Any]:
    """A takeback as everybody who may see the match sees it."""
    return {
        "takeback": takeback.number,
        "seat": takeback.seat,
        "to": takeback.to,
        "stage": takeback.stage,
        "waives": list(takeback.waives),
        "consents": list(takeback.by),
        "against": takeback.against,
        "asks": list(takebacks.find_awaited_seats(match, takeback)),
    }


def takeback_response(done: CommandResult, seat: int, number: int) -> Response:
    """What a write became, and the takeback as it stands then."""
    found = takebacks.require_takeback(done.match, number)
    return entry_written_response(
        done, seat, viewer_path(done.match.id, seat), {"takeback": takeback_to_dict(done.match, found)}
    )
