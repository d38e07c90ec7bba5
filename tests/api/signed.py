"""An app whose receipts are signed in earnest: what it answers can be checked with the public key alone."""

from __future__ import annotations

import base64
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from werkzeug.test import TestResponse

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.composition import build_receipt_signer
from referee.infrastructure.root_publisher import RootPublisher
from referee.service.match_service import MatchService
from referee.transparency.receipts import Checkpoint, Signer, verify_note
from tests.api import house
from tests.service.house import FixedDraws, identify

STORE = "1f3a1f3a1f3a1f3a"
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def signed_app(**config: Any) -> Flask:
    """The app over a log in memory, with the key of these tests."""
    log = MemoryLog()
    service = MatchService(log, FixedDraws(), build_receipt_signer(SIGNER, STORE), lambda _: None, identify)
    return house.app(service, PUBLISHER=RootPublisher(log, SIGNER, STORE), **config)


def told(note: str, match: str) -> Checkpoint:
    """What a receipt of a match says, once it is found to be signed."""
    return verify_note(note, [SIGNER.public], f"{STORE}/{match}")


def receipt_of(answer: TestResponse) -> str:
    """The receipt of a write, out of its body or its header."""
    if answer.status_code == 204:
        given = answer.headers["Receipt"]
        assert given[0] == given[-1] == ":", given
        return base64.b64decode(given[1:-1]).decode()
    return str(answer.json["receipt"])  # type: ignore[index]


def raw(text: str) -> bytes:
    """A hash as answers have it."""
    return base64.b64decode(text, validate=True)
