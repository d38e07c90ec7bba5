"""One tap for all at a real table: a window is passed for everybody, and who objects keeps it open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from referee.arbitration.replay.replay import find_divergences
from referee.audit.checks.actors import check_actor
from referee.match.aggregate import Match
from referee.match.entries import LogEntry, effective_entries, replay_entries
from tests.api import house, tables
from tests.api.house import Person, Table
from tests.evenings import here_to_slay


def with_a_challenge_open(app: Flask, **clocks: Any) -> Table:
    """Seat 2 has announced a hero, and the others are asked."""
    table = here_to_slay.sit_down(app, **({"clocks": clocks} if clocks else {}))
    assert table.move(2, {"type": "hts.play", "card": "peanut"}).status_code == 201
    assert sorted(table.awaited) == [0, 1]
    return table


def open_window(table: Table) -> str:
    (window,) = table.host.get(f"{table.path}/windows?open=true").json["items"][-1:]  # type: ignore[index]
    return str(window["id"])


def declares(table: Table, by: Person, window: str = "", **headers: str) -> Any:
    return by.post(f"{table.path}/windows/{window or open_window(table)}/no-reaction", **headers)


def objects(table: Table, seat: int, window: str = "") -> Any:
    return table.seats[seat].post(f"{table.path}/windows/{window or open_window(table)}/objections", {})


def log_of(table: Table) -> list[LogEntry]:
    found = tables.service(table).repository.load_entries(table.match, 0, table.version)
    return list(found)


def is_flawless(table: Table) -> bool:
    """Whether a replay finds nothing wrong in the log."""
    return not list(find_divergences(log_of(table)))


@pytest.mark.clause("TABLE-TAP-1")
def test_one_person_passes_a_window_for_everybody_and_the_log_says_who(app: Flask) -> None:
    table = with_a_challenge_open(app)
    said = declares(table, table.seats[2], Idempotency_Key="k" * 24)
    assert said.status_code == 201, said.text
    assert [event["type"] for event in said.json["entry"]["events"]] == ["table.NobodyReacts"]
    passes = said.json["followed"]
    assert [(each["seat"], each["move"]["type"]) for each in passes] == [(0, "hts.pass"), (1, "hts.pass")]
    assert all(each["actor"] == {"kind": "spoken", "seat": 2} for each in passes)
    assert all("TABLE-TAP-1" in each["clauses"] for each in passes)
    assert table.moves(2)["question"]["name"] == "hts.FreeRoll"
    assert is_flawless(table)
    again = declares(table, table.seats[2], window=said.json["entry"]["events"][0]["window"], Idempotency_Key="k" * 24)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (again.json["version"], again.json["followed"]) == (said.json["version"], passes)


@pytest.mark.clause("TABLE-TAP-2")
def test_an_objection_in_time_keeps_the_window_open_for_that_seat(app: Flask) -> None:
    table = with_a_challenge_open(app, objection_ms=5000)
    window = open_window(table)
    assert declares(table, table.seats[2]).status_code == 201
    assert sorted(table.awaited) == [0, 1]  # there is time to object
    house.problem(declares(table, table.seats[0]), 409, "spoken-already")
    tables.later(table, 3000)
    assert objects(table, 1).status_code == 201
    house.problem(objects(table, 1), 409, "objected-already")
    assert sorted(table.awaited) == [0, 1]
    tables.later(table, 2000)
    assert table.awaited == [1]
    tables.later(table, 60_000)
    assert table.awaited == [1]  # nothing passes for the seat that objected
    house.problem(declares(table, table.seats[2]), 409, "all-object")
    assert table.move(1, {"type": "hts.challenge"}, window=window).status_code == 201
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-2")
def test_who_was_passed_by_mistake_opens_the_window_again(app: Flask) -> None:
    table = with_a_challenge_open(app)
    window = open_window(table)
    assert declares(table, table.seats[2]).status_code == 201
    assert table.awaited == [2]
    reopened = objects(table, 1, window)
    assert reopened.status_code == 201, reopened.text
    assert table.awaited == [1]
    assert open_window(table) == window
    assert table.move(1, {"type": "hts.challenge"}).status_code == 201
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-2")
def test_an_objection_comes_too_late_once_dice_have_shown_something(app: Flask) -> None:
    table = with_a_challenge_open(app)
    window = open_window(table)
    assert declares(table, table.seats[2]).status_code == 201
    assert table.move(2, {"type": "choose.accept"}).status_code == 201
    tables.reports(table, tables.rolled(3, 4))
    before = table.version
    house.problem(objects(table, 1, window), 409, "too-late-to-object")
    house.problem(objects(table, 2, window), 409, "not-spoken-for")  # it was never asked there
    assert table.version == before
    assert sorted(table.awaited) == [0, 1, 2]  # the window for modifiers is another one
    assert declares(table, table.seats[0]).status_code == 201
    assert table.awaited == [2]


@pytest.mark.clause("TABLE-TAP-1")
def test_no_choice_is_answered_and_no_later_window_passed(app: Flask) -> None:
    table = with_a_challenge_open(app)
    window = open_window(table)
    assert declares(table, table.seats[0]).status_code == 201
    before = table.version
    house.problem(declares(table, table.seats[0], window), 409, "window-closed")  # it is open no more
    assert table.host.get(f"{table.path}/windows?open=true").json["items"] == []  # type: ignore[index]
    assert table.version == before
    assert table.moves(2)["question"]["name"] == "hts.FreeRoll"


@pytest.mark.clause("TABLE-TAP-1")
def test_a_modifier_played_meanwhile_ends_what_was_said(app: Flask) -> None:
    table = with_a_challenge_open(app, objection_ms=5000)
    assert declares(table, table.seats[2]).status_code == 201
    tables.later(table, 5000)
    assert table.awaited == [2]
    assert table.move(2, {"type": "choose.accept"}).status_code == 201
    tables.reports(table, tables.rolled(3, 4))
    assert declares(table, table.seats[2]).status_code == 201
    played = {"type": "hts.modify", "card": "modifier_plus_4", "value": 4, "roller": 2}
    assert table.move(1, played).status_code == 201
    tables.later(table, 60_000)
    assert sorted(table.awaited) == [0, 1, 2]  # everybody may answer the modifier
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-1")
def test_nobody_speaks_for_all_where_the_match_is_not_set_so_or_nothing_is_real(app: Flask) -> None:
    own_answers = with_a_challenge_open(app, objection_ms=None)
    house.problem(declares(own_answers, own_answers.seats[0]), 409, "nobody-speaks-for-all")
    screens = house.opened(app, "here_to_slay", 3, clocks={"objection_ms": 0})
    house.problem(declares(screens, screens.seats[0], "3.1"), 409, "nobody-speaks-for-all")
    assert own_answers.host.get(own_answers.path).json["clocks"]["objection_ms"] is None  # type: ignore[index]
    house.problem(declares(own_answers, own_answers.anyone), 401, "unauthorized")


@pytest.mark.clause("TABLE-TAP-1")
def test_what_was_said_makes_no_move_stale(app: Flask) -> None:
    table = with_a_challenge_open(app, objection_ms=5000)
    seen = table.version
    assert declares(table, table.seats[2]).status_code == 201
    assert table.move(1, {"type": "hts.challenge"}, seen=seen).status_code == 201


@pytest.mark.clause("TABLE-TAP-1")
def test_a_forged_pass_by_somebody_elses_word_is_found(app: Flask) -> None:
    table = with_a_challenge_open(app)
    assert declares(table, table.seats[2]).status_code == 201
    log = log_of(table)
    at = next(place for place, entry in enumerate(log) if entry.actor == "spoken:2")
    forged = [*log[:at], replace(log[at], actor="spoken:1"), *log[at + 1 :]]
    assert [wrong.version for wrong in find_divergences(forged)] == [log[at].version]
    before = replay_entries(Match(), effective_entries(log[:at]))
    assert check_actor(before, log[at]) is None
    assert check_actor(before, replace(log[at], actor="spoken:9")) is not None
    assert check_actor(before, replace(log[at], actor="spoken")) is not None
