"""Devices of players that sign moves."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.match.table.signed_moves import MoveSignature
from referee.transparency.device_signatures import compute_move_digest, render_signed_text

NONCE = "5a" * 16


class Device:
    """The device of a seat, with a key of its own."""

    def __init__(self, number: int) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        self.key = self._key.public_key().public_bytes_raw().hex()

    def sign(
        self, match: str, seat: int, seen: int, root: str, move: Move, nonce: str = NONCE, link: str = ""
    ) -> MoveSignature:
        digest = compute_move_digest(nonce, encode_canonical(encode(move)))
        return MoveSignature(nonce, self._key.sign(render_signed_text(match, seat, seen, root, link, digest)).hex())


DEVICES = [Device(n + 1) for n in range(3)]
