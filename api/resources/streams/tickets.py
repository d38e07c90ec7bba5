"""Routes for tickets, with which a browser opens a stream without a header."""

from __future__ import annotations

from typing import Any

from flask import Response, g, request
from marshmallow import Schema, fields

from api.http import context, preconditions
from api.http.access import tickets
from api.http.access.authorization import FULL_VIEWER
from api.http.access.tickets import Bearer
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import NEW_SECRET, format_time, json_response, replay_header
from api.resources.entries.routes import VIEWER_ROUTES

blueprint = EndpointBlueprint("tickets", "Tickets for streams of browsers.")


class StreamTicketSchema(Schema):
    """A ticket for one stream: good once, for a minute."""

    ticket = fields.Str(required=True)
    expires_at = fields.Str(required=True, metadata={"format": "date-time"})
    stream = fields.Str(required=True, metadata={"description": "The address to open, with the ticket in it"})


def ticket_response(guarded: bool) -> Response:
    """Return the ticket for the stream beside the address of this request."""
    key, path = preconditions.require_idempotency_key(guarded=guarded), request.path.removesuffix("-tickets")
    bearer = Bearer(g.caller.token_hash, g.caller.account)
    log = context.get_match_service().log
    ticket, until, new = tickets.create_ticket(log, context.get_secret(), path, bearer, key)
    body = {"ticket": ticket, "expires_at": format_time(until), "stream": f"{path}?ticket={ticket}"}
    return json_response(body, 201, headers=NEW_SECRET | replay_header(not new))


def make_stream_ticket(**_address: Any) -> Response:
    """Make a ticket for the stream: good once, for a minute, at that address.

    So `EventSource` needs no Authorization. What the caller may no longer see, the stream does not show either.
    """
    permission, _ = g.entered
    return ticket_response(guarded=permission.needs_token)


for each in VIEWER_ROUTES:
    wrong: list[Any] = ["still-running"] if each.permission is FULL_VIEWER else []
    blueprint.declare(
        Endpoint(
            "POST",
            f"{each.path}/stream-tickets",
            f"make{each.name}StreamTicket",
            each.permission,
            response=(201, StreamTicketSchema),
            key=True,
            problems=wrong,
            writes_outside_log=True,
        )
    )(make_stream_ticket)
