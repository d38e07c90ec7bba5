"""Real dice and cards: who may report what they show, and when."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from referee.games import load_games
from referee.service.appender import Appender
from tests.api import house
from tests.api.house import Table, problem
from tests.api.test_rights import spectator


def at_a_table(app: Flask, game: str = "monster_combat", **more: Any) -> Table:
    return house.opened(app, game, load_games()[game].min_seats, chance="table", **more)


def until_chance(table: Table, dice: random.Random) -> None:
    """Plays on until chance is awaited."""
    for _ in range(60):
        awaited = table.awaited
        if awaited == ["chance"]:
            return
        assert awaited, "the match ended and nothing was to be reported"
        seat = awaited[0]
        options = [each["move"] for each in table.moves(seat)["legal"] if not each["move"]["type"].endswith("concede")]
        assert table.move(seat, dice.choice(options)).status_code == 201
    raise AssertionError("nothing was to be reported in sixty moves")


def test_a_seat_reports_and_the_log_says_so(app: Flask) -> None:
    for game in load_games():
        table = at_a_table(app, game)
        until_chance(table, random.Random(game))
        for by in table.seats:
            listed = table.moves("chance", by)
            assert listed["awaited"]
            assert listed["legal"]
        move = listed["legal"][0]["move"]
        tried = table.seats[1].post(f"{table.path}/seats/chance/moves/check", {"move": move})
        assert tried.json["verdict"] == "granted"  # type: ignore[index]
        key = house.fresh()
        done = table.move("chance", move, table.seats[1], **{"Idempotency-Key": key})
        assert done.status_code == 201, done.text
        entry: Any = done.json["entry"]  # type: ignore[index]
        assert entry["seat"] == "chance"
        assert entry["actor"] == {"kind": "reporter", "seat": 1}
        again = table.move("chance", move, table.seats[1], **{"Idempotency-Key": key})
        assert again.status_code == 201
        assert again.headers["Idempotency-Replayed"] == "true"


def test_what_cannot_be_is_refused_and_only_players_report(app: Flask) -> None:
    table = at_a_table(app)
    until_chance(table, random.Random(1))
    version = table.version
    odd = table.move("chance", {"type": "mc.begins", "seat": 17}, table.seats[0])
    told = problem(odd, 409, "illegal-move")
    assert told["ruling"]["clauses"]
    assert told["next"]["awaits"] == ["chance"]
    legal = table.moves("chance", table.seats[0])["legal"][0]["move"]
    problem(table.move("chance", legal, table.host), 403, "players-only")
    problem(table.move("chance", legal, spectator(table)), 403, "players-only")
    problem(table.host.get(f"{table.path}/seats/chance/moves"), 403, "players-only")
    stale = table.move("chance", legal, table.seats[0], **{"If-Match": f'"v{version - 1}"'})
    problem(stale, 412, "stale-version")
    problem(table.move("chance", legal, table.seats[0], seen=version - 1), 409, "overtaken")
    assert table.version == version


def test_where_the_server_draws_nobody_reports(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as dead:  # a desk that dies between a move and its draw: the draw stays to be made
        dead.setattr(Appender, "run_chance", lambda _, loaded: loaded)
        table = house.opened(app)
    assert table.awaited == ["chance"]
    version = table.version
    for move in ({"type": "mc.begins", "seat": 0}, {"type": "chance.turned_up", "card": "sword"}):
        refused = problem(table.move("chance", move, table.seats[0]), 409, "illegal-move")
        assert [clause["id"] for clause in refused["ruling"]["clauses"]] == ["TABLE-REPORT-1"]
        assert refused["ruling"]["reason"]["de"]
    assert table.version == version
    app.config["SERVICE"].recover_match(table.match)
    refused = problem(table.move("chance", {"type": "mc.begins", "seat": 0}, table.seats[0]), 409, "illegal-move")
    assert refused["ruling"]["clauses"][0]["id"] == "MC-SETUP-6"


def test_nothing_is_reported_out_of_turn_before_the_start_or_after_the_end(app: Flask) -> None:
    waiting = at_a_table(app, start=False)
    begins = {"type": "mc.begins", "seat": 0}
    problem(waiting.move("chance", begins, waiting.seats[0]), 409, "not-running")
    table = at_a_table(app)
    for _ in range(20):
        if table.awaited != ["chance"]:
            break
        legal = table.moves("chance", table.seats[0])["legal"][0]["move"]
        assert table.move("chance", legal, table.seats[0]).status_code == 201
    refused = problem(table.move("chance", begins, table.seats[0]), 409, "illegal-move")
    assert refused["ruling"]["clauses"][0]["id"] == "MC-SETUP-6"
    table.end("abandoned")
    problem(table.move("chance", begins, table.seats[0]), 409, "match-over")


def test_the_host_reports_for_a_table_without_phones(app: Flask) -> None:
    table = house.opened(app, chairs=[{"kind": "table"}] * 2, chance={"deck": "table"})
    until = [seat for seat in table.awaited if seat != "chance"]
    if not until:
        legal = table.moves("chance", table.host)["legal"][0]["move"]
        assert table.move("chance", legal, table.host).status_code == 201
    else:
        assert table.moves("chance", table.host)["awaited"] is False
