"""Moves that carry what real dice and cards showed: written together, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house, tables
from tests.api.house import Table
from tests.api.test_silence import is_flawless
from tests.evenings import here_to_slay, munchkin

NOBODY = {"nobody_reacts": True}
PLAY = {"type": "hts.play", "card": "peanut"}
ACCEPT = {"type": "choose.accept"}


def dice(*pips: int) -> dict[str, Any]:
    return {"move": {"type": "chance.rolled", "values": list(pips)}}


@pytest.fixture
def free_roll(app: Flask) -> Table:
    """Seat 2 has played a hero, and may roll for it."""
    table = here_to_slay.sit_down(app, clocks=here_to_slay.AT_ONCE)
    made = table.move(2, PLAY, reports=[NOBODY])
    assert made.status_code == 201, made.text
    assert table.moves(2)["question"]["name"] == "hts.FreeRoll"
    return table


@pytest.mark.clause("TABLE-TAP-3")
def test_a_move_its_dice_and_silence_are_consecutive_entries_under_one_key(free_roll: Table) -> None:
    table, body = free_roll, {"reports": [dice(4, 4), NOBODY], "Idempotency_Key": "k" * 24}
    before = table.version
    made: Any = table.move(2, ACCEPT, **body)
    assert made.status_code == 201, made.text
    entries = [made.json["entry"], *made.json["followed"]]
    assert [each["version"] for each in entries] == list(range(before + 1, before + 7))
    assert [(each["seat"], each["actor"]["kind"]) for each in entries] == [
        (2, "player"), ("chance", "reporter"), ("table", "table"), (0, "spoken"), (1, "spoken"), (2, "spoken"),
    ]  # fmt: skip
    assert entries[1]["actor"]["seat"] == 2
    assert is_flawless(table)
    again: Any = table.move(2, ACCEPT, **body)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert [again.json["entry"], *again.json["followed"]] == entries
    assert table.version == before + 6
    other = table.move(2, ACCEPT, reports=[dice(4, 5), NOBODY], Idempotency_Key="k" * 24)
    house.problem(other, 422, "idempotency-key-reused")


@pytest.mark.clause("TABLE-TAP-3")
@pytest.mark.parametrize(
    ("reports", "at", "clause"),
    [
        ([dice(4, 7), NOBODY], 0, "KERNEL-CHANCE-1"),
        ([dice(4, 4), NOBODY, dice(1, 1)], 2, "KERNEL-TURN-1"),
        ([NOBODY], 0, "TABLE-TAP-3"),
        ([dice(4, 4), dice(4, 4)], 1, "KERNEL-TURN-1"),
    ],
)
def test_one_refused_report_refuses_all_and_changes_nothing(
    free_roll: Table, reports: list[Any], at: int, clause: str
) -> None:
    table, before = free_roll, free_roll.version
    body = house.problem(table.move(2, ACCEPT, reports=reports, Idempotency_Key="k" * 24), 409, "report-refused")
    assert body["errors"][0]["pointer"] == f"/reports/{at}"
    assert clause in [each["id"] for each in body["ruling"]["clauses"]]
    assert (body["current_version"], table.version) == (before, before)
    assert table.moves(2)["question"]["name"] == "hts.FreeRoll"
    right = table.move(2, ACCEPT, reports=[dice(4, 4)], Idempotency_Key="k" * 24)  # the key is not used up
    assert right.status_code == 201


@pytest.mark.clause("TABLE-TAP-3")
def test_a_dry_run_judges_the_reports_too(free_roll: Table) -> None:
    table, path = free_roll, f"{free_roll.path}/seats/2/moves/check"
    before = table.version
    good: Any = table.seats[2].post(path, {"move": ACCEPT, "reports": [dice(4, 4), NOBODY]}).json
    assert (good["verdict"], good["refused_report"]) == ("granted", None)
    assert "hts.DiceRolled" in " ".join(event["type"] for event in good["events"])
    bad: Any = table.seats[2].post(path, {"move": ACCEPT, "reports": [dice(4, 4), dice(1, 2)]}).json
    assert (bad["verdict"], bad["refused_report"]) == ("refused", 1)
    assert table.version == before


@pytest.mark.clause("TABLE-TAP-1")
@pytest.mark.parametrize("more", [{}, {"chance": "table", "clocks": {"objection_ms": None}}])
def test_a_dry_run_says_as_the_move_does_that_nobody_speaks_for_all(app: Flask, more: dict[str, Any]) -> None:
    table = house.opened(app, "munchkin", 3, **more)
    legal = [each["move"] for each in table.moves(0)["legal"]]
    body = {"move": legal[0], "reports": [NOBODY]}
    checked: Any = table.seats[0].post(f"{table.path}/seats/0/moves/check", body).json
    refused = house.problem(table.seats[0].post(f"{table.path}/seats/0/moves", body), 409, "report-refused")
    assert (checked["verdict"], checked["refused_report"]) == ("refused", 0)
    assert checked["reason"] == refused["ruling"]["reason"]
    assert "TABLE-TAP-1" in [each["id"] for each in checked["clauses"]]


@pytest.mark.clause("TABLE-TAP-3")
def test_nothing_that_the_server_draws_can_be_reported_with_a_move(app: Flask) -> None:
    table = house.opened(app, "munchkin", 3, chance={"dice": "table", "deck": "server"})
    for seat in range(3):
        assert table.move(seat, {"type": "mk.ready"}).status_code == 201
    for pips in (6, 2, 1):
        tables.reports(table, tables.rolled(pips))
    before = table.version
    reports = [{"move": {"type": "chance.turned_up", "card": "coffin_mouse"}}]
    house.problem(table.move(0, {"type": "mk.kick"}, reports=reports), 409, "report-refused")
    assert table.version == before


@pytest.mark.clause("TABLE-TAP-3")
def test_a_door_is_kicked_in_and_its_card_turned_up_with_one_tap(app: Flask) -> None:
    table = munchkin.sit_down(app)
    reports = [{"move": {"type": "chance.turned_up", "card": "coffin_mouse"}}]
    made: Any = table.move(0, {"type": "mk.kick"}, reports=reports)
    assert made.status_code == 201, made.text
    assert table.moves(0)["question"]["name"] == "mk.Fight"
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-3")
def test_silence_that_comes_last_leaves_time_to_object(app: Flask) -> None:
    table = here_to_slay.sit_down(app)
    assert table.move(2, PLAY, reports=[NOBODY]).status_code == 201
    assert sorted(table.awaited) == [0, 1]
    tables.later(table, 5000)
    assert table.awaited == [2]


@pytest.mark.clause("TABLE-REPORT-2")
def test_where_reports_wait_for_a_witness_only_the_last_one_can_be_of_chance(app: Flask) -> None:
    table = house.opened(app, "munchkin", 3, chance={"dice": "table", "deck": "table"}, courts={"witness": True})
    for seat in range(3):
        assert table.move(seat, {"type": "mk.ready"}).status_code == 201
    for pips in (6, 2, 1):
        entry = tables.reports(table, tables.rolled(pips))
        assert tables.attests(table, entry, table.seats[1]).status_code == 201
    before = table.version
    two = [{"move": {"type": "chance.turned_up", "card": card}} for card in ("coffin_mouse", "bog_bride")]
    house.problem(table.move(0, {"type": "mk.kick"}, reports=two), 409, "report-refused")
    assert table.version == before
    assert table.move(0, {"type": "mk.kick"}, reports=two[:1]).status_code == 201
    assert tables.stands(table).witnessing is not None


@pytest.mark.parametrize(
    ("reports", "pointer"),
    [
        ([], "/reports"),
        ([NOBODY] * 21, "/reports"),
        ([{}], "/reports/0"),
        ([{"nobody_reacts": False}], "/reports/0/nobody_reacts"),
        ([{"move": PLAY}], "/reports/0/move"),
        ([{"move": {"type": "chance.rolled", "values": [1, 2]}, "nobody_reacts": True}], "/reports/0"),
        ([None], "/reports/0"),
        ("dice", "/reports"),
    ],
)
def test_what_is_no_report_is_named(free_roll: Table, reports: Any, pointer: str) -> None:
    refused = house.problem(free_roll.move(2, ACCEPT, reports=reports), 422, "invalid-input")
    assert [each["pointer"] for each in refused["errors"]] == [pointer]
