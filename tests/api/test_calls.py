"""Calls of an official over HTTP: who calls, who answers, and what everybody sees meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.arbitration.calls import CALL_MS, MAX_IDLE_CALLS
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.tables import later


def refereed(app: Flask, **more: Any) -> tuple[Table, Person]:
    """A match that runs, and an arbiter whom everybody has accepted."""
    table = house.opened(app, visibility="public", **more)
    return table, table.arbiter()


def calls(table: Table, seat: int = 0, reason: str = "rules", by: Person | None = None, **headers: str) -> Any:
    return (by or table.seats[seat]).post(f"{table.path}/seats/{seat}/calls", {"reason": reason}, **headers)


def answers(table: Table, call: int, by: Person, **headers: str) -> Any:
    return by.post(f"{table.path}/calls/{call}/answer", **headers)


def read_call(table: Table, by: Person | None = None) -> Any:
    return (by or table.anyone).get(table.path).json["call"]  # type: ignore[index]


def moves(table: Table) -> Any:
    """The first legal move of the seat that is awaited."""
    seat = int(table.awaited[0])
    return table.move(seat, table.moves(seat)["legal"][0]["move"])


@pytest.mark.clause("TABLE-CALL-1", "TABLE-CALL-2")
def test_a_call_is_shown_to_everybody_and_moves_wait_until_an_official_answers(app: Flask) -> None:
    table, arbiter = refereed(app)
    assert read_call(table) is None
    seat = int(table.awaited[0])
    move = table.moves(seat)["legal"][0]["move"]
    made = calls(table, 1, "slow_play")
    assert made.status_code == 201, made.text
    number = made.json["entry"]["version"]
    assert made.json["receipt"]
    (event,) = made.json["entry"]["events"]
    assert event["type"] == "table.OfficialCalled"
    for person in (table.anyone, *table.seats, arbiter, table.host):
        seen = read_call(table, person)
        assert (seen["call"], seen["by"], seen["reason"]) == (number, 1, "slow_play")
        assert seen["since"] < seen["until"]
    assert table.awaited == []
    halted = table.seats[seat].get(f"{table.path}/seats/{seat}/moves").json["halted"]
    assert "An official has been called" in halted["en"]
    assert "Der Schiedsrichter ist gerufen" in halted["de"]
    refused = problem(table.move(seat, move), 409, "official-called")
    assert refused["ruling"]["clauses"][0]["id"] == "TABLE-CALL-2"
    done = answers(table, number, arbiter)
    assert done.status_code == 201, done.text
    assert [each["type"] for each in done.json["entry"]["events"]] == ["table.CallAnswered"]
    assert read_call(table) is None
    assert table.move(seat, move).status_code == 201


def test_a_repeated_request_gets_the_same_answer_and_calls_once(app: Flask) -> None:
    table, arbiter = refereed(app)
    made = calls(table, Idempotency_Key="once")
    again = calls(table, Idempotency_Key="once")
    assert (again.status_code, again.json["entry"]) == (201, made.json["entry"])
    problem(calls(table), 409, "call-open")
    number = made.json["entry"]["version"]
    done = answers(table, number, arbiter, Idempotency_Key="answered")
    assert answers(table, number, arbiter, Idempotency_Key="answered").json["entry"] == done.json["entry"]
    problem(answers(table, number, arbiter), 409, "call-closed")
    problem(answers(table, number + 50, arbiter), 404, "no-such-call")


@pytest.mark.clause("TABLE-CALL-1", "TABLE-OFFICE-4")
def test_nobody_calls_without_an_accepted_official_and_no_other_answers(app: Flask) -> None:
    table = house.opened(app)
    problem(calls(table), 409, "no-official")
    refused = table.arbiter(refusing=(1,))
    problem(calls(table), 409, "no-official")
    table.arbiter()
    number = calls(table).json["entry"]["version"]
    problem(answers(table, number, refused), 403, "not-accepted")
    problem(answers(table, number, table.host), 403, "not-accepted")
    problem(answers(table, number, table.seats[1]), 403, "host-or-arbiter-only")
    problem(calls(table, 0, by=table.seats[1]), 403, "not-your-seat")
    problem(table.seats[0].post(f"{table.path}/seats/0/calls", {"reason": "boredom"}), 422, "invalid-input")


def test_nobody_calls_in_the_lobby_or_after_the_end(app: Flask) -> None:
    lobby = house.opened(app, host_plays=False, start=False)
    problem(calls(lobby), 409, "not-running")
    table, _ = refereed(app)
    table.end()
    problem(calls(table), 409, "match-over")


@pytest.mark.clause("TABLE-CALL-2", "TABLE-CALL-3")
def test_the_seat_withdraws_its_call_and_after_three_it_calls_no_more(app: Flask) -> None:
    table, _ = refereed(app)
    for _ in range(MAX_IDLE_CALLS):
        number = calls(table).json["entry"]["version"]
        problem(table.seats[1].delete(f"{table.path}/seats/1/calls/{number}"), 403, "not-your-call")
        done = table.seats[0].delete(f"{table.path}/seats/0/calls/{number}")
        assert (done.status_code, done.headers["Receipt"][0]) == (204, ":")
        assert table.seats[0].delete(f"{table.path}/seats/0/calls/{number}").status_code == 204, "a repetition"
        assert moves(table).status_code == 201
    told = problem(calls(table), 409, "too-many-calls")
    assert "3 calls in this match have come to nothing" in told["detail"]
    assert calls(table, 1).status_code == 201


@pytest.mark.clause("TABLE-CALL-1", "TABLE-PROXY-1")
def test_a_proxy_calls_and_withdraws_for_its_seat(app: Flask) -> None:
    table, arbiter = refereed(app)
    assert table.seats[0].put(f"{table.path}/seats/0/proxy", {"by": "1"}).status_code == 200
    made = calls(table, 0, by=table.seats[1])
    assert (made.status_code, read_call(table)["by"]) == (201, 0)
    number = made.json["entry"]["version"]
    assert table.seats[1].delete(f"{table.path}/seats/0/calls/{number}").status_code == 204
    problem(calls(table, 0, by=table.host), 403, "not-your-seat")
    problem(calls(table, 0, by=arbiter), 403, "not-your-seat")


@pytest.mark.clause("TABLE-CALL-2", "TABLE-CALL-4")
def test_a_call_closes_by_itself_in_time_or_when_nobody_is_left_to_answer(app: Flask) -> None:
    table, arbiter = refereed(app, clocks={"move_ms": 60_000})
    moves(table)
    number = calls(table).json["entry"]["version"]
    answers(table, number, arbiter)
    moves(table)
    calls(table, 1, "conduct")
    later(table, CALL_MS)
    assert read_call(table) is None
    last = table.anyone.get(f"{table.path}/entries/{table.version}").json
    assert [each["type"] for each in last["events"]] == ["table.CallExpired"]  # type: ignore[index]
    calls(table, 1, "other")
    (official,) = table.host.get(table.path).json["officials"]  # type: ignore[index]
    assert arbiter.delete(f"{table.path}/officials/{official['official']}").status_code == 204
    assert read_call(table) is None
    moves(table)
    ends = [each["type"] for entry in entries_of(table) for each in entry["events"] if "Call" in each["type"]]
    assert ends == [
        *("table.OfficialCalled", "table.CallAnswered", "table.OfficialCalled", "table.CallExpired"),
        *("table.OfficialCalled", "table.CallMoot"),
    ]
    told = [entry["says"] for entry in entries_of(table) if "Call" in entry["events"][-1]["type"]]
    assert "weil sich jemand nicht benimmt" in told[2]["de"]
    assert "No official came in time" in told[3]["en"]


def entries_of(table: Table) -> list[Any]:
    found: Any = table.anyone.get(f"{table.path}/entries?limit=200").json
    return list(found["items"])
