"""Routes for tickets, with which a browser opens a stream without a header."""

from __future__ import annotations

from typing import Any

from flask import Response, g, request
from marshmallow import Schema, fields

from api.http import context, preconditions
from api.http.access import tickets
from api.http.access.authorization import ANY_VIEWER
from api.http.access.tickets import Bearer
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import NEW_SECRET, format_time, json_response, replay_header
from api.http.schemas.viewers import ViewerQuery, viewer_query
from api.resources.matches.routes import MATCH_PATH
from referee.engine.seats import BYSTANDER

blueprint = EndpointBlueprint("tickets", tag="streams")


class StreamTicketSchema(Schema):
    """A ticket for one stream: good once, for a minute."""

    ticket = fields.Str(required=True)
    expires_at = fields.Str(required=True, metadata={"format": "date-time"})
    stream = fields.Str(required=True, metadata={"description": "The address to open, with the ticket in it"})


def ticket_response(viewer: int = BYSTANDER, *, guarded: bool) -> Response:
    """Return the ticket for the stream beside the address of this request."""
    key, path = preconditions.require_idempotency_key(guarded=guarded), request.path.removesuffix("-tickets")
    place = path + viewer_query(viewer)
    bearer = Bearer(g.caller.token_hash, g.caller.account)
    log = context.get_match_service().log
    ticket, until, new = tickets.create_ticket(log, context.get_secret(), place, bearer, key)
    stream = f"{place}{'&' if '?' in place else '?'}ticket={ticket}"
    body = {"ticket": ticket, "expires_at": format_time(until), "stream": stream}
    return json_response(body, 201, headers=NEW_SECRET | replay_header(not new))


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/stream-tickets",
        "makeStreamTicket",
        ANY_VIEWER,
        query=ViewerQuery,
        response=(201, StreamTicketSchema),
        key=True,
        writes_outside_log=True,
    )
)
def make_stream_ticket(query: dict[str, Any], match: str) -> Response:  # noqa: ARG001  # admission has used it
    """Make a ticket for a stream: good once, for a minute, for one viewer.

    So `EventSource` needs no Authorization. What the caller may no longer see, the stream does not show either.
    """
    return ticket_response(query["viewer"], guarded=False)
