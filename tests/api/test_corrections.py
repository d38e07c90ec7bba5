"""Reports corrected by whoever made them: dice, cards that were turned up, cards named from a real hand."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.chance import RollResult
from referee.engine.codec import encode
from referee.engine.seats import CHANCE
from referee.match.game_moves import apply_all, decide_move
from referee.match.table.auto_pass import turn_of
from tests.api import house
from tests.api.house import Table, problem
from tests.api.tables import (
    asks_for_dice,
    card_table,
    corrects,
    dice_table,
    later,
    played_until,
    reports,
    rolled,
    service,
    stands,
)
from workers.projections.public_match import PublicMatches

SHOWN = {"type": "chance.turned_up"}


def rolls(app: Flask, **more: Any) -> tuple[Table, int]:
    """A table where seat 0 has just reported dice, and the entry of it."""
    table = dice_table(app, **more)
    played_until(table, asks_for_dice)
    return table, reports(table, rolled(2, 3))


def ends_turn(table: Table) -> None:
    """Plays on until the turn is over."""
    turn = turn_of(stands(table))
    played_until(table, lambda _: turn_of(stands(table)) != turn)


@pytest.mark.clause("TABLE-REPORT-3")
def test_dice_that_were_misread_are_corrected_in_one_entry(app: Flask) -> None:
    table, entry = rolls(app)
    wrong = table.host.get(f"{table.path}/view").json["table"]  # type: ignore[index]
    key = house.fresh()
    done = corrects(table, entry, rolled(6, 5), table.seats[0], Idempotency_Key=key)
    assert done.status_code == 201, done.text
    told = done.json["entry"]
    assert (told["seat"], told["actor"]) == ("chance", {"kind": "reporter", "seat": 0})
    assert told["move"]["values"] == [6, 5]
    kinds = [each["type"] for each in told["events"]]
    assert kinds[:2] == ["table.ReportCorrected", "table.Rewound"]
    assert told["events"][1]["to"] == entry - 1
    assert "TABLE-REPORT-3" in told["clauses"]
    assert table.host.get(f"{table.path}/view").json["table"] != wrong  # type: ignore[index]
    assert table.host.get(f"{table.path}/entries/{entry}").json["move"]["values"] == [2, 3]  # type: ignore[index]
    again = corrects(table, entry, rolled(6, 5), table.seats[0], Idempotency_Key=key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.json["entry"]["version"] == told["version"]


def test_a_corrected_match_is_what_it_would_be_had_the_report_been_right(app: Flask) -> None:
    table, entry = rolls(app)
    kept = service(table)
    before = kept.load_version(table.match, entry - 1).match
    right = apply_all(before, decide_move(before, CHANCE, RollResult((6, 5))))
    assert encode(stands(table).state) != encode(right.state)
    assert corrects(table, entry, rolled(6, 5), table.seats[0]).status_code == 201
    assert encode(stands(table).state) == encode(right.state)
    assert find_first_divergence(kept.repository.load_entries(table.match)) is None


def test_fairness_counts_a_corrected_report_once_and_as_corrected(app: Flask) -> None:
    table, entry = rolls(app)
    done = corrects(table, entry, rolled(6, 5), table.seats[0])
    told = PublicMatches(service(table).log).load_match(table.match, table.version)
    assert [(each.version, each.values) for each in told.reports][-1] == (done.json["entry"]["version"], (6, 5))
    assert (2, 3) not in [each.values for each in told.reports if each.version >= entry]


def test_a_correction_is_refused_to_others_too_late_and_once_somebody_has_built_upon_it(app: Flask) -> None:
    table, entry = rolls(app)
    version = table.version
    problem(corrects(table, entry, rolled(1, 1), table.seats[1]), 409, "not-your-report")
    problem(corrects(table, 1, rolled(1, 1), table.seats[0]), 409, "not-a-report")
    problem(corrects(table, version + 9, rolled(1, 1), table.seats[0]), 409, "no-such-entry")
    refused = problem(corrects(table, entry, rolled(7, 1), table.seats[0]), 409, "illegal-move")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["KERNEL-CHANCE-1"]
    problem(corrects(table, entry, {"type": "mc.pass"}, table.seats[0]), 409, "illegal-move")
    assert table.version == version
    ends_turn(table)
    later(table, 10_001)
    version = table.version
    problem(corrects(table, entry, rolled(1, 1), table.seats[0]), 409, "out-of-time")
    assert table.version == version


@pytest.mark.clause("TABLE-REPORT-3")
def test_a_report_is_corrected_once_and_time_runs_from_the_first(app: Flask) -> None:
    table, entry = rolls(app, courts={"correct_ms": 5000})
    later(table, 4000)
    second = corrects(table, entry, rolled(6, 5), table.seats[0]).json["entry"]["version"]
    problem(corrects(table, entry, rolled(1, 1), table.seats[0]), 409, "no-such-entry")
    asked = corrects(table, second, rolled(1, 2), table.seats[0])
    assert asked.status_code == 201, asked.text
    assert "table.Rewound" not in [event["type"] for event in asked.json["entry"]["events"]], "another seat is asked"
    ends_turn(table)
    later(table, 1100)
    problem(corrects(table, second, rolled(3, 3), table.seats[0]), 409, "out-of-time")
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


@pytest.mark.clause("TABLE-TAP-4")
def test_once_somebody_else_has_built_upon_a_report_another_seat_is_asked(app: Flask) -> None:
    table, entry = rolls(app)
    assert table.awaited == ["chance"]
    others = reports(table, rolled(2, 2), by=1)
    asked = corrects(table, entry, rolled(1, 1), table.seats[0])
    assert [event["type"] for event in asked.json["entry"]["events"]] == ["table.SlipAdmitted"]
    assert table.awaited != ["chance"]  # play goes on meanwhile
    assert corrects(table, others, rolled(4, 4), table.seats[1]).status_code == 201


@pytest.mark.clause("TABLE-REPORT-3")
def test_what_one_reported_since_oneself_keeps_it_too(app: Flask) -> None:
    table, entry = rolls(app)
    since = reports(table, rolled(1, 1), by=0)
    asked = corrects(table, entry, rolled(6, 5), table.seats[0])
    assert "table.Rewound" not in [event["type"] for event in asked.json["entry"]["events"]], "another seat is asked"
    assert corrects(table, since, rolled(6, 5), table.seats[0]).status_code == 201
    assert [each.values for each in PublicMatches(service(table).log).load_match(table.match, table.version).reports][
        -1
    ] == (6, 5)


def test_a_corrected_report_can_be_disputed_like_any_other(app: Flask) -> None:
    table, entry = rolls(app)
    fixed = corrects(table, entry, rolled(6, 5), table.seats[0]).json["entry"]["version"]
    body = {"about": fixed, "claim": "misreported", "saw": "a four", "move": rolled(4, 5)}
    opened = table.seats[1].post(f"{table.path}/disputes", body)
    assert opened.status_code == 201, opened.text
    found: Any = table.seats[2].get(f"{table.path}/disputes/{opened.json['entry']['version']}").json  # type: ignore[index]
    assert (found["stage"], found["parties"]) == ("attesting", [0, 1])
    problem(corrects(table, fixed, rolled(1, 1), table.seats[0]), 409, "in-dispute")


def test_a_card_that_was_turned_up_is_corrected_at_a_table_with_real_cards(app: Flask) -> None:
    table = card_table(app)
    played_until(table, lambda state: state.agenda[-1].question_name() == "mc.TurnUp" or _turns_up(table), most=400)
    legal = [each["move"] for each in table.moves("chance", table.seats[1])["legal"]]
    first, other = legal[0], next(move for move in legal if move != legal[0])
    entry = reports(table, first, by=1)
    problem(corrects(table, entry, other, table.seats[0]), 409, "not-your-report")
    done = corrects(table, entry, other, table.seats[1])
    assert done.status_code == 201, done.text
    assert {name: done.json["entry"]["move"][name] for name in other} == other
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def _turns_up(table: Table) -> bool:
    if table.awaited != ["chance"]:
        return False
    legal = table.moves("chance", table.seats[1])["legal"]
    return len(legal) > 1 and legal[0]["move"]["type"] == "chance.turned_up"


def names_a_card(table: Table, seat: int) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """A seat plays a card of its real hand; the entry, the move, and the same move with another card."""
    moves = [each["move"] for each in table.moves(seat)["legal"] if each["move"]["type"] == "mc.play"]
    move = moves[0]
    other = next(each for each in moves if each["card"] != move["card"] and each.keys() == move.keys())
    made = table.move(seat, move)
    assert made.status_code == 201, made.text
    return int(made.json["entry"]["version"]), move, other  # type: ignore[index]


def test_a_card_named_from_a_real_hand_is_corrected_by_its_seat_alone(app: Flask) -> None:
    table = card_table(app)
    played_until(table, lambda state: state.agenda[-1].question_name() == "mc.PlayPhase" and table.awaited[0] in (0, 1))
    seat = int(table.awaited[0])
    entry, _, other = names_a_card(table, seat)
    problem(corrects(table, entry, other, table.seats[1 - seat]), 409, "not-your-report")
    problem(corrects(table, entry, {"type": "mc.pass"}, table.seats[seat]), 409, "corrects-more")
    done = corrects(table, entry, other, table.seats[seat])
    assert done.status_code == 201, done.text
    told = done.json["entry"]
    assert (told["seat"], told["actor"], told["move"]["card"]) == (seat, {"kind": "player"}, other["card"])
    courses = PublicMatches(service(table).log)
    before, after = (dict(courses.load_match(table.match, version).moves) for version in (entry, told["version"]))
    assert after == before, "the corrected move counts once"
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_where_the_server_deals_a_move_is_no_report(app: Flask) -> None:
    table = house.opened(app)
    played_until(table, lambda state: state.agenda[-1].question_name() == "mc.PlayPhase")
    seat = int(table.awaited[0])
    legal = [each["move"] for each in table.moves(seat)["legal"] if not each["move"]["type"].endswith("concede")]
    made: Any = table.move(seat, legal[0])
    problem(corrects(table, made.json["entry"]["version"], legal[-1], table.seats[seat]), 409, "not-a-report")
