"""Time that tables of a tournament get back, because a call of an official stopped their match."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.arbitration.calls import CALL_MS
from tests.api import house
from tests.api.evenings import Evening, opened, taken, wait

MINUTE_MS, ROUND_MS = 60_000, 30 * 60_000


@pytest.fixture
def evening() -> Evening:
    app: Flask = house.app()
    made = opened(app, plays="refereed", host_plays=False, round_ms=ROUND_MS)
    made.enter(4)
    made.start()
    return made


def read_table(evening: Evening, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = evening.read_view()["rounds"][0]["tables"][number - 1]
    return found


def call_in_match(evening: Evening) -> str:
    """Call an official in the first match, as its first seat; return where the call is."""
    table = read_table(evening)
    path = f"/v1/matches/{table['match']}"
    made = taken(evening.players[table["players"][0]].post(f"{path}/seats/0/calls", {"reason": "rules"}))
    return f"{path}/seats/0/calls/{made['entry']['version']}"


def answer(evening: Evening, call: str) -> None:
    path, number = call.split("/seats/0/calls/")
    taken(evening.host.post(f"{path}/calls/{number}/answer"))


def drop(evening: Evening, call: str) -> None:
    player = evening.players[read_table(evening)["players"][0]]
    assert player.delete(call).status_code == 204


@pytest.mark.clause("TOURNAMENT-CALL-3")
@pytest.mark.parametrize("end", [answer, drop])
def test_a_call_in_the_match_stops_the_time_of_its_table_alone(evening: Evening, end: Any) -> None:
    wait(evening, MINUTE_MS)
    left, other = (read_table(evening, number)["left_ms"] for number in (1, 2))
    assert left == other
    call = call_in_match(evening)
    wait(evening, 3 * MINUTE_MS)
    assert (read_table(evening)["left_ms"], read_table(evening)["paused"]) == (left, True)
    assert (read_table(evening, 2)["left_ms"], read_table(evening, 2)["paused"]) == (left - 3 * MINUTE_MS, False)
    end(evening, call)
    wait(evening, MINUTE_MS)
    assert (read_table(evening)["left_ms"], read_table(evening)["paused"]) == (left - MINUTE_MS, False)
    assert [read_table(evening, number)["extra_ms"] for number in (1, 2)] == [3 * MINUTE_MS, 0]
    again = call_in_match(evening)
    wait(evening, 2 * MINUTE_MS)
    end(evening, again)
    assert [read_table(evening)["extra_ms"] for _ in range(2)] == [5 * MINUTE_MS] * 2, "once for each call"


@pytest.mark.clause("TOURNAMENT-CALL-3")
def test_a_call_that_nobody_answers_gives_ten_minutes_however_late_somebody_looks(evening: Evening) -> None:
    call_in_match(evening)
    wait(evening, 25 * MINUTE_MS)
    table = read_table(evening)
    assert (table["extra_ms"], table["left_ms"], table["paused"]) == (CALL_MS, 15 * MINUTE_MS, False)
    assert not [each for each in queue_of(evening) if each["kind"] == "overtime"]
    wait(evening, 15 * MINUTE_MS)
    assert [each["table"] for each in queue_of(evening) if each["kind"] == "overtime"] == [2, 1]


def queue_of(evening: Evening) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = taken(evening.host.get(f"{evening.path}/queue"), 200)["items"]
    return found


@pytest.mark.clause("TOURNAMENT-CALL-3")
@pytest.mark.parametrize("first", ["match", "table"])
def test_two_calls_at_a_time_give_the_time_back_once(evening: Evening, first: str) -> None:
    """One in the match for minutes 1 to 5, one at the table for minutes 0 to 3."""
    player = evening.players[read_table(evening)["players"][0]]
    at_table = evening.give(player, "call", reason="rules")["entry"]
    wait(evening, MINUTE_MS)
    call = call_in_match(evening)
    wait(evening, 2 * MINUTE_MS)
    assert read_table(evening)["left_ms"] == ROUND_MS
    if first == "table":
        evening.give(evening.host, "end_call", call=at_table)
        wait(evening, 2 * MINUTE_MS)
        answer(evening, call)
        assert read_table(evening)["extra_ms"] == 5 * MINUTE_MS
    else:
        answer(evening, call)
        evening.read_view()
        wait(evening, 2 * MINUTE_MS)
        evening.give(evening.host, "end_call", call=at_table)
        assert read_table(evening)["extra_ms"] == 5 * MINUTE_MS
    assert [read_table(evening)["left_ms"] for _ in range(2)] == [ROUND_MS] * 2
