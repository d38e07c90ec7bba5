"""Long polls: an answer that waits for the next entry, as long as is asked for and no longer."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.streaming import moved, quick


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


def strangers(app: Flask, table: Table) -> tuple[Person, ...]:
    """The seats of a table, asked for from other connections than its own."""
    return tuple(Person(app.test_client(), person.token) for person in table.seats)


def later(seconds: float, what: Any) -> None:
    threading.Timer(seconds, what).start()


@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
def test_a_long_poll_waits_for_the_next_entry(app: Flask, kind: str) -> None:
    table = house.opened(app, visibility="public")
    before = table.version
    other = Table(table.match, table.anyone, table.host, strangers(app, table), ())
    began = time.monotonic()
    later(0.2, lambda: moved(other))
    answer = Person(app.test_client()).get(f"{table.path}/entries?after={before}", Prefer="wait=20", Accept=kind)
    assert 0.15 < time.monotonic() - began < 15
    assert answer.headers["Preference-Applied"] == "wait=20"
    assert answer.content_type == kind
    assert json.loads(answer.data.splitlines()[0]) if kind != "application/json" else answer.json["items"]  # type: ignore[index]
    assert app.config["CHANGE_FEED"].held_slots == 0


@pytest.mark.parametrize(
    ("prefer", "applied"),
    [
        ("wait=0", "wait=0"), ("wait=99999999", "wait=30"), ('respond-async, wait="1"', "wait=1"),
        ("Wait = 1; x", "wait=1"), ("wait", None), ("wait=-1", None), ("wait=1.5", None), ("await=1", None),
        ("wait=²", None), ("", None),
    ],
)  # fmt: skip
def test_a_preference_is_followed_if_it_can_be_read(app: Flask, prefer: str, applied: str | None) -> None:
    table = house.opened(app, visibility="public")
    answer = table.anyone.client.get(
        f"{table.path}/entries", headers={"Prefer": prefer.encode().decode("latin-1")}
    )  # there are entries, so it does not wait
    assert answer.headers.get("Preference-Applied") == applied
    assert answer.json["items"]


def test_a_long_poll_that_waits_in_vain_answers_in_time(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    visible = table.version - 3
    later(0.2, lambda: moved(table))
    for path, wait, least in ((f"after={visible + 1}", 1, 1.0), (f"after={visible + 1}&upto={visible + 1}", 20, 0.0)):
        began = time.monotonic()
        answer = Person(app.test_client()).get(f"{table.path}/entries?{path}", Prefer=f"wait={wait}")
        assert answer.json["items"] == []  # type: ignore[index]
        assert least <= time.monotonic() - began < 15
        assert answer.headers["Preference-Applied"] == f"wait={wait}"


def test_who_loses_the_right_while_waiting_is_told_nothing(app: Flask) -> None:
    table = house.opened(app, visibility="public", host_plays=False)
    host, gone = Person(app.test_client(), table.host.token), f"{table.path}/seats/0/player"
    later(0.2, lambda: host.delete(gone))
    poll = table.seats[0].get(f"{table.path}/entries?viewer=seat:0&after={table.version}", Prefer="wait=20")
    problem(poll, 401, "unauthorized")
    assert app.config["CHANGE_FEED"].held_slots == 0


def test_a_seat_that_waits_by_long_poll_is_present(app: Flask) -> None:
    table, log = house.opened(app, visibility="public"), app.config["SERVICE"].log
    poll, person = f"{table.path}/entries?viewer=seat:1&after={table.version}", table.seats[1]
    waiting = threading.Thread(target=person.get, args=(poll,), kwargs={"Prefer": "wait=30"})
    waiting.start()
    until = time.monotonic() + 20
    while log.read_present_seats(table.match) != {1}:
        assert time.monotonic() < until, "it waits, and nobody sees it"
        time.sleep(0.01)
    moved(Table(table.match, table.anyone, table.host, strangers(app, table), ()))
    waiting.join()
    assert log.read_present_seats(table.match) == {1}, "its next poll is expected"
    log.advance_clock(5_000)
    assert log.read_present_seats(table.match) == frozenset()


@pytest.mark.parametrize("who", ["onlooker", "somebody else", "at once"])
def test_no_other_poll_makes_a_seat_present(app: Flask, who: str) -> None:
    table, log = house.opened(app, visibility="public"), app.config["SERVICE"].log
    seen: list[frozenset[int]] = []
    later(0.3, lambda: seen.append(log.read_present_seats(table.match)))
    person, viewer = {
        "onlooker": (table.anyone, None),
        "somebody else": (table.seats[1], None),
        "at once": (table.seats[1], 1),
    }[who]
    after = 0 if who == "at once" else table.version
    person.get(house.seen_as(f"{table.path}/entries?after={after}", viewer), Prefer="wait=1")
    while not seen:
        time.sleep(0.05)
    assert [*seen, log.read_present_seats(table.match)] == [frozenset()] * 2
