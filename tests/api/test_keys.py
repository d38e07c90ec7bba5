"""Idempotency: a repeated request is one entry and one answer; of two writers exactly one commits each time."""

from __future__ import annotations

import threading
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.api import house
from tests.api.house import Person, Table, fresh, problem
from tests.service import house as desks


def test_a_move_repeated_a_hundred_times_is_one_entry(table: Table) -> None:
    seat, key = table.awaited[0], fresh()
    move, version = table.moves(seat)["legal"][0]["move"], table.version
    first = table.move(seat, move, seen=version, **{"Idempotency-Key": key})
    assert first.status_code == 201
    assert "Idempotency-Replayed" not in first.headers
    after = table.version
    for _ in range(100):
        again = table.move(seat, move, seen=version, **{"Idempotency-Key": key})
        assert again.status_code == 201
        assert again.data == first.data
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.headers["ETag"] == first.headers["ETag"]
    assert table.version == after


def test_the_key_is_looked_up_before_the_precondition(table: Table) -> None:
    seat, key, version = table.awaited[0], fresh(), table.version
    move = table.moves(seat)["legal"][0]["move"]
    headers = {"Idempotency-Key": key, "If-Match": f'"v{version}"'}
    first = table.move(seat, move, **headers)
    again = table.move(seat, move, **headers)
    assert (again.status_code, again.data) == (201, first.data)
    problem(table.move(seat, move, **{"If-Match": f'"v{version}"'}), 412, "stale-version")


def test_the_same_key_with_another_body_is_refused(table: Table) -> None:
    seat, key = table.awaited[0], fresh()
    move = table.moves(seat)["legal"][0]["move"]
    assert table.move(seat, move, **{"Idempotency-Key": key}).status_code == 201
    version = table.version
    other = {"type": "mc.play", "card": "something"}
    problem(table.move(seat, other, **{"Idempotency-Key": key}), 422, "idempotency-key-reused")
    problem(table.move(seat, move, seen=1, **{"Idempotency-Key": key}), 422, "idempotency-key-reused")
    assert table.version == version


def test_a_refusal_uses_up_no_key(table: Table) -> None:
    seat, key = table.awaited[0], fresh()
    refused = problem(
        table.move(seat, {"type": "mc.discard_down", "cards": []}, **{"Idempotency-Key": key}), 409, "illegal-move"
    )
    way = refused["legal"][0]["move"]
    assert table.move(seat, way, **{"Idempotency-Key": f'"{key}"'}).status_code == 201


def test_two_seats_may_use_the_same_key(app: Flask) -> None:
    table = house.opened(app)
    key = fresh()
    moved: set[int] = set()
    while len(moved) < 2:
        seat = table.awaited[0]
        legal = table.moves(seat)["legal"][0]["move"]
        done = table.move(seat, legal, **{"Idempotency-Key": fresh() if seat in moved else key})
        assert done.status_code == 201
        assert "Idempotency-Replayed" not in done.headers
        moved.add(seat)


def test_table_business_is_repeated_safely(app: Flask) -> None:
    table = house.opened(app, start=False)
    for method, path, body, strict in (
        ("PATCH", "", {"visibility": "public"}, 3), ("POST", "/start", None, 4),
        ("POST", "/end", {"reason": "abandoned"}, None),
    ):  # fmt: skip
        key, version = fresh(), strict or table.version
        headers = {"If-Match": f'"v{version}"', "Idempotency-Key": key}
        answers = [table.host.ask(method, table.path + path, body, **headers) for _ in range(3)]
        assert answers[0].status_code in (200, 201), answers[0].text
        assert answers[0].data == answers[1].data == answers[2].data
        assert answers[2].headers["Idempotency-Replayed"] == "true"
    proxied = house.opened(app)
    key = fresh()
    path = f"{proxied.path}/seats/0/proxy"
    first = proxied.seats[0].put(path, {"by": "host"}, Idempotency_Key=key)
    assert proxied.seats[0].put(path, {"by": "host"}, Idempotency_Key=key).data == first.data


def test_a_match_is_withdrawn_once(app: Flask) -> None:
    table = house.opened(app, start=False)
    for _ in range(3):
        assert table.host.delete(table.path, If_Match='"v3"').status_code == 204
    assert table.host.get(table.path).json["status"] == "withdrawn"  # type: ignore[index]
    assert table.version == 4


def post(person: Person, path: str, body: Any, barrier: threading.Barrier, answers: list[TestResponse]) -> None:
    """Waits for the other one, then writes."""
    key = fresh()
    barrier.wait()
    answers.append(person.post(path, body, Idempotency_Key=key))


def test_of_two_writers_one_commits_and_the_other_is_told() -> None:
    service = desks.service()
    apps = [house.app(service), house.app(service)]
    table = house.opened(apps[0])
    rounds = 12
    for _ in range(rounds):
        seat, version = table.awaited[0], table.version
        move = table.moves(seat)["legal"][0]["move"]
        people = [Person(app.test_client(), table.seats[seat].token) for app in apps]
        barrier, answers = threading.Barrier(2), list[TestResponse]()
        path, body = f"{table.path}/seats/{seat}/moves", {"move": move, "seen": version}
        threads = [threading.Thread(target=post, args=(person, path, body, barrier, answers)) for person in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answers.sort(key=lambda answer: answer.status_code)
        assert [answer.status_code for answer in answers] == [201, 409], [answer.text for answer in answers]
        told = problem(answers[1], 409, "overtaken")
        assert told["current_version"] == table.version
        written: Any = answers[0].json
        assert written["entry"]["version"] == version + 1
        assert told["missed"][0] == written["entry"]
