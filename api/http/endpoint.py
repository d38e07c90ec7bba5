"""The door: every call passes here, in this order: token, media types, JSON, the right to the object, the schema.

Request id and rate limit come before (`limits.py`, `service.py`); key, precondition and rules after, where the view
hands them to the desk. A `Room` is a blueprint whose calls say in one place who may make them and what they promise.
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
from api.http.access.authorization import ANYONE, FULL, NOBODY, Caller, Right
from api.http.problems import PROBLEMS, Problem
from api.http.responses import JSON
from referee.engine.rulings import Refused
from referee.match.clocks import deadline
from referee.match.events.dispute_commands import Look
from referee.service.match_service import Desk, Loaded, UnknownMatch, still_here, written_to

KEY = re.compile(r'[A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}"')
UNGUESSABLE = 22  # characters of a key that is all that protects its answer
VERSION = re.compile(r'(?:W/)?"v([0-9]{1,15})(?::[a-z]+)?"')  # a proxy that compresses may add a suffix
LONGEST_NAME = 64  # of a parameter, as it is told back
View = Callable[..., Any]
IF_MATCH = {  # how a call heeds If-Match: the parameter in the contract
    "allowed": "IfMatchAllowed", "required": "IfMatch",
    "of_play": "IfMatchOfPlayAllowed", "required_of_play": "IfMatchOfPlay", "of_question": "IfMatchOfQuestionAllowed",
}  # fmt: skip
ETAG = {"description": "The version", "schema": {"type": "string"}}
RECEIPT = {
    "description": "A signed checkpoint of the log, if this wrote to it: a C2SP note as a byte sequence (RFC 9651)",
    "schema": {"type": "string", "pattern": "^:[A-Za-z0-9+/]+=*:$"},
}


def desk() -> Desk:
    """The desk of this app."""
    found: Desk = current_app.config["DESK"]
    return found


def loaded(match: str) -> Loaded:
    """The match of the address as the door has read it, so that no view has to read it again.

    Who has waited since, or written, loads it anew.
    """
    found: Loaded = g.loaded
    if found.match.id != match:
        raise LookupError(match)
    return found


def secret() -> bytes:
    """The secret behind tokens and codes."""
    found: bytes = current_app.config["SECRET"]
    return found


def presented() -> str | None:
    """The token of the request; None if there is none. Raises Problem if what is there is no token."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, given = header.partition(" ")
    if scheme.lower() != "bearer" or not tokens.TOKEN.fullmatch(given.strip()):
        raise Problem("unauthorized")
    return given.strip()


def recognised(token: str | None, match: str | None, right: Right) -> Caller:
    """Who asks, at the table of the address. Raises Problem where the table is open to all and knows no such token."""
    hashed = tokens.hashed(token) if token else ""
    if match is None:
        return Caller(hashed)
    try:
        found = desk().load(match, grant=hashed)
    except UnknownMatch:
        return Caller(hashed)
    g.table, g.loaded = found.match, found
    if found.reading.grant is None and right.token and found.match.visibility == "public":
        raise Problem("unauthorized")
    return known(hashed, found)


def known(hashed: str, found: Loaded) -> Caller:
    """The bearer of a token of this hash, at a match that was loaded with it."""
    record = found.reading.grant
    grant = NOBODY if record is None else tokens.Grant.of(record)
    return Caller(hashed, grant, found.match, found.version, deadline(found))


def still(found: Desk, hashed: str, match: str, right: Right, args: dict[str, Any]) -> bool:
    """Whether a token would be let in now: asked by those who go on answering long after the request."""
    caller = known(hashed, found.load(match, grant=hashed))
    try:
        right.check(caller, args)
    except (Problem, Refused):
        return False
    return caller.admitted


def player_of(token: str | None) -> str:
    """The account that a player's token is for; empty if it is none, or of an account that is gone."""
    if token is None or not token.startswith(tokens.PLAYER_PREFIX):
        return ""
    player = tokens.player_of(secret(), token)
    kept = desk().log.player(player)
    return player if kept is not None and hmac.compare_digest(kept[0], tokens.hashed(token)) else ""


def of_player(token: str | None, player: str, right: Right) -> Caller:
    """Who asks about the account of the address, which is then `g.account`. Raises Problem."""
    own = player_of(token)
    if right.token and not own:
        raise Problem("unauthorized")
    kept = desk().log.player(player)
    if kept is None:
        raise Problem("unknown-player")
    g.account = kept[1]
    caller = Caller(tokens.hashed(token) if token else "", player=player if own == player else "")
    right.check(caller, {"player": player})
    return caller


def enter_again() -> None:
    """The same right, once more, at the end of a long wait. Raises Problem."""
    right, args = g.entered
    caller = g.caller = recognised(presented() if right is not ANYONE else None, args["match"], right)
    if not caller.admitted:
        raise Problem("unknown-match")
    right.check(caller, args)


def enter(
    right: Right,
    body: bool,
    query: bool,
    offered: tuple[str, ...],
    args: dict[str, Any],
    writes: bool = False,
    beside: bool = False,
) -> None:
    """Lets a request in, or raises Problem; then `g.caller` tells who asks and `g.json` what he sent. `writes`: it
    would change the match of its address; `beside`: what lies beside its log. Raises Away where that is archived, or
    has moved."""
    token = presented() if right is not ANYONE else None
    if token is None and right.token:
        raise Problem("unauthorized")
    if right.player:
        caller = g.caller = of_player(token, args["player"], right)
    else:
        caller = g.caller = recognised(token, args.get("match") if right.match else None, right)
    if request.accept_mimetypes and not request.accept_mimetypes.best_match(offered):
        raise Problem("not-acceptable", params={"offered": ", ".join(offered)})
    if body:
        g.json = read()
    if right.match:
        if not caller.admitted:
            raise Problem("unknown-match")
        right.check(caller, args)
        if writes:
            written_to(g.loaded)
        elif beside:
            still_here(g.loaded)
        g.entered = right, args
    elif right.token:
        right.check(caller, args)
    queried(query)
    if right.match and right is FULL and caller.sees_all:  # which is noted, so whatever is refused comes before
        look(caller)


def queried(known: bool) -> None:
    """Raises Problem where a parameter of the query is given more than once, for which one counts nobody can tell, or
    where there is a query though none is `known`; what a known one does not name its schema refuses."""
    for name, values in request.args.lists():
        if len(values) > 1:
            short = name[:LONGEST_NAME]
            raise Problem("parameter-repeated", params={"parameter": short}, parameter=short)
    if request.args and not known:
        wrong = [{"pointer": f"/{name}", "detail": "Unknown field.", "in": "query"} for name in request.args]
        raise Problem("invalid-input", errors=wrong)


def look(caller: Caller) -> None:
    """Notes in the log that an arbiter looks at all cards, once for each dispute that is open; then reads the match
    again (TABLE-RULING-5)."""
    assert caller.table is not None
    match = caller.table.id
    for dispute in caller.table.disputes:
        if dispute.open:
            done = f"{caller.token[:32]}-{dispute.number}"
            desk().business(match, Look(dispute.number), key=done, scope="look")
    found = desk().load(match, grant=caller.token)
    g.table, g.loaded = found.match, found
    g.caller = known(caller.token, found)


def read() -> Any:
    """The body as JSON data. Raises Problem: another media type, too large, no JSON."""
    if not request.is_json:
        raise Problem("unsupported-media-type")
    try:
        return orjson.loads(request.get_data(cache=False))
    except orjson.JSONDecodeError:
        raise Problem("not-json") from None


def key(guarded: bool = True) -> str:
    """The idempotency key. Raises Problem; `guarded` is False where no token stands before the answer."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        raise Problem("idempotency-key-missing")
    if not KEY.fullmatch(given):
        raise Problem("header-malformed", params={"header": "Idempotency-Key"})
    bare = given.strip('"')
    if not guarded and len(bare) < UNGUESSABLE:
        raise Problem("idempotency-key-guessable")
    return bare


def precondition(required: bool) -> int | None:
    """The version that If-Match names; None if it names none or any. Raises Problem."""
    given = request.headers.get("If-Match")
    if given is None:
        if required:
            raise Problem("if-match-missing")
        return None
    if given.strip() == "*":
        return None
    found = VERSION.fullmatch(given.strip())
    if found is None:
        raise Problem("header-malformed", params={"header": "If-Match"})
    return int(found[1])


class Parser(FlaskParser):
    """webargs, with the body that the door has read, and no unknown words in a query."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}

    def load_json(self, req: Any, schema: Any) -> Any:
        return g.json


class Room(Blueprint):
    """A blueprint whose calls are declared whole: address, right, what comes in, what goes out, what may go wrong."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, name, description=description)
        self._prepare_doc_cbks.append(self._prepare_call_doc)

    def register_views_in_doc(self, api: Any, *args: Any, **kwargs: Any) -> None:
        """What the contract says of these calls is written when it is asked for."""
        api.put_off(partial(super().register_views_in_doc, api, *args, **kwargs))

    def call(
        self,
        method: str,
        rule: str,
        operation: str,
        right: Right = ANYONE,
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
    ) -> Callable[[View], View]:
        """Declares the decorated function as what answers this call. Precondition: one of IF_MATCH; `headers`: further
        ones that it heeds, by their names in the contract. `text`: the media type of a body that is no JSON, which the
        view reads itself; `parts`: the schema of the same as `multipart/form-data`. `beside`: what it writes lies
        beside the log, also that of an archived match. `receipt`: the answer has no body, and its receipt in a
        header."""

        def declare(view: View) -> View:
            made = view
            for status, schema, kind in also:
                made = self.alt_response(status, schema=schema, content_type=kind, success=True)(made)
            told = {"ETag": ETAG} if etag or receipt else {}
            if receipt:
                told["Receipt"] = RECEIPT
            status, schema = gives
            made = self.response(status, schema, content_type=media[0], headers=told or None)(made)
            if body is not None:
                made = self.arguments(once(body), examples=examples)(made)
            if query is not None:
                made = self.arguments(once(query), location="query")(made)
            writes = right.match and method != "GET" and not beside
            made = self._behind(made, right, body is not None, query is not None, media, writes, beside)
            made._apidoc["call"] = {  # type: ignore[attr-defined]
                "right": right,
                "key": key,
                "precondition": precondition,
                "problems": tuple(
                    dict.fromkeys(
                        (
                            *common(right, body is not None, query is not None, key, precondition, writes, beside),
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
    def _behind(
        view: View, right: Right, body: bool, query: bool, media: tuple[str, ...], writes: bool, beside: bool
    ) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            enter(right, body, query, media, kwargs, writes, beside)
            return view(*args, **kwargs)

        return guarded

    @staticmethod
    def _prepare_call_doc(doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """What the contract says of a call beyond what its schemas do: token, key, precondition, problems."""
        call = doc_info["call"]
        parameters = doc.setdefault("parameters", [])
        if call["key"]:
            parameters.append("IdempotencyKey" if call["right"].token else "UnguessableKey")
        if call["precondition"]:
            parameters.append(IF_MATCH[call["precondition"]])
        parameters.extend(call["headers"])
        if call["etag"] and kwargs["method"] == "get":
            parameters.append("IfNoneMatch")
            doc["responses"][304] = {"description": "You have this version already"}
        right: Right = call["right"]
        bearer: list[dict[str, list[str]]] = [{"bearer": []}]
        optional = right.match or right.player or right.optional
        doc["security"] = bearer if right.token else [{}, *bearer] if optional else []
        by_status: dict[int, list[str]] = {}
        for slug in call["problems"]:
            by_status.setdefault(PROBLEMS[slug]["status"], []).append(slug)
        for status, names in by_status.items():
            doc["responses"][status] = {
                "description": ", ".join(f"`{name}`" for name in names),
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }
        return doc


def once(schema: Any) -> Any:
    """The schema made once for all requests: a schema of its own for each takes longer than what it checks."""
    return schema() if isinstance(schema, type) else schema


def common(
    right: Right, body: bool, query: bool, key: bool, precondition: str, writes: bool, beside: bool = False
) -> Iterable[str]:
    """The problems that a call has by what it asks for."""
    if key:
        yield "idempotency-key-missing"
    if right.token:
        yield "unauthorized"
    if right.match:
        yield "unknown-match"
        yield "log-frozen"  # its archive is missing or damaged
    if writes:
        yield "archived"
    if writes or beside:
        yield "match-moved"
    if right.player:
        yield "unknown-player"
    yield from right.refuses
    if body or query:
        yield "invalid-input"
    if query:
        yield "parameter-repeated"
    if precondition.startswith("required"):
        yield "if-match-missing"
