"""The question whether a match may move to another server, as the seats are asked and answer over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.transfer.service import propose_transfer, transfer_match
from tests.api import house
from tests.api.house import Person, Table, fresh, problem

HOME, KEY = "https://b.example/", 32 * "0a"


def propose_move(app: Flask, table: Table, **how: str) -> int:
    """The number of the question that the person who runs the server asks."""
    found = propose_transfer(app.config["SERVICE"], table.match, **how)
    assert found is not None
    return found.number


def list_asked(table: Table, seat: int) -> list[Any]:
    return list(table.moves(seat)["asked"])


@pytest.mark.clause("TABLE-HOME-3")
@pytest.mark.parametrize(
    ("how", "english", "german"),
    [
        ({"new_home": HOME}, f"go on at {HOME}?", f"auf {HOME} weitergehen?"),
        (
            {"to": KEY},
            f"go on at the server with the key {KEY}?",
            f"auf dem Server mit dem Schlüssel {KEY} weitergehen",
        ),
        ({"new_home": HOME, "to": KEY}, f"at {HOME} (key {KEY})?", f"auf {HOME} (Schlüssel {KEY}) weitergehen?"),
        ({}, "at another server, which is not named?", "auf einem anderen, nicht genannten Server weitergehen?"),
    ],
)
def test_the_seats_are_asked_where_it_goes_and_answer_there(
    app: Flask, table: Table, how: dict[str, str], english: str, german: str
) -> None:
    number = propose_move(app, table, **how)
    for seat in (0, 1):
        (question,) = list_asked(table, seat)
        assert (english in question["asks"]["en"], german in question["asks"]["de"]) == (True, True), question
        assert (question["about"], question["method"], question["until"]) == (number, "POST", None)
        key = fresh()
        for _ in range(2):  # repeated
            body = question["answers"][0]["body"]
            said = table.seats[seat].post(question["path"], body, Idempotency_Key=key)
            assert (said.status_code, said.json["ending"], said.json["status"]) == (201, None, "running")  # type: ignore[index]
        assert list_asked(table, seat) == []
    left = transfer_match(
        app.config["SERVICE"],
        table.match,
        "aaa",
        lambda *_: b"",
        new_home=how.get("new_home", ""),
        to=how.get("to", ""),
    )
    assert left.match.public_status == "moved"
    said = table.seats[0].post(f"{table.path}/endings/{number}/consents", {"grant": False})
    assert problem(said, 410, "match-moved")


@pytest.mark.clause("TABLE-HOME-3")
def test_a_no_settles_it_and_who_does_not_play_has_no_say(app: Flask, table: Table) -> None:
    number = propose_move(app, table)
    path = f"{table.path}/endings/{number}/consents"
    invited: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    joined: Any = table.anyone.post("/v1/join", {"code": invited["code"]}).json
    problem(Person(table.anyone.client, joined["token"]).post(path, {"grant": True}), 403, "players-only")
    problem(table.seats[0].post(f"{table.path}/endings/{number + 1}/consents", {"grant": True}), 404, "no-such-ending")
    assert table.seats[1].post(path, {"grant": True}).status_code == 201
    assert table.seats[1].post(path, {"grant": False}).status_code == 201  # thought better of it
    told = problem(table.seats[0].post(path, {"grant": True}), 409, "end-decided")
    assert "whether the match may move, is settled" in told["detail"]
    assert (list_asked(table, 0), list_asked(table, 1)) == ([], [])
    entries: Any = table.seats[0].get(f"{table.path}/entries?after={number - 1}&limit=100").json
    types = [event["type"] for entry in entries["items"] for event in entry["events"]]
    assert types == ["table.TransferProposed", "table.TransferConsented", "table.TransferRefused"]


@pytest.mark.clause("TABLE-HOME-3")
def test_a_host_without_a_seat_answers_for_seats_without_a_device_alone(app: Flask) -> None:
    chairs = [{"kind": "human"}, {"kind": "table"}]
    table = house.opened(app, chairs=chairs, chance={"deck": "server"})
    path = f"{table.path}/endings/{propose_move(app, table)}/consents"
    assert table.host.post(path, {"grant": True}).status_code == 201
    (question,) = list_asked(table, 0)
    assert table.seats[0].post(question["path"], {"grant": True}).status_code == 201
    people = house.opened(app)
    problem(
        people.host.post(f"{people.path}/endings/{propose_move(app, people)}/consents", {"grant": True}),
        403,
        "players-only",
    )


def test_an_end_and_a_move_may_be_asked_at_once(app: Flask, table: Table) -> None:
    number = propose_move(app, table)
    ending: Any = table.host.post(f"{table.path}/end", {"reason": "abandoned"}, If_Match="*").json["ending"]  # type: ignore[index]
    assert [each["about"] for each in list_asked(table, 0)] == [ending["ending"], number]
    for seat in (0, 1):
        done = table.seats[seat].post(f"{table.path}/endings/{ending['ending']}/consents", {"grant": True})
        assert done.status_code == 201
    assert list_asked(table, 0) == []
    problem(table.seats[0].post(f"{table.path}/endings/{number}/consents", {"grant": True}), 409, "match-over")
