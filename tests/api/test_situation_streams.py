"""Streams that carry situations: those that GET gives, once for each version that a seat comes to see."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from flask import Flask

from api.resources.streams import channel
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.streaming import BEAT, Heard, Told, ended, entries, moved, open_stream, quick
from tests.api.test_playing import page_through
from tests.api.test_situations import CLOCKS, GAMES
from tests.api.test_streams import rewind


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


def situation(table: Table, seat: int) -> Any:
    return table.seats[seat].get(f"{table.path}/seats/{seat}/situation").json


def situations(told: list[Told]) -> list[Any]:
    """The situations among what was told, each under the number of its version."""
    found = [each for each in told if each.kind == "situation"]
    assert all(each.id == each.data["version"] for each in found)
    return [each.data for each in found]


def kinds(told: list[Told]) -> list[str]:
    """What was told, in order; who looks on is left out."""
    return [each.kind for each in told if each.kind != "presence"]


def raw(stream: Heard) -> bytes:
    """The next chunk with a situation, as it is sent."""
    return next(chunk for chunk in stream._chunks if b"event: situation" in chunk)


@pytest.mark.parametrize("game", GAMES)
def test_each_seat_is_sent_the_bytes_of_its_situation_and_no_entries(app: Flask, game: str) -> None:
    table, dice = house.opened(app, game), random.Random(game)
    for seat in (0, 1):
        path = f"{table.path}/seats/{seat}"
        with open_stream(table.seats[seat], table.path, seat, send="situations") as stream:
            for _ in range(6):
                shown, body = raw(stream), table.seats[seat].get(f"{path}/situation").data
                assert b"event: situation\nid: %d\ndata: %s\n\n" % (table.version, body) in shown
                assert b"event: entry" not in shown
                assert b"event: snapshot" not in shown
                moved(table, dice)
                if not table.awaited:
                    break


def test_entries_that_come_at_once_have_one_situation_after_the_last(app: Flask) -> None:
    table = house.opened(app)
    first = table.version
    with open_stream(table.seats[0], table.path, 0, send="both") as stream:
        assert kinds(stream.now()) == ["situation"]
        for _ in range(3):
            last = moved(table)
        told = stream.now()
        assert kinds(told) == ["entry"] * (last - first) + ["situation"]
        assert entries(told) == page_through(table.seats[0], f"{table.path}/entries?viewer=seat:0")[first:]
        assert situations(told) == [situation(table, 0)]


@pytest.mark.parametrize("batch", [channel.BATCH, 2])
def test_a_stream_that_is_resumed_sends_what_was_missed_and_then_the_present(
    app: Flask, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(channel, "BATCH", batch)
    table = house.opened(app)
    first = table.version
    for _ in range(4):
        last = moved(table)
    for after in (first, last - 1, last, last + 7):
        missed = max(0, last - after)
        with open_stream(table.seats[1], table.path, 1, after=after, send="both") as stream:
            told = stream.now()
            assert kinds(told) == ["entry"] * missed + ["situation"]
            assert situations(told) == [situation(table, 1)]
        with open_stream(table.seats[1], table.path, 1, after=after, send="situations") as stream:
            assert [each.data for each in stream.now() if each.kind != "presence"] == [situation(table, 1)]


def test_a_takeback_is_followed_by_the_situation_that_it_leads_to(app: Flask) -> None:
    table = house.opened(app)
    back = moved(table)
    with open_stream(table.seats[0], table.path, 0, send="both") as stream:
        stream.now()
        moved(table)
        rewind(app, table.match, back)
        told = stream.now()
        assert "snapshot" not in kinds(told)
        assert kinds(told)[-1] == "situation"
        assert situations(told)[-1] == situation(table, 0)


def test_after_the_last_situation_comes_the_end_and_then_no_more(app: Flask) -> None:
    table = house.opened(app)
    with open_stream(table.seats[0], table.path, 0, send="situations") as stream:
        stream.now()
        ended(table)
        *_, last, end = stream.rest()
        assert last.data == situation(table, 0)
        assert end == Told("end", None, {"version": table.version, "status": "abandoned"})
    for after in (None, table.version + 5):
        with open_stream(table.seats[0], table.path, 0, after=after, send="situations") as again:
            assert kinds(again.rest()) == ["situation", "end"]
    last = table.seats[0].get(f"{table.path}/stream?viewer=seat:0&send=situations", Last_Event_ID=str(table.version))
    assert last.status_code == 204


def test_a_stream_of_situations_ends_with_the_right_to_it(app: Flask) -> None:
    table = house.opened(app)
    with open_stream(table.seats[0], table.path, 0, send="situations") as stream:
        stream.now()
        assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
        assert stream.rest() == []
    assert app.config["CHANGE_FEED"].held_slots == 0


def test_streams_of_one_seat_share_a_situation_that_is_built_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, built = house.opened(app), []
    real = channel.build_situation

    def count(service: Any, loaded: Any, seat: int) -> Any:
        built.append((loaded.version, seat))
        return real(service, loaded, seat)

    monkeypatch.setattr(channel, "build_situation", count)
    with (
        open_stream(table.seats[0], table.path, 0, send="situations") as one,
        open_stream(table.seats[0], table.path, 0, send="both") as two,
        open_stream(table.seats[0], table.path, 0) as three,
    ):
        for stream in (one, two, three):
            stream.now()
        last = moved(table)
        shown = [situations(stream.now()) for stream in (one, two, three)]
        assert shown == [[situation(table, 0)], [situation(table, 0)], []]
    assert built == [(built[0][0], 0), (last, 0)]


def test_a_stream_that_begins_later_has_the_time_that_is_left_then(app: Flask) -> None:
    table = house.opened(app, clocks=CLOCKS)
    log = app.config["SERVICE"].log
    with open_stream(table.seats[0], table.path, 0, send="situations") as early:
        early.now()
        log.advance_clock(7_000)
        for after in (None, table.version):
            with open_stream(table.seats[0], table.path, 0, after=after, send="situations") as late:
                shown = late.now()[0].data
                assert shown == situation(table, 0)
                assert shown["view"]["deadline"]["left_ms"] == CLOCKS["move_ms"] - 7_000
        time.sleep(BEAT)
        assert kinds(early.now()) == [], "time alone is no news"


@pytest.mark.parametrize("query", ["send=", "send=situation", "send=Both", "near=3", "with=situation"])
def test_a_query_that_the_stream_does_not_know_is_refused(app: Flask, query: str) -> None:
    table = house.opened(app)
    wrong = problem(table.seats[0].get(f"{table.path}/stream?viewer=seat:0&{query}"), 422, "invalid-input")
    assert [(each["pointer"], each["in"]) for each in wrong["errors"]] == [(f"/{query.partition('=')[0]}", "query")]
    twice = table.seats[0].get(f"{table.path}/stream?viewer=seat:0&send=both&send=both")
    problem(twice, 400, "parameter-repeated")
    assert app.config["CHANGE_FEED"].held_slots == 0


def test_only_a_seat_has_a_situation_to_be_sent(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    ended(table)
    for person, viewer in ((table.anyone, "public"), (table.seats[0], "full")):
        wrong = problem(person.get(f"{table.path}/stream?viewer={viewer}&send=situations"), 422, "invalid-input")
        assert wrong["errors"][0]["pointer"] == "/send"
    path = f"{table.path}/stream?viewer=seat:0&send=situations"
    problem(Person(app.test_client()).get(path), 401, "unauthorized")
    problem(table.seats[1].get(path), 403, "not-your-seat")
