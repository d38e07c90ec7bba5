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


def test_where_one_person_sits_the_match_ends_at_once(app: Flask) -> None:
    for by_host in (True, False):
        table = house.opened(app, chairs=[{"kind": "human"}, {"kind": "bot"}])
        done = proposes(table, table.host if by_host else table.seats[0])
        assert (done.json["status"], done.json["ending"]) == ("finished", None)


def test_what_cannot_be_proposed_changes_nothing(table: Table) -> None:
    version = table.version
    problem(proposes(table, table.host, {"reason": "agreed", "placement": [[0]]}), 409, "placement-incomplete")
    problem(proposes(table, table.host, {"reason": "withdrawn"}), 422, "invalid-input")
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    watcher = Person(table.anyone.client, table.anyone.post("/v1/join", {"code": code["code"]}).json["token"])  # type: ignore[index]
    problem(proposes(table, watcher), 403, "forbidden")
    problem(proposes(table, table.host, If_Match='"v1"'), 412, "stale-version")
    assert table.version == version
