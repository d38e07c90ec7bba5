"""A rematch: one for all who ask, the same table, seats kept for those who held them, good with old tokens."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api.ended import account, table_of
from tests.api.house import Person, Table, problem
from tests.api.streaming import ended

SAME = ("game", "variant", "edition", "ruleset", "settings", "readings", "chance", "clocks", "courts", "visibility")


def rematch(table: Table, by: Person) -> dict[str, Any]:
    made = by.post(f"{table.path}/rematch")
    assert made.status_code == 201, made.text
    return dict(made.json)  # type: ignore[arg-type]


def sit(table: Table, new: str, seat: int, by: Person | None = None, **body: Any) -> Any:
    return (by or table.seats[seat]).put(f"/v1/matches/{new}/seats/{seat}/player", body)


def test_any_seat_opens_the_same_match_and_there_is_only_one(app: Flask) -> None:
    table = table_of(app, None, None, bots=1, visibility="private", clocks={"move_ms": 600_000})
    problem(table.seats[0].post(f"{table.path}/rematch"), 409, "not-over")
    assert table.end().status_code in (200, 201)
    first, second = rematch(table, table.seats[1]), rematch(table, table.seats[0])
    assert first["match"] == second["match"] != table.match
    assert (first["role"], first["seats"], first["kept"]) == ("host", [1], [0, 1])
    assert (second["role"], second["seats"]) == ("seat", [0])
    new, path = first["match"], f"/v1/matches/{first['match']}"
    before: Any = table.host.get(table.path).json
    now: Any = table.host.get(path).json
    assert {name: now[name] for name in SAME} == {name: before[name] for name in SAME}
    assert [seat["kind"] for seat in now["seats"]] == ["human", "human", "bot"]
    assert (now["status"], [seat["taken"] for seat in now["seats"]]) == ("lobby", [False, False, False])
    for seat in (0, 1):
        assert sit(table, new, seat).status_code == 200
    started = table.seats[1].post(f"{path}/start", If_Match="*")  # who asked first is a host
    assert started.status_code == 201, started.text
    for seat in (0, 1):
        assert table.seats[seat].get(f"{path}/seats/{seat}/situation").status_code == 200
        problem(table.seats[seat].get(f"{path}/seats/{1 - seat}/situation"), 403, "not-your-seat")
    problem(table.anyone.post(f"{table.path}/rematch"), 401, "unauthorized")


def test_sitting_down_twice_writes_once_and_a_kept_seat_is_nobody_elses(app: Flask) -> None:
    table = table_of(app, None, None)
    ended(table)
    new = rematch(table, table.host)["match"]
    problem(sit(table, new, 0, by=table.seats[1]), 403, "not-your-seat")
    problem(sit(table, new, 0, by=Person(table.anyone.client)), 401, "unauthorized")
    link: Any = table.host.post(f"/v1/matches/{new}/invitations", {"role": "seat:any", "link": True}).json
    problem(table.anyone.post("/v1/join", {"code": link["code"]}), 409, "no-free-seat")
    first, again = (sit(table, new, 0, name="Ada").json for _ in range(2))
    assert (first["seats"], again["seats"], again["version"]) == ([0], [0], first["version"])
    assert first["receipt"]
    assert table.host.get(f"/v1/matches/{new}/names").json["names"] == {"0": "Ada"}  # type: ignore[index]


def test_sitting_down_that_broke_off_is_completed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, person = account(app, "Ada")
    table = table_of(app, person, None)
    ended(table)
    new, log = rematch(table, person)["match"], app.config["SERVICE"].log

    def broken(*_: Any) -> str:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patched:
        patched.setattr(log, "link_player", broken)
        assert sit(table, new, 0).status_code == 500
    assert sit(table, new, 0).headers["Idempotency-Replayed"] == "true"
    assert log.read_links([new]) == {new: {2: ada}}


def test_a_seat_that_the_host_gives_to_another_is_kept_no_more(app: Flask) -> None:
    table = table_of(app, None, None)
    ended(table)
    new = rematch(table, table.host)["match"]
    code: Any = table.host.post(f"/v1/matches/{new}/invitations", {"role": "seat:0"}).json
    assert table.anyone.post("/v1/join", {"code": code["code"]}).status_code == 201
    problem(sit(table, new, 0), 401, "unauthorized")
    rematch(table, table.seats[0])
    problem(sit(table, new, 0), 401, "unauthorized")


def test_an_account_is_asked_to_sit_down_and_is_linked_again(app: Flask) -> None:
    (ada, person), (bob, _) = account(app, "Ada"), account(app, "Bob")
    table = table_of(app, person, None, visibility="private")
    ended(table)
    new = rematch(table, table.seats[1])["match"]
    path = f"/v1/players/{ada}/matches/open?awaiting=me"
    (asked,) = person.get(path).json["items"]  # type: ignore[index]
    assert (asked["match"], asked["seats"], asked["asks"]) == (new, [0], ["seat"])
    assert sit(table, new, 0, by=person).status_code == 200
    assert person.get(path).json["items"] == []  # type: ignore[index]
    log = app.config["SERVICE"].log
    assert log.read_links([new]) == {new: {2: ada}}
    assert bob not in repr(log._links)
    assert log.list_account_items(ada, "reserved") == {}
    for one in (person, table.seats[0]):
        assert one.get(f"/v1/matches/{new}/view?viewer=seat:0").status_code == 200


def test_a_rematch_that_broke_off_is_completed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(app, None, None)
    ended(table)
    log = app.config["SERVICE"].log
    put, calls = log.put_grant, []

    def broken(match: str, name: str, record: bytes) -> None:
        calls.append(name)
        if len(calls) == 2:
            raise RuntimeError("killed here")
        put(match, name, record)

    with monkeypatch.context() as patched:
        patched.setattr(log, "put_grant", broken)
        assert table.seats[0].post(f"{table.path}/rematch").status_code == 500
    made = rematch(table, table.seats[1])
    assert made["kept"] == [0, 1]
    assert made["role"] == "seat", "the first who asked is a host"
    for seat in (0, 1):
        assert sit(table, made["match"], seat).status_code == 200


def test_a_host_who_judges_is_an_official_again_and_onlookers_look_on(app: Flask) -> None:
    table = table_of(app, None, None, visibility="private", host_plays=False, begin=False)
    for seat in (0, 1):
        table.seats[seat].post(f"{table.path}/officials/1/consents", {"grant": True})
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    seen: Any = table.anyone.post("/v1/join", {"code": code["code"]}).json
    onlooker = Person(table.anyone.client, seen["token"])
    assert table.host.post(f"{table.path}/start", If_Match="*").status_code == 201
    assert table.end().status_code in (200, 201)
    new = rematch(table, table.seats[0])["match"]
    shown: Any = table.host.get(f"/v1/matches/{new}").json
    assert [each["role"] for each in shown["officials"]] == ["host"]
    assert onlooker.get(f"/v1/matches/{new}").status_code == 200
    problem(onlooker.post(f"{table.path}/rematch"), 403, "players-only")
