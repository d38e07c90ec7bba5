"""Invitations: short codes that let somebody in, for minutes; and the QR that holds the address to join at."""

from __future__ import annotations

import io
from typing import Any

import orjson
import segno
from flask import Response, current_app, g, request

from api.http import endpoint
from api.http.access import tokens
from api.http.access.authorization import HOST
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import moment
from api.resources.matches import schemas as shapes
from referee.engine.codec import canonical

MATCH = "/v1/matches/<match:match>"
ONE = f"{MATCH}/invitations/<word:invitation>"
KEPT_MS = 24 * 3600 * 1000  # how long the answer to an invitation is kept for a repeated request
OUTLIVES_MS = 24 * 3600 * 1000  # how long it is known of a code and of its invitation that they have expired
BYGONE = "codes-gone-by"
SVG = "image/svg+xml"
room = Room("invitations", "Codes for seats, onlookers, arbiters and auditors.")


def invited(match: str, role: str, key: str, *, uses: int, minutes: int) -> dict[str, Any]:
    """The invitation that the request under this key gets; a repeated request gets the same one while it lasts."""
    log, secret = endpoint.desk().log, endpoint.secret()
    name = tokens.invitation(secret, match, role, key)
    record = orjson.dumps({"match": match, "role": role, "id": name})
    ttl = minutes * 60_000
    until = log.now() + ttl
    for attempt in range(tokens.CODE_TRIES):
        code = tokens.code(secret, match, role, key, attempt)
        if log.invite(code, record, uses, ttl):
            kept = orjson.dumps({"code": code, "until": until})
            break
        live = log.invited(code)
        if live is not None and live[0] == record:
            kept = orjson.dumps({"code": code, "until": until})
            break
    else:
        raise Problem("store-away")
    _, kept = log.remember(scope(match), name, b"", kept, ttl)
    remembered = orjson.loads(kept)
    for where, what in ((BYGONE, remembered["code"]), (bygone(match), name)):
        log.remember(where, what, b"", orjson.dumps(remembered["until"]), ttl + OUTLIVES_MS)
    return {
        "id": name,
        "role": role,
        "code": remembered["code"],
        "uses": uses,
        "expires_at": moment(remembered["until"]),
    }


def scope(match: str) -> str:
    """Where the codes of a match's invitations are kept, by invitation."""
    return f"invitations:{match}"


def bygone(match: str) -> str:
    """Where it is kept that a match had an invitation, for longer than the invitation lasts."""
    return f"invitations-gone-by:{match}"


def expired(where: str, what: str) -> bool:
    """Whether this was a code or an invitation, and its time is over; one that was withdrawn never was until then."""
    log = endpoint.desk().log
    known = log.recalled(where, what)
    return known is not None and orjson.loads(known[1]) <= log.now()


def not_live(code: str) -> Problem:
    """Why a code lets nobody in: it has expired, or never was one."""
    return Problem("code-expired" if tokens.CODE.fullmatch(code) and expired(BYGONE, code) else "unknown-code")


def code_of(match: str, invitation: str) -> str:
    """The code of a live invitation. Raises Problem."""
    log = endpoint.desk().log
    kept = log.recalled(scope(match), invitation)
    if kept is None:
        raise Problem("code-expired" if expired(bygone(match), invitation) else "unknown-invitation")
    code = orjson.loads(kept[1])["code"]
    live = log.invited(code)
    if live is None or orjson.loads(live[0])["id"] != invitation:
        raise Problem("unknown-invitation")
    if live[1] <= 0:
        raise Problem("code-expired")
    return str(code)


@room.call(
    "POST", f"{MATCH}/invitations", "invite", HOST, body=shapes.InvitationBody, gives=(201, shapes.InvitationSchema),
    key=True, problems=["seat-taken", "seat-not-for-people", "unknown-seat", "idempotency-key-reused"], beside=True,
)  # fmt: skip
def invite(body: dict[str, Any], match: str) -> Response:
    """Makes a code for a role."""
    log, ask = endpoint.desk().log, canonical(body)
    key, where = endpoint.key(), f"invite:{match}"
    known = log.recalled(where, key)
    if known is None:
        if body["role"].startswith("seat:"):
            free(int(body["role"].partition(":")[2]))
        made = invited(match, body["role"], key, uses=body["uses"], minutes=body["minutes"])
        kept = log.remember(where, key, ask, orjson.dumps(made), KEPT_MS)
    else:
        kept = known
    if kept[0] != ask:
        raise Problem("idempotency-key-reused")
    headers = {} if known is None else {"Idempotency-Replayed": "true"}
    return Response(kept[1], 201, headers=headers, mimetype="application/json")


def free(seat: int) -> None:
    """Raises Problem unless a person may sit down there."""
    if g.caller.chair(seat).taken:
        raise Problem("seat-taken")
    if not g.caller.table.for_people(seat):
        raise Problem("seat-not-for-people")


@room.call(
    "DELETE", ONE, "withdrawInvitation", HOST, gives=(204, None), problems=["unknown-invitation", "code-expired"],
    beside=True,
)  # fmt: skip
def withdraw_invitation(match: str, invitation: str) -> Response:
    """Ends an invitation; its code is nobody's any more."""
    endpoint.desk().log.revoke_invitation(code_of(match, invitation))
    return Response(status=204)


@room.call(
    "GET", f"{ONE}/qr.svg", "getInvitationCode", HOST, gives=(200, {"type": "string"}), media=(SVG,),
    problems=["unknown-invitation", "code-expired"],
)  # fmt: skip
def get_invitation_code(match: str, invitation: str) -> Response:
    """A QR that holds the address to join at, and nothing else. The code stands behind `#`, so no server logs it."""
    base = current_app.config.get("PUBLIC_URL") or request.host_url.rstrip("/")
    drawn = io.BytesIO()
    segno.make(f"{base}/join#{code_of(match, invitation)}", error="m", micro=False).save(
        drawn, kind="svg", scale=8, border=4, xmldecl=False
    )
    return Response(drawn.getvalue(), mimetype=SVG)
