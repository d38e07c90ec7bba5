"""Admission of every request: token, media types, JSON, permission, query.

Request id and rate limit come before (`limits.py`); idempotency key, precondition and rules come after, where the
endpoint hands them to the match service.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson
from flask import Response, after_this_request, current_app, g, request

from api.http.access.authorization import (
    ANYONE,
    FULL_VIEWER,
    NO_GRANT,
    Caller,
    PathArguments,
    Permission,
    resolve_permission,
)
from api.http.access.tickets import Bearer, redeem_ticket
from api.http.context import get_match_service, get_secret
from api.http.encoding.languages import ALL, CHOICES
from api.http.problems import Problem
from api.http.raw_bodies import require_unpacked_body
from api.http.schemas.viewers import PARAMETER, PUBLIC, parse_viewer, viewer_query
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import MatchLog
from referee.match.clocks import find_deadline
from referee.match.errors import UnknownMatch
from referee.match.events.dispute_commands import InspectCards
from referee.match.loaded import LoadedMatch
from referee.match.table import officials
from referee.service.appender import ensure_not_moved, ensure_writable
from referee.service.match_service import MatchService
from referee.service.rights import tokens

if TYPE_CHECKING:
    from api.http.endpoint import Endpoint

WRONG_BEARER = 'Bearer error="invalid_token"'  # RFC 6750
LONGEST_NAME = 64  # of a parameter, as a problem repeats it


def bearer_token() -> str | None:
    """Return the token of the request; None if it has none.

    Raises Problem if the header is not a bearer token.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, given = header.partition(" ")
    if scheme.lower() != "bearer" or not tokens.TOKEN_PATTERN.fullmatch(given.strip()):
        raise Problem("unauthorized")
    return given.strip()


def is_operator() -> bool:
    """Return whether the request shows the operator's token."""
    token = bearer_token()
    return token is not None and bool(current_app.config["IS_OPERATOR"](token))


def identify_bearer(token: str | None) -> Bearer:
    """Return whose token this is."""
    return Bearer(tokens.hash_token(token), player_from_token(token)) if token else Bearer()


def resolve_caller(bearer: Bearer, match: str | None, permission: Permission) -> Caller:
    """Return the caller at the table of the address, and keep the loaded match in `g`.

    Raises Problem if the table is public, the call needs a token, and the table does not know this one.
    """
    if match is None:
        return Caller(bearer.token_hash, account=bearer.account)
    try:
        person = find_account_person(match, bearer.account)
        caller, found = load_caller(get_match_service(), match, bearer, person)
    except UnknownMatch:
        return Caller(bearer.token_hash, account=bearer.account)
    g.table, g.loaded = found.match, found
    if not caller.grant.role and permission.needs_token and found.match.visibility == "public":
        raise Problem("unauthorized")
    return caller


def find_account_person(match: str, player: str) -> str:
    """Return who the holder of an account is in a match; "" for no account."""
    return tokens.derive_person(get_secret(), match, player) if player else ""


def load_caller(service: MatchService, match: str, bearer: Bearer, person: str) -> tuple[Caller, LoadedMatch]:
    """Return the bearer of a token at a match, and the match as loaded.

    `person` is who the holder of the bearer's account is in the match. An account may do what the person may do with
    all tokens together.
    """
    if not bearer.account:
        found = service.load_match(match, grant=bearer.token_hash)
        return caller_from_token(service.log, bearer.token_hash, found), found
    grant = tokens.find_person_grant(service.log, match, person)  # first: who loses a seat now, sees no later state
    found = service.load_match(match)
    caller = caller_from_grant(service.log, bearer.token_hash, grant or NO_GRANT, found)
    return replace(caller, account=bearer.account, person=person), found


def caller_from_token(log: MatchLog, hashed: str, found: LoadedMatch) -> Caller:
    """Return the holder of a token with this hash, at a match loaded with it."""
    record = found.read_result.grant
    return caller_from_grant(log, hashed, NO_GRANT if record is None else tokens.Grant.decode(record), found)


def caller_from_grant(log: MatchLog, hashed: str, grant: tokens.Grant, found: LoadedMatch) -> Caller:
    """Return the bearer of a token who may do at a match what a grant says."""
    named = grant.role == "arbiter" and grant.person and officials.is_played_by_host(found.match)
    if named and tokens.is_host(log, found.match.id, grant.person):  # before that was refused
        grant = replace(grant, person="")
    return Caller(hashed, grant, found.match, found.version, find_deadline(found))


def load_if_still_admitted(
    service: MatchService, before: Caller, permission: Permission, args: PathArguments
) -> LoadedMatch | None:
    """Return a match as it is now, or None if its caller would no longer be admitted.

    Streams ask for it: they go on answering long after the request.
    """
    if before.account and not tokens.is_account_token(service.log, before.account, before.token_hash):
        return None
    bearer = Bearer(before.token_hash, before.account)
    caller, found = load_caller(service, args["match"], bearer, before.person)
    try:
        permission.check(caller, args)
    except (Problem, IllegalMove):
        return None
    return found if caller.is_admitted else None


def player_from_token(token: str | None) -> str:
    """Return the account of a player's or device's token, or "" if there is none."""
    player = tokens.find_named_player(get_secret(), token or "")
    if not player or not tokens.is_account_token(get_match_service().log, player, tokens.hash_token(token or "")):
        return ""
    return player


def find_person(match: str, shown: str | None, token: str) -> str:
    """Return who the bearer of a new token is in a match.

    The token that the request shows tells it: that of an account, or one of this match. Raises Problem if it is the
    token of an account that does not exist.
    """
    service, secret = get_match_service(), get_secret()
    player = player_from_token(shown)
    if player:
        return tokens.derive_person(secret, match, player)
    if shown is not None and shown.startswith(tokens.ACCOUNT_PREFIXES):
        raise Problem("unauthorized")
    hashed = tokens.hash_token(shown or "")
    record = service.log.read_grants(match).get(hashed) if shown else None
    if record is None:
        return tokens.derive_person(secret, match, tokens.hash_token(token))
    return tokens.Grant.decode(record).person or tokens.derive_person(secret, match, hashed)


def resolve_account_caller(bearer: Bearer, player: str, permission: Permission) -> Caller:
    """Return the caller of an account's address, and keep the account in `g.account`.

    Raises Problem.
    """
    own = bearer.account
    if permission.needs_token and not own:
        raise Problem("unauthorized")
    kept = get_match_service().log.find_player(player)
    if kept is None:
        raise Problem("unknown-player")
    g.account = kept[1]
    caller = Caller(bearer.token_hash, player=player if own == player else "", account=own)
    permission.check(caller, {"player": player})
    return caller


def readmit_request() -> None:
    """Check the same permission again at the end of a long wait. Raises Problem."""
    permission, args = g.entered
    caller = g.caller = resolve_caller(identify_bearer(bearer_token()), args["match"], permission)
    if not caller.is_admitted:
        raise Problem("unknown-match")
    permission.check(caller, args)


def admit_request(endpoint: Endpoint, args: PathArguments) -> None:
    """Admit a request: set `g.caller`, and `g.json` if the endpoint takes a body.

    `args` are the values of the address. Where the query may name a viewer, that decides what the caller needs. Raises
    Problem, and MatchUnavailable if the endpoint writes to a match that is archived or has moved.
    """
    permission = endpoint.permission
    if permission.by_viewer:
        named = parse_viewer(request.args.get(PARAMETER, PUBLIC))
        g.viewer = int(BYSTANDER) if named is None else named  # the query refuses a name that there is not
        permission, args = resolve_permission(permission, args, g.viewer)
    if endpoint.takes_ticket and "ticket" in request.args:
        place = request.path + viewer_query(g.get("viewer", BYSTANDER))
        bearer = redeem_ticket(get_match_service().log, request.args["ticket"], place)
    else:
        bearer = identify_bearer(bearer_token() if permission is not ANYONE else None)
    if not bearer.token_hash and permission.needs_token:
        raise Problem("unauthorized")
    if permission.about_player:
        caller = g.caller = resolve_account_caller(bearer, args["player"], permission)
    else:
        caller = g.caller = resolve_caller(bearer, args.get("match") if permission.about_match else None, permission)
    if request.accept_mimetypes and not request.accept_mimetypes.best_match(endpoint.media):
        raise Problem("not-acceptable", params={"offered": ", ".join(endpoint.media)})
    if endpoint.body is not None:
        g.json = parse_json_body()
    if permission.about_match:
        if not caller.is_admitted:
            raise Problem("unknown-match")
        if bearer.token_hash and not bearer.account and not caller.grant.role:
            after_this_request(mark_as_unknown_token)
        permission.check(caller, args)
        if endpoint.writes_log:
            ensure_writable(g.loaded)
        elif endpoint.writes_outside_log:
            ensure_not_moved(g.loaded)
        g.entered = permission, args
    elif permission.needs_token:
        permission.check(caller, args)
    check_query(endpoint.query is not None)
    if permission.about_match and permission is FULL_VIEWER and caller.can_see_all:
        record_inspection(caller)  # last: a refused request is no inspection


def mark_as_unknown_token(response: Response) -> Response:
    """Say that the token is none of this match.

    The answer is what the public gets.

    RFC 9110, section 11.6.1: an answer that is no 401 may say that other credentials would change it.
    """
    response.headers.setdefault("WWW-Authenticate", WRONG_BEARER)
    return response


def check_query(takes_query: bool) -> None:
    """Refuse a repeated query parameter, and any query if the endpoint takes none.

    Of two values nobody can tell which counts. The schema of the query refuses unknown names; every call takes `lang`.
    Raises Problem.
    """
    for name, values in request.args.lists():
        if len(values) > 1:
            short = name[:LONGEST_NAME]
            raise Problem("parameter-repeated", params={"parameter": short}, parameter=short)
    if request.args.get("lang", ALL) not in CHOICES:
        wrong = [{"pointer": "/lang", "detail": f"Must be one of: {', '.join(CHOICES)}.", "in": "query"}]
        raise Problem("invalid-input", errors=wrong)
    if unknown := request.args.keys() - {"lang"} if not takes_query else ():
        wrong = [{"pointer": f"/{name}", "detail": "Unknown field.", "in": "query"} for name in sorted(unknown)]
        raise Problem("invalid-input", errors=wrong)


def record_inspection(caller: Caller) -> None:
    """Record in the log that an arbiter looks at all cards, and read the match again.

    TABLE-RULING-5: who looks at hidden cards to decide a dispute is recorded, once for each open dispute.
    """
    assert caller.table is not None
    match, number = caller.table.id, caller.official_number
    for dispute in caller.table.disputes:
        if dispute.is_open and (number is None or dispute.stage == "ruling"):
            done = f"{caller.token_hash[:32]}-{dispute.number}"
            get_match_service().execute_command(match, InspectCards(dispute.number, number), key=done, scope="look")
    bearer = Bearer(caller.token_hash, caller.account)
    g.caller, g.loaded = load_caller(get_match_service(), match, bearer, caller.person)
    g.table = g.loaded.match


def parse_json_body() -> Any:
    """Return the body as JSON data.

    Raises Problem if it has another media type, is packed or is not JSON.
    """
    if not request.is_json:
        raise Problem("unsupported-media-type")
    require_unpacked_body()
    try:
        return orjson.loads(request.get_data(cache=False))
    except orjson.JSONDecodeError:
        raise Problem("not-json") from None
