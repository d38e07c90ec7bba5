"""Routes for takebacks: request to go back, and answer such a request."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import ANY_SEAT, MATCH_VIEWER, SEAT_OR_TABLE_HOST, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response
from api.http.schemas.paging import NumberedPageQuery, next_link_header, take_numbered_page
from api.resources.matches.routes import MATCH_PATH, entry_written_response, execute_table_command
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
blueprint = EndpointBlueprint("takebacks")


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
            "official-called",
            "too-many-takebacks",
            "no-say-in-takeback",
            "stale-version",
            "idempotency-key-reused",
        ],
    )
)
def ask_takeback(body: dict[str, Any], match: str) -> Response:
    """Request to go back to where play stood after an entry.

    It is granted at once if going back changes neither the awaited seats nor the turn, if nobody else has moved since,
    if nobody has since seen what was hidden, and if chance has shown nothing since. Otherwise the other seats held by
    people are asked, and the answer names the rules that would be waived. A request blocks nobody: it is overtaken when
    play goes on. No time limit changes.
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
            "official-called",
            "no-say-in-takeback",
            "takeback-not-to-be-barred",
            "nothing-to-take-back",
            "idempotency-key-reused",
        ],
    )
)
def answer_takeback(body: dict[str, Any], match: str, takeback: int) -> Response:
    """Agree to a takeback request or refuse it.

    With the last consent play goes back, in the same entry, and piles of which cards became known are shuffled again.
    One refusal ends the request. From the second refusal of a seat's requests on, `bar` refuses any further ones.
    """
    seat = resolve_takeback_seat(g.caller, body.get("seat"))
    if body["grant"] and body["bar"]:
        raise Problem("invalid-input", errors=[{"pointer": "/bar", "detail": "Only a no can bar further requests."}])
    done = execute_table_command(match, AnswerTakeback(takeback, seat, body["grant"], body["bar"]), f"seat{seat}", None)
    return takeback_response(done, seat, takeback)


@blueprint.declare(
    Endpoint(
        "GET",
        TAKEBACKS_PATH,
        "listTakebacks",
        MATCH_VIEWER,
        query=NumberedPageQuery,
        response=(200, shapes.TakebacksSchema),
        etag=True,
    )
)
def list_takebacks(query: dict[str, Any], match: str) -> Response:
    """List takeback requests and their results.

    Onlookers see them with the same delay as everything else.
    """
    found = load_visible_match(match)
    table = found.match
    page, cursor = take_numbered_page(table.takebacks, query["after"], query["limit"], lambda each: each.number)
    body = {
        "items": [takeback_to_dict(table, each) for each in page],
        "next_cursor": cursor,
        "bars": [asdict(each) for each in table.bars],
    }
    return json_response(body, version=found.version, headers=next_link_header(cursor))


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
    """Return a takeback request: the rules that it breaks, and the answers."""
    found = load_visible_match(match)
    return json_response(
        takeback_to_dict(found.match, takebacks.require_takeback(found.match, takeback)), version=found.version
    )


def load_visible_match(match: str) -> LoadedMatch:
    """Return the match as the caller may see it.

    An onlooker gets the visible version, everybody else the present one.
    """
    found = context.get_loaded_match(match)
    return (
        views.load_visible_version(context.get_match_service(), found, BYSTANDER, None)
        if g.caller.is_onlooker
        else found
    )


def resolve_takeback_seat(caller: Caller, named: int | None) -> int:
    """Return the seat that acts: the named one, or the only one of the token.

    Raises Problem.
    """
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
    """Return a takeback as everybody who may see the match sees it."""
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
    """Return the result of a write, and the takeback after it."""
    found = takebacks.require_takeback(done.match, number)
    return entry_written_response(done, seat, {"takeback": takeback_to_dict(done.match, found)})
