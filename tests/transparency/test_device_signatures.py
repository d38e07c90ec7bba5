"""Signatures of devices: which keys sign nothing."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.audit import standalone
from referee.transparency.device_signatures import FIELD, SMALL_ORDER, is_signed_by

CANONICAL = [(y | sign << 255).to_bytes(32, "little") for y in sorted(SMALL_ORDER) for sign in (0, 1)]
UNREDUCED = [(FIELD + y | sign << 255).to_bytes(32, "little") for y in (0, 1) for sign in (0, 1)]


def forge(key: bytes) -> tuple[bytes, bytes]:
    """Return a text and a signature that OpenSSL takes for one of this key, made without any secret."""
    for number in range(100):
        for point in CANONICAL:
            text, signature = b"text %d" % number, point + bytes(32)
            try:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
            except InvalidSignature:
                continue
            return text, signature
    raise AssertionError("no forgery fits")


@pytest.mark.parametrize("key", [*CANONICAL, *UNREDUCED], ids=bytes.hex)
def test_a_key_for_which_everybody_can_sign_signs_nothing(key: bytes) -> None:
    """The library of the page refuses such signatures; a server that took them would be accused by the page."""
    text, signature = forge(key)
    assert not is_signed_by(key.hex(), text, signature.hex())
    assert not standalone.is_signed_by(key.hex(), text, signature.hex())
