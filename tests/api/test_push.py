"""Subscriptions of devices and webhooks of an account: the owner's alone, guarded, few."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from api.openapi.examples import REQUEST_EXAMPLES
from tests.api import house
from tests.api.ended import account
from tests.api.house import Person, problem
from tests.api.test_devices import added

BODY = REQUEST_EXAMPLES["makePushSubscription"]["browser"]["value"]
OPERATOR = "rfs_" + "o" * 43


@pytest.fixture
def app() -> Flask:
    return house.app(IS_OPERATOR=lambda token: token == OPERATOR)


def test_a_device_subscribes_once_however_often_it_asks(app: Flask) -> None:
    ada, person = account(app)
    path = f"/v1/players/{ada}/push-subscriptions"
    first, again = (person.post(path, BODY) for _ in range(2))
    assert first.status_code == 201
    assert first.json["service"] == "push.example.org"  # type: ignore[index]
    assert again.json["id"] == first.json["id"]  # type: ignore[index]
    listed: Any = person.get(path)
    assert [each["id"] for each in listed.json["items"]] == [first.json["id"]]  # type: ignore[index]
    assert "/w/abc" not in listed.text
    assert person.delete(f"{path}/{first.json['id']}").status_code == 204  # type: ignore[index]
    problem(person.delete(f"{path}/{first.json['id']}"), 404, "unknown-webhook")  # type: ignore[index]
    assert len(Person(person.client).get("/v1/push-key").json["key"]) == 87  # type: ignore[index]


def test_addresses_are_guarded_as_those_of_webhooks(app: Flask) -> None:
    ada, person = account(app)
    for url in ("https://127.0.0.1/x", "http://push.example.org/", "https://push.localhost/"):
        refused = problem(
            person.post(f"/v1/players/{ada}/push-subscriptions", {**BODY, "endpoint": url}), 422, "url-refused"
        )
        assert refused["errors"][0]["pointer"] == "/endpoint"
        problem(person.post(f"/v1/players/{ada}/webhooks", {"url": url}), 422, "url-refused")
    wrong = {**BODY, "keys": {**BODY["keys"], "auth": "A" * 30}}
    assert (
        problem(person.post(f"/v1/players/{ada}/push-subscriptions", wrong), 422, "invalid-input")["errors"][0][
            "pointer"
        ]
        == "/keys"
    )


def test_they_are_the_owners_alone(app: Flask) -> None:
    (ada, person), (_, other) = account(app), account(app)
    hook: Any = person.post(f"/v1/players/{ada}/webhooks", {"url": "https://hooks.example.org/me"}).json
    assert hook["secret"].startswith("whsec_")
    assert person.get(f"/v1/webhooks/{hook['id']}").json["id"] == hook["id"]  # type: ignore[index]
    for path in ("push-subscriptions", "webhooks"):
        problem(other.get(f"/v1/players/{ada}/{path}"), 403, "not-your-account")
        problem(Person(person.client).get(f"/v1/players/{ada}/{path}"), 401, "unauthorized")
    operator = Person(person.client, OPERATOR)
    for stranger in (other, operator):
        problem(stranger.get(f"/v1/webhooks/{hook['id']}"), 404, "unknown-webhook")
        problem(stranger.delete(f"/v1/webhooks/{hook['id']}"), 404, "unknown-webhook")
    assert operator.get("/v1/webhooks").json["items"] == []  # type: ignore[index]
    assert person.delete(f"/v1/webhooks/{hook['id']}").status_code == 204
    assert person.get(f"/v1/players/{ada}/webhooks").json["items"] == []  # type: ignore[index]


def test_an_account_has_few_webhooks_and_a_repeated_request_makes_none(app: Flask) -> None:
    ada, person = account(app)
    path, body, key = f"/v1/players/{ada}/webhooks", {"url": "https://hooks.example.org/me"}, house.fresh()
    first, again = (person.post(path, body, Idempotency_Key=key) for _ in range(2))
    assert again.json == first.json
    problem(
        person.post(path, {"url": "https://other.example.org/"}, Idempotency_Key=key), 422, "idempotency-key-reused"
    )
    for _ in range(2):
        assert person.post(path, body).status_code == 201
    problem(person.post(path, body), 409, "webhook-limit")


def test_the_webhook_of_an_account_has_no_events_to_choose(app: Flask) -> None:
    ada, person = account(app)
    made: Any = person.post(f"/v1/players/{ada}/webhooks", {"url": "https://hooks.example.org/me"}).json
    path = f"/v1/webhooks/{made['id']}"
    for lang, start in (("en", "A webhook of an account"), ("de", "Der Webhook eines Kontos")):
        refused = person.patch(path, {"events": ["match.ended"], "paused": True}, Accept_Language=lang)
        (error,) = problem(refused, 422, "invalid-input")["errors"]
        assert error["pointer"] == "/events"
        assert error["detail"].startswith(start)
    shown: Any = person.get(path).json
    assert (shown["events"], shown["status"]) == (["player.asked"], "active")
    assert person.patch(path, {"paused": True}).json["status"] == "paused"  # type: ignore[index]


def test_a_device_that_is_logged_out_is_pushed_nothing(app: Flask) -> None:
    ada, person = account(app)
    device, phone = added(ada, person)
    path = f"/v1/players/{ada}/push-subscriptions"
    assert phone.post(path, BODY).status_code == 201
    assert person.delete(f"/v1/players/{ada}/devices/{device}").status_code == 204
    assert person.get(path).json["items"] == []  # type: ignore[index]
