"""Signatures by Standard Webhooks 1.0: the vectors of its specification, and its own library as a second opinion."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from referee.infrastructure.webhooks.signing import build_headers, compute_signature, derive_secret, encode_secret

VECTORS = [
    (
        "plJ3nmyCDGBKInavdOK15jsl",
        "msg_loFOjxBNrRLzqYUf",
        1731705121,
        b'{"event_type":"ping","data":{"success":true}}',
        "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
    ),
    (
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
]
KEY = b"k" * 32


@pytest.mark.parametrize(("secret", "message", "timestamp", "body", "expected"), VECTORS)
def test_the_vectors_of_the_specification(
    secret: str, message: str, timestamp: int, body: bytes, expected: str
) -> None:
    assert compute_signature(base64.b64decode(secret), message, timestamp, body) == expected


@pytest.mark.parametrize("body", [b"{}", '{"text":"Zoë 😀"}'.encode(), b"x" * 20_000])
def test_the_standards_own_library_takes_what_we_sign(body: bytes) -> None:
    now = int(datetime.now(UTC).timestamp())
    secret = derive_secret(KEY, "wh_x", 1)
    sent = build_headers([secret], "msg_1", now, body)
    checker = Webhook(encode_secret(secret))
    if body[:1] == b"{":
        checker.verify(body, sent)
    assert checker.sign("msg_1", datetime.fromtimestamp(now, UTC), body.decode()) == sent["webhook-signature"]
    with pytest.raises(WebhookVerificationError):
        checker.verify(body + b" ", sent)
    with pytest.raises(WebhookVerificationError):
        checker.verify(body, {**sent, "webhook-id": "msg_2"})
    late = int((datetime.now(UTC) - timedelta(minutes=6)).timestamp())
    with pytest.raises(WebhookVerificationError):
        checker.verify(body, build_headers([secret], "msg_1", late, body))


def test_during_a_rotation_both_secrets_fit() -> None:
    now, old, new = int(datetime.now(UTC).timestamp()), derive_secret(KEY, "wh_x", 1), derive_secret(KEY, "wh_x", 2)
    sent = build_headers([new, old], "msg_1", now, b"{}")
    for secret in (old, new):
        Webhook(encode_secret(secret)).verify(b"{}", sent)
    with pytest.raises(WebhookVerificationError):
        Webhook(encode_secret(derive_secret(KEY, "wh_x", 3))).verify(b"{}", sent)


def test_each_webhook_and_generation_has_a_secret_of_its_own_of_the_length_that_the_standard_wants() -> None:
    secrets = {derive_secret(key, hook, n) for key in (KEY, b"j" * 32) for hook in ("wh_a", "wh_b") for n in (1, 2, 11)}
    assert len(secrets) == 12
    assert all(24 <= len(secret) <= 64 for secret in secrets)
    assert encode_secret(derive_secret(KEY, "wh_a", 1)).startswith("whsec_")
    assert base64.b64decode(encode_secret(derive_secret(KEY, "wh_a", 1)).removeprefix("whsec_")) == derive_secret(
        KEY, "wh_a", 1
    )
