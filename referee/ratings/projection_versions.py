"""Which build of each view is read: the workers write it, the API reads it, and so they agree."""

from __future__ import annotations

import hashlib

PROJECTION_VERSIONS = {"lobby": 1, "summary": 1, "awaited": 2, "standings": 2, "cards": 1, "dice": 1}
DIGEST_NAME = "digest"  # the name of a sum that tells whether any row behind it has changed
DIGEST_MODULUS = 2**48


def compute_row_digest(match: str, row: bytes) -> int:
    """What a row adds to a digest: a sum of such numbers, modulo DIGESTS, is the same in whatever order rows come."""
    return int.from_bytes(hashlib.sha256(match.encode() + b"\0" + row).digest()[:6], "big")
