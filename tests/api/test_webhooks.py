"""Webhooks over HTTP: who may keep them, what they may be, that writes may be repeated, and what was sent."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from jsonschema_rs import Draft202012Validator
from standardwebhooks import Webhook

from api.resources.health.routes import load_contract
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.webhooks.models import (
    ASKED,
    EVENTS,
    HOOK_LIFETIME_MS,
    MAX_HOOKS_PER_MATCH,
    TEST,
    partition_of_id,
)
from referee.infrastructure.webhooks.registry import WebhookRegistry
from referee.infrastructure.webhooks.signing import derive_secret
from referee.infrastructure.webhooks.url_policy import parse_networks
from tests.api import house
from tests.api.contracted import close_answers
from tests.api.house import Person, Table, problem
from tests.service import house as desks
from tests.workers.posting import Sent, post, rows
from workers.webhooks.dispatcher import Dispatcher
from workers.webhooks.notifications import NotificationSource

OPERATOR = "rfs_" + "o" * 43
URL = "https://hooks.example.org/in?token=a"
WIDE = {"url": URL, "events": ["match.opened", "match.ended"]}
HOOKS = "/v1/webhooks"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def app(log: MemoryLog) -> Flask:
    return house.app(desks.service(log), IS_OPERATOR=lambda token: token == OPERATOR, LOG_LEVEL="info")


@pytest.fixture
def operator(app: Flask) -> Person:
    return Person(app.test_client(), OPERATOR)


@pytest.fixture
def table(app: Flask) -> Table:
    return house.opened(app, visibility="public")


def narrow(table: Table, *events: str, **more: Any) -> dict[str, Any]:
    return {"url": URL, "events": list(events or EVENTS), "match": table.match, **more}


def made(person: Person, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = person.post(HOOKS, body, **headers)
    assert answer.status_code == 201, answer.text
    return dict(answer.json)  # type: ignore[arg-type]


def office(app: Flask, log: MemoryLog, sender: Any = None) -> Dispatcher:
    return Dispatcher(log, sender or Sent(), app.config["WEBHOOK_KEY"], threads=0, chance=lambda: 0.0)


# -- who may --------------------------------------------------------------------------------------------------------


def test_the_operator_keeps_webhooks_for_all_and_a_host_for_his_match(operator: Person, table: Table) -> None:
    wide, own = made(operator, WIDE), made(table.host, narrow(table))
    assert wide["match"] is None
    assert wide["expires_at"] is None
    assert own["match"] == table.match
    assert own["expires_at"] is not None
    assert operator.get(HOOKS).json["items"] == [{k: v for k, v in wide.items() if k != "secret"}]  # type: ignore[index]
    mine: Any = table.host.get(f"{HOOKS}?match={table.match}").json
    assert [hook["id"] for hook in mine["items"]] == [own["id"]]
    assert "secret" not in mine["items"][0]
    named = made(operator, narrow(table))
    both: Any = operator.get(f"{HOOKS}?match={table.match}").json
    assert {hook["id"] for hook in both["items"]} == {own["id"], named["id"]}
    again: Any = table.host.get(f"{HOOKS}?match={table.match}").json
    assert [hook["id"] for hook in again["items"]] == [own["id"]]  # the operator's is no business of his


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_nobody_else_makes_or_lists_any(app: Flask, operator: Person, visibility: str) -> None:
    table, other = house.opened(app, visibility=visibility), house.opened(app)
    client, body = app.test_client(), narrow(table)
    query = f"{HOOKS}?match={table.match}"
    outside = (401, "unauthorized") if visibility == "public" else (404, "unknown-match")
    for person, expected in (
        (Person(client), (401, "unauthorized")),
        (Person(client, "rfs_short"), (401, "unauthorized")),
        (Person(client, "rfs_" + "x" * 43), outside),
        (other.host, outside),
        (table.seats[0], (403, "host-only")),
        (operator, None if visibility == "public" else (404, "unknown-match")),
    ):
        if expected is not None:
            problem(person.post(HOOKS, body), *expected)
            problem(person.get(query), *expected)
    for person in (table.host, table.seats[0], Person(client, "rfs_" + "x" * 43)):
        problem(person.post(HOOKS, WIDE), 403, "operator-only")
        problem(person.get(HOOKS), 403, "operator-only")
    for unknown in ("07-" + "x" * 26, "99-" + "x" * 26, "x", ""):
        problem(operator.post(HOOKS, {**body, "match": unknown}), 404, "unknown-match")
        problem(table.host.get(f"{HOOKS}?match={unknown}"), 404, "unknown-match")
    assert table.host.get(query).json == {"items": []}


CALLS: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("PATCH", "", {"paused": True}),
    ("DELETE", "", None),
    ("POST", "/test", None),
    ("GET", "/deliveries", None),
    ("POST", "/deliveries/msg_00" + "a" * 24 + "/redelivery", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_whoever_may_not_know_of_a_webhook_is_told_that_there_is_none(
    app: Flask, operator: Person, table: Table, method: str, path: str, body: Any
) -> None:
    other = house.opened(app, visibility="public")
    wide, own, named = made(operator, WIDE), made(table.host, narrow(table)), made(operator, narrow(table))
    client = app.test_client()
    strangers = (*table.seats, *other.seats, other.host, Person(client, "rfs_" + "x" * 43))
    cases = [(own, strangers), (wide, (*strangers, table.host)), (named, (*strangers, table.host))]
    for hook, people in cases:
        problem(Person(client).ask(method, f"{HOOKS}/{hook['id']}{path}", body), 401, "unauthorized")
        for person in people:
            refused = problem(person.ask(method, f"{HOOKS}/{hook['id']}{path}", body), 404, "unknown-webhook")
            unknown = problem(person.ask(method, f"{HOOKS}/wh_07{'a' * 24}{path}", body), 404, "unknown-webhook")
            same = {"instance", "request_id"}
            assert {k: v for k, v in refused.items() if k not in same} == {
                k: v for k, v in unknown.items() if k not in same
            }
    for name in ("nonsense", "wh_99" + "a" * 24, "msg_00" + "a" * 24):
        problem(operator.ask(method, f"{HOOKS}/{name}{path}", body), 404, "unknown-webhook")
    for hook in (wide, own, named):
        now: Any = operator.get(f"{HOOKS}/{hook['id']}").json
        assert now["status"] == "active"


def test_a_hosts_webhook_dies_with_his_token(app: Flask, log: MemoryLog, table: Table) -> None:
    own = made(table.host, narrow(table))
    log.revoke_grants(table.match, list(log.read_grants(table.match)))
    problem(table.host.get(f"{HOOKS}/{own['id']}"), 404, "unknown-webhook")


# -- what may be ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    ["http://example.org/", "https://127.0.0.1/", "https://[::ffff:10.0.0.1]/", "https://2130706433/",
     "https://user:pw@example.org/", "https://localhost/", "https://example.org:22/", "https://example.org/#x"],
)  # fmt: skip
def test_a_url_that_leads_inside_is_refused_and_nothing_is_kept(operator: Person, url: str) -> None:
    body = problem(operator.post(HOOKS, {**WIDE, "url": url}), 422, "url-refused")
    assert body["errors"][0]["pointer"] == "/url"
    assert url not in json.dumps(body)
    hook = made(operator, WIDE)
    problem(operator.patch(f"{HOOKS}/{hook['id']}", {"url": url}), 422, "url-refused")
    assert [kept["url"] for kept in operator.get(HOOKS).json["items"]] == [URL]  # type: ignore[index]


def test_the_allow_list_opens_what_it_names(log: MemoryLog) -> None:
    app = house.app(
        desks.service(log), IS_OPERATOR=lambda token: token == OPERATOR, WEBHOOK_ALLOW=parse_networks(["127.0.0.1"])
    )
    operator = Person(app.test_client(), OPERATOR)
    made(operator, {**WIDE, "url": "http://127.0.0.1:9000/"})
    problem(operator.post(HOOKS, {**WIDE, "url": "http://127.0.0.2:9000/"}), 422, "url-refused")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"events": []}, "/events"),
        ({"events": ["match.opened", "match.opened"]}, "/events"),
        ({"events": ["webhook.test"]}, "/events/0"),
        ({"events": "match.opened"}, "/events"),
        ({"url": "nonsense"}, "/url"),
        ({"url": 7}, "/url"),
        ({"secret": "whsec_x"}, "/secret"),
    ],
)
def test_what_does_not_fit_the_contract_is_named(operator: Person, change: dict[str, Any], pointer: str) -> None:
    body = problem(operator.post(HOOKS, {**WIDE, **change}), 422, "invalid-input")
    assert pointer in [error["pointer"] for error in body["errors"]]
    assert operator.get(HOOKS).json == {"items": []}


def test_there_may_be_only_so_many_for_a_match(table: Table) -> None:
    for _ in range(MAX_HOOKS_PER_MATCH):
        made(table.host, narrow(table))
    problem(table.host.post(HOOKS, narrow(table)), 409, "webhook-limit")


# -- repeated and changed --------------------------------------------------------------------------------------------


def test_a_repeated_request_gets_the_same_webhook_and_secret(operator: Person, log: MemoryLog) -> None:
    first = operator.post(HOOKS, WIDE, Idempotency_Key="k" * 22)
    again = operator.post(HOOKS, WIDE, Idempotency_Key="k" * 22)
    assert first.json == again.json
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    log.advance_clock(5)
    log._answers.clear()  # as after a crash between keeping it and noting the answer
    crashed = operator.post(HOOKS, WIDE, Idempotency_Key="k" * 22)
    assert crashed.json == first.json
    assert crashed.headers["Idempotency-Replayed"] == "true"
    assert len(operator.get(HOOKS).json["items"]) == 1  # type: ignore[index]
    other = {**WIDE, "events": ["match.ended"]}
    problem(operator.post(HOOKS, other, Idempotency_Key="k" * 22), 422, "idempotency-key-reused")
    log._answers.clear()
    problem(operator.post(HOOKS, other, Idempotency_Key="k" * 22), 422, "idempotency-key-reused")
    problem(operator.post(HOOKS, WIDE, Idempotency_Key=""), 400, "idempotency-key-missing")


def test_the_secret_is_kept_nowhere_and_told_once(operator: Person, app: Flask, log: MemoryLog, capsys: Any) -> None:
    hook = made(operator, WIDE)
    secret = hook["secret"]
    assert secret.startswith("whsec_")
    told = operator.get(f"{HOOKS}/{hook['id']}").text + operator.get(HOOKS).text
    operator.post(f"{HOOKS}/{hook['id']}/test")
    post(office(app, log))
    told += operator.get(f"{HOOKS}/{hook['id']}/deliveries").text
    kept = str([part.views for part in log._partitions]) + str(log._answers)
    logged = capsys.readouterr()
    for where in (told, kept, logged.err, logged.out):
        assert secret.removeprefix("whsec_") not in where
        assert derive_secret(app.config["WEBHOOK_KEY"], hook["id"], 1).hex() not in where
    assert "token=a" not in logged.err


def test_a_rotation_gives_a_new_secret_and_both_sign(operator: Person, app: Flask, log: MemoryLog) -> None:
    hook = made(operator, WIDE)
    path = f"{HOOKS}/{hook['id']}"
    rotated: Any = operator.patch(path, {"rotate_secret": True}, Idempotency_Key="k" * 22).json
    again = operator.patch(path, {"rotate_secret": True}, Idempotency_Key="k" * 22)
    assert again.json == rotated
    assert again.headers["Idempotency-Replayed"] == "true"
    log._answers.clear()
    assert operator.patch(path, {"rotate_secret": True}, Idempotency_Key="k" * 22).json == rotated
    assert rotated["secret"] != hook["secret"]
    assert rotated["both_secrets_until"] is not None
    problem(operator.patch(path, {"paused": True}, Idempotency_Key="k" * 22), 422, "idempotency-key-reused")
    operator.post(f"{path}/test")
    sender = Sent()
    post(office(app, log, sender))
    (sent,) = sender.sent
    for secret in (hook["secret"], rotated["secret"]):
        signed = [name.partition(",")[2] for name in sent["webhook-signature"].split()]
        from datetime import UTC, datetime

        at = datetime.fromtimestamp(int(sent["webhook-timestamp"]), UTC)
        assert Webhook(secret).sign(sent["webhook-id"], at, sent["body"].decode()).partition(",")[2] in signed


def test_what_is_changed_is_changed_and_the_rest_stays(table: Table, log: MemoryLog) -> None:
    own = made(table.host, narrow(table))
    path = f"{HOOKS}/{own['id']}"
    log.advance_clock(1000)
    changed: Any = table.host.patch(path, {"events": ["match.ended"], "url": "https://other.example.org/"}).json
    assert (changed["url"], changed["events"]) == ("https://other.example.org/", ["match.ended"])
    assert changed["expires_at"] > own["expires_at"]
    assert changed["created_at"] == own["created_at"]
    assert "secret" not in changed
    assert table.host.get(path).json == changed
    log.advance_clock(HOOK_LIFETIME_MS)
    problem(table.host.get(path), 404, "unknown-webhook")


def test_a_webhook_is_paused_and_goes_on(operator: Person, app: Flask, log: MemoryLog) -> None:
    hook = made(operator, WIDE)
    path = f"{HOOKS}/{hook['id']}"
    assert operator.patch(path, {"paused": True}).json["status"] == "paused"  # type: ignore[index]
    problem(operator.post(f"{path}/test"), 409, "webhook-off")
    house.opened(app, visibility="public")
    sender = Sent()
    post(office(app, log, sender))
    assert sender.sent == []
    assert operator.patch(path, {"paused": False}).json["status"] == "active"  # type: ignore[index]
    WebhookRegistry(log).update_health(hook["id"], lambda was: replace(was, since_ms=log.now(), disabled="gone"))
    off: Any = operator.get(path).json
    assert (off["status"], off["disabled_because"]) == ("disabled", "gone")
    problem(operator.post(f"{path}/test"), 409, "webhook-off")
    assert operator.patch(path, {"paused": False}).json["status"] == "active"  # type: ignore[index]


def test_a_deleted_webhook_is_gone(operator: Person, log: MemoryLog) -> None:
    hook = made(operator, WIDE)
    path = f"{HOOKS}/{hook['id']}"
    operator.post(f"{path}/test")
    assert operator.delete(path).status_code == 204
    problem(operator.get(path), 404, "unknown-webhook")
    problem(operator.delete(path), 404, "unknown-webhook")
    assert operator.get(HOOKS).json == {"items": []}
    assert log.read_projection(partition_of_id(hook["id"]), "webhooks", 1, f"d:{hook['id']}") == {}


# -- deliveries --------------------------------------------------------------------------------------------------------


@pytest.fixture
def woken(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The partitions for which a drain was asked."""
    asked: list[int] = []
    monkeypatch.setattr(app.config["SERVICE"].appender, "wake", asked.append)
    return asked  # type: ignore[return-value]


def test_a_test_is_sent_once_per_key(operator: Person, app: Flask, log: MemoryLog, woken: list[int]) -> None:
    hook = made(operator, WIDE)
    path = f"{HOOKS}/{hook['id']}"
    first = operator.post(f"{path}/test", Idempotency_Key="k" * 22)
    again = operator.post(f"{path}/test", Idempotency_Key="k" * 22)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json["id"] == again.json["id"]  # type: ignore[index]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert woken == [partition_of_id(hook["id"])] * 2
    sender = Sent()
    post(office(app, log, sender))
    assert sender.types == [TEST]
    assert sender.sent[0]["data"] == {"webhook": hook["id"]}
    found: Any = operator.get(f"{path}/deliveries").json
    (row,) = found["items"]
    assert (row["status"], row["attempts"], row["last_attempt"]["status"]) == ("delivered", 1, 204)
    assert row["message"]["type"] == TEST
    assert found["lost"] == 0


def test_deliveries_are_listed_in_pages_the_newest_first(app: Flask, log: MemoryLog, table: Table) -> None:
    own = made(table.host, narrow(table))
    table.end("abandoned")
    path = f"{HOOKS}/{own['id']}/deliveries"
    log.advance_clock(5)
    for _ in range(4):
        assert table.host.post(f"{HOOKS}/{own['id']}/test").status_code == 202
        log.advance_clock(5)
    post(office(app, log, Sent()))
    whole: Any = table.host.get(path).json
    assert len(whole["items"]) == len(rows(log, WebhookRegistry(log).find_hook(own["id"]))) == 5  # type: ignore[arg-type]
    assert whole["next_cursor"] is None
    names = [row["id"] for row in whole["items"]]
    first = table.host.get(f"{path}?limit=2")
    second: Any = table.host.get(f"{path}?limit=200&after={first.json['next_cursor']}").json  # type: ignore[index]
    assert [row["id"] for row in (*first.json["items"], *second["items"])] == names  # type: ignore[index]
    assert 'rel="next"' in first.headers["Link"]
    assert whole["items"][0]["created_at"] > whole["items"][-1]["created_at"] or len(set(names)) == 5
    problem(table.host.get(f"{path}?limit=0"), 422, "invalid-input")
    problem(table.host.get(f"{path}?after=x"), 422, "invalid-input")
    gone: Any = table.host.get(f"{path}?after=msg_07{24 * 'a'}").json
    assert (gone["items"], gone["next_cursor"]) == ([], None)  # no page comes twice when the oldest are dropped


def test_a_message_is_sent_once_more_under_the_same_id(operator: Person, app: Flask, log: MemoryLog) -> None:
    hook = made(operator, WIDE)
    path, sender = f"{HOOKS}/{hook['id']}", Sent()
    test: Any = operator.post(f"{path}/test").json
    at = office(app, log, sender)
    post(at)
    again = operator.post(f"{path}/deliveries/{test['id']}/redelivery", Idempotency_Key="k" * 22)
    assert again.status_code == 202
    assert again.json["status"] == "pending"  # type: ignore[index]
    post(at)
    replayed = operator.post(f"{path}/deliveries/{test['id']}/redelivery", Idempotency_Key="k" * 22)
    assert replayed.headers["Idempotency-Replayed"] == "true"
    post(at)
    assert sender.ids == [test["id"]] * 2
    assert sender.sent[0]["body"] == sender.sent[1]["body"]
    for unknown in ("msg_00" + "a" * 24, "msg_99" + "a" * 24, "nonsense", hook["id"]):
        problem(operator.post(f"{path}/deliveries/{unknown}/redelivery"), 404, "unknown-delivery")
    other = made(operator, WIDE)
    problem(operator.post(f"{HOOKS}/{other['id']}/deliveries/{test['id']}/redelivery"), 404, "unknown-delivery")


# -- the contract --------------------------------------------------------------------------------------------------


def test_the_contract_has_every_message_and_what_is_sent_fits_it(app: Flask, log: MemoryLog, table: Table) -> None:
    told: dict[str, Any] = load_contract(app)
    assert set(told["webhooks"]) == {*EVENTS, TEST, ASKED}
    operations = [hook["post"]["operationId"] for hook in told["webhooks"].values()]
    assert len(set(operations)) == len(operations)
    hts = house.opened(app, "here_to_slay", 3, visibility="public")
    from tests.api.test_playing import GIVING_UP

    dice = random.Random(5)
    for _ in range(60):
        seat = next((seat for seat in hts.awaited if isinstance(seat, int)), None)
        if seat is None:
            break
        listed = [each["move"] for each in hts.moves(seat)["legal"]]
        going_on = [move for move in listed if move["type"] not in GIVING_UP]
        assert hts.move(seat, dice.choice(going_on)).status_code == 201
    hts.end("abandoned")
    seen: set[str] = set()
    for version in range(1, hts.version + 1):
        for happening in NotificationSource(log).collect_notifications(hts.match, version):
            message = json.loads(json.dumps(happening.body))
            name = told["webhooks"][message["type"]]["post"]["requestBody"]["content"]["application/json"]["schema"]
            wrong = list(
                Draft202012Validator({**name, "components": close_answers(told["components"])}).iter_errors(message)
            )
            assert not wrong, (message, wrong)
            seen.add(message["type"])
    assert seen >= {"match.opened", "match.started", "match.ended", "seat.awaited"}
    assert {"window.opened", "window.closed"} & seen
