"""Routes for the invitations of a tournament: by their codes people come in."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response
from marshmallow import Schema, fields

from api.http import context, preconditions
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, json_response, replay_header
from api.http.schemas.fields import Int
from api.resources.invitations.links import build_join_url, render_qr_code
from api.resources.invitations.routes import KEPT_MS, create_invitation, require_kept_code, require_live_code
from api.resources.matches.schemas import InvitationSchema
from api.resources.tournaments import schemas as shapes
from api.resources.tournaments.access import MEMBER, TOURNAMENT_PATH, admit_host, answering_refusals
from referee.engine.codec import encode_canonical
from referee.engine.rulings import IllegalMove
from referee.tournament import commands

INVITATION_PATH = f"{TOURNAMENT_PATH}/invitations/<word:invitation>"
INVITED_MINUTES = 24 * 60
blueprint = EndpointBlueprint("tournament-invitations", tag="tournaments")


class TournamentInvitationStateSchema(Schema):
    """An invitation that is still good, with its picture."""

    id = fields.Str(required=True)
    role = fields.Str(required=True)
    code = fields.Str(required=True)
    url = fields.Str(required=True)
    uses_left = Int(required=True, metadata={"description": "How many people may still come in by it"})
    qr = fields.Str(required=True, metadata={"description": "The address as a QR code (SVG)"})


@blueprint.declare(
    Endpoint(
        "POST",
        f"{TOURNAMENT_PATH}/invitations",
        "makeTournamentInvitation",
        MEMBER,
        body=shapes.TournamentInvitationBody,
        response=(201, InvitationSchema),
        key=True,
        problems=["unknown-tournament", "forbidden", "idempotency-key-reused"],
    )
)
def invite_to_tournament(body: dict[str, Any], tournament: str) -> Response:
    """Make a code with which players enter, or an official comes in.

    `POST /v1/join` takes it. Who enters by it accepts the officials that are there.
    """
    key, log, request_body = (
        preconditions.require_idempotency_key(),
        context.get_match_service().log,
        encode_canonical(body),
    )
    loaded = admit_host(tournament)
    where = f"invite:{tournament}"
    stored = log.find_answer(where, key)
    if stored is None and loaded.state.is_over:
        with answering_refusals():
            raise IllegalMove("tournament_over", "TOURNAMENT-END-1")
    if stored is None:
        minutes = body.get("minutes", INVITED_MINUTES)
        made = create_invitation(tournament, body["role"], key, uses=body.get("uses"), minutes=minutes)
        kept = log.remember_answer(where, key, request_body, orjson.dumps(made), KEPT_MS)
    else:
        kept = stored
    if kept[0] != request_body:
        raise Problem("idempotency-key-reused")
    headers = NEW_SECRET | replay_header(stored is not None)
    return Response(kept[1], 201, headers=headers, mimetype="application/json")


@blueprint.declare(
    Endpoint(
        "GET",
        INVITATION_PATH,
        "getTournamentInvitation",
        MEMBER,
        response=(200, TournamentInvitationStateSchema),
        problems=["unknown-tournament", "forbidden", "unknown-invitation", "code-expired"],
    )
)
def get_tournament_invitation(tournament: str, invitation: str) -> Response:
    """Return an invitation with its QR code, and how many people may still use it.

    A caller who may invite may ask.
    """
    admit_host(tournament)
    code, role, left = require_kept_code(tournament, invitation)
    url = build_join_url(code, role)
    body = {"id": invitation, "role": role, "code": code, "url": url, "uses_left": left}
    return json_response({**body, "qr": render_qr_code(url).decode()}, headers=NEW_SECRET)


@blueprint.declare(
    Endpoint(
        "DELETE",
        INVITATION_PATH,
        "withdrawTournamentInvitation",
        MEMBER,
        response=(204, None),
        problems=["unknown-tournament", "forbidden", "command-refused", "unknown-invitation", "code-expired"],
    )
)
def withdraw_tournament_invitation(tournament: str, invitation: str) -> Response:
    """Withdraw an invitation; its code is void from then on, and an entry says so.

    Who has come in by it stays.
    """
    admit_host(tournament)
    code, _ = require_live_code(tournament, invitation)
    command = commands.WithdrawInvitation(invitation)
    with answering_refusals():
        context.get_tournament_service().execute(tournament, command, key=invitation, scope="withdraw", actor="host")
    context.get_match_service().log.revoke_invitation(code)  # last: what breaks off before is begun again
    return Response(status=204)
