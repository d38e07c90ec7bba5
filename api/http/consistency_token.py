"""Consistency tokens: how far a projection has read (`as_of`, `at_least`).

A projection reads 64 partitions, each at its own pace, so its progress is 64 positions. The token holds those that are
not 0, encrypted (AES-SIV, RFC 5297), so that it does not show which matches move. It does show that something moved on
this server, perhaps a private match: equal positions make equal tokens, and different ones differ. To find a write
again, `at_least` also takes the id of its match. The wait then lasts until the projection has read all that the
match's partition holds now.
"""

from __future__ import annotations

import base64
import binascii
import re
import time
from collections.abc import Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from marshmallow import ValidationError

from api.http import context, prefer
from api.http.change_feed import NoSlotError
from api.http.problems import Problem
from api.http.schemas.fields import text_field
from referee.eventstore.contract import MatchLog, partition_for_match
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.service.rights import tokens

LONGEST_WAIT = 2.0  # seconds that a caller waits for a projection
POLL_PAUSE = 0.02
TOKEN_PREFIX = "a"  # noqa: S105  # no secret: how every token begins
MATCH_ID_PATTERN = re.compile(r"(?:[0-5][0-9]|6[0-3])-[a-z]{26}")
TOKEN_PATTERN = re.compile(r"a[A-Za-z0-9_-]{24,800}")


def get_token_cipher() -> AESSIV:
    """Return the cipher of the tokens.

    Its key derives from the server's secret, so that all processes agree.
    """
    return AESSIV(tokens.compute_hmac(context.get_secret(), "as_of"))


def encode_consistency_token(cursors: Sequence[int]) -> str:
    """Return the token for these positions, by partition."""
    packed = bytearray()
    for partition, position in enumerate(cursors):
        if position:
            packed += partition.to_bytes(1, "big") + position.to_bytes(7, "big")
    if not packed:
        return TOKEN_PREFIX
    return (
        TOKEN_PREFIX + base64.urlsafe_b64encode(get_token_cipher().encrypt(bytes(packed), None)).rstrip(b"=").decode()
    )


def decode_consistency_token(word: str) -> dict[int, int]:
    """Return the positions in a token, by partition.

    Raises ValueError if it is not a token of this server.
    """
    if word == TOKEN_PREFIX:
        return {}
    if not TOKEN_PATTERN.fullmatch(word):
        raise ValueError("no such word")
    try:
        sealed = base64.b64decode(word[1:] + "=" * (-len(word[1:]) % 4), altchars=b"-_", validate=True)
        packed = get_token_cipher().decrypt(sealed, None)
    except (binascii.Error, InvalidTag):
        raise ValueError("no such word") from None
    return {packed[at]: int.from_bytes(packed[at + 1 : at + 8], "big") for at in range(0, len(packed), 8)}


def validate_at_least(given: str) -> bool:
    """Check that this is a token of this server or the id of a match.

    Raises ValidationError.
    """
    if not MATCH_ID_PATTERN.fullmatch(given):
        try:
            decode_consistency_token(given)
        except ValueError:
            raise ValidationError("An as_of of an earlier answer, or the id of a match.") from None
    return True


def at_least_field() -> Any:
    """Return the field `at_least` of a query."""
    field = text_field(
        801,
        metadata={
            "description": "Wait until the answer includes this: an `as_of` of an earlier answer, or the id of a match"
        },
    )
    field.validators = [*field.validators, validate_at_least]
    return field


def find_required_positions(log: MatchLog, given: str | None) -> dict[int, int]:
    """Return the positions that `at_least` asks for, by partition."""
    if given is None:
        return {}
    if MATCH_ID_PATTERN.fullmatch(given):
        partition = partition_for_match(given)
        return {partition: log.read_partition_info(partition).position}
    return decode_consistency_token(given)


def has_reached(cursors: Sequence[int], wanted: dict[int, int]) -> bool:
    """Return whether a projection has reached the wanted positions."""
    return all(cursors[partition] >= position for partition, position in wanted.items())


def wait_for_projection(view: str, given: str | None) -> tuple[int, ...]:
    """Wait until a view has read up to `given` (`at_least`), and return its positions.

    It does not wait if every slot is taken. Raises Problem `projection-behind` (503) if the time runs out, and
    `as-of-unknown` (409) if the logs do not reach that far.
    """
    log = context.get_match_service().log
    goal, build = find_required_positions(log, given), PROJECTION_VERSIONS[view]
    cursors = log.read_partition_cursors(view, build)
    if has_reached(cursors, goal):
        return cursors
    if any(log.read_partition_info(partition).position < position for partition, position in goal.items()):
        raise Problem("as-of-unknown")
    try:
        place = prefer.acquire_request_slot("projection")
    except NoSlotError:
        place = None
    if place is not None:
        try:
            until = time.monotonic() + LONGEST_WAIT
            while not has_reached(cursors, goal) and time.monotonic() < until and not prefer.get_change_feed().closing:
                time.sleep(POLL_PAUSE)
                cursors = log.read_partition_cursors(view, build)
        finally:
            place.release()
    if not has_reached(cursors, goal):
        raise Problem("projection-behind", as_of=encode_consistency_token(cursors))
    return cursors
