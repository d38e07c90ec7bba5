"""Signatures of players' devices on moves (Ed25519).

A device signs this text, six lines of which each ends with a line feed:

    referee/v1/move
    <match>
    <seat>
    <version that it looked at> <root of the log then, in hex>
    <link of the seat's chain that comes with the move, or ->
    <digest of the move>

With the root it signs all that came before the move, hidden parts included. So nobody can show a signed move after
another history than the one that its device saw. With the link, nobody can leave it out unseen. The digest is SHA-256
of "referee/v1/move|", 16 random bytes, and the move as canonical JSON. Others see the digest and not the random bytes,
so they cannot guess a hidden move from it.
"""

from __future__ import annotations

import hashlib
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LABEL = "referee/v1/move"
NONCE, PUBLIC, SIGNATURE = (re.compile(f"[0-9a-f]{{{2 * size}}}") for size in (16, 32, 64))
FIELD = 2**255 - 19
_EIGHTH = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER = frozenset({0, 1, FIELD - 1, _EIGHTH, FIELD - _EIGHTH})  # y of the eight points of order 1, 2, 4 and 8


def compute_move_digest(nonce: str, move: bytes) -> str:
    """Return the digest of a move, in hex.

    `nonce` are the random bytes in hex, `move` is canonical JSON. Raises ValueError if the nonce is not 16 bytes in
    hex.
    """
    if not NONCE.fullmatch(nonce):
        raise ValueError("the random bytes of a signed move are 16, in hex")
    return hashlib.sha256(f"{LABEL}|".encode() + bytes.fromhex(nonce) + move).hexdigest()


def render_signed_text(match: str, seat: int, seen: int, root: str, link: str, digest: str) -> bytes:
    """Return the text that a device signs.

    `root` is that of the log at version `seen`, in hex; an empty `link` stands for none.
    """
    return f"{LABEL}\n{match}\n{seat}\n{seen} {root}\n{link or '-'}\n{digest}\n".encode()


def is_signed_by(key: str, text: bytes, signature: str) -> bool:
    """Tell whether a key made this signature on a text, both in hex.

    False also if either is malformed, or the key is of small order: everybody can sign for such a key, and libraries
    differ on whether that counts.
    """
    if not PUBLIC.fullmatch(key) or not SIGNATURE.fullmatch(signature):  # `fromhex` would skip spaces
        return False
    try:
        public = bytes.fromhex(key)
        Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    y = int.from_bytes(public, "little") % 2**255  # without the sign of x
    return y < FIELD and y not in SMALL_ORDER
