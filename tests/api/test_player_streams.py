"""What all matches of a player ask: a list, a stream for all of them, and tickets for browsers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.contracted import fit
from tests.api.ended import account, led, table_of
from tests.api.house import Person, Table, problem
from tests.api.streaming import BEAT, Heard, ended, moved, quick

Told = tuple[str, str | None, Any]


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


def events(person: Person, path: str, **headers: str) -> Iterator[list[Told]]:
    """What the stream of a player sends, chunk by chunk; an empty one is a heartbeat."""
    answer = person.get(path, **headers)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "text/event-stream"
    for chunk in answer.response:
        found: list[Told] = []
        for block in chunk.decode().split("\n\n")[:-1]:  # type: ignore[union-attr]
            lines = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
            if "data" in lines:
                found.append((lines["event"], lines.get("id"), json.loads(lines["data"])))
                fit("PlayerEvents", {found[-1][0]: found[-1][2]})
        yield found


def heard(stream: Iterator[list[Told]]) -> list[Told]:
    """What comes next."""
    return next(batch for batch in stream if batch)


def awaited(table: Table) -> int:
    return next(seat for seat in table.awaited if isinstance(seat, int))


def test_the_list_says_what_each_open_match_asks_now(app: Flask) -> None:
    ada, person = account(app, "Ada")
    over, lobby, running = (table_of(app, person, None, begin=begin) for begin in (True, False, True))
    ended(over)
    path = f"/v1/players/{ada}/matches/open"
    for _ in range(2):  # before and after a projection has read that one is over
        items: Any = person.get(path).json["items"]  # type: ignore[index]
        assert {each["match"]: each["status"] for each in items} == {lobby.match: "lobby", running.match: "running"}
        led(app)
    mine = next(each for each in items if each["match"] == running.match)
    told = ("match", "game", "variant", "status", "seats", "version", "awaited", "asks", "until")
    assert set(mine) == set(told), "nothing of the table"
    assert (mine["seats"], mine["version"], mine["awaited"]) == ([0], running.version, awaited(running) == 0)
    while awaited(running) != 0:
        moved(running)
    asked: Any = person.get(f"{path}?awaiting=me").json["items"]  # type: ignore[index]
    assert [(each["match"], each["asks"]) for each in asked] == [(running.match, ["move"])]


def test_what_the_table_asks_counts_too_and_nobody_else_reads_the_list(app: Flask) -> None:
    ada, person = account(app)
    table = table_of(app, person, None)
    path = f"/v1/players/{ada}/matches/open?awaiting=me"
    proposed = table.host.post(f"{table.path}/end", {"reason": "agreed"}, If_Match="*")
    assert proposed.status_code == 201, proposed.text
    (asked,) = person.get(path).json["items"]  # type: ignore[index]
    assert set(asked["asks"]) - {"move"}
    problem(account(app)[1].get(path), 403, "not-your-account")
    problem(Person(person.client).get(path), 401, "unauthorized")


def test_one_stream_tells_of_all_matches_and_resumes(app: Flask) -> None:
    ada, person = account(app)
    first, second = (table_of(app, person, None) for _ in range(2))
    path = f"/v1/players/{ada}/stream"
    stream = events(person, path)
    ((kind, number, listed),) = heard(stream)
    assert (kind, {each["match"] for each in listed["items"]}) == ("matches", {first.match, second.match})
    moved(second)
    kind, later, changed = heard(stream)[-1]
    assert (kind, changed["match"], changed["version"]) == ("match", second.match, second.version)
    assert later != number
    third = table_of(app, person, None, begin=False)
    assert heard(stream)[-1][2]["match"] == third.match
    resumed: Any = person.get(path, Last_Event_ID=str(number))
    assert b"event: matches" in b"".join(next(resumed.response) for _ in range(2))
    ended(first)
    told = heard(stream)
    while told[-1][2]["status"] == "running":
        told = heard(stream)
    _, last, over = told[-1]
    assert (over["match"], over["awaited"]) == (first.match, False)
    again = events(person, f"{path}?after={last}")
    assert [next(again) for _ in range(3)] == [[], [], []]  # nothing is told twice
    assert third.seats[0].delete(f"{third.path}/seats/0/player").status_code == 204
    assert [each[0] for each in heard(again)] == ["left"]
    problem(person.get(path, Last_Event_ID="x"), 400, "header-malformed")


def test_the_stream_of_a_device_that_is_logged_out_ends(app: Flask) -> None:
    ada, person = account(app)
    stream = events(person, f"/v1/players/{ada}/stream")
    heard(stream)
    assert app.config["CHANGE_FEED"].held_slots == 1
    device: Any = person.get(f"/v1/players/{ada}/devices").json["items"][0]  # type: ignore[index]
    assert person.delete(f"/v1/players/{ada}/devices/{device['id']}").status_code == 204
    assert not any(stream)


def test_a_ticket_opens_one_stream_once(app: Flask) -> None:
    ada, person = account(app)
    table = table_of(app, person, None, visibility="private")
    nobody, key = Person(person.client), house.fresh()
    for owner, path, query in (
        (person, f"/v1/players/{ada}", ""), (person, table.path, "?viewer=seat:0"),
        (table.seats[0], table.path, "?viewer=seat:0"), (table.seats[1], table.path, ""),
    ):  # fmt: skip
        made: Any = owner.post(f"{path}/stream-tickets{query}", Idempotency_Key=key)
        assert made.status_code == 201, made.text
        again = owner.post(f"{path}/stream-tickets{query}", Idempotency_Key=key)
        assert (again.json, again.headers["Idempotency-Replayed"]) == (made.json, "true")
        assert made.json["stream"] == f"{path}/stream{f'{query}&' if query else '?'}ticket={made.json['ticket']}"
        assert made.json["ticket"] not in repr(app.config["SERVICE"].log._invitations)
        opened = nobody.get(made.json["stream"])
        assert opened.status_code == 200, opened.text
        next(iter(opened.response))
        opened.close()
        problem(nobody.get(made.json["stream"]), 401, "ticket-void")
    problem(nobody.post(f"{table.path}/stream-tickets?viewer=seat:0"), 401, "unauthorized")
    problem(nobody.get(f"{table.path}/view?viewer=seat:0&ticket={made.json['ticket']}"), 401, "unauthorized")


def test_a_ticket_is_good_at_its_address_alone_for_a_minute_and_while_its_token_is(app: Flask) -> None:
    table = house.opened(app, visibility="private")
    nobody, log = Person(table.anyone.client), app.config["SERVICE"].log
    seat = f"{table.path}/stream?viewer=seat:0"

    def drawn() -> str:
        return table.seats[0].post(f"{table.path}/stream-tickets?viewer=seat:0").json["ticket"]  # type: ignore[index]

    lost = drawn()
    for elsewhere in ("?", "?viewer=public&", "?viewer=seat:1&", "?viewer=full&", "?viewer=nobody&"):
        problem(nobody.get(f"{table.path}/stream{elsewhere}ticket={lost}"), 401, "ticket-void")
    found = nobody.get(f"{seat}&ticket={lost}")  # still good at its own address
    assert found.status_code == 200, found.text
    found.close()
    problem(nobody.get(f"{seat}&ticket={lost}"), 401, "ticket-void")
    late, void = drawn(), drawn()
    now = log.now
    log.now = lambda: now() + 61_000
    problem(nobody.get(f"{seat}&ticket={late}"), 401, "ticket-void")
    log.now = now
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    problem(nobody.get(f"{seat}&ticket={void}"), 404, "unknown-match")


def test_a_browser_resumes_a_seats_stream_in_its_address(app: Flask) -> None:
    table = house.opened(app)
    before = table.version
    last = moved(table)
    made: Any = table.seats[0].post(f"{table.path}/stream-tickets?viewer=seat:0").json
    stream = Heard(Person(table.anyone.client).get(f"{made['stream']}&after={before}"))
    assert [told.id for told in stream.now() if told.kind == "entry"] == list(range(before + 1, last + 1))
    assert BEAT < 1
    stream.response.close()
