"""Reports that others confirm or contradict, where a match asks for witnesses and where it does not."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.arbitration.replay.replay import find_first_divergence
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.tables import asks_for_dice, attests, corrects, dice_table, later, played_until, reports, rolled, service

WITNESS = {"courts": {"witness": True, "answer_ms": 60_000}}


def awaiting(app: Flask, **more: Any) -> tuple[Table, int]:
    """A table with witnesses where seat 0 has just reported dice, and the entry of it."""
    table = dice_table(app, **{**WITNESS, **more})
    played_until(table, asks_for_dice)
    return table, reports(table, rolled(2, 3))


def waits(table: Table) -> Any:
    return table.host.get(table.path).json["witness"]  # type: ignore[index]


@pytest.mark.clause("TABLE-REPORT-2")
def test_play_waits_until_another_seat_confirms_a_report(app: Flask) -> None:
    table, entry = awaiting(app)
    told = waits(table)
    assert (told["report"], told["asks"]) == (entry, [1, 2])
    assert table.awaited == []
    assert table.moves("chance", table.seats[1])["legal"] == []
    refused = problem(table.move("chance", rolled(1, 1), table.seats[1]), 409, "witness-awaited")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-REPORT-2"]
    left = table.host.get(table.path).json["deadline"]  # type: ignore[index]
    assert (left["limit_ms"], left["left_ms"]) == (60_000, 60_000)
    proxy = table.seats[1].put(f"{table.path}/seats/1/proxy", {"by": "host"})  # table business goes on
    assert proxy.status_code == 200
    done = attests(table, entry, table.seats[1])
    assert done.status_code == 201, done.text
    assert [each["type"] for each in done.json["entry"]["events"]] == ["table.Witnessed"]
    assert waits(table) is None
    assert table.awaited
    assert table.move("chance", rolled(1, 1), table.seats[1]).status_code == 201
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_nobody_witnesses_his_own_report_or_twice(app: Flask) -> None:
    table, entry = awaiting(app)
    problem(attests(table, entry, table.seats[0]), 409, "own-report")
    problem(attests(table, 1, table.seats[1]), 409, "not-a-report")
    assert attests(table, entry, table.seats[1]).status_code == 201
    problem(attests(table, entry, table.seats[1]), 409, "said-already")
    assert attests(table, entry, table.seats[2]).status_code == 201
    said = table.anyone.get(f"{table.path}/entries/{entry}/attestations", Authorization=f"Bearer {table.host.token}")
    assert [(each["seat"], each["holds"]) for each in said.json["items"]] == [(1, True), (2, True)]  # type: ignore[index]
    assert said.json["asks"] == []  # type: ignore[index]


def test_one_phone_for_all_seats_needs_no_witness(app: Flask) -> None:
    table = dice_table(app, start=False, join=False, **WITNESS)
    phone = Person(table.anyone.client, table.anyone.post("/v1/join", {"code": table.codes[0]}).json["token"])  # type: ignore[index]
    for code in table.codes[1:]:
        assert phone.post("/v1/join", {"code": code}).status_code == 201
    alone = Table(table.match, table.anyone, table.host, (phone,) * 3, table.codes)
    started = table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"')
    assert started.status_code == 201
    played_until(alone, asks_for_dice)
    reports(alone, rolled(2, 3))
    assert waits(alone) is None
    assert alone.awaited


def test_a_report_that_waits_can_be_corrected_and_waits_again(app: Flask) -> None:
    table, entry = awaiting(app)
    done = corrects(table, entry, rolled(6, 5), table.seats[0])
    assert done.status_code == 201, done.text
    fixed = done.json["entry"]["version"]
    assert waits(table)["report"] == fixed
    problem(attests(table, entry, table.seats[1]), 409, "no-such-entry")
    assert attests(table, fixed, table.seats[1]).status_code == 201
    assert waits(table) is None
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


@pytest.mark.parametrize("courts", [{"witness": True}, {}])
def test_whoever_contradicts_a_report_disputes_it_in_the_same_entry(app: Flask, courts: dict[str, Any]) -> None:
    table = dice_table(app, courts=courts)
    played_until(table, asks_for_dice)
    entry = reports(table, rolled(2, 3))
    foreign = attests(table, entry, table.seats[1], holds=False, saw="a six", move={"type": "sm.concede"})
    assert problem(foreign, 409, "illegal-move")["next"] is not None, "who is asked is told here, too"
    leaving = attests(table, entry, table.seats[1], holds=False, move={"type": "hts.leave"})
    assert problem(leaving, 422, "correction-impossible")["errors"][0]["pointer"] == "/move"
    done = attests(table, entry, table.seats[1], holds=False, saw="a six and a three", move=rolled(6, 3))
    assert done.status_code == 201, done.text
    kinds = [each["type"] for each in done.json["entry"]["events"]]
    assert kinds[:2] == ["table.Witnessed", "table.DisputeOpened"]
    number = done.json["entry"]["version"]
    found: Any = table.seats[2].get(f"{table.path}/disputes/{number}").json
    assert (found["claim"], found["about"], found["stage"]) == ("misreported", entry, "attesting")
    assert waits(table) is None
    problem(table.move("chance", rolled(1, 1), table.seats[1]), 409, "in-dispute")
    told = table.seats[2].post(f"{table.path}/disputes/{number}/attestations", {"holds": True})
    assert told.status_code == 201, told.text
    for person in table.seats:
        voted = person.post(f"{table.path}/disputes/{number}/votes", {"remedy": "partial_fix"})
        assert voted.status_code == 201, voted.text
    assert table.host.get(table.path).json["disputes"] == []  # type: ignore[index]
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


@pytest.mark.clause("TABLE-DISPUTE-7")
def test_a_witness_contradicts_also_where_the_seat_may_open_no_dispute_any_more(app: Flask) -> None:
    table = dice_table(app, courts={"disputes_an_hour": 1, "play_on": True})
    played_until(table, asks_for_dice)
    entry, seat = reports(table, rolled(2, 3)), table.seats[1]
    opened = seat.post(f"{table.path}/disputes", {"about": entry, "claim": "other"})
    assert opened.status_code == 201, opened.text
    another = seat.post(f"{table.path}/disputes", {"about": entry, "claim": "misreported"})
    refused = problem(another, 409, "too-many-disputes")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-DISPUTE-7"]
    assert "at most 1 dispute within an hour; the next one in 60 min" in refused["ruling"]["reason"]["en"]
    done = attests(table, entry, seat, holds=False, saw="a six and a three", move=rolled(6, 3))
    assert done.status_code == 201, done.text
    assert [each["type"] for each in done.json["entry"]["events"]][:2] == ["table.Witnessed", "table.DisputeOpened"]
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_without_the_setting_play_goes_on_and_what_is_attested_is_kept(app: Flask) -> None:
    table = dice_table(app)
    played_until(table, asks_for_dice)
    entry = reports(table, rolled(2, 3))
    assert waits(table) is None
    assert attests(table, entry, table.seats[2], saw="2 and 3").status_code == 201
    said: Any = table.host.get(f"{table.path}/entries/{entry}/attestations").json
    assert [(each["seat"], each["holds"], each["saw"]) for each in said["items"]] == [(2, True, "2 and 3")]
    assert table.move("chance", rolled(1, 1), table.seats[1]).status_code == 201
    problem(table.host.get(f"{table.path}/entries/9999/attestations"), 404, "unknown-version")


def test_what_nobody_contradicts_in_time_stands(app: Flask) -> None:
    table, entry = awaiting(app)
    later(table, 59_999)
    assert waits(table)["report"] == entry
    later(table, 1)
    assert waits(table) is None
    last = service(table).repository.load_entries(table.match)[-1]
    assert (last.actor, [event.TAG for event in last.events]) == ("clock", ["table.WitnessWaived"])
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_a_report_that_nobody_is_left_to_confirm_stands(app: Flask) -> None:
    table, _ = awaiting(app)
    for seat in (1, 2):
        assert waits(table) is not None
        assert table.seats[seat].delete(f"{table.path}/seats/{seat}/player").status_code == 204
    assert waits(table) is None
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_a_repeated_attestation_is_the_same_one(app: Flask) -> None:
    table, entry = awaiting(app)
    key = house.fresh()
    first = table.seats[1].post(f"{table.path}/entries/{entry}/attestations", {"holds": True}, Idempotency_Key=key).json
    version = table.version
    again = table.seats[1].post(f"{table.path}/entries/{entry}/attestations", {"holds": True}, Idempotency_Key=key)
    assert (again.json["entry"], again.headers["Idempotency-Replayed"]) == (first["entry"], "true")  # type: ignore[index]
    assert table.version == version
