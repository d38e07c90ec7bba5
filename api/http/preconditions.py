"""The headers of a write: its idempotency key and the version the client has seen."""

from __future__ import annotations

import re

from flask import request

from api.http.problems import Problem

IDEMPOTENCY_KEY_PATTERN = re.compile(r'[A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}"')
MIN_UNGUESSABLE_LENGTH = 22  # characters of a key that is all that protects its answer
VERSION_ETAG_PATTERN = re.compile(  # a proxy may add a suffix
    r'(?:W/)?"v([0-9]{1,15})(?:-(?:full|seat1?[0-9]))?(?:-(?:de|en))?(?:\.[0-9a-f]{8})?(?::[a-z]+)?"'
)
IF_MATCH_PARAMETERS = {  # what If-Match guards: the parameter in the contract
    "allowed": "IfMatchAllowed", "required": "IfMatch",
    "of_play": "IfMatchOfPlayAllowed", "required_of_play": "IfMatchOfPlay", "of_question": "IfMatchOfQuestionAllowed",
}  # fmt: skip


def require_idempotency_key(guarded: bool = True) -> str:
    """Return the idempotency key of the request.

    `guarded` is False where no token protects the answer: the key must then be long enough not to be guessed. Raises
    Problem if the key is missing, malformed or too short.
    """
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
    """Return the version that If-Match names; None if it is absent or `*`.

    Raises Problem if it is malformed, or missing although `required`.
    """
    given = request.headers.get("If-Match")
    if given is None and required:
        raise Problem("if-match-missing")
    return None if given is None else read_version_etag(given)


def read_version_etag(if_match: str) -> int | None:
    """Return the version that the value of an If-Match header names; None for `*`.

    Raises Problem if it is malformed.
    """
    given = if_match.strip()
    if given == "*":
        return None
    found = VERSION_ETAG_PATTERN.fullmatch(given)
    if found is None:
        raise Problem("header-malformed", params={"header": "If-Match"})
    return int(found[1])
