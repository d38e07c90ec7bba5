"""Routes for invitations: short-lived codes, and their QR codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import HOST
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, format_time, replay_header
from api.resources.invitations.links import build_join_url, render_qr_code
from api.resources.matches import schemas as shapes
from referee.engine.codec import encode_canonical
from referee.match.events.ending_events import BOUND
from referee.service.rights import tokens

MATCH_PATH = "/v1/matches/<match:match>"
INVITATION_PATH = f"{MATCH_PATH}/invitations/<word:invitation>"
LINK_MINUTES, LINK_USES = 30 * 24 * 60, 1000
CODE_MINUTES, CODE_USES = 15, 1
ANY_SEAT = "seat:any"
KEPT_MS = 24 * 3600 * 1000  # how long the answer to an invitation is kept for a repeated request
EXPIRED_KEPT_MS = 24 * 3600 * 1000  # how long an expired code and its invitation are remembered as expired
EXPIRED_CODES_SCOPE = "codes-gone-by"
SVG = "image/svg+xml"
blueprint = EndpointBlueprint("invitations")


def create_invitation(
    match: str, role: str, key: str, *, uses: int | None = None, minutes: int | None = None, link: bool = False
) -> dict[str, Any]:
    """Make the invitation for the request with this key, and return it.

    A repeated request gets the same invitation while it lasts; one that was withdrawn stays so.
    """
    uses = uses or (LINK_USES if link else CODE_USES)
    minutes = minutes or (LINK_MINUTES if link else CODE_MINUTES)
    log, secret = context.get_match_service().log, context.get_secret()
    name = tokens.derive_invitation_id(secret, match, role, key)
    record = orjson.dumps({"match": match, "role": role, "id": name, **({"link": True} if link else {})})
    length = {"length": tokens.LINK_LENGTH} if link else {}
    ttl = minutes * 60_000
    until, scope = log.now() + ttl, invitation_scope(match)
    made = log.find_answer(scope, name)
    if made is None:
        for attempt in range(tokens.CODE_TRIES):
            code = tokens.derive_code(secret, match, role, key, attempt, **length)
            if log.add_invitation(code, record, uses, ttl):
                break
            live = log.find_invitation(code)
            if live is not None and live[0] == record:
                break
        else:
            raise Problem("store-away")
        made = log.remember_answer(scope, name, b"", orjson.dumps({"code": code, "until": until}), ttl)
    remembered = orjson.loads(made[1])
    for where, what in ((EXPIRED_CODES_SCOPE, remembered["code"]), (expired_invitation_scope(match), name)):
        log.remember_answer(where, what, b"", orjson.dumps(remembered["until"]), ttl + EXPIRED_KEPT_MS)
    return {
        "id": name,
        "role": role,
        "code": remembered["code"],
        "url": build_join_url(remembered["code"], role),
        "uses": uses,
        "expires_at": format_time(remembered["until"]),
    }


def invitation_scope(match: str) -> str:
    """Return the scope that holds the codes of a match's invitations, by invitation."""
    return f"invitations:{match}"


def expired_invitation_scope(match: str) -> str:
    """Return the scope that remembers a match's invitations after they have expired."""
    return f"invitations-gone-by:{match}"


def has_expired(where: str, what: str) -> bool:
    """Return whether this was a code or an invitation, and its time is over.

    One that was withdrawn counts as expired only when its time is over.
    """
    log = context.get_match_service().log
    stored = log.find_answer(where, what)
    return stored is not None and orjson.loads(stored[1]) <= log.now()


def dead_code_problem(code: str) -> Problem:
    """Return the problem for a code that lets nobody in: expired, or never one."""
    return Problem(
        "code-expired"
        if tokens.CODE_PATTERN.fullmatch(code) and has_expired(EXPIRED_CODES_SCOPE, code)
        else "unknown-code"
    )


def require_live_code(match: str, invitation: str) -> tuple[str, str]:
    """Return the code of a live invitation, and its role. Raises Problem."""
    code, role, left = require_kept_code(match, invitation)
    if left <= 0:
        raise Problem("code-expired")
    return code, role


def require_kept_code(match: str, invitation: str) -> tuple[str, str, int]:
    """Return the code of an invitation, its role, and how many may still use it.

    Raises Problem if it was withdrawn or its time is over.
    """
    found = find_kept_code(match, invitation)
    if found is None:
        is_late = has_expired(expired_invitation_scope(match), invitation)
        raise Problem("code-expired" if is_late else "unknown-invitation")
    return found


def find_kept_code(match: str, invitation: str) -> tuple[str, str, int] | None:
    """Return the code of an invitation, its role, and how many may still use it.

    Return None if it was withdrawn or its time is over.
    """
    log = context.get_match_service().log
    kept = log.find_answer(invitation_scope(match), invitation)
    if kept is None:
        return None
    code = orjson.loads(kept[1])["code"]
    live = log.find_invitation(code)
    record = orjson.loads(live[0]) if live else {}
    if live is None or record["id"] != invitation:
        return None
    return str(code), record["role"], live[1]


@blueprint.declare(
    Endpoint(
        "POST",
        f"{MATCH_PATH}/invitations",
        "makeInvitation",
        HOST,
        body=shapes.InvitationBody,
        response=(201, shapes.InvitationSchema),
        key=True,
        problems=["seat-taken", "seat-not-for-people", "unknown-seat", "tournament-seats", "idempotency-key-reused"],
        writes_outside_log=True,
    )
)
def invite(body: dict[str, Any], match: str) -> Response:
    """Make a code or a link for a role."""

    def make(key: str) -> dict[str, Any]:
        role = body["role"]
        if BOUND in g.caller.table.terms and (role == "arbiter" or role.startswith("seat:")):
            raise Problem("tournament-seats")
        if role != ANY_SEAT and role.startswith("seat:"):
            require_free_seat(int(role.partition(":")[2]))
        uses, minutes = body.get("uses"), body.get("minutes")
        return create_invitation(match, role, key, uses=uses, minutes=minutes, link=body["link"])

    return answer_invitation(match, body, make)


def answer_invitation(owner: str, body: dict[str, Any], make: Callable[[str], dict[str, Any]]) -> Response:
    """Return the answer to a request for an invitation to a match or a tournament.

    `make(key)` makes the invitation; a repeated request is answered with what was made at first. Raises Problem.
    """
    key, where = preconditions.require_idempotency_key(), f"invite:{owner}"
    log, request_body = context.get_match_service().log, encode_canonical(body)
    stored = log.find_answer(where, key)
    kept = stored or log.remember_answer(where, key, request_body, orjson.dumps(make(key)), KEPT_MS)
    if kept[0] != request_body:
        raise Problem("idempotency-key-reused")
    headers = NEW_SECRET | replay_header(stored is not None)
    return Response(kept[1], 201, headers=headers, mimetype="application/json")


def require_free_seat(seat: int) -> None:
    """Check that a person may take the seat. Raises Problem."""
    if g.caller.require_seat_assignment(seat).taken:
        raise Problem("seat-taken")
    if not g.caller.table.may_seat_person(seat):
        raise Problem("seat-not-for-people")


@blueprint.declare(
    Endpoint(
        "DELETE",
        INVITATION_PATH,
        "withdrawInvitation",
        HOST,
        response=(204, None),
        problems=["unknown-invitation", "code-expired"],
        writes_outside_log=True,
    )
)
def withdraw_invitation(match: str, invitation: str) -> Response:
    """Withdraw an invitation; its code is void from then on."""
    context.get_match_service().log.revoke_invitation(require_live_code(match, invitation)[0])
    return Response(status=204)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{INVITATION_PATH}/qr.svg",
        "getInvitationQr",
        HOST,
        response=(200, {"type": "string"}),
        media=(SVG,),
        problems=["unknown-invitation", "code-expired"],
    )
)
def get_invitation_code(match: str, invitation: str) -> Response:
    """Return a QR code with the address to join at.

    The code of the invitation is behind `#`, so no server logs it.
    """
    picture = render_qr_code(build_join_url(*require_live_code(match, invitation)))
    return Response(picture, mimetype=SVG, headers=NEW_SECRET)
