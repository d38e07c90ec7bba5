"""Web Push by the examples of the standards: what is encrypted, and who signs."""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

from referee.infrastructure.webhooks import web_push
from referee.infrastructure.webhooks.web_push import PushKeys, PushKeysRefusedError, decode_base64url

POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OWN, SALT = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "DGv6ra1nlYgDCS1FRnbzlw"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_rfc_8291_is_encrypted_as_it_says() -> None:
    own = ec.derive_private_key(int.from_bytes(decode_base64url(OWN), "big"), web_push.CURVE)
    text = b"When I grow up, I want to be a watermelon"
    made = web_push.encrypt_message(text, PushKeys.parse(POINT, AUTH), own, decode_base64url(SALT))
    assert made == decode_base64url(ENCRYPTED)


def test_no_two_messages_are_encrypted_alike() -> None:
    keys = PushKeys.parse(POINT, AUTH)
    assert web_push.encrypt_message(b"x", keys) != web_push.encrypt_message(b"x", keys)


@pytest.mark.parametrize(
    ("point", "auth"), [("B" * 87, AUTH), (POINT[:-4], AUTH), (POINT, "AAAA"), ("", ""), (POINT, "ä" * 22)]
)
def test_keys_that_no_browser_gives_are_refused(point: str, auth: str) -> None:
    with pytest.raises(PushKeysRefusedError):
        PushKeys.parse(point, auth)


def test_the_servers_token_is_signed_for_the_push_service_and_ends_within_a_day() -> None:
    key = b"k" * 32
    headers = web_push.build_push_headers(
        key, "https://push.example.org:8443/w/abc?x=1", "match", 1000, "mailto:a@b.org"
    )
    scheme, _, rest = headers["Authorization"].partition(" ")
    token, public = (part.partition("=")[2] for part in rest.split(", "))
    assert (scheme, public) == ("vapid", web_push.encode_vapid_public_key(key))
    signed, _, signature = token.rpartition(".")
    claims = json.loads(decode_base64url(signed.partition(".")[2]))
    assert claims == {"aud": "https://push.example.org:8443", "exp": 1000 + 12 * 3600, "sub": "mailto:a@b.org"}
    numbers = decode_base64url(signature)
    given = utils.encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    ec.EllipticCurvePublicKey.from_encoded_point(web_push.CURVE, decode_base64url(public)).verify(
        given, signed.encode(), ec.ECDSA(SHA256())
    )
    assert len(headers["Topic"]) == 32
