"""Routes for the invitations of a tournament: by their codes people come in."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import Schema, fields

from api.http import context
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import NEW_SECRET, format_time, json_response
from api.http.schemas.fields import Int
from api.http.schemas.paging import PageQuery, next_link_header, take_page
from api.resources.invitations.links import build_join_url, render_qr_code
from api.resources.invitations.routes import (
    answer_invitation,
    create_invitation,
    find_kept_code,
    require_kept_code,
    require_live_code,
)
from api.resources.matches.schemas import InvitationSchema
from api.resources.tournaments import schemas as shapes
from api.resources.tournaments.access import MEMBER, TOURNAMENT_PATH, admit_host, answering_refusals
from api.resources.tournaments.people import PLAYER_ROLE
from referee.service.rights import tokens
from referee.tournament import commands
from referee.tournament.deciding.evidence import require_not_over, require_registration
from referee.tournament.deciding.people import require_no_head
from referee.tournament.state import Tournament

INVITATION_PATH = f"{TOURNAMENT_PATH}/invitations/<word:invitation>"
INVITED_MINUTES = 24 * 60  # the longest, too
LIST_KEPT_MS = 2 * INVITED_MINUTES * 60_000  # how long notes of invitations are kept after the last one
MOST_NOTED = 2**31 - 1  # the limit of requests bounds them
blueprint = EndpointBlueprint("tournament-invitations", tag="tournaments")


class ListedInvitationSchema(Schema):
    """An invitation that the host has made.

    Its code is in the answer to `getTournamentInvitation`.
    """

    id = fields.Str(required=True)
    role = fields.Str(required=True)
    uses_left = Int(required=True)
    expires_at = fields.Str(required=True, metadata={"format": "date-time"})


class ListedInvitationsSchema(Schema):
    """A page of the invitations of a tournament."""

    items = fields.List(fields.Nested(ListedInvitationSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


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
        problems=["unknown-tournament", "forbidden", "command-refused", "idempotency-key-reused"],
    )
)
def invite_to_tournament(body: dict[str, Any], tournament: str) -> Response:
    """Make a code with which players enter, or an official comes in.

    `POST /v1/join` takes it. Who enters by it accepts the officials that are there.
    """
    state = admit_host(tournament).state

    def make(key: str) -> dict[str, Any]:
        with answering_refusals():
            require_place(state, body["role"], key)
        minutes = body.get("minutes", INVITED_MINUTES)
        return make_invitation(tournament, body["role"], key, uses=body.get("uses"), minutes=minutes)

    return answer_invitation(tournament, body, make)


def require_place(state: Tournament, role: str, key: str) -> None:
    """Check that whom a request with this key invites can come in.

    Raises IllegalMove.
    """
    if role == PLAYER_ROLE:
        require_registration(state)
        return
    require_not_over(state)
    if role == "head":
        own = tokens.derive_invitation_id(context.get_secret(), state.id, role, key)  # of a request that broke off
        others = (find_kept_code(state.id, name) for _, name in list_good_invitations(state) if name != own)
        require_no_head(state, is_invited=any(kept is not None and kept[1] == role and kept[2] > 0 for kept in others))


def make_invitation(tournament: str, role: str, key: str, *, uses: int | None, minutes: int) -> dict[str, Any]:
    """Make an invitation to a tournament, note it for the list of them, and return it."""
    made = create_invitation(tournament, role, key, uses=uses, minutes=minutes)
    note = f"{made['expires_at']} {made['id']}"  # as they are listed: sorted by when they end
    context.get_match_service().log.reserve_opening(list_scope(tournament), note, MOST_NOTED, LIST_KEPT_MS)
    return made


def list_good_invitations(state: Tournament) -> list[tuple[str, str]]:
    """Return the invitations that are good: until when, and their ids.

    They are neither withdrawn nor expired. First comes what ends first.
    """
    log = context.get_match_service().log
    noted, now = sorted(log.read_openings(list_scope(state.id))), format_time(log.now())
    pairs = ((until, name) for until, _, name in (each.partition(" ") for each in noted))
    return [(until, name) for until, name in pairs if until > now and name not in state.withdrawn]


def list_scope(tournament: str) -> str:
    """Return the scope of the notes of a tournament's invitations."""
    return f"invitations:{tournament}"


@blueprint.declare(
    Endpoint(
        "GET",
        f"{TOURNAMENT_PATH}/invitations",
        "listTournamentInvitations",
        MEMBER,
        query=PageQuery,
        response=(200, ListedInvitationsSchema),
        problems=["unknown-tournament", "forbidden"],
    )
)
def list_tournament_invitations(query: dict[str, Any], tournament: str) -> Response:
    """List the invitations that are neither withdrawn nor expired, as the host.

    First comes what ends first. What has been used up is listed with no uses left.
    """
    good = list_good_invitations(admit_host(tournament).state)
    page, cursor = take_page(good, query.get("after"), query["limit"])
    found = [(until, name, find_kept_code(tournament, name)) for until, name in page]
    items = [
        {"id": name, "role": kept[1], "uses_left": kept[2], "expires_at": until} for until, name, kept in found if kept
    ]
    return json_response({"items": items, "next_cursor": cursor}, headers=next_link_header(cursor))


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
