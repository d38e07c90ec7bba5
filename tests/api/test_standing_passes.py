"""Standing passes: a seat says what it lets pass, nobody else can tell, and what is played looks like its own pass.

The game is a toy, for its windows are known; tests/match/test_auto_pass.py goes through all games that have some.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.games import load_games
from referee.games.here_to_slay.components import FACES
from tests.api import house
from tests.api.house import Person, Table, fresh, problem
from tests.api.test_rights import CALLS, call, spectator
from tests.doubles.party import PARTY
from tests.evenings import here_to_slay
from tests.service import house as desks

HEROES = {face.id for face in FACES.values() if face.kind == "hero"}
NONE = {"kinds": [], "unless_mine": [], "until": None, "turn": None, "windows": ["applause", "encore", "dull"]}
BOTH = {"kinds": ["applause", "encore"], "until": "match"}
CAKE, DRUM, HUSH = {"type": "toy.play", "card": "cake"}, {"type": "toy.play", "card": "drum"}, {"type": "party.hush"}


@pytest.fixture(autouse=True)
def _party(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_games(), "party", PARTY)


@pytest.fixture
def party(app: Flask) -> Table:
    """A running party of three."""
    return house.opened(app, "party", 3, visibility="public")


def path(table: Table, seat: int) -> str:
    return f"{table.path}/seats/{seat}/standing-passes"


def put(table: Table, seat: int, body: Any = BOTH, by: Person | None = None, **headers: str) -> TestResponse:
    return (by or table.seats[seat]).put(path(table, seat), body, **headers)


def events(table: Table, after: int) -> list[Any]:
    found: Any = table.anyone.get(f"{table.path}/entries?after={after}&limit=200").json
    return list(found["items"])


def test_it_is_put_read_and_dropped(party: Table) -> None:
    own = party.seats[1]
    assert own.get(path(party, 1)).json == NONE
    made = put(party, 1, {"kinds": ["encore", "applause"], "until": "turn"})
    assert made.status_code == 200
    stands = {**NONE, "kinds": ["applause", "encore"], "until": "turn", "turn": 1}
    assert made.json == {**stands, "receipt": None}
    assert own.get(path(party, 1)).json == stands
    assert put(party, 1).json == {**NONE, **BOTH, "receipt": None}
    assert party.seats[2].get(path(party, 2)).json == NONE
    for _ in range(2):
        assert own.delete(path(party, 1)).status_code == 204
    assert own.get(path(party, 1)).json == NONE


def test_what_stands_is_played_in_the_same_request(party: Table) -> None:
    for seat in (1, 2):
        assert put(party, seat).status_code == 200
    key = fresh()
    done = party.move(0, CAKE, **{"Idempotency-Key": key})
    body: Any = done.json
    assert done.status_code == 201
    assert [entry["seat"] for entry in body["followed"]] == [1, 2, 1, 2]
    assert (body["version"], body["awaits"]) == (body["entry"]["version"] + 4, [1])
    assert done.headers["ETag"] == f'"v{body["version"]}"'
    assert party.version == body["version"]
    assert party.move(1, DRUM).status_code == 201  # seat 0 has let nothing pass
    again = party.move(0, CAKE, **{"Idempotency-Key": key})
    assert (again.data, again.headers["ETag"]) == (done.data, done.headers["ETag"])
    assert again.headers["Idempotency-Replayed"] == "true"


def test_an_open_window_is_passed_at_once_and_the_first_answer_stays(party: Table) -> None:
    key = fresh()
    done = party.move(0, CAKE, **{"Idempotency-Key": key})
    before = party.version
    assert put(party, 2).status_code == 200
    assert [entry["seat"] for entry in events(party, before)] == [2]
    assert put(party, 1).status_code == 200
    assert [entry["seat"] for entry in events(party, before)] == [2, 1, 1, 2]
    assert party.move(0, CAKE, **{"Idempotency-Key": key}).data == done.data


def test_in_the_log_it_is_a_pass_by_hand() -> None:
    told = []
    for standing in (True, False):
        house.COUNTERS[0] = iter(range(10**6))
        party = house.opened(house.app(), "party", 3, visibility="public")
        if standing:
            put(party, 1, Idempotency_Key="let-1")
            put(party, 2, Idempotency_Key="let-2")
        assert party.move(0, CAKE, **{"Idempotency-Key": "cake"}).status_code == 201
        for seat in () if standing else (1, 2, 1, 2):
            assert party.move(seat, HUSH).status_code == 201
        told.append(
            [person.get(house.seen_as(f"{party.path}/entries?limit=200", seat)).data for person, seat in viewer(party)]
        )
    assert told[0] == told[1]
    assert told[0][0].count(b"party.hush") == 4


def viewer(table: Table) -> Iterator[tuple[Person, int | None]]:
    """Everybody with his eyes."""
    yield table.anyone, None
    yield table.host, None
    for seat, person in enumerate(table.seats):
        yield person, seat


def everything(table: Table, watcher: Person, seat: int | None) -> list[Any]:
    """All that somebody can read of a match, headers and all."""
    same, mine = {"X-Request-Id": "same"}, [] if seat is None else [seat]
    reads = [table.path, f"{table.path}/names", "/v1/matches", "/readyz"]
    shown = [f"{table.path}/{what}" for what in ("view", "entries?limit=200")]
    reads += [house.seen_as(each, viewer) for viewer in (None, *mine) for each in shown]
    reads += [f"{table.path}/seats/{each}/moves?near=20" for each in mine]
    reads += [path(table, other) for other in range(3) if other != seat]
    found = [(read, watcher.get(read, **same)) for read in reads]
    return [(read, got.status_code, sorted(got.headers.items()), got.data) for read, got in found]


def test_nobody_else_can_tell_that_something_stands(app: Flask, party: Table) -> None:
    log, onlooker = app.config["SERVICE"].log, spectator(party)
    watchers = [(party.host, None), (party.seats[2], 2), (onlooker, None), (party.anyone, None)]
    before = [everything(party, *watcher) for watcher in watchers]
    kept, version = log.read_entries(party.match, 0, 100), party.version
    assert put(party, 1, {"kinds": ["applause"], "until": "turn"}).status_code == 200
    assert [everything(party, *watcher) for watcher in watchers] == before
    assert (log.read_entries(party.match, 0, 100), party.version) == (kept, version)


def test_only_the_seat_itself_may_read_or_write_it(app: Flask, party: Table) -> None:
    arbiter: Any = party.host.post(f"{party.path}/invitations", {"role": "arbiter"}).json
    joined: Any = party.anyone.post("/v1/join", {"code": arbiter["code"]}).json
    assert put(party, 1).status_code == 200
    assert party.seats[1].put(f"{party.path}/seats/1/proxy", {"by": "2"}).status_code == 200
    rules = Person(party.anyone.client, joined["token"])
    others = [party.host, party.seats[0], party.seats[2], spectator(party), rules]
    for person in others:
        for operation in ("getStandingPasses", "setStandingPasses", "deleteStandingPasses"):
            method, where, body = CALLS[operation]
            answer = person.ask(method, where.format(m=party.match).replace("seats/0", "seats/1"), body)
            assert problem(answer, 403, "not-your-seat").keys() == {
                "type", "title", "status", "detail", "instance", "request_id",
            }  # fmt: skip
    problem(party.anyone.get(path(party, 1)), 401, "unauthorized")
    problem(party.seats[1].get(path(party, 7)), 404, "unknown-seat")
    assert party.seats[1].get(path(party, 1)).json == {**NONE, **BOTH}


def test_seats_without_a_phone_have_none_not_even_by_the_host(app: Flask) -> None:
    party = house.opened(app, "party", chairs=[{"kind": "human"}, {"kind": "table"}, {"kind": "bot"}])
    for seat in (1, 2):
        problem(put(party, seat, by=party.host), 403, "not-your-seat")


def test_a_seat_that_changes_hands_starts_anew(party: Table) -> None:
    put(party, 1)
    assert party.seats[1].delete(f"{party.path}/seats/1/player").status_code == 204
    invitation: Any = party.host.post(f"{party.path}/invitations", {"role": "seat:1"}).json
    joined: Any = party.anyone.post("/v1/join", {"code": invitation["code"]}).json
    assert Person(party.anyone.client, joined["token"]).get(path(party, 1)).json == NONE
    body: Any = party.move(0, DRUM).json
    assert body["followed"] == []


def test_it_ends_with_the_turn_or_with_the_match(party: Table) -> None:
    put(party, 1, {"kinds": ["applause"], "until": "turn"})
    put(party, 2, {"kinds": ["applause"], "until": "match"})
    assert party.move(0, DRUM).status_code == 201
    assert party.seats[1].get(path(party, 1)).json == NONE
    assert party.seats[2].get(path(party, 2)).json["kinds"] == ["applause"]  # type: ignore[index]
    party.end("abandoned")
    assert party.seats[2].get(path(party, 2)).json == NONE
    problem(put(party, 2), 409, "match-over")
    assert party.seats[2].delete(path(party, 2)).status_code == 204


def test_before_the_start_there_is_nothing_to_let_pass(app: Flask) -> None:
    party = house.opened(app, "party", 2, start=False)
    problem(put(party, 1), 409, "not-running")
    assert party.seats[1].get(path(party, 1)).json == NONE


def test_the_key_makes_it_safe_to_repeat(party: Table) -> None:
    key, own = fresh(), party.seats[1]
    first = put(party, 1, Idempotency_Key=key)
    assert "Idempotency-Replayed" not in first.headers
    own.delete(path(party, 1))
    again = put(party, 1, Idempotency_Key=key)
    assert (again.status_code, again.data) == (200, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert own.get(path(party, 1)).json == NONE  # what comes late once more undoes nothing
    other = {"kinds": ["encore"], "until": "match"}
    problem(put(party, 1, other, Idempotency_Key=key), 422, "idempotency-key-reused")
    problem(put(party, 1, Idempotency_Key=""), 400, "idempotency-key-missing")
    assert put(party, 2, other, Idempotency_Key=key).status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"kinds": ["applause", "ovation"], "until": "turn"}, "/kinds/1"),
        ({"kinds": [], "until": "turn"}, "/kinds"),
        ({"kinds": ["applause"] * 2, "until": "turn"}, "/kinds"),
        ({"kinds": [f"k{n}" for n in range(17)], "until": "turn"}, "/kinds"),
        ({"kinds": [1], "until": "turn"}, "/kinds/0"),
        ({"kinds": [""], "until": "turn"}, "/kinds/0"),
        ({"kinds": "applause", "until": "turn"}, "/kinds"),
        ({"until": "turn"}, "/kinds"),
        ({"kinds": ["applause"], "until": "round"}, "/until"),
        ({"kinds": ["applause"]}, "/until"),
        ({"kinds": ["applause"], "until": "turn", "seat": 2}, "/seat"),
    ],
)
def test_what_does_not_fit_is_named(party: Table, body: Any, pointer: str) -> None:
    errors = problem(put(party, 1, body), 422, "invalid-input")["errors"]
    assert [error["pointer"] for error in errors] == [pointer]
    assert party.seats[1].get(path(party, 1)).json == NONE


def test_a_game_without_windows_says_so(app: Flask) -> None:
    without = [name for name, game in load_games().items() if not game.windows]
    assert without
    for name in without:
        table = house.opened(app, name, load_games()[name].min_seats)
        body = {"kinds": ["modifiers"], "until": "turn"}
        (error,) = problem(put(table, 1, body), 422, "invalid-input")["errors"]
        assert error["pointer"] == "/kinds"
        assert "has no windows" in error["detail"]
        assert table.seats[1].get(path(table, 1)).json == {**NONE, "windows": []}


def test_the_box_names_the_windows(app: Flask) -> None:
    anyone = Person(app.test_client())
    for name, game in load_games().items():
        assert anyone.get(f"/v1/games/{name}").json["windows"] == list(game.windows)  # type: ignore[index]
    for game in load_games().values():
        assert len(set(game.windows)) == len(game.windows) <= 16
        assert all(0 < len(kind) <= 64 for kind in game.windows)


def test_a_look_at_a_match_whose_desk_died_plays_what_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    service = desks.service()
    party = house.opened(house.app(service), "party", 3, visibility="public")
    put(party, 1)
    with monkeypatch.context() as dead:
        dead.setattr(service.appender, "run_followups", lambda loaded: loaded)
        done: Any = party.move(0, DRUM, **{"Idempotency-Key": "drum"}).json
    assert done["version"] == done["entry"]["version"]
    other = house.app(desks.service(service.log)).test_client()
    assert Person(other).get(party.path).json["awaits"] == [2]  # type: ignore[index]
    again: Any = party.move(0, DRUM, **{"Idempotency-Key": "drum"}).json
    assert [entry["seat"] for entry in again["followed"]] == [1]


def test_the_calls_are_known_to_the_table_of_rights(party: Table) -> None:
    assert call(party.seats[0], party.match, "getStandingPasses").status_code == 200


@pytest.mark.usefixtures("first_scheme")
def test_in_here_to_slay_a_card_stands_at_once_where_all_others_let_challenges_pass(app: Flask) -> None:
    table = house.opened(app, "here_to_slay", 3, visibility="public")
    while table.moves(table.awaited[0])["question"]["name"] != "hts.Turn":  # leaders are picked first
        seat = table.awaited[0]
        assert table.move(seat, table.moves(seat)["legal"][0]["move"]).status_code == 201
    (active,) = table.awaited
    others = [seat for seat in range(3) if seat != active]
    assert table.seats[active].get(path(table, active)).json["windows"] == ["challenge", "modifiers"]
    for seat in others:
        assert put(table, seat, {"kinds": ["challenge", "modifiers"], "until": "match"}).status_code == 200
    hero = None
    while hero is None:
        options = [each["move"] for each in table.moves(active)["legal"]]
        hero = next((move for move in options if move["type"] == "hts.play" and move["card"] in HEROES), None)
        if hero is None:
            assert table.move(active, {"type": "hts.draw"}).status_code == 201, "nobody draws three without a hero here"
    version = table.version
    assert table.move(active, hero).status_code == 201
    assert table.awaited == [active]  # the free roll is offered: the window cost nobody a tap
    assert table.moves(active)["question"]["name"] == "hts.FreeRoll"
    passes = [entry for entry in events(table, version) if entry["move"]["type"] == "hts.pass"]
    assert [entry["seat"] for entry in passes] == sorted(others)


def test_windows_about_the_seat_itself_may_be_left_out(app: Flask) -> None:
    table = here_to_slay.sit_down(app)
    body = {"kinds": ["challenge", "modifiers"], "unless_mine": ["modifiers"], "until": "match"}
    for seat in range(3):
        assert put(table, seat, body).status_code == 200
    assert table.seats[2].get(path(table, 2)).json["unless_mine"] == ["modifiers"]  # type: ignore[index]
    assert table.move(2, {"type": "hts.play", "card": "peanut"}).status_code == 201
    assert table.awaited == [2]  # nobody challenges, and the roll is offered
    assert table.move(2, {"type": "choose.accept"}).status_code == 201
    dice = {"type": "chance.rolled", "values": [3, 3]}
    assert table.move("chance", dice, table.seats[2]).status_code == 201
    assert table.awaited == [2]  # who rolled is asked, and only that seat
    assert table.moves(2)["window"]["kind"] == "modifiers"
    problem(put(table, 0, {**body, "unless_mine": ["never"]}), 422, "invalid-input")
    assert table.move(2, {"type": "hts.pass"}).status_code == 201


def test_a_roll_aimed_at_a_seat_concerns_it(app: Flask) -> None:
    table = here_to_slay.sit_down(app)
    body = {"kinds": ["challenge", "modifiers"], "unless_mine": ["modifiers"], "until": "match"}
    for seat in range(3):
        assert put(table, seat, body).status_code == 200
    assert table.move(2, {"type": "hts.play", "card": "bear_claw"}).status_code == 201
    assert table.move(2, {"type": "choose.accept"}).status_code == 201
    dice = {"type": "chance.rolled", "values": [4, 4]}
    assert table.move("chance", dice, table.seats[2]).status_code == 201
    assert table.moves(2)["question"]["name"] != "hts.ModifierWindow"  # whom to rob is said before
    victim = next(each["move"] for each in table.moves(2)["legal"] if 0 in each["move"].values())
    assert table.move(2, victim).status_code == 201
    assert sorted(table.awaited) == [0, 2]
