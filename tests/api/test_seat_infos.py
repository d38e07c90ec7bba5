"""Who sits there, beside the board: names, colours and connections."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Table, seen_as
from tests.api.streaming import moved, open_stream, quick
from tests.api.test_situation_streams import raw, situations

WHOLE = "return=representation"


@pytest.fixture(params=["lane", "flask"])
def app(request: pytest.FixtureRequest) -> Flask:
    return quick(house.app(HOT_LANE=request.param == "lane"))


def seats_of(table: Table, seat: int | None = 0, query: str = "") -> list[dict[str, Any]]:
    """The people whom a viewer is shown beside the board."""
    person = table.anyone if seat is None else table.seats[seat]
    said = person.get(seen_as(f"{table.path}/board{query}", seat))
    assert said.status_code == 200, said.text
    found: list[dict[str, Any]] = said.json["seats"]  # type: ignore[index]
    return found


def rename(app: Flask, table: Table, seat: int, name: str | None) -> None:
    app.config["SERVICE"].log.put_seat_names(table.match, {str(seat): name})


def test_each_seat_has_name_colour_and_kind(app: Flask) -> None:
    table = house.opened(app)
    rename(app, table, 1, "Zo\u00eb")
    shown = seats_of(table)
    assert [(each["seat"], each["name"], each["color"]) for each in shown] == [(0, None, 0), (1, "Zo\u00eb", 1)]
    assert [(each["kind"], each["level"], each["is_taken"]) for each in shown] == [("human", None, True)] * 2
    assert table.seats[0].get(f"{table.path}/seats/0/situation").json["view"]["seats"] == shown  # type: ignore[index]


def test_a_bot_has_a_level_and_no_connection(app: Flask) -> None:
    table = house.opened(app, chairs=[{"kind": "human"}, {"kind": "bot", "level": 1}])
    assert seats_of(table)[1] == {
        "seat": 1, "name": None, "color": 1, "kind": "bot", "level": 1, "is_taken": False, "is_connected": None,
    }  # fmt: skip


def test_a_past_board_shows_the_names_of_today_and_none_that_was_erased(app: Flask) -> None:
    table, dice = house.opened(app), random.Random(3)
    rename(app, table, 0, "Ada")
    version = table.version
    for _ in range(3):
        moved(table, dice)
    rename(app, table, 0, "Bea")
    assert seats_of(table, query=f"?version={version}")[0]["name"] == "Bea"
    rename(app, table, 0, None)
    assert seats_of(table, query=f"?version={version}")[0]["name"] is None
    assert "Ada" not in table.seats[0].get(f"{table.path}/seats/0/situation").text


@pytest.mark.parametrize("kind", ["board", "situation"])
def test_a_changed_name_and_a_connection_change_the_etag(app: Flask, kind: str) -> None:
    table = house.opened(app)
    path, tags = f"{table.path}/{'board?viewer=seat:0' if kind == 'board' else 'seats/0/situation'}", []
    for change in (
        lambda: None,
        lambda: rename(app, table, 1, "Ada"),
        lambda: rename(app, table, 1, "Bea"),
        lambda: app.config["SERVICE"].log.record_visit(table.match, 1, "phone", 60_000),
    ):
        change()
        tag = table.seats[0].get(path).headers["ETag"]
        assert table.seats[0].get(path, If_None_Match=tag).status_code == 304
        assert all(table.seats[0].get(path, If_None_Match=old).status_code == 200 for old in tags)
        tags.append(tag)
    assert len(set(tags)) == len(tags)
    if kind == "situation":  # the tag of a board names its viewer
        assert table.seats[0].get(f"{table.path}/seats/0/moves", If_None_Match=tags[0]).status_code == 304


def test_the_tag_of_a_move_names_the_situation_that_came_along_and_guards_the_next_write(app: Flask) -> None:
    table = house.opened(app)
    rename(app, table, 1, "Ada")
    seat = next(seat for seat in table.awaited if isinstance(seat, int))
    made = table.move(seat, table.moves(seat)["legal"][0]["move"], Prefer=WHOLE)
    path = f"{table.path}/seats/{seat}/situation"
    assert made.json["situation"]["view"]["seats"][1]["name"] == "Ada"  # type: ignore[index]
    assert table.seats[seat].get(path, If_None_Match=made.headers["ETag"]).status_code == 304
    other = next(seat for seat in table.awaited if isinstance(seat, int))
    move = table.moves(other)["legal"][0]["move"]
    assert table.move(other, move, If_Match=made.headers["ETag"]).status_code == 201


def test_who_listens_or_waits_is_connected(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=0)
    assert [each["is_connected"] for each in seats_of(table)] == [True, False]
    assert [each["is_connected"] for each in seats_of(table, None)] == [False, False]
    with open_stream(table.seats[1], table.path, 1) as stream:
        stream.now()
        assert [each["is_connected"] for each in seats_of(table)] == [True, True]
        assert [each["is_connected"] for each in seats_of(table, None)] == [False, True]
    assert [each["is_connected"] for each in seats_of(table)] == [True, False]


def test_onlookers_who_see_the_match_late_see_no_connection(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=2)
    app.config["SERVICE"].log.record_visit(table.match, 0, "phone", 60_000)
    before = table.anyone.get(f"{table.path}/board").headers["ETag"]
    assert [each["is_connected"] for each in seats_of(table, None)] == [None, None]
    app.config["SERVICE"].log.record_visit(table.match, 0, "phone", 0)
    assert table.anyone.get(f"{table.path}/board").headers["ETag"] == before


def test_a_stream_sends_the_situation_again_when_a_name_changes(app: Flask) -> None:
    table = house.opened(app)
    with open_stream(table.seats[0], table.path, 0, send="situations") as stream:
        (first,) = situations(stream.now())
        rename(app, table, 1, "Ada")
        (second,) = situations(stream.now())
        assert first["view"]["seats"][1]["name"] is None
        assert second == {**first, "view": {**first["view"], "seats": second["view"]["seats"]}}
        assert second["view"]["seats"][1]["name"] == "Ada"
        rename(app, table, 1, None)
        body = table.seats[0].get(f"{table.path}/seats/0/situation").data
        assert body in raw(stream)


def test_a_seat_that_is_left_has_no_name(app: Flask) -> None:
    table = house.opened(app)
    rename(app, table, 1, "Ada")
    assert table.seats[1].delete(f"{table.path}/seats/1/player").status_code == 204
    assert (seats_of(table)[1]["name"], seats_of(table)[1]["is_taken"]) == (None, False)
