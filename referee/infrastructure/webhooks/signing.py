"""Signatures of Standard Webhooks 1.0, and the secrets behind them.

A secret is not stored: it is derived from the server's own, the webhook's id and a number that grows with each
rotation.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterable

PREFIX = "whsec_"


def derive_secret(key: bytes, hook: str, generation: int) -> bytes:
    """Return the secret of a webhook: 32 bytes (the standard wants 24 to 64).

    `key` is derived from the server's secret.
    """
    return hmac.digest(key, f"secret\n{hook}\n{generation}".encode(), "sha256")


def encode_secret(secret: bytes) -> str:
    """Return the secret as its owner sees it: `whsec_` and base64."""
    return PREFIX + base64.b64encode(secret).decode()


def compute_signature(secret: bytes, message: str, timestamp: int, body: bytes) -> str:
    """Return `v1,` and the HMAC-SHA256 of `id.timestamp.body`.

    These are the symmetric signatures of Standard Webhooks 1.0.
    """
    signed = hmac.digest(secret, f"{message}.{timestamp}.".encode() + body, "sha256")
    return "v1," + base64.b64encode(signed).decode()


def build_headers(secrets: Iterable[bytes], message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a message.

    Several secrets, as during a rotation, make several signatures. `timestamp` is the time of the attempt, in seconds.
    """
    signed = " ".join(compute_signature(secret, message, timestamp, body) for secret in secrets)
    return {"webhook-id": message, "webhook-timestamp": str(timestamp), "webhook-signature": signed}
