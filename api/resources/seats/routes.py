"""Routes to take and leave seats, and to set proxies, seeds and names."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from flask import Response, g

from api.http import context, preconditions
from api.http.access import admission, wrong_codes
from api.http.access.authorization import ANYONE, MATCH_VIEWER, SEAT_OWNER, SEAT_OWNER_OR_HOST
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, json_response, replay_header
from api.resources.invitations.routes import ANY_SEAT, dead_code_problem
from api.resources.matches import schemas as shapes
from api.resources.matches.routes import (
    MATCH_PATH,
    execute_table_command,
    match_changed_response,
    receipt_headers,
    seeds_to_dict,
)
from api.resources.officials.rendering import official_to_dict
from api.resources.rematches.reservations import find_reserved_seats
from api.resources.reveals import schemas
from api.resources.tournaments.people import concede_seat, join_tournament
from referee.engine.codec import encode_canonical
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match
from referee.match.errors import IdempotencyKeyConflict, UnknownMatch
from referee.match.events.ending_events import BOUND
from referee.match.events.office_events import NameOfficial
from referee.match.loaded import LoadedMatch
from referee.match.table import commands, officials, player_entropy, signed_moves
from referee.queries import views
from referee.service.appender import ensure_not_moved
from referee.service.rights import tokens
from referee.service.rights.device_tokens import find_device, is_logged_out, note_match
from referee.tournament.state import is_tournament_id

SEAT_PATH = f"{MATCH_PATH}/seats/<seat:seat>"
OFFICIAL_NAMES = "official:"  # before the number of an official, where names are kept by seat
KEPT_MS = 24 * 3600 * 1000
blueprint = EndpointBlueprint("seats")


@blueprint.declare(
    Endpoint(
        "POST",
        "/v1/join",
        "joinMatch",
        ANYONE,
        body=shapes.JoinBody,
        response=(201, shapes.JoinedMatchSchema),
        key=True,
        problems=[
            *("unknown-code", "no-free-seat", "seat-taken", "code-expired", "already-started", "seeds-revealed"),
            *("official-plays", "official-already", "official-saw-cards", "match-over"),
            *("idempotency-key-reused", "archived", "match-moved"),
        ],
        tag="invitations",
    )
)
def join_match(body: dict[str, Any]) -> Response:
    """Exchange a code for a token.

    With a token of that match, the seat is added to that token, for instance for two children with one phone. With a
    player's token (`rfp_…`) the seat is linked to the player's account, and so is its result. A seat may commit to a
    seed at once (`seed_commitment`).
    """
    shown, log = admission.bearer_token(), context.get_match_service().log
    player = admission.player_from_token(shown)
    if shown is not None and shown.startswith(tokens.ACCOUNT_PREFIXES) and not player:
        raise Problem("unauthorized")
    key = preconditions.require_idempotency_key(guarded=False)
    request_hash = hashlib.sha256(encode_canonical([body, tokens.hash_token(shown or "")])).digest()
    stored = log.find_answer("join", key)
    if stored is None:
        welcome = join_with_code(body, key, shown, player)
        stored_hash, kept = log.remember_answer("join", key, request_hash, orjson.dumps(welcome), KEPT_MS)
        headers = {}
    else:
        (stored_hash, kept), headers = stored, replay_header(True)
    if stored_hash != request_hash:
        raise Problem("idempotency-key-reused")
    joined = {"receipt": None, **orjson.loads(kept)}
    held = joined.pop("held")  # whether the token that was shown holds the seat; no token is ever kept
    token = (
        shown
        if held
        else tokens.derive_token(context.get_secret(), joined["match"] or joined["tournament"], joined["role"], key)
    )
    return json_response({"token": token, **joined, "role": joined["role"]}, 201, headers=NEW_SECRET | headers)


def visible_match(match: str, role: str) -> LoadedMatch:
    """Return the match at the latest version that a bearer of this role may know of."""
    now = context.get_match_service().load_match(match)
    if role == "arbiter":
        return now
    return views.load_visible_version(context.get_match_service(), now, BYSTANDER, None)


def join_with_code(body: dict[str, Any], key: str, shown: str | None, player: str) -> dict[str, Any]:
    """Redeem a code, and return the welcome: role, seats, match, version and receipt.

    `shown` is the token of the request, if any; `player` is the caller's account, or "". `held` in the result says
    whether the shown token holds the seat. Raises Problem, and IllegalMove if the seat is no longer free.
    """
    log, code = context.get_match_service().log, body["code"].upper()
    wrong_codes.check_code(code)
    live = log.find_invitation(code)
    if live is None:
        wrong_codes.record_wrong_code(code)
        raise dead_code_problem(code)
    record = orjson.loads(live[0])
    match, role, bound = record["match"], record["role"], body.get("seed_commitment", "")
    if is_tournament_id(match):
        return join_tournament(record, code, body, key, shown, player)
    to_any = role == ANY_SEAT
    try:
        found = context.get_match_service().load_match(match)
    except UnknownMatch:
        raise Problem("unknown-code") from None
    g.table = found.match
    ensure_not_moved(found)
    if record.get("link") and role.startswith("seat:") and g.table.status != "lobby":
        raise Problem("code-expired")
    if bound and not to_any:
        check_seed_binding(g.table, role, bound)
    used = log.redeem_invitation(code, key)
    if used is None:
        raise Problem("code-expired")
    try:
        if to_any:
            return take_any_seat(match, body, key, shown, player)
        return take_role(match, role, body, key, shown, player)
    except (IllegalMove, NoFreeSeat) as refused:
        if used[1]:  # a refused call leaves the code to others; a repeated one that was answered has used it
            log.release_invitation(code, key)
        if isinstance(refused, NoFreeSeat):
            raise Problem("no-free-seat") from None
        raise


class NoFreeSeat(Exception):
    """Every seat for people is taken."""


def take_any_seat(match: str, body: dict[str, Any], key: str, shown: str | None, player: str) -> dict[str, Any]:
    """Give the first free seat to a person, and return the welcome.

    Each choice is kept under the key of the request, so that a repeated one gets the seat that the first one got.
    Raises NoFreeSeat, and IllegalMove if the rules of the table refuse the person.
    """
    service = context.get_match_service()
    for attempt in range(len(g.table.chairs) + 1):
        reserved = find_reserved_seats(service.log, g.table)
        seats = [seat for seat in range(len(g.table.chairs)) if g.table.may_seat_person(seat)]
        free = [seat for seat in seats if seat not in reserved]
        scope, name = f"any-seat:{match}", f"{key}:{attempt}"
        kept = service.log.find_answer(scope, name)
        if kept is None and free:
            kept = service.log.remember_answer(scope, name, b"", str(free[0]).encode(), KEPT_MS)
        if kept is None:
            break
        try:
            return take_role(match, f"seat:{kept[1].decode()}", body, key, shown, player)
        except IllegalMove as refused:
            if refused.ruling.reason != "seat_taken":
                raise
        except IdempotencyKeyConflict:  # a later choice of the same request has become an entry
            pass
        g.table = service.load_match(match).match
    raise NoFreeSeat


def take_role(match: str, role: str, body: dict[str, Any], key: str, shown: str | None, player: str) -> dict[str, Any]:
    """Give a role to a person whose code is redeemed, and return the welcome.

    Raises IllegalMove if the rules of the table refuse it; then nothing is changed.
    """
    log, bound = context.get_match_service().log, body.get("seed_commitment", "")
    token = tokens.derive_token(context.get_secret(), match, role, key)
    token_hash, person = tokens.hash_token(token), admission.find_person(match, shown, token)
    device = find_device(log, match, shown, player)
    if not role.startswith("seat:"):
        if is_logged_out(log, match, token_hash):  # a repeated call makes no void token good again
            raise Problem("code-expired")
        if player:
            note_match(log, player, device, match)
        named = name_arbiter(match, person, key, body.get("name"), player) if role == "arbiter" else None
        log.put_grant(match, token_hash, tokens.Grant(role, (), person, device).encode())
        seen = visible_match(match, role)
        welcome = {"role": role, "seats": [], "match": match, "version": seen.version}
        return {**welcome, "officials": officials_to_dicts(seen.match), "receipt": named, "held": False}
    seat = int(role.partition(":")[2])
    offices = tuple(each.number for each in g.table.officials if each.person == person)
    sit = commands.TakeSeat(seat, bound, offices)
    done = context.get_match_service().execute_command(match, sit, key=key, scope="join")
    if done.replayed and any(seat in tokens.Grant.decode(grant).seats for grant in log.read_grants(match).values()):
        own = {token_hash, tokens.hash_token(shown or "")}
        if not any(
            seat in tokens.Grant.decode(grant).seats for held, grant in log.read_grants(match).items() if held in own
        ):
            raise IllegalMove(
                "seat_taken", "TABLE-SEAT-1", seat=seat
            )  # a repeated call, and somebody else has the seat by now
    grant = tokens.add_seat_to_token(log, match, tokens.hash_token(shown), seat) if shown else None
    held = grant is not None
    if grant is None:
        grant = tokens.Grant("seat", (seat,), person, device)
        log.put_grant(match, token_hash, grant.encode())
    tokens.revoke_seat(log, match, seat, but=[tokens.hash_token(shown or "") if held else token_hash])
    if player:
        link_seat_to_player(player, match, seat, done.entry, body.get("name"))
    else:
        log.put_seat_names(match, {str(seat): body.get("name")})
    welcome = {"role": role, "seats": list(grant.seats), "match": match, "version": done.version}
    return {**welcome, "officials": officials_to_dicts(done.match), "receipt": done.receipt, "held": held}


def officials_to_dicts(match: Match) -> list[dict[str, Any]]:
    """Return the officials of a match, as everybody who may see it sees them."""
    return [official_to_dict(match, each) for each in match.officials]


def name_arbiter(match: str, person: str, key: str, name: str | None, player: str) -> str | None:
    """Name a person as an arbiter by an entry, and return its receipt.

    Matches of the first edition of the courts know no such entry. The name is kept apart, and none for the holder of an
    account, who could not delete it with the account. Raises IllegalMove if the person plays.
    """
    service = context.get_match_service()
    if g.table.courts.edition is None:
        return None
    seats, hosts = tokens.find_person_seats(service.log, match, person), tokens.is_host(service.log, match, person)
    done = service.execute_command(match, NameOfficial("arbiter", person, seats, hosts), key=key, scope="join")
    if name and not player:
        service.log.put_seat_names(match, {f"{OFFICIAL_NAMES}{done.entry}": name})
    return done.receipt


def check_seed_binding(match: Match, role: str, commitment: str) -> None:
    """Check that a role can be bound to a seed, before the code is used up.

    Raises MalformedInput if the role has no seat, and IllegalMove. A binding that an interrupted call has already
    written is accepted.
    """
    if not role.startswith("seat:"):
        raise MalformedInput([{"pointer": "/seed_commitment", "detail": "this code is for no seat"}])
    seat = int(role.partition(":")[2])
    if not any(seed.seat == seat and seed.commitment == commitment for seed in match.seeds):
        player_entropy.decide_seed_commitment(match, seat, commitment)


def link_seat_to_player(player: str, match: str, seat: int, entry: int, name: str | None) -> None:
    """Link a seat to the account of the player who took it by that entry, and name it.

    The name is the one given here, otherwise the account's. The account records the sitting before there is a link, so
    that the deletion of an account finds every link and every name. An account that was deleted meanwhile is not
    linked.
    """
    log = context.get_match_service().log
    kept = log.find_player(player)
    if name is None and kept is not None:
        name = orjson.loads(kept[1])["name"]
    log.put_seat_names(match, {str(seat): name})
    note = orjson.dumps({"seat": seat, "at_ms": log.now(), "name": name})
    if log.add_sitting(player, f"{match}:{entry}", note):
        log.link_player(match, entry, player)
    else:
        log.put_seat_names(match, {str(seat): None})


@blueprint.declare(
    Endpoint(
        "DELETE",
        f"{SEAT_PATH}/player",
        "leaveSeat",
        SEAT_OWNER_OR_HOST,
        response=(204, None),
        receipt=True,
        problems=["host-plays", "tournament-seats", "match-over", "command-refused"],
    )
)
def leave_seat(match: str, seat: int) -> Response:
    """Free a seat: its tokens become void, and a new invitation can fill it.

    The match goes on. In a match of a tournament the player gives up the match, stays in the tournament and can still
    look at the match.
    """
    log, chair = context.get_match_service().log, g.caller.require_seat_assignment(seat)
    if BOUND in g.caller.table.terms:
        if seat not in g.caller.seats:
            raise Problem("tournament-seats")
        return Response(status=204, headers=receipt_headers(concede_seat(g.caller.table, seat)))
    officials.require_may_free(g.caller.table, seat, g.caller.seats)
    # first, because a token that outlives its seat is worse than a seat that outlives its token
    tokens.revoke_seat(log, match, seat)
    log.put_seat_names(match, {str(seat): None})
    if chair.taken:
        try:
            left = execute_table_command(match, commands.LeaveSeat(seat), f"leave{seat}", None, f"v{g.caller.version}")
            return Response(status=204, headers=receipt_headers(left))
        except IllegalMove as refused:
            if refused.ruling.reason != "seat_empty":  # another request has freed it meanwhile
                raise
    return Response(status=204)


@blueprint.declare(
    Endpoint(
        "PUT",
        f"{SEAT_PATH}/proxy",
        "setProxy",
        SEAT_OWNER,
        body=shapes.ProxyBody,
        response=(200, shapes.ChangedMatchSchema),
        key=True,
        etag=True,
        problems=["no-such-seat", "own-proxy", "idempotency-key-reused"],
    )
)
def set_proxy(body: dict[str, Any], match: str, seat: int) -> Response:
    """Set who else may move for this seat."""
    return match_changed_response(
        execute_table_command(match, commands.SetProxy(seat, body["by"]), f"seat{seat}", None)
    )


@blueprint.declare(
    Endpoint(
        "PUT",
        f"{SEAT_PATH}/seed",
        "setSeed",
        SEAT_OWNER,
        body=schemas.SeedBody,
        response=(200, schemas.SeedWriteResultSchema),
        key=True,
        etag=True,
        problems=[
            "already-started",
            "match-over",
            "seeds-revealed",
            "seed-unbound",
            "seed-shown-already",
            "seed-mismatch",
            "link-mismatch",
            "idempotency-key-reused",
        ],
    )
)
def set_seed(body: dict[str, Any], match: str, seat: int) -> Response:
    """Set what this seat adds to the server's draws.

    First the seat commits to a seed (`commitment`), then it reveals it (`reveal`). If it is the end of a chain of
    hashes, the seat goes on revealing links, here or with moves (`link`).
    """
    commitment, reveal = body.get("commitment"), body.get("reveal", "")
    command = (
        player_entropy.RevealSeed(seat, reveal) if commitment is None else player_entropy.CommitSeed(seat, commitment)
    )
    done = execute_table_command(match, command, f"seat{seat}", None)
    seed = next(each for each in seeds_to_dict(done.match) if each["seat"] == seat)
    written = {**seed, "version": done.version, "receipt": done.receipt}
    return json_response(written, version=done.version, headers=replay_header(done.replayed))


@blueprint.declare(
    Endpoint(
        "PUT",
        f"{SEAT_PATH}/key",
        "setDeviceKey",
        SEAT_OWNER,
        body=schemas.DeviceKeyBody,
        response=(200, shapes.ChangedMatchSchema),
        key=True,
        etag=True,
        problems=["match-over", "idempotency-key-reused"],
    )
)
def set_device_key(body: dict[str, Any], match: str, seat: int) -> Response:
    """Name the key with which this seat's device signs its moves."""
    return match_changed_response(
        execute_table_command(match, signed_moves.NameDeviceKey(seat, body["key"]), f"seat{seat}", None)
    )


@blueprint.declare(Endpoint("GET", f"{MATCH_PATH}/names", "getNames", MATCH_VIEWER, response=(200, shapes.NamesSchema)))
def get_names(match: str) -> Response:
    """List the names of the people at the seats, and of officials.

    They are kept outside the log, so that they can be changed and deleted.
    """
    kept = context.get_match_service().log.read_seat_names(match)
    names = {seat: name for seat, name in kept.items() if not seat.startswith(OFFICIAL_NAMES)}
    officials = {at.removeprefix(OFFICIAL_NAMES): name for at, name in kept.items() if at.startswith(OFFICIAL_NAMES)}
    return json_response({"names": names, "officials": officials})
