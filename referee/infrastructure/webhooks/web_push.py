"""Web Push: messages for one device (RFC 8291), signed by the server (RFC 8292).

The push service sees neither the message nor whom it is for. The key of the server is not stored: it is derived from
the server's secret, so every process has it and a backup of the secret holds it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

import orjson
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
POINT_BYTES, AUTH_BYTES, SALT_BYTES, NUMBER_BYTES = 65, 16, 16, 32
RECORD_BYTES = 4096  # of one record, which holds the whole message
TTL_SECONDS = 12 * 3600  # how long the push service keeps a message for a device that is away
TOKEN_SECONDS = 12 * 3600  # how long a VAPID token is good; at most 24 hours
LAST_RECORD = b"\x02"


class PushKeysRefusedError(Exception):
    """The keys of a subscription are not what a browser gives."""


def encode_base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Return the bytes of base64url with or without padding. Raises ValueError."""
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


def encode_point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def derive_vapid_key(key: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the key that signs for this server; `key` is derived from its secret."""
    drawn = int.from_bytes(hmac.digest(key, b"vapid", "sha384"), "big")  # so much longer that no number is likelier
    return ec.derive_private_key(drawn % (CURVE_ORDER - 1) + 1, CURVE)


def encode_vapid_public_key(key: bytes) -> str:
    """Return what a browser needs to subscribe: `applicationServerKey`."""
    return encode_base64url(encode_point(derive_vapid_key(key).public_key()))


@dataclass(frozen=True, slots=True)
class PushKeys:
    """The keys of a subscription: a point of the device, and a secret of both."""

    point: bytes
    auth: bytes

    @classmethod
    def parse(cls, p256dh: str, auth: str) -> PushKeys:
        """Return the keys as a browser gives them. Raises PushKeysRefusedError."""
        try:
            keys = cls(decode_base64url(p256dh), decode_base64url(auth))
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, keys.point)
        except ValueError:
            raise PushKeysRefusedError from None
        if len(keys.point) != POINT_BYTES or len(keys.auth) != AUTH_BYTES:
            raise PushKeysRefusedError
        return keys


def encrypt_message(
    body: bytes, keys: PushKeys, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return a message encrypted for one device as one record (RFC 8188, RFC 8291).

    `own` and `salt` are drawn for each message; only a test gives them.
    """
    own, salt = own or ec.generate_private_key(CURVE), salt or os.urandom(SALT_BYTES)
    device = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, keys.point)
    sender = encode_point(own.public_key())
    info = b"WebPush: info\0" + keys.point + sender
    shared = HKDF(SHA256(), 32, keys.auth, info).derive(own.exchange(ec.ECDH(), device))
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(shared)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(shared)
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return header + AESGCM(key).encrypt(nonce, body + LAST_RECORD, None)


def build_vapid_token(key: ec.EllipticCurvePrivateKey, url: str, now: int, contact: str = "") -> str:
    """Return the signed token that names this server to a push service.

    `now` is in seconds.
    """
    parts = urlsplit(url)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now + TOKEN_SECONDS}
    if contact:
        claims["sub"] = contact
    signed = ".".join(encode_base64url(orjson.dumps(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    numbers = utils.decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    return f"{signed}.{encode_base64url(b''.join(number.to_bytes(NUMBER_BYTES, 'big') for number in numbers))}"


def build_push_headers(key: bytes, url: str, about: str, now: int, contact: str = "") -> dict[str, str]:
    """Return the headers of a push message.

    Of messages `about` the same, the push service keeps the last for a device that is away.
    """
    signer = derive_vapid_key(key)
    token = build_vapid_token(signer, url, now, contact)
    return {
        "Authorization": f"vapid t={token}, k={encode_base64url(encode_point(signer.public_key()))}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_SECONDS),
        "Topic": encode_base64url(hashlib.sha256(about.encode()).digest())[:32],
        "Urgency": "normal",
    }
