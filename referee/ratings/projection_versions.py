"""The build of each projection: workers write it and the API reads it."""

from __future__ import annotations

import hashlib

PROJECTION_VERSIONS = {"lobby": 1, "summary": 1, "awaited": 2, "standings": 2, "cards": 1, "dice": 1}
DIGEST_NAME = "digest"  # the sum that shows whether any row behind it has changed
DIGEST_MODULUS = 2**48


def compute_row_digest(match: str, row: bytes) -> int:
    """Return what a row adds to a digest.

    The digest is the sum of these numbers modulo DIGEST_MODULUS, so the order of the rows does not matter.
    """
    return int.from_bytes(hashlib.sha256(match.encode() + b"\0" + row).digest()[:6], "big")
