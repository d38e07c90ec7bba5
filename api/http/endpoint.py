"""The door: every call passes here, in this order: token, media types, JSON, the right to the object, the schema.

Request id and rate limit come before (`limits.py`, `service.py`); key, precondition and rules after, where the view
hands them to the desk. A `EndpointBlueprint` is a blueprint whose calls say in one place who may make them and what
they promise.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any

import orjson
from flask import current_app, g, request
from flask_smorest import Blueprint
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser

from api.http.access import tokens
from api.http.access.authorization import ANYONE, FULL_VIEWER, NO_GRANT, Caller, Permission
from api.http.problems import PROBLEMS, Problem
from api.http.responses import JSON
from referee.engine.rulings import IllegalMove
from referee.match.clocks import find_deadline
from referee.match.errors import UnknownMatch
from referee.match.events.dispute_commands import InspectCards
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService, ensure_not_moved, ensure_writable

IDEMPOTENCY_KEY_PATTERN = re.compile(r'[A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}"')
MIN_UNGUESSABLE_LENGTH = 22  # characters of a key that is all that protects its answer
VERSION_ETAG_PATTERN = re.compile(r'(?:W/)?"v([0-9]{1,15})(?::[a-z]+)?"')  # a proxy that compresses may add a suffix
LONGEST_NAME = 64  # of a parameter, as it is told back
ViewFunction = Callable[..., Any]
IF_MATCH_PARAMETERS = {  # how a call heeds If-Match: the parameter in the contract
    "allowed": "IfMatchAllowed", "required": "IfMatch",
    "of_play": "IfMatchOfPlayAllowed", "required_of_play": "IfMatchOfPlay", "of_question": "IfMatchOfQuestionAllowed",
}  # fmt: skip
ETAG_HEADER = {"description": "The version", "schema": {"type": "string"}}
RECEIPT_HEADER = {
    "description": "A signed checkpoint of the log, if this wrote to it: a C2SP note as a byte sequence (RFC 9651)",
    "schema": {"type": "string", "pattern": "^:[A-Za-z0-9+/]+=*:$"},
}


def get_match_service() -> MatchService:
    """The desk of this app."""
    found: MatchService = current_app.config["SERVICE"]
    return found


def get_loaded_match(match: str) -> LoadedMatch:
    """The match of the address as the door has read it, so that no view has to read it again.

    Who has waited since, or written, loads it anew.
    """
    found: LoadedMatch = g.loaded
    if found.match.id != match:
        raise LookupError(match)
    return found


def get_secret() -> bytes:
    """The secret behind tokens and codes."""
    found: bytes = current_app.config["SECRET"]
    return found


def bearer_token() -> str | None:
    """The token of the request; None if there is none. Raises ProblemError if what is there is no token."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, given = header.partition(" ")
    if scheme.lower() != "bearer" or not tokens.TOKEN_PATTERN.fullmatch(given.strip()):
        raise Problem("unauthorized")
    return given.strip()


def resolve_caller(token: str | None, match: str | None, right: Permission) -> Caller:
    """Who asks, at the table of the address. Raises ProblemError where the table is open to all and knows no such
    token."""
    hashed = tokens.hash_token(token) if token else ""
    if match is None:
        return Caller(hashed)
    try:
        found = get_match_service().load_match(match, grant=hashed)
    except UnknownMatch:
        return Caller(hashed)
    g.table, g.loaded = found.match, found
    if found.read_result.grant is None and right.needs_token and found.match.visibility == "public":
        raise Problem("unauthorized")
    return caller_from_token(hashed, found)


def caller_from_token(hashed: str, found: LoadedMatch) -> Caller:
    """The bearer of a token of this hash, at a match that was loaded with it."""
    record = found.read_result.grant
    grant = NO_GRANT if record is None else tokens.Grant.decode(record)
    return Caller(hashed, grant, found.match, found.version, find_deadline(found))


def is_still_admitted(found: MatchService, hashed: str, match: str, right: Permission, args: dict[str, Any]) -> bool:
    """Whether a token would be let in now: asked by those who go on answering long after the request."""
    caller = caller_from_token(hashed, found.load_match(match, grant=hashed))
    try:
        right.check(caller, args)
    except (Problem, IllegalMove):
        return False
    return caller.is_admitted


def player_from_token(token: str | None) -> str:
    """The account that a player's token is for; empty if it is none, or of an account that is gone."""
    if token is None or not token.startswith(tokens.PLAYER_PREFIX):
        return ""
    player = tokens.derive_player_id(get_secret(), token)
    kept = get_match_service().log.find_player(player)
    return player if kept is not None and hmac.compare_digest(kept[0], tokens.hash_token(token)) else ""


def resolve_account_caller(token: str | None, player: str, right: Permission) -> Caller:
    """Who asks about the account of the address, which is then `g.account`. Raises ProblemError."""
    own = player_from_token(token)
    if right.needs_token and not own:
        raise Problem("unauthorized")
    kept = get_match_service().log.find_player(player)
    if kept is None:
        raise Problem("unknown-player")
    g.account = kept[1]
    caller = Caller(tokens.hash_token(token) if token else "", player=player if own == player else "")
    right.check(caller, {"player": player})
    return caller


def readmit_request() -> None:
    """The same right, once more, at the end of a long wait. Raises ProblemError."""
    right, args = g.entered
    caller = g.caller = resolve_caller(bearer_token() if right is not ANYONE else None, args["match"], right)
    if not caller.is_admitted:
        raise Problem("unknown-match")
    right.check(caller, args)


def admit_request(
    right: Permission,
    body: bool,
    query: bool,
    offered: tuple[str, ...],
    args: dict[str, Any],
    writes: bool = False,
    beside: bool = False,
) -> None:
    """Lets a request in, or raises Problem; then `g.caller` tells who asks and `g.json` what he sent. `writes`: it
    would change the match of its address; `beside`: what lies beside its log. Raises MatchUnavailable where that is
    archived, or has moved."""
    token = bearer_token() if right is not ANYONE else None
    if token is None and right.needs_token:
        raise Problem("unauthorized")
    if right.about_player:
        caller = g.caller = resolve_account_caller(token, args["player"], right)
    else:
        caller = g.caller = resolve_caller(token, args.get("match") if right.about_match else None, right)
    if request.accept_mimetypes and not request.accept_mimetypes.best_match(offered):
        raise Problem("not-acceptable", params={"offered": ", ".join(offered)})
    if body:
        g.json = parse_json_body()
    if right.about_match:
        if not caller.is_admitted:
            raise Problem("unknown-match")
        right.check(caller, args)
        if writes:
            ensure_writable(g.loaded)
        elif beside:
            ensure_not_moved(g.loaded)
        g.entered = right, args
    elif right.needs_token:
        right.check(caller, args)
    check_query(query)
    if (
        right.about_match and right is FULL_VIEWER and caller.can_see_all
    ):  # which is noted, so whatever is refused comes before
        record_inspection(caller)


def check_query(known: bool) -> None:
    """Raises ProblemError where a parameter of the query is given more than once, for which one counts nobody can tell,
    or where there is a query though none is `caller_from_token`; what a known one does not name its schema refuses."""
    for name, values in request.args.lists():
        if len(values) > 1:
            short = name[:LONGEST_NAME]
            raise Problem("parameter-repeated", params={"parameter": short}, parameter=short)
    if request.args and not known:
        wrong = [{"pointer": f"/{name}", "detail": "Unknown field.", "in": "query"} for name in request.args]
        raise Problem("invalid-input", errors=wrong)


def record_inspection(caller: Caller) -> None:
    """Notes in the log that an arbiter looks at all cards, once for each dispute that is open; then reads the match
    again (TABLE-RULING-5)."""
    assert caller.table is not None
    match = caller.table.id
    for dispute in caller.table.disputes:
        if dispute.is_open:
            done = f"{caller.token_hash[:32]}-{dispute.number}"
            get_match_service().execute_command(match, InspectCards(dispute.number), key=done, scope="look")
    found = get_match_service().load_match(match, grant=caller.token_hash)
    g.table, g.loaded = found.match, found
    g.caller = caller_from_token(caller.token_hash, found)


def parse_json_body() -> Any:
    """The body as JSON data. Raises ProblemError: another media type, too large, no JSON."""
    if not request.is_json:
        raise Problem("unsupported-media-type")
    try:
        return orjson.loads(request.get_data(cache=False))
    except orjson.JSONDecodeError:
        raise Problem("not-json") from None


def require_idempotency_key(guarded: bool = True) -> str:
    """The idempotency key. Raises ProblemError; `guarded` is False where no token stands before the answer."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        raise Problem("idempotency-key-missing")
    if not IDEMPOTENCY_KEY_PATTERN.fullmatch(given):
        raise Problem("header-malformed", params={"header": "Idempotency-Key"})
    bare = given.strip('"')
    if not guarded and len(bare) < MIN_UNGUESSABLE_LENGTH:
        raise Problem("idempotency-key-guessable")
    return bare


def parse_if_match(required: bool) -> int | None:
    """The version that If-Match names; None if it names none or any. Raises ProblemError."""
    given = request.headers.get("If-Match")
    if given is None:
        if required:
            raise Problem("if-match-missing")
        return None
    if given.strip() == "*":
        return None
    found = VERSION_ETAG_PATTERN.fullmatch(given.strip())
    if found is None:
        raise Problem("header-malformed", params={"header": "If-Match"})
    return int(found[1])


class RequestParser(FlaskParser):
    """webargs, with the body that the door has read, and no unknown words in a query."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}

    def load_json(self, req: Any, schema: Any) -> Any:
        return g.json


class EndpointBlueprint(Blueprint):
    """A blueprint whose calls are declared whole: address, right, what comes in, what goes out, what may go wrong."""

    ARGUMENTS_PARSER = RequestParser()

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, name, description=description)
        self._prepare_doc_cbks.append(self._prepare_endpoint_doc)

    def register_views_in_doc(self, api: Any, *args: Any, **kwargs: Any) -> None:
        """What the contract says of these calls is written when it is asked for."""
        api.defer_description(partial(super().register_views_in_doc, api, *args, **kwargs))

    def declare_endpoint(
        self,
        method: str,
        rule: str,
        operation: str,
        right: Permission = ANYONE,
        *,
        body: Any = None,
        query: Any = None,
        text: str = "",
        parts: dict[str, Any] | None = None,
        gives: tuple[int, Any] = (200, None),
        also: Iterable[tuple[int, Any, str]] = (),
        key: bool = False,
        precondition: str = "",
        problems: Iterable[str] = (),
        examples: dict[str, Any] | None = None,
        media: tuple[str, ...] = (JSON,),
        etag: bool = False,
        headers: tuple[str, ...] = (),
        beside: bool = False,
        receipt: bool = False,
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Declares the decorated function as what answers this call. Precondition: one of IF_MATCH; `headers`: further
        ones that it heeds, by their names in the contract. `text`: the media type of a body that is no JSON, which the
        view reads itself; `parts`: the schema of the same as `multipart/form-data`. `beside`: what it writes lies
        beside the log, also that of an archived match. `receipt`: the answer has no body, and its receipt in a
        header."""

        def declare(view: ViewFunction) -> ViewFunction:
            made = view
            for status, schema, kind in also:
                made = self.alt_response(status, schema=schema, content_type=kind, success=True)(made)
            told = {"ETag": ETAG_HEADER} if etag or receipt else {}
            if receipt:
                told["Receipt"] = RECEIPT_HEADER
            status, schema = gives
            made = self.response(status, schema, content_type=media[0], headers=told or None)(made)
            if body is not None:
                made = self.arguments(as_instance(body), examples=examples)(made)
            if query is not None:
                made = self.arguments(as_instance(query), location="query")(made)
            writes = right.about_match and method != "GET" and not beside
            made = self._guard_view(made, right, body is not None, query is not None, media, writes, beside)
            made._apidoc["call"] = {  # type: ignore[attr-defined]
                "right": right,
                "key": key,
                "precondition": precondition,
                "problems": tuple(
                    dict.fromkeys(
                        (
                            *collect_common_problems(
                                right, body is not None, query is not None, key, precondition, writes, beside
                            ),
                            *problems,
                        )
                    )
                ),
                "etag": etag,
                "headers": headers,
            }
            if text:
                content: dict[str, Any] = {text: {"schema": {"type": "string"}}}
                if parts is not None:
                    content["multipart/form-data"] = {"schema": parts}
                made = self.doc(requestBody={"required": True, "content": content})(made)
            made = self.doc(operationId=operation)(made)
            self.add_url_rule(rule, operation, made, methods=[method])
            return view

        return declare

    @staticmethod
    def _guard_view(
        view: ViewFunction,
        right: Permission,
        body: bool,
        query: bool,
        media: tuple[str, ...],
        writes: bool,
        beside: bool,
    ) -> ViewFunction:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            admit_request(right, body, query, media, kwargs, writes, beside)
            return view(*args, **kwargs)

        return guarded

    @staticmethod
    def _prepare_endpoint_doc(doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """What the contract says of a call beyond what its schemas do: token, key, precondition, problems."""
        call = doc_info["call"]
        parameters = doc.setdefault("parameters", [])
        if call["key"]:
            parameters.append("IdempotencyKey" if call["right"].needs_token else "UnguessableKey")
        if call["precondition"]:
            parameters.append(IF_MATCH_PARAMETERS[call["precondition"]])
        parameters.extend(call["headers"])
        if call["etag"] and kwargs["method"] == "get":
            parameters.append("IfNoneMatch")
            doc["responses"][304] = {"description": "You have this version already"}
        right: Permission = call["right"]
        bearer: list[dict[str, list[str]]] = [{"bearer": []}]
        optional = right.about_match or right.about_player or right.optional_token
        doc["security"] = bearer if right.needs_token else [{}, *bearer] if optional else []
        by_status: dict[int, list[str]] = {}
        for slug in call["problems"]:
            by_status.setdefault(PROBLEMS[slug]["status"], []).append(slug)
        for status, names in by_status.items():
            doc["responses"][status] = {
                "description": ", ".join(f"`{name}`" for name in names),
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }
        return doc


def as_instance(schema: Any) -> Any:
    """The schema made once for all requests: a schema of its own for each takes longer than what it checks."""
    return schema() if isinstance(schema, type) else schema


def collect_common_problems(
    right: Permission, body: bool, query: bool, key: bool, precondition: str, writes: bool, beside: bool = False
) -> Iterable[str]:
    """The problems that a call has by what it asks for."""
    if key:
        yield "idempotency-key-missing"
    if right.needs_token:
        yield "unauthorized"
    if right.about_match:
        yield "unknown-match"
        yield "log-frozen"  # its archive is missing or damaged
    if writes:
        yield "archived"
    if writes or beside:
        yield "match-moved"
    if right.about_player:
        yield "unknown-player"
    yield from right.problems
    if body or query:
        yield "invalid-input"
    if query:
        yield "parameter-repeated"
    if precondition.startswith("required"):
        yield "if-match-missing"
