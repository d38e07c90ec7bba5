"""Requests of usual form, read straight from the environ of WSGI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from typing import Any

import orjson
from marshmallow import ValidationError

from api.http.access.addresses import group_address
from api.http.access.load_shedding import BUSY_REQUESTS_KEY
from api.http.encoding.languages import CHOICES, Language, find_language
from api.http.preconditions import IDEMPOTENCY_KEY_PATTERN, VERSION_ETAG_PATTERN
from api.http.request_log import UNREADABLE_KEY
from api.http.schemas.fields import WINDOW_PATTERN
from api.http.schemas.polymorphic import MoveUnion
from api.http.schemas.viewers import PARAMETER
from api.resources.moves.schemas import MoveSignatureBody
from api.resources.reveals.schemas import HASH_PATTERN
from referee.engine.codec import encode_canonical
from referee.engine.events import Move
from referee.match.table.signed_moves import MoveSignature
from referee.service.rights import tokens

PATH = re.compile(  # of a seat, or of a read that names the seat as its viewer
    r"/v1/matches/((?:[0-5][0-9]|6[0-3])-[a-z]{26})/(?:seats/(1?[0-9])/(situation|moves)|(view|entries))"
)
VIEWER = re.compile(r"seat(?::|%3[Aa])(1?[0-9])")
WINDOW = re.compile(WINDOW_PATTERN)
USUAL_ACCEPTS = ("", "*/*", "application/json", "application/json, */*", "application/json, text/plain, */*")
USUAL_TYPES = ("application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8")
USUAL_QUERIES = {  # of each call by name: its parameters, with their largest value
    ("GET", "situation"): {"near": 20},
    ("GET", "moves"): {"near": 20},
    ("GET", "view"): {},
    ("GET", "entries"): {"after": 2**31 - 1, "limit": 200},
    ("POST", "moves"): {},
}
PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
MAX_USUAL_BODY = 16 * 1024  # bytes; Flask answers what is longer
MAX_KEPT_MOVE = 1024  # bytes of a move that is worth remembering
HIGHEST_VERSION = 2**31 - 1
LINK = re.compile(HASH_PATTERN)
MOVE_MEMBERS = frozenset(("move", "seen", "window", "link", "signed"))


class UnusualRequest(Exception):
    """A request that only Flask answers."""


@dataclass(frozen=True, slots=True)
class LaneRequest:
    """A request for one of the calls of the lane.

    `call` is method and last part of the address. `query` has the numbers that were given; `language` of the
    answer is None for all.
    """

    environ: dict[str, Any]
    call: tuple[str, str]
    match: str
    seat: int
    token: str
    query: Mapping[str, int] = field(default_factory=dict)
    language: Language | None = None

    def header(self, name: str) -> str:
        """Return a header by its name in the environ, empty if it was not sent."""
        value: str = self.environ.get(name, "")
        return value

    @property
    def address(self) -> str:
        """The address of the client, as it is counted."""
        return group_address(self.header("REMOTE_ADDR"))


@dataclass(frozen=True, slots=True)
class PostedMove:
    """The body and the headers of a posted move."""

    move: Move
    key: str
    seen: int | None
    strict: int | None
    window: str
    link: str
    signed: MoveSignature | None


def read_request(environ: dict[str, Any], limit: int | None) -> LaneRequest | None:
    """Return a request of usual form for a call of the lane, or None.

    `limit` is how many requests may be under way. Nothing is counted or read of the body.
    """
    found = PATH.fullmatch(environ["PATH_INFO"])
    if found is None or UNREADABLE_KEY in environ:
        return None
    if limit is not None and environ.get(BUSY_REQUESTS_KEY, 0) > limit:
        return None
    method, (match, seat, of_seat, of_viewer) = environ["REQUEST_METHOD"], found.groups()
    name = of_seat or of_viewer
    usual = USUAL_QUERIES.get((method, name))
    scheme, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    if usual is None or scheme != "Bearer" or not tokens.TOKEN_PATTERN.fullmatch(token):
        return None
    if token.startswith(tokens.ACCOUNT_PREFIXES):
        return None  # what an account may do lies in several records
    if environ.get("HTTP_ACCEPT", "") not in USUAL_ACCEPTS or "wait" in environ.get("HTTP_PREFER", "").lower():
        return None
    query = _read_query(environ.get("QUERY_STRING", ""), usual)
    if query is None:
        return None
    numbers, lang, viewer = query
    looks = seat or viewer
    if looks is None or (viewer is None) != (of_viewer is None):
        return None  # the public looks, or the address takes no viewer
    language = find_language(lang, environ.get("HTTP_ACCEPT_LANGUAGE", ""))
    return LaneRequest(environ, (method, name), match, int(looks), token, numbers, language)


def _read_query(text: str, usual: Mapping[str, int]) -> tuple[Mapping[str, int], str | None, str | None] | None:
    """Return the numbers, the language and the viewer of a query, or None.

    The viewer is a seat. It is None if the query is of no usual form.
    """
    found: dict[str, int] = {}
    lang = viewer = None
    for part in text.split("&") if text else ():
        name, _, value = part.partition("=")
        if name == "lang" and lang is None and value in CHOICES:
            lang = value
            continue
        if name == PARAMETER and viewer is None and (seat := VIEWER.fullmatch(value)):
            viewer = seat[1]
            continue
        if name not in usual or name in found or not PLAIN_NUMBER.fullmatch(value) or int(value) > usual[name]:
            return None
        found[name] = int(value)
    return None if found.get("limit") == 0 else (found, lang, viewer)


def read_posted_move(request: LaneRequest) -> PostedMove:
    """Return the move that a request posts.

    Raises UnusualRequest if body or headers are of any other form than most are: Flask says what is wrong with them.
    The body can be read again.
    """
    environ = request.environ
    length, key = environ.get("CONTENT_LENGTH") or "", request.header("HTTP_IDEMPOTENCY_KEY")
    if not PLAIN_NUMBER.fullmatch(length) or int(length) > MAX_USUAL_BODY or "HTTP_TRANSFER_ENCODING" in environ:
        raise UnusualRequest
    if "HTTP_CONTENT_ENCODING" in environ:
        raise UnusualRequest
    if environ.get("CONTENT_TYPE") not in USUAL_TYPES or not IDEMPOTENCY_KEY_PATTERN.fullmatch(key):
        raise UnusualRequest
    if_match = VERSION_ETAG_PATTERN.fullmatch(environ["HTTP_IF_MATCH"]) if "HTTP_IF_MATCH" in environ else None
    if "HTTP_IF_MATCH" in environ and if_match is None:
        raise UnusualRequest
    content = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(content)
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise UnusualRequest from None
    if not isinstance(body, dict) or not body.keys() <= MOVE_MEMBERS or "move" not in body:
        raise UnusualRequest
    seen, window = body.get("seen"), body.get("window", "")
    if "seen" in body and not (type(seen) is int and 1 <= seen <= HIGHEST_VERSION):
        raise UnusualRequest
    if "window" in body and not (isinstance(window, str) and WINDOW.fullmatch(window)):
        raise UnusualRequest
    link = body.get("link", "")
    if "link" in body and not (isinstance(link, str) and LINK.fullmatch(link)):
        raise UnusualRequest
    signed = _load_signature(body["signed"]) if "signed" in body else None
    if signed is not None and seen is None:
        raise UnusualRequest
    strict = None if if_match is None else int(if_match[1])
    return PostedMove(_load_move(body["move"]), key.strip('"'), seen, strict, window, link, signed)


def _load_signature(data: Any) -> MoveSignature:
    """Return what a device signed. Raises UnusualRequest."""
    try:
        signed: MoveSignature = SIGNATURE_SCHEMA.load(data)
    except ValidationError:
        raise UnusualRequest from None
    return signed


def _load_move(data: Any) -> Move:
    """Return a move as the schema of moves loads it. Raises UnusualRequest."""
    try:
        encoded = encode_canonical(data)
        return _load_kept_move(encoded) if len(encoded) <= MAX_KEPT_MOVE else _load_encoded_move(encoded)
    except (ValidationError, orjson.JSONEncodeError):
        raise UnusualRequest from None


def _load_encoded_move(encoded: bytes) -> Move:
    move: Move = MOVE_SCHEMA.load(orjson.loads(encoded))  # type: ignore[no-untyped-call]  # the library has no types
    return move


MOVE_SCHEMA, SIGNATURE_SCHEMA = MoveUnion(), MoveSignatureBody()
_load_kept_move = lru_cache(4096)(_load_encoded_move)  # many moves of a game look alike, and none can be changed
