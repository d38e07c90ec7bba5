"""The end by agreement: everybody agrees, and one no keeps the match going."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table, fresh, problem

AGREED = {"reason": "agreed", "placement": [[0], [1]]}


def proposes(table: Table, by: Person, body: Any = None, **headers: str) -> Any:
    return by.post(f"{table.path}/end", body or AGREED, **{"If_Match": "*", **headers})


def answers(table: Table, seat: int, number: int, grant: bool, **headers: str) -> Any:
    return table.seats[seat].post(f"{table.path}/endings/{number}/consents", {"grant": grant}, **headers)


def status(table: Table) -> str:
    return str(table.host.get(table.path).json["status"])  # type: ignore[index]


@pytest.mark.clause("TABLE-END-2")
def test_the_host_alone_ends_nothing_and_the_last_consent_does(table: Table) -> None:
    asked = proposes(table, table.host)
    assert asked.status_code == 201
    ending = asked.json["ending"]
    assert {**ending, "ending": 0} == {
        "ending": 0, "by": "host", "reason": "agreed", "placement": [[0], [1]], "stage": "asked", "granted": [],
        "against": [], "asks": [0, 1],
    }  # fmt: skip
    assert table.host.get(table.path).json["ending"] == ending  # type: ignore[index]
    problem(proposes(table, table.seats[1]), 409, "end-proposed")
    assert answers(table, 0, ending["ending"], True).json["status"] == "running"
    seat = table.awaited[0]
    assert table.move(seat, table.moves(seat)["legal"][0]["move"]).status_code == 201  # play goes on
    key = fresh()
    for _ in range(2):
        done = answers(table, 1, ending["ending"], True, Idempotency_Key=key)
        assert (done.status_code, done.json["status"], done.json["ending"]["stage"]) == (201, "finished", "agreed")
    about: Any = table.host.get(table.path).json
    assert (about["outcome"]["winners"], about["ending"]) == ([0], None)
    problem(answers(table, 0, ending["ending"], False), 409, "match-over")


@pytest.mark.clause("TABLE-END-2")
def test_a_single_no_ends_the_question_even_of_one_who_had_agreed(table: Table) -> None:
    number = proposes(table, table.seats[0]).json["ending"]["ending"]
    refused = answers(table, 0, number, False)  # the proposer thinks better of it
    assert (refused.json["status"], refused.json["ending"]["against"]) == ("running", [0])
    problem(answers(table, 1, number, True), 409, "end-decided")
    problem(answers(table, 1, number + 5, True), 404, "no-such-ending")
    again = proposes(table, table.seats[1], {"reason": "abandoned"}).json["ending"]
    assert (again["granted"], again["asks"]) == ([1], [0])
    assert answers(table, 0, again["ending"], True).json["status"] == "abandoned"


def test_a_proposal_is_overtaken_when_a_player_leaves(table: Table) -> None:
    number = proposes(table, table.seats[0]).json["ending"]["ending"]
    assert table.seats[1].delete(f"{table.path}/seats/1/player").status_code == 204
    assert (status(table), table.host.get(table.path).json["ending"]) == ("running", None)  # type: ignore[index]
    problem(answers(table, 0, number, True), 409, "end-decided")


def outcome(table: Table) -> Any:
    return table.host.get(table.path).json["outcome"]  # type: ignore[index]


def left(app: Flask, *seats: int, of: int = 2) -> Table:
    """A running match of people, some of whom have left."""
    table = house.opened(app, seats=of)
    for seat in seats:
        assert table.seats[seat].delete(f"{table.path}/seats/{seat}/player").status_code == 204
    return table


@pytest.mark.clause("TABLE-END-2", "TABLE-END-3")
def test_who_is_alone_among_bots_ends_the_match_at_once_and_the_result_says_so(app: Flask) -> None:
    for body, says in ((AGREED, "ended"), ({"reason": "abandoned"}, "abandoned")):
        table = house.opened(app, chairs=[{"kind": "human"}, {"kind": "bot"}])
        done = proposes(table, table.seats[0], body)
        assert (done.json["status"] in ("finished", "abandoned"), done.json["ending"]) == (True, None)
        assert outcome(table)["reason"]["en"] == f"One person {says} the match alone."


@pytest.mark.clause("TABLE-END-2")
def test_the_host_does_not_end_the_match_of_the_one_who_still_sits_there(app: Flask) -> None:
    table = left(app, 0)  # the host, who had sat there
    asked = proposes(table, table.host).json["ending"]
    assert (status(table), asked["asks"]) == ("running", [1])
    assert answers(table, 1, asked["ending"], False).json["status"] == "running"
    again = proposes(table, table.host).json["ending"]
    assert answers(table, 1, again["ending"], True).json["status"] == "finished"
    assert outcome(table)["reason"]["en"] == "The table agreed to end the match."


@pytest.mark.clause("TABLE-END-3")
@pytest.mark.parametrize("bad", [[[0], [1], [2]], [[2], [0], [1]], [[2, 0], [1]], [[0, 1], [2]], [[2, 0, 1]]])
def test_who_ends_a_match_alone_puts_all_seats_that_were_left_in_the_last_place(app: Flask, bad: Any) -> None:
    table = left(app, 0, 1, of=3)
    version = table.version
    said = problem(proposes(table, table.seats[2], {"reason": "agreed", "placement": bad}), 409, "left-seats-last")
    assert "Player 1" in said["detail"]
    assert table.version == version
    done = proposes(table, table.seats[2], {"reason": "agreed", "placement": [[2], [1, 0]]})
    assert (done.json["status"], outcome(table)["winners"]) == ("finished", [2])


@pytest.mark.clause("TABLE-END-3")
def test_once_all_have_left_nobody_is_placed_before_the_others(app: Flask) -> None:
    for seats in ((0, 1), (1, 0)):
        table = left(app, *seats)
        problem(proposes(table, table.host), 409, "left-seats-last")
        problem(proposes(table, table.host, {"reason": "agreed", "placement": [[0, 1]]}), 409, "left-seats-last")
        assert proposes(table, table.host, {"reason": "agreed"}).json["status"] == "finished"
        assert outcome(table)["winners"] == []


@pytest.mark.clause("TABLE-END-3")
def test_a_seat_for_which_a_bot_stands_in_counts_as_left(app: Flask) -> None:
    table = left(app, 0)
    assert table.seats[1].put(f"{table.path}/seats/0/bot", {"level": 1}).status_code == 200
    problem(proposes(table, table.seats[1]), 409, "left-seats-last")
    assert proposes(table, table.seats[1], {"reason": "agreed", "placement": [[1], [0]]}).json["status"] == "finished"


@pytest.mark.clause("TABLE-END-2")
def test_the_host_agrees_for_players_without_a_device(app: Flask) -> None:
    chairs = [{"kind": "human"}, {"kind": "table"}]
    table = house.opened(app, chairs=chairs, chance={"deck": "server"})
    asked = proposes(table, table.seats[0]).json["ending"]
    assert (status(table), asked["asks"]) == ("running", [1])
    said = table.host.post(f"{table.path}/endings/{asked['ending']}/consents", {"grant": True})
    assert said.json["status"] == "finished"
    one_phone = house.opened(app, chairs=[{"kind": "table"}] * 2, chance={"deck": "table"})
    assert proposes(one_phone, one_phone.host).json["status"] == "finished"
    assert outcome(one_phone)["reason"]["en"] == "The table agreed to end the match."


def test_what_cannot_be_proposed_changes_nothing(table: Table) -> None:
    version = table.version
    problem(proposes(table, table.host, {"reason": "agreed", "placement": [[0]]}), 409, "placement-incomplete")
    problem(proposes(table, table.host, {"reason": "withdrawn"}), 422, "invalid-input")
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    watcher = Person(table.anyone.client, table.anyone.post("/v1/join", {"code": code["code"]}).json["token"])  # type: ignore[index]
    problem(proposes(table, watcher), 403, "forbidden")
    problem(proposes(table, table.host, If_Match='"v1"'), 412, "stale-version")
    assert table.version == version
