"""Push messages at a real push service of our own, which decrypts them as a device would."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import Flask
from standardwebhooks import Webhook

from referee.eventstore.contract import partition_for_match
from referee.infrastructure.webhooks.http_client import WebhookSender
from referee.infrastructure.webhooks.url_policy import parse_networks
from referee.infrastructure.webhooks.web_push import encode_base64url, encode_point
from tests.api import house
from tests.api.ended import account, table_of
from tests.api.house import Person, Table
from tests.api.streaming import moved
from tests.infrastructure.receiver import Got, Receiver
from tests.workers.posting import post
from workers.webhooks.dispatcher import Dispatcher

NETWORKS = parse_networks(["127.0.0.1"])


class Device:
    """A device with keys of its own."""

    def __init__(self) -> None:
        self._key, self._auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": encode_base64url(encode_point(self._key.public_key())), "auth": encode_base64url(self._auth)}

    def read(self, got: Got) -> dict[str, Any]:
        """What a message says, decrypted by the other half of RFC 8291."""
        body = got.body
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + encode_point(self._key.public_key()) + sender
        secret = HKDF(SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\x02")
        return dict(json.loads(text[:-1]))


@pytest.fixture
def app() -> Flask:
    return house.app(WEBHOOK_ALLOW=NETWORKS)


@pytest.fixture
def service() -> Iterator[Receiver]:
    with Receiver() as made:
        yield made


def dispatcher(app: Flask) -> Dispatcher:
    log, key = app.config["SERVICE"].log, app.config["WEBHOOK_KEY"]
    return Dispatcher(log, WebhookSender(NETWORKS), key, threads=0, chance=lambda: 0.0)


def subscribed(app: Flask, service: Receiver, player: str, person: Person) -> Device:
    device = Device()
    body = {"endpoint": f"{service.url}/w/{player}", "keys": device.keys, "expirationTime": None}
    made = person.post(f"/v1/players/{player}/push-subscriptions", body)
    assert made.status_code == 201, made.text
    return device


def asked(table: Table, seat: int) -> None:
    """Plays until that seat is asked again."""
    moved(table)
    while seat not in table.awaited:
        moved(table)


def test_a_device_is_told_that_its_seat_is_asked_and_nothing_of_the_game(app: Flask, service: Receiver) -> None:
    ada, person = account(app, "Ada")
    table = table_of(app, person, None, begin=False)
    device = subscribed(app, service, ada, person)
    assert table.host.post(f"{table.path}/start", If_Match="*").status_code == 201
    asked(table, 0)
    at = dispatcher(app)
    post(at, partition_for_match(table.match))
    post(at, partition_for_match(table.match))
    (got,) = service.got  # of several turns, the last
    assert (got.headers["content-encoding"], got.headers["content-type"]) == ("aes128gcm", "application/octet-stream")
    assert got.headers["authorization"].startswith("vapid t=")
    assert int(got.headers["ttl"]) > 0
    assert table.match.encode() not in got.body + got.headers["topic"].encode()
    message = device.read(got)
    assert message["type"] == "player.asked"
    data = message["data"]
    assert (data["match"], data["seat"], data["asks"]) == (table.match, 0, ["move"])
    assert data["text"] == {"en": "It is your turn.", "de": "Du bist dran."}
    assert set(data) == {"match", "url", "game", "version", "seat", "asks", "text"}


def test_nobody_is_pushed_while_looking_nor_for_other_seats(app: Flask, service: Receiver) -> None:
    ada, person = account(app)
    table = table_of(app, person, None, begin=False)
    subscribed(app, service, ada, person)
    app.config["SERVICE"].log.record_visit(table.match, 0, "here", 60_000)
    table.host.post(f"{table.path}/start", If_Match="*")
    asked(table, 0)
    post(dispatcher(app), partition_for_match(table.match))
    assert service.got == []
    app.config["SERVICE"].log.record_visit(table.match, 0, "here", 0)
    proposed = table.host.post(f"{table.path}/end", {"reason": "abandoned"}, If_Match="*")
    assert proposed.status_code == 201, proposed.text
    post(dispatcher(app), partition_for_match(table.match))
    assert len(service.got) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_has_unsubscribed_is_forgotten(app: Flask, service: Receiver, status: int) -> None:
    service.answer = lambda _: (status, {}, b"")
    ada, person = account(app)
    table = table_of(app, person, None)
    subscribed(app, service, ada, person)
    asked(table, 0)
    at = dispatcher(app)
    post(at, partition_for_match(table.match))
    assert len(service.got) == 1
    assert person.get(f"/v1/players/{ada}/push-subscriptions").json["items"] == []  # type: ignore[index]
    asked(table, 0)
    post(at, partition_for_match(table.match))
    assert len(service.got) == 1


def test_what_was_not_delivered_for_half_a_day_is_given_up(app: Flask, service: Receiver) -> None:
    service.answer = lambda _: (503, {}, b"")
    ada, person = account(app)
    table, log = table_of(app, person, None), app.config["SERVICE"].log
    subscribed(app, service, ada, person)
    asked(table, 0)
    at, partition = dispatcher(app), partition_for_match(table.match)
    post(at, partition)
    now = log.now
    log.now = lambda: now() + 13 * 3600 * 1000
    post(at, partition)
    assert len(service.got) == 1
    assert at.register.find_next_due()[partition] is None


def test_a_webhook_of_an_account_gets_the_same_signed(app: Flask, service: Receiver) -> None:
    ada, person = account(app)
    made: Any = person.post(f"/v1/players/{ada}/webhooks", {"url": f"{service.url}/me"})
    assert made.status_code == 201, made.text
    table = table_of(app, person, None)
    asked(table, 0)
    post(dispatcher(app), partition_for_match(table.match))
    for got in service.got:
        at = datetime.fromtimestamp(int(got.headers["webhook-timestamp"]), UTC)
        signed = Webhook(made.json["secret"]).sign(got.headers["webhook-id"], at, got.body.decode())
        assert got.headers["webhook-signature"] == signed
    messages = [json.loads(got.body) for got in service.got]
    assert {message["data"]["match"] for message in messages} == {table.match}
    assert all(message["type"] == "player.asked" for message in messages)
    listed: Any = person.get(f"/v1/webhooks/{made.json['id']}/deliveries").json
    assert {each["status"] for each in listed["items"]} == {"delivered"}


def test_nothing_is_sent_to_a_deleted_account(app: Flask, service: Receiver) -> None:
    ada, person = account(app)
    table = table_of(app, person, None)
    subscribed(app, service, ada, person)
    assert person.delete(f"/v1/players/{ada}").status_code == 204
    asked(table, 0)
    post(dispatcher(app), partition_for_match(table.match))
    assert service.got == []
    assert ada not in repr(app.config["SERVICE"].log.read_projection(0, "webhooks", 1, "hooks"))
