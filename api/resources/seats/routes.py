"""Seats: coming, leaving, letting somebody else move, and what the people there are called."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from flask import Response, g

from api.http import endpoint
from api.http.access import tokens
from api.http.access.authorization import ANYONE, OWNER, OWNER_OR_HOST, SEE
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer
from api.resources.invitations.routes import not_live
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import MATCH, changed, done_business, receipted, replayed, seeds_of
from api.resources.reveals import schemas
from referee.engine.codec import canonical
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.table import commands, player_entropy
from referee.queries import views
from referee.service.match_service import UnknownMatch, still_here

SEAT = f"{MATCH}/seats/<seat:seat>"
KEPT_MS = 24 * 3600 * 1000
room = Room("seats", "Who sits where.")


@room.call(
    "POST", "/v1/join", "joinMatch", ANYONE, body=shapes.JoinBody, gives=(201, shapes.JoinedSchema), key=True,
    problems=[
        *("unknown-code", "seat-taken", "code-expired", "already-started", "seeds-revealed"),
        *("idempotency-key-reused", "archived", "match-moved"),
    ],
)  # fmt: skip
def join_match(body: dict[str, Any]) -> Response:
    """Turns a code into a token. With the token of that match, the seat is added to it: one phone, two children. With
    a player's token (`rfp_…`) the seat is linked to his account: its result will be his.

    A seat may bind itself to a seed at once (`seed_commitment`), to be revealed before the start. The key protects the
    answer, so it has to be unguessable: 22 characters or more.
    """
    shown, log = endpoint.presented(), endpoint.desk().log
    player = endpoint.player_of(shown)
    if shown is not None and shown.startswith(tokens.PLAYER_PREFIX) and not player:
        raise Problem("unauthorized")
    key = endpoint.key(guarded=False)
    ask = hashlib.sha256(canonical([body, tokens.hashed(shown or "")])).digest()
    known = log.recalled("join", key)
    if known is None:
        welcome = seat_down(body, key, shown, player)
        known_ask, kept = log.remember("join", key, ask, orjson.dumps(welcome), KEPT_MS)
        headers = {}
    else:
        (known_ask, kept), headers = known, {"Idempotency-Replayed": "true"}
    if known_ask != ask:
        raise Problem("idempotency-key-reused")
    joined = {"receipt": None, **orjson.loads(kept)}
    held = joined.pop("held")  # whether the token that was shown holds the seat; no token is ever kept
    token = shown if held else tokens.token(endpoint.secret(), joined["match"], joined["role"], key)
    return answer({"token": token, **joined, "role": joined["role"]}, 201, headers=headers)


def known(match: str, role: str) -> int:
    """The version that somebody of this role may know of."""
    now = endpoint.desk().load(match)
    return now.version if role == "arbiter" else views.latest(endpoint.desk(), now, BYSTANDER, None).version


def seat_down(body: dict[str, Any], key: str, shown: str | None, player: str) -> dict[str, Any]:
    """Lets the bearer of a code in: the role he has now, in which match, and whether by the token that he showed.
    `player` is his account, or empty.

    Raises Problem, and Refused where the seat is no longer free.
    """
    log, code = endpoint.desk().log, body["code"].upper()
    live = log.invited(code)
    if live is None:
        raise not_live(code)
    record = orjson.loads(live[0])
    match, role, bound = record["match"], record["role"], body.get("seed_commitment", "")
    try:
        found = endpoint.desk().load(match)
    except UnknownMatch:
        raise Problem("unknown-code") from None
    g.table = found.match
    still_here(found)
    if bound:
        bindable(g.table, role, bound)
    if log.redeem(code, key) is None:
        raise Problem("code-expired")
    token_hash = tokens.hashed(tokens.token(endpoint.secret(), match, role, key))
    if not role.startswith("seat:"):
        log.grant(match, token_hash, tokens.Grant(role).packed())
        welcome = {"role": role, "seats": [], "match": match, "version": known(match, role)}
        return {**welcome, "receipt": None, "held": False}
    seat = int(role.partition(":")[2])
    done = endpoint.desk().business(match, commands.TakeSeat(seat, bound), key=key, scope="join")
    if done.replayed and any(seat in tokens.Grant.of(grant).seats for grant in log.grants(match).values()):
        own = {token_hash, tokens.hashed(shown or "")}
        if not any(seat in tokens.Grant.of(grant).seats for held, grant in log.grants(match).items() if held in own):
            raise Refused("seat_taken", "TABLE-SEAT-1", seat=seat)  # a repeated call, and somebody sits there since
    grant = tokens.seated(log, match, tokens.hashed(shown), seat) if shown else None
    held = grant is not None
    if grant is None:
        grant = tokens.Grant("seat", (seat,))
        log.grant(match, token_hash, grant.packed())
    tokens.freed(log, match, seat, but=[tokens.hashed(shown or "") if held else token_hash])
    if player:
        linked(player, match, seat, done.entry, body.get("name"))
    else:
        log.put_names(match, {str(seat): body.get("name")})
    welcome = {"role": role, "seats": list(grant.seats), "match": match, "version": done.version}
    return {**welcome, "receipt": done.receipt, "held": held}


def bindable(match: Match, role: str, commitment: str) -> None:
    """Raises where a role cannot be bound to a seed, before the code is used up: Malformed where it has no seat,
    Refused. What a call that died half-way has written stands."""
    if not role.startswith("seat:"):
        raise Malformed([{"pointer": "/seed_commitment", "detail": "this code is for no seat"}])
    seat = int(role.partition(":")[2])
    if not any(seed.seat == seat and seed.commitment == commitment for seed in match.seeds):
        player_entropy.committing(match, seat, commitment)


def linked(player: str, match: str, seat: int, entry: int, name: str | None) -> None:
    """Links a seat to the account of whoever took it by that entry, and names him: as he says here, else as the
    account does.

    The account notes it before there is a link: so whoever deletes the account finds every link and every name there
    is. An account that was deleted meanwhile is linked to nothing.
    """
    log = endpoint.desk().log
    kept = log.player(player)
    if name is None and kept is not None:
        name = orjson.loads(kept[1])["name"]
    log.put_names(match, {str(seat): name})
    note = orjson.dumps({"seat": seat, "at_ms": log.now(), "name": name})
    if log.enlist(player, f"{match}:{entry}", note):
        log.link(match, entry, player)
    else:
        log.put_names(match, {str(seat): None})


@room.call("DELETE", f"{SEAT}/player", "leaveSeat", OWNER_OR_HOST, gives=(204, None), receipt=True)
def leave_seat(match: str, seat: int) -> Response:
    """Frees a seat: its tokens die, and a new invitation hands it over. The match goes on."""
    log, chair = endpoint.desk().log, g.caller.chair(seat)
    tokens.freed(log, match, seat)  # first: a token that outlives its seat is worse than a seat that outlives its token
    log.put_names(match, {str(seat): None})
    if chair.taken:
        try:
            left = done_business(match, commands.LeaveSeat(seat), f"leave{seat}", None, f"v{g.caller.version}")
            return Response(status=204, headers=receipted(left))
        except Refused as refused:
            if refused.ruling.reason != "seat_empty":  # somebody else freed it in the meantime
                raise
    return Response(status=204)


@room.call(
    "PUT", f"{SEAT}/proxy", "setProxy", OWNER, body=shapes.ProxyBody, gives=(200, shapes.ChangedSchema), key=True,
    etag=True, problems=["no-such-seat", "own-proxy", "idempotency-key-reused"],
)  # fmt: skip
def set_proxy(body: dict[str, Any], match: str, seat: int) -> Response:
    """Says who else may move for this seat."""
    return changed(done_business(match, commands.SetProxy(seat, body["by"]), f"seat{seat}", None))


@room.call(
    "PUT", f"{SEAT}/seed", "setSeed", OWNER, body=schemas.SeedBody, gives=(200, schemas.SeedWrittenSchema), key=True,
    etag=True,
    problems=[
        "already-started", "seeds-revealed", "seed-unbound", "seed-shown-already", "seed-mismatch",
        "idempotency-key-reused",
    ],
)  # fmt: skip
def set_seed(body: dict[str, Any], match: str, seat: int) -> Response:
    """What this seat adds to the server's draws, before the start: first it commits to a seed (`commitment`; again to
    another one, as long as nobody has revealed any), then it reveals it (`reveal`). Everybody sees both."""
    said, shown = body.get("commitment"), body.get("reveal", "")
    ask = player_entropy.RevealSeed(seat, shown) if said is None else player_entropy.CommitSeed(seat, said)
    done = done_business(match, ask, f"seat{seat}", None)
    seed = next(each for each in seeds_of(done.match) if each["seat"] == seat)
    told = {**seed, "version": done.version, "receipt": done.receipt}
    return answer(told, version=done.version, headers=replayed(done))


@room.call("GET", f"{MATCH}/names", "getNames", SEE, gives=(200, shapes.NamesSchema))
def get_names(match: str) -> Response:
    """What the people at the seats are called; apart from the log, so that it can be changed and forgotten."""
    return answer({"names": endpoint.desk().log.names(match)})
