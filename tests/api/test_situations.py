"""Where a seat stands, in one answer: by itself, and in the answer to the move that leads there."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest
from flask import Flask

from referee.eventstore.contract import MatchLog
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.streaming import moved, quick

WHOLE = "return=representation"
CLOCKS = {"move_ms": 60_000, "window_ms": 20_000}
GAMES = ("monster_combat", "here_to_slay", "shy_monsters")


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


def read_situation(person: Person, table: Table, seat: int, version: int | None = None) -> dict[str, Any]:
    """What the two calls give that the situation stands for."""
    query = "" if version is None else f"?version={version}"
    view: Any = person.get(house.seen_as(f"{table.path}/board{query}", seat)).json
    moves = person.get(f"{table.path}/seats/{seat}/moves{query}").json
    log: MatchLog = person.client.application.config["SERVICE"].log
    (entry,) = log.read_entries(table.match, view["version"] - 1, 1)
    return {"version": view["version"], "root": entry.root.hex(), "view": view, "moves": moves}


def next_move(table: Table, dice: random.Random) -> tuple[int, dict[str, Any]]:
    """A seat that is awaited, and some move of it."""
    seat = next(seat for seat in table.awaited if isinstance(seat, int))
    return seat, dice.choice(table.moves(seat)["legal"])["move"]


@pytest.mark.parametrize("clocks", [None, CLOCKS], ids=["no clocks", "clocks"])
@pytest.mark.parametrize("game", GAMES)
def test_a_situation_is_what_board_and_moves_tell(app: Flask, game: str, clocks: Any) -> None:
    table, dice = house.opened(app, game, **({"clocks": clocks} if clocks else {})), random.Random(game)
    limited = 0
    for _ in range(12):
        for seat, person in enumerate(table.seats):
            viewer = f"{table.path}/seats/{seat}"
            found = person.get(f"{viewer}/situation")
            assert found.json == read_situation(person, table, seat)
            assert found.headers["ETag"] == f'"v{table.version}"'
            assert found.headers["Cache-Control"] == "private, no-store"
            limited += found.json["view"]["deadline"] is not None  # type: ignore[index]
        seat, move = next_move(table, dice)
        done = table.move(seat, move, Prefer=WHOLE)
        assert done.status_code == 201, done.text
        assert done.headers["Preference-Applied"] == WHOLE
        assert done.json["version"] == done.json["situation"]["version"] == table.version  # type: ignore[index]
        assert done.json["situation"] == read_situation(table.seats[seat], table, seat)  # type: ignore[index]
        if not table.awaited:
            break
    assert bool(limited) == bool(clocks)


def test_near_misses_are_as_many_as_are_asked_for(app: Flask) -> None:
    table = house.opened(app)
    viewer = f"{table.path}/seats/0"
    for near in (0, 20):
        found: Any = table.seats[0].get(f"{viewer}/situation?near={near}").json
        assert found["moves"] == table.seats[0].get(f"{viewer}/moves?near={near}").json
    problem(table.seats[0].get(f"{viewer}/situation?near=21"), 422, "invalid-input")
    problem(table.seats[0].get(f"{viewer}/situation?version=1"), 422, "invalid-input")


@pytest.mark.parametrize("prefer", ["", "return=minimal", "wait=1", "return=representations", "x-return=whole"])
def test_who_does_not_prefer_it_is_not_told_where_he_stands(app: Flask, prefer: str) -> None:
    table = house.opened(app)
    seat, move = next_move(table, random.Random(1))
    done = table.move(seat, move, Prefer=prefer)
    assert done.status_code == 201, done.text
    assert "situation" not in done.json  # type: ignore[operator]
    assert "Preference-Applied" not in done.headers


@pytest.mark.parametrize("prefer", ['Return = "representation"', "wait=5, return=representation", f"{WHOLE}; x=1"])
def test_the_preference_may_be_written_in_any_form_of_rfc_7240(app: Flask, prefer: str) -> None:
    table = house.opened(app)
    seat, move = next_move(table, random.Random(1))
    done = table.move(seat, move, Prefer=prefer)
    assert done.headers["Preference-Applied"] == WHOLE
    assert done.json["situation"]["view"]["viewer"] == seat  # type: ignore[index]


@pytest.mark.parametrize("game", GAMES)
def test_a_repeated_move_is_told_where_it_led_although_the_match_went_on(app: Flask, game: str) -> None:
    table, dice = house.opened(app, game), random.Random(5)
    seat, move = next_move(table, dice)
    first: Any = table.move(seat, move, Prefer=WHOLE, Idempotency_Key="once").json
    for _ in range(3):
        moved(table, dice)
    again = table.move(seat, move, Prefer=WHOLE, Idempotency_Key="once")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == f'"v{first["version"]}"'
    assert again.json == first
    assert again.json["situation"] == read_situation(table.seats[seat], table, seat, first["version"])
    plain = table.move(seat, move, Idempotency_Key="once").json
    assert plain == {name: value for name, value in first.items() if name != "situation"}


def test_a_move_that_does_not_stand_or_is_only_tried_tells_no_situation(app: Flask) -> None:
    table = house.opened(app)
    (seat,) = table.awaited
    refused = table.move(seat, {"type": "mc.play", "card": "shield"}, Prefer=WHOLE)
    assert "situation" not in problem(refused, 409, "illegal-move")
    path = f"{table.path}/seats/{seat}/moves/check"
    tried = table.seats[seat].post(path, {"move": next_move(table, random.Random(1))[1]}, Prefer=WHOLE)
    assert tried.status_code == 200
    assert "situation" not in tried.json  # type: ignore[operator]
    assert "Preference-Applied" not in refused.headers
    assert "Preference-Applied" not in tried.headers


def test_a_proxy_is_told_where_he_stands_himself(app: Flask) -> None:
    table = house.opened(app)
    (seat,) = table.awaited
    _, move = next_move(table, random.Random(1))
    table.seats[seat].put(f"{table.path}/seats/{seat}/proxy", {"by": str(1 - seat)})
    done = table.move(seat, move, by=table.seats[1 - seat], Prefer=WHOLE)
    assert done.status_code == 201, done.text
    assert done.json["situation"] == read_situation(table.seats[1 - seat], table, 1 - seat)  # type: ignore[index]


def test_a_host_without_a_seat_who_moves_for_one_is_told_no_situation(app: Flask) -> None:
    table = house.opened(app)
    (seat,) = table.awaited
    _, move = next_move(table, random.Random(1))
    table.seats[seat].put(f"{table.path}/seats/{seat}/proxy", {"by": "host"})
    done = table.move(seat, move, by=table.host, Prefer=WHOLE)
    assert done.status_code == 201, done.text
    assert "situation" not in done.json  # type: ignore[operator]
    assert "Preference-Applied" not in done.headers


def test_who_has_the_version_is_told_nothing_new(app: Flask) -> None:
    table = house.opened(app)
    path, tag = f"{table.path}/seats/0/situation", f'"v{table.version}"'
    known = table.seats[0].get(path, If_None_Match=tag)
    assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tag)
    moved(table)
    assert table.seats[0].get(path, If_None_Match=tag).status_code == 200


def test_while_a_clock_runs_the_deadline_is_always_told(app: Flask) -> None:
    table = house.opened(app, clocks=CLOCKS)
    path = f"{table.path}/seats/0/situation"
    app.config["SERVICE"].log.advance_clock(1_000)
    found: Any = table.seats[0].get(path, If_None_Match=f'"v{table.version}"').json
    assert found["moves"]["deadline"] == found["view"]["deadline"]
    assert found["view"]["deadline"]["left_ms"] == CLOCKS["move_ms"] - 1_000


def test_who_has_the_version_may_wait_for_the_next_one(app: Flask) -> None:
    table = house.opened(app)
    path, tag = f"{table.path}/seats/0/situation", f'"v{table.version}"'
    people = tuple(Person(app.test_client(), person.token) for person in table.seats)
    other = Table(table.match, table.anyone, Person(app.test_client(), table.host.token), people, ())
    began = time.monotonic()
    threading.Timer(0.2, lambda: moved(other)).start()
    found = table.seats[0].get(path, If_None_Match=tag, Prefer="wait=20")
    assert 0.15 < time.monotonic() - began < 15
    assert found.headers["Preference-Applied"] == "wait=20"
    assert found.json == read_situation(table.seats[0], table, 0)
    assert app.config["CHANGE_FEED"].held_slots == 0


def test_who_waits_in_vain_has_the_version_still(app: Flask) -> None:
    table = house.opened(app)
    path, tag = f"{table.path}/seats/0/situation", f'"v{table.version}"'
    began = time.monotonic()
    found = table.seats[0].get(path, If_None_Match=tag, Prefer="wait=1")
    assert 1 <= time.monotonic() - began < 15
    assert (found.status_code, found.headers["Preference-Applied"]) == (304, "wait=1")


def test_who_names_no_version_does_not_wait(app: Flask) -> None:
    table = house.opened(app)
    found = table.seats[0].get(f"{table.path}/seats/0/situation", Prefer="wait=20")
    assert found.status_code == 200
    assert "Preference-Applied" not in found.headers


def test_who_loses_the_seat_while_waiting_is_told_nothing_of_it(app: Flask) -> None:
    table = house.opened(app)
    path, tag = f"{table.path}/seats/0/situation", f'"v{table.version}"'
    own = Person(app.test_client(), table.seats[0].token)
    threading.Timer(0.2, lambda: own.delete(f"{table.path}/seats/0/player")).start()
    problem(table.seats[0].get(path, If_None_Match=tag, Prefer="wait=20"), 404, "unknown-match")
    assert app.config["CHANGE_FEED"].held_slots == 0
