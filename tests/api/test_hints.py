"""Hints over HTTP: where the host allows them, for one's own seat, told to everybody, and never a better one."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.audit.bundles.format import decode_bundle
from referee.audit.checks.verifier import check_bundle
from referee.service.hints import compute_hint
from tests.api import house
from tests.api.ended import ended
from tests.api.house import Person, Table, problem
from tests.audit import house as audited
from tests.service import house as desks


def ask(table: Table, seat: int, by: Person | None = None, **headers: str) -> TestResponse:
    """Somebody asks for a hint for a seat."""
    return (by or table.seats[seat]).post(f"{table.path}/seats/{seat}/hints", **headers)


def given(response: TestResponse) -> dict[str, Any]:
    """The hint that was given."""
    assert response.status_code == 200, response.text
    return dict(response.json)  # type: ignore[arg-type]


def find_asked(table: Table) -> int:
    """The seat of a player who is to move."""
    return next(seat for seat in table.awaited if isinstance(seat, int))


def taken(table: Table) -> list[dict[str, Any]]:
    """What everybody is told of hints."""
    found: Any = table.anyone.get(f"{table.path}/entries?limit=200").json
    return [
        {**event, "says": item["says"]}
        for item in found["items"]
        for event in item["events"]
        if event["type"] == "table.HintTaken"
    ]


@pytest.fixture
def table(app: Flask) -> Table:
    """A table whose host allows hints; anybody may look on."""
    return house.opened(app, hints=True, visibility="public")


@pytest.mark.clause("TABLE-HINT-1")
def test_nobody_gets_a_hint_unless_the_host_allows_it(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    assert table.host.get(table.path).json["hints"] is False  # type: ignore[index]
    refused = problem(ask(table, find_asked(table)), 403, "hints-not-allowed")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-HINT-1"]
    assert "Gastgeber" in ask(table, find_asked(table), Accept_Language="de").json["detail"]  # type: ignore[index]
    assert taken(table) == []


def test_the_host_changes_his_mind_before_the_start(app: Flask) -> None:
    table = house.opened(app, start=False, hints=True)

    def change(**body: Any) -> bool:
        changed = table.host.patch(table.path, body, If_Match=f'"v{table.version}"')
        assert changed.status_code == 200, changed.text
        return bool(changed.json["hints"])  # type: ignore[index]

    assert change(visibility="public")
    assert not change(hints=False)
    assert not change(visibility="private")
    assert change(hints=True)
    problem(ask(table, 0), 409, "not-running")
    table.host.post(f"{table.path}/start", If_Match="*")
    given(ask(table, find_asked(table)))
    problem(table.host.patch(table.path, {"hints": False}, If_Match=f'"v{table.version}"'), 409, "already-started")


def test_a_hint_names_moves_that_can_be_made_and_says_how_they_differ(table: Table) -> None:
    while len(table.moves(seat := find_asked(table))["legal"]) < 3:  # with giving up, there are two to compare
        assert table.move(seat, table.moves(seat)["legal"][0]["move"]).status_code == 201
    hint = given(ask(table, seat))
    legal = [each["move"] for each in table.moves(seat)["legal"]]
    first, *others = hint["options"]
    assert others
    assert first["legal"]["move"] in legal
    assert 0 <= first["estimate"] <= 1
    assert (first["behind"], first["error"]) == (None, None)
    assert first["says"].keys() == first["legal"]["told"].keys() == {"en", "de"}
    assert len(others) <= 2
    for each in others:
        assert each["legal"]["move"] in legal
        assert each["error"] >= 0
        assert each["facts"]
        assert len(each["facts"]) <= 3
    assert table.move(seat, first["legal"]["move"]).status_code == 201


@pytest.mark.clause("TABLE-HINT-1")
def test_everybody_sees_that_it_was_taken_and_only_the_seat_what_it_says(table: Table) -> None:
    seat = find_asked(table)
    before = table.version
    hint = given(ask(table, seat))
    assert table.version == hint["version"] == before + 1
    assert hint["receipt"]
    (event,) = taken(table)
    assert (event["seat"], event["at"]) == (seat, before)
    assert event["told"]["en"] == f"Player {seat + 1} has taken a hint."
    assert event["told"]["de"] == f"Spieler {seat + 1} hat sich einen Tipp geholt."
    assert f"Spieler {seat + 1} holt sich einen Tipp" in event["says"]["de"]
    entry = table.anyone.get(f"{table.path}/entries/{hint['version']}").text
    assert not any(option["legal"]["told"]["en"] in entry for option in hint["options"])


@pytest.mark.clause("TABLE-HINT-2")
def test_whoever_asks_again_gets_the_same_hint_and_no_second_entry(table: Table) -> None:
    seat = find_asked(table)
    first, again = given(ask(table, seat, Idempotency_Key="a")), given(ask(table, seat, Idempotency_Key="b"))
    assert again["options"] == first["options"]
    assert (again["about"], again["version"], again["receipt"]) == (first["about"], first["version"], None)
    repeated = ask(table, seat, Idempotency_Key="a")
    assert given(repeated) == first
    assert repeated.headers["Idempotency-Replayed"] == "true"
    other = 1 - seat
    table.seats[other].put(f"{table.path}/seats/{other}/proxy", {"by": "host"})  # the log goes on, play does not
    assert given(ask(table, seat))["options"] == first["options"]
    assert len(taken(table)) == 1


def test_a_repeated_request_gets_its_hint_even_after_the_move(table: Table) -> None:
    seat = find_asked(table)
    first = given(ask(table, seat, Idempotency_Key="mine"))
    assert table.move(seat, first["options"][0]["legal"]["move"], Idempotency_Key="moved").status_code == 201
    assert given(ask(table, seat, Idempotency_Key="mine"))["options"] == first["options"]
    problem(ask(table, seat, Idempotency_Key="moved"), 422, "idempotency-key-reused")


def test_another_position_has_a_hint_of_its_own(table: Table) -> None:
    for _ in range(3):
        seat = find_asked(table)
        assert table.move(seat, given(ask(table, seat))["options"][0]["legal"]["move"]).status_code == 201
    assert len(taken(table)) == 3
    assert len({event["at"] for event in taken(table)}) == 3


def test_nobody_takes_a_hint_for_another_seat(table: Table) -> None:
    seat = find_asked(table)
    for person in (table.seats[1 - seat], table.host):
        problem(ask(table, seat, person), 403, "not-your-seat")
    problem(ask(table, seat, table.anyone), 401, "unauthorized")
    problem(table.seats[seat].post(f"{table.path}/seats/7/hints"), 404, "unknown-seat")
    assert taken(table) == []


def test_the_host_asks_for_a_seat_without_a_phone(app: Flask) -> None:
    table = house.opened(app, chairs=[{"kind": "table"}, {"kind": "table"}], hints=True)
    assert given(ask(table, find_asked(table), table.host))["options"]


@pytest.mark.clause("TABLE-HINT-1")
def test_who_is_not_asked_gets_no_hint(table: Table) -> None:
    waiting = 1 - find_asked(table)
    problem(ask(table, waiting), 409, "no-hint-now")
    table.end()
    problem(ask(table, waiting), 409, "match-over")


def test_nothing_is_written_if_nobody_works_it_out() -> None:
    app = house.app(REQUEST_HINT=lambda *_: None)
    table = house.opened(app, hints=True, visibility="public")
    late = ask(table, find_asked(table))
    assert problem(late, 503, "hint-waiting")["seconds"] == int(late.headers["Retry-After"])
    assert taken(table) == []


def test_a_hint_on_a_position_that_is_over_is_not_given() -> None:
    desk = desks.service()
    made: list[Table] = []

    def answer(match: str, seat: int, at: int) -> dict[str, Any]:
        """The player moves while the hint is worked out."""
        (table,) = made
        assert table.move(seat, table.moves(seat)["legal"][0]["move"]).status_code == 201
        return compute_hint(desk, match, seat, at)

    table = house.opened(house.app(desk, REQUEST_HINT=answer), hints=True, visibility="public")
    made.append(table)
    overtaken = problem(ask(table, find_asked(table)), 409, "overtaken")
    assert overtaken["current_version"] == table.version
    assert taken(table) == []


@pytest.mark.clause("TABLE-HINT-2")
def test_of_two_requests_at_once_only_one_is_written() -> None:
    desk = desks.service()
    made: list[Table] = []

    def answer(match: str, seat: int, at: int) -> dict[str, Any]:
        """Another phone of the same player is faster."""
        if made:
            given(ask(made.pop(), seat))
        return compute_hint(desk, match, seat, at)

    table = house.opened(house.app(desk, REQUEST_HINT=answer), hints=True, visibility="public")
    made.append(table)
    assert given(ask(table, find_asked(table)))["receipt"] is None
    assert len(taken(table)) == 1


def test_at_a_table_with_real_cards_nobody_is_advised_on_cards_he_may_not_hold(app: Flask) -> None:
    table = house.opened(app, "mau_mau", chance="table", hints=True, visibility="public")
    while "chance" in table.awaited:
        moves = table.moves("chance", table.seats[0])["legal"]
        assert table.move("chance", moves[0]["move"], table.seats[0]).status_code == 201
    told = problem(ask(table, find_asked(table), Accept_Language="de"), 409, "hint-undecided")
    assert told["detail"] == "An einem Tisch mit echten Karten weiß der Referee nicht, welche Karten du hast."
    assert taken(table) == []


def test_a_view_that_says_too_little_is_a_problem_with_the_question() -> None:
    asks = {"en": "Which cards are these?", "de": "Welche Karten sind das?"}
    app = house.app(REQUEST_HINT=lambda *_: {"needs": [{"key": "hand", "asks": asks}]})
    table = house.opened(app, hints=True, visibility="public")
    told = problem(ask(table, find_asked(table), Accept_Language="de"), 409, "hint-undecided")
    assert told["detail"] == asks["de"]
    assert taken(table) == []


def test_a_file_of_a_match_with_hints_is_found_sound() -> None:
    app = house.app(audited.service(), BUNDLE_METADATA=lambda: audited.BESIDE)
    table = house.opened(app, hints=True)
    for _ in range(3):
        seat = find_asked(table)
        assert table.move(seat, given(ask(table, seat))["options"][0]["legal"]["move"]).status_code == 201
    ended(app, table)
    lines = table.seats[0].get(f"{table.path}/bundle?viewer=full").data.splitlines(keepends=True)
    report = check_bundle(decode_bundle(lines), [audited.SIGNER.public])
    assert report.findings == ()
    assert {check.name for check in report.checks if check.state == "done"} >= {"openings", "rules", "chance"}


def test_a_rematch_allows_what_the_match_allowed(table: Table) -> None:
    table.end()
    again: Any = table.host.post(f"{table.path}/rematch").json
    assert table.anyone.get(f"/v1/matches/{again['match']}").json["hints"] is True  # type: ignore[index]
