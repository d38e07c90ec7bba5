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
from tests.evenings import here_to_slay, munchkin


def with_a_challenge_open(app: Flask, **clocks: Any) -> Table:
    """Seat 2 has announced a hero, and the others are asked."""
    table = here_to_slay.sit_down(app, clocks=clocks or here_to_slay.AT_ONCE)
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


def claimed(app: Flask, **more: Any) -> tuple[Table, str]:
    """A combat is claimed, nobody reacts, and its treasures lie there: all written with one tap of seat 0."""
    table = munchkin.sit_down(app, **more)
    return table, claim_all(table, {})


def claim_all(table: Table, proxies: dict[int, Person]) -> str:
    """Writes all that with one tap of who moves for seat 0; the window that was passed."""
    shown = [{"move": {"type": "chance.turned_up", "card": card}} for card in ("attic_widow", "rusty_bell", "stilts")]
    before = (
        (0, {"type": "mk.kick"}, shown[:1]),
        (0, {"type": "mk.play", "card": "os_popping_corn", "side": "munchkins"}, None),
        (0, {"type": "mk.ask_help", "seat": 1, "treasures": 1}, None),
        (1, {"type": "mk.accept"}, None),
        (0, {"type": "mk.claim"}, [{"nobody_reacts": True}, *shown[1:]]),
    )
    for seat, move, reports in before:
        made: Any = table.move(seat, move, proxies.get(seat), **({} if reports is None else {"reports": reports}))
        assert made.status_code == 201, made.text
    assert [each["seat"] for each in made.json["followed"]] == ["table", 2, "chance", "chance"]
    assert table.moves(0)["question"]["name"] == "mk.Sharing"
    return str(made.json["followed"][0]["events"][0]["window"])


@pytest.mark.clause("TABLE-TAP-2")
def test_nobody_is_passed_over_in_no_time_by_cards_that_come_with_the_silence(app: Flask) -> None:
    table, window = claimed(app)
    assert table.move(0, {"type": "mk.pick", "card": "rusty_bell"}).status_code == 201  # a quick tap takes no time away
    tables.later(table, 4000)
    objected = objects(table, 2, window)
    assert objected.status_code == 201, objected.text
    assert (table.awaited, open_window(table)) == ([2, "clock"], window)
    assert is_flawless(table)
    assert table.move(2, {"type": "mk.pass"}).status_code == 201
    assert table.awaited == ["chance"], "the treasures are reported once more"


@pytest.mark.clause("TABLE-TAP-2")
@pytest.mark.parametrize("why", ["time", "others", "setting"])
def test_an_objection_to_silence_with_cards_comes_too_late(app: Flask, why: str) -> None:
    table, window = claimed(app, **({"clocks": here_to_slay.AT_ONCE} if why == "setting" else {}))
    if why == "time":
        tables.later(table, 5000)
    if why == "others":
        assert table.move(0, {"type": "mk.pick", "card": "rusty_bell"}).status_code == 201
        other = next(each["move"] for each in table.moves(1)["legal"] if each["flag"] != "gives_up")
        assert table.move(1, other).status_code == 201
    before = table.version
    house.problem(objects(table, 2, window), 409, "too-late-to-object")
    assert table.version == before


@pytest.mark.clause("TABLE-TAP-1")
@pytest.mark.parametrize(
    ("seats", "chance", "objection_ms"),
    [
        (["human"] * 3, "table", 5000),
        (["human", "human", "table"], "table", 5000),
        (["human", "table", "table"], "table", 0),
        (["table"] * 3, "table", 0),
        (["human"] * 3, {"dice": "table", "deck": "server"}, None),
        (["human"] * 3, "server", None),
    ],
)
def test_there_is_time_to_object_where_several_have_phones(
    app: Flask, seats: list[str], chance: Any, objection_ms: int | None
) -> None:
    anyone = Person(app.test_client())
    body = {"game": "here_to_slay", "seats": [{"kind": kind} for kind in seats], "chance": chance}
    made: Any = anyone.post("/v1/matches", body).json
    host, path = Person(anyone.client, made["token"]), f"/v1/matches/{made['match']}"
    assert host.get(path).json["clocks"]["objection_ms"] == objection_ms  # type: ignore[index]
    for clocks in ({"window_ms": 60_000}, {"window_ms": 60_000, "objection_ms": 3000}):
        changed: Any = host.patch(path, {"clocks": clocks}, If_Match="*").json
        assert changed["clocks"]["objection_ms"] == clocks.get("objection_ms", objection_ms)
    two = [{"kind": "human"}, {"kind": "human"}, {"kind": "table"}]
    if chance == "table":
        both = host.patch(path, {"seats": two, "clocks": {"window_ms": 60_000}}, If_Match="*").json
        assert both["clocks"]["objection_ms"] == 5000  # type: ignore[index]


@pytest.mark.clause("TABLE-TAP-2")
def test_the_host_who_moves_for_a_seat_without_a_phone_takes_no_time_away(app: Flask) -> None:
    table, window = claimed(app, chairs=[{"kind": kind} for kind in ("table", "human", "human")])
    assert table.move(0, {"type": "mk.pick", "card": "rusty_bell"}).status_code == 201
    objected = objects(table, 2, window)
    assert objected.status_code == 201, objected.text
    assert open_window(table) == window
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-2")
def test_who_moves_for_a_friend_takes_no_time_away(app: Flask) -> None:
    table = munchkin.sit_down(app)
    assert table.seats[0].put(f"{table.path}/seats/0/proxy", {"by": "1"}, If_Match="*").status_code == 200
    window = claim_all(table, {0: table.seats[1]})
    assert table.move(0, {"type": "mk.pick", "card": "rusty_bell"}, table.seats[1]).status_code == 201
    assert objects(table, 2, window).status_code == 201
    assert is_flawless(table)
