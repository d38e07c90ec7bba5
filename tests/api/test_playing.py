"""Whole matches over the API: opened, joined, played to the end by the moves it lists, and read afterwards."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from referee.games import load_games
from tests.api import house

# or matches end before anything has happened
GIVING_UP = ("sm.concede", "sm.claim", "hts.leave", "cc.concede", "cc.offer_draw")
GAMES = [(name, variant) for name, game in load_games().items() for variant in game.variants]


def play(table: house.Table, dice: random.Random, most: int = 400) -> int:
    """Plays random listed moves until the match is over or so many are made; how many were made."""
    for made in range(most):
        awaited = [seat for seat in table.awaited if isinstance(seat, int)]
        if not awaited:
            return made
        seat = dice.choice(awaited)
        listed = table.moves(seat)
        if listed["legal"]:
            options = [each["move"] for each in listed["legal"]]
            going_on = [move for move in options if move["type"] not in GIVING_UP]
            move = dice.choice(going_on or options)
        else:
            pytest.fail(f"seat {seat} is awaited and nothing is listed: {listed}")
        done = table.move(seat, move, seen=listed["version"])
        assert done.status_code == 201, done.text
        assert done.headers["ETag"] == f'"v{done.json["version"]}"'
        assert done.json["entry"]["seat"] == seat
    return most


@pytest.mark.parametrize(("game", "variant"), GAMES)
def test_a_match_is_played_and_read(app: Flask, game: str, variant: str) -> None:
    table = house.opened(app, game, load_games()[game].min_seats, variant=variant, visibility="public")
    made = play(table, random.Random(f"{game}{variant}"), 60)
    assert made > 3

    about: Any = table.anyone.get(table.path).json
    if about["status"] == "running":
        placement = [[seat] for seat in range(load_games()[game].min_seats)]
        ended = table.end("agreed", placement=placement)
        assert ended.status_code == 201, ended.text
    about = table.anyone.get(table.path).json
    assert about["status"] == "finished"
    assert about["outcome"]["clauses"]
    assert about["awaits"] == []

    entries = page_through(table.seats[0], f"{table.path}/entries?viewer=seat:0")
    assert [entry["version"] for entry in entries] == list(range(1, about["version"] + 1))
    assert entries == page_through(table.seats[0], f"{table.path}/entries?viewer=seat:0", limit=7)
    lines = table.seats[0].get(f"{table.path}/entries?viewer=seat:0", Accept="application/x-ndjson")
    assert lines.content_type == "application/x-ndjson"
    assert [app.json.loads(line) for line in lines.data.splitlines()] == entries
    one = table.seats[0].get(f"{table.path}/entries/{len(entries) - 1}?viewer=seat:0")
    whole = page_through(table.seats[0], f"{table.path}/entries?viewer=seat:0", steps="true")
    assert one.json == whole[-2]

    full: Any = table.seats[0].get(f"{table.path}/view?viewer=full").json
    assert full["viewer"] == "full"
    assert full["version"] == about["version"]
    house.problem(table.anyone.get(f"{table.path}/view?viewer=full"), 401, "unauthorized")
    bare = {
        "shy_monsters": "sm.concede", "monster_combat": "mc.pass", "here_to_slay": "hts.pass", "munchkin": "mk.kick",
        "creature_crush": "cc.end_combat", "mau_mau": "mm.pass",
    }  # fmt: skip
    again = table.move(0, {"type": bare[game]})
    house.problem(again, 409, "match-over")


def page_through(person: house.Person, path: str, limit: int = 50, steps: str = "false") -> list[dict[str, Any]]:
    """All entries, by following the links."""
    found: list[dict[str, Any]] = []
    where: str | None = f"{path}{'&' if '?' in path else '?'}limit={limit}&steps={steps}"
    while where:
        page = person.get(where)
        assert page.status_code == 200, page.text
        assert len(page.json["items"]) <= limit  # type: ignore[index]
        found += page.json["items"]  # type: ignore[index]
        link = page.headers.get("Link")
        assert (link is None) == (page.json["next_cursor"] is None)  # type: ignore[index]
        where = link.partition("<")[2].partition(">")[0] if link else None
    return found


def test_what_a_seat_has_already_is_not_sent_again(table: house.Table) -> None:
    version = table.version
    for path, tag in (
        ("/view?viewer=seat:0", f'"v{version}-seat0"'), ("/board?viewer=seat:0", f'"v{version}-seat0"'),
        ("/view", f'"v{version}"'), ("/seats/0/moves", f'"v{version}"'), ("", f'"v{version}"'),
    ):  # fmt: skip
        for known in (tag, f"W/{tag}", f'"v1", {tag}', tag[:-1] + ':gzip"'):
            again = table.seats[0].get(table.path + path, If_None_Match=known)
            assert again.status_code == 304, (path, known)
            assert again.data == b""
            assert again.headers["ETag"] == (f"W/{tag}" if known == f"W/{tag}" else tag)  # that of what the client has
        for other in ('"v1"', f'"v{version}-seat1"', f'"v{version}-full"', f'"v{version}-de"'):
            assert table.seats[0].get(table.path + path, If_None_Match=other).status_code == 200, (path, other)
    for path in ("view", "board", "census", "disputes", "explanation", "entries/1", "entries/1/explanation"):
        public = table.seats[0].get(f"{table.path}/{path}").headers["ETag"]
        own = table.seats[0].get(f"{table.path}/{path}?viewer=seat:0", If_None_Match=public)
        assert (own.status_code, own.headers["ETag"]) == (200, f'{public[:-1]}-seat0"'), path


def test_an_earlier_version_is_seen_as_it_was(table: house.Table) -> None:
    before: Any = table.seats[0].get(f"{table.path}/view?viewer=seat:0").json
    seat = table.awaited[0]
    table.move(seat, table.moves(seat)["legal"][0]["move"])
    after: Any = table.seats[0].get(f"{table.path}/view?viewer=seat:0").json
    assert after["version"] > before["version"]
    then = table.seats[0].get(f"{table.path}/view?viewer=seat:0&version={before['version']}")
    assert then.json == before
    assert then.headers["ETag"] == f'"v{before["version"]}-seat0"'
    later = table.seats[0].get(f"{table.path}/view?viewer=seat:0&version={after['version'] + 1}")
    house.problem(later, 404, "unknown-version")
    house.problem(
        table.seats[0].get(f"{table.path}/entries/{after['version'] + 1}?viewer=seat:0"), 404, "unknown-version"
    )


def test_a_refusal_names_the_clause_and_the_way_out(table: house.Table) -> None:
    seat, version = table.awaited[0], table.version
    move = {"type": "mc.parry", "card": "shield"}
    refused = house.problem(table.move(seat, move), 409, "illegal-move")
    assert refused["ruling"]["verdict"] == "refused"
    assert refused["ruling"]["clauses"][0]["says"]["de"]
    assert refused["current_version"] == version
    assert refused["detail"] == refused["ruling"]["reason"]["en"]
    german = table.move(seat, move, **{"Accept-Language": "de-DE, en;q=0.5"})
    assert house.problem(german, 409, "illegal-move")["detail"] == refused["ruling"]["reason"]["de"]
    assert german.headers["Content-Language"] == "de"
    assert table.version == version
    way = refused["ruling"]["way_out"][0]["move"]
    assert way == refused["legal"][0]["move"]
    assert table.move(seat, way).status_code == 201


def test_a_dry_run_tells_and_keeps_nothing(table: house.Table) -> None:
    seat, version = table.awaited[0], table.version
    legal = table.moves(seat)["legal"][0]["move"]
    person, path = table.seats[seat], f"{table.path}/seats/{seat}/moves/check"
    granted = person.post(path, {"move": legal}, Idempotency_Key="")
    assert granted.status_code == 200, granted.text
    assert granted.json["verdict"] == "granted"  # type: ignore[index]
    assert granted.json["events"]  # type: ignore[index]
    refused = person.post(path, {"move": {"type": "mc.parry", "card": "shield"}}, Idempotency_Key="")
    assert refused.status_code == 200
    assert refused.json["verdict"] == "refused"  # type: ignore[index]
    assert refused.json["way_out"]  # type: ignore[index]
    assert table.version == version


def seen_by(table: house.Table, seat: int) -> dict[str, Any]:
    return dict(table.seats[seat].get(f"{table.path}/view?viewer=seat:{seat}").json)  # type: ignore[arg-type]


def test_a_refusal_and_a_dry_run_say_who_is_asked_next(app: Flask) -> None:
    table = house.opened(app, "here_to_slay", 3)
    while "hts.draw" not in {each["move"]["type"] for each in table.moves(table.awaited[0])["legal"]}:
        seat = table.awaited[0]
        assert table.move(seat, table.moves(seat)["legal"][0]["move"]).status_code == 201
    (seat,) = table.awaited
    question = seen_by(table, seat)["question"]
    now = {"question": question, "awaits": [seat]}
    for mover in range(3):
        for move in ({"type": "hts.pass"}, {"type": "hts.attack", "monster": "orthus"}):
            refused = house.problem(table.move(mover, move), 409, "illegal-move")
            assert refused["next"] == now
            dry: Any = table.seats[mover].post(f"{table.path}/seats/{mover}/moves/check", {"move": move}).json
            assert dry["next"] == now
    listed = [each["move"] for each in table.moves(seat)["legal"]]
    announced = next(move for move in listed if move["type"] == "hts.play")
    dry = table.seats[seat].post(f"{table.path}/seats/{seat}/moves/check", {"move": announced}).json
    assert dry["verdict"] == "granted"
    assert table.move(seat, announced).status_code == 201
    then = seen_by(table, seat)
    assert dry["next"] == {"question": then["question"], "awaits": then["awaits"]}
    assert dry["next"] != now


def test_listed_near_misses_are_refused_and_listed_moves_are_granted(table: house.Table) -> None:
    for _ in range(30):
        seat = table.awaited[0]
        found: Any = table.seats[seat].get(f"{table.path}/seats/{seat}/moves?near=20").json
        if found["near"] and any(each["move"]["type"] == "mc.pass" for each in found["legal"]):
            break
        assert table.move(seat, found["legal"][-1]["move"]).status_code == 201
    assert found["near"]
    for miss in found["near"]:
        refused = house.problem(table.move(seat, miss["move"]), 409, "illegal-move")
        assert refused["ruling"]["reason"] == miss["ruling"]["reason"]
    kinds: Any = table.seats[seat].get(f"{table.path}/seats/{seat}/moves?type=mc.pass&near=0").json
    assert {each["move"]["type"] for each in kinds["legal"]} == {"mc.pass"}
    assert kinds["near"] == []


def test_onlookers_come_late_if_the_match_says_so(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    for _ in range(3):
        seat = table.awaited[0]
        table.move(seat, table.moves(seat)["legal"][0]["move"])
    late: Any = table.anyone.get(f"{table.path}/view").json
    assert late["version"] == table.version - 3
    entries: Any = table.anyone.get(f"{table.path}/entries").json
    assert entries["items"][-1]["version"] == table.version - 3
    house.problem(table.anyone.get(f"{table.path}/view?version={table.version}"), 404, "unknown-version")
    house.problem(table.anyone.get(f"{table.path}/entries/{table.version}"), 404, "unknown-version")
    assert table.seats[0].get(f"{table.path}/view?viewer=seat:0").json["version"] == table.version  # type: ignore[index]


def test_events_of_one_kind_leave_no_gap_in_the_versions(table: house.Table) -> None:
    found: Any = table.host.get(f"{table.path}/entries?type=table.SeatTaken&upto=3").json
    assert [entry["version"] for entry in found["items"]] == [1, 2, 3]
    assert [[event["type"] for event in entry["events"]] for entry in found["items"]] == [
        [], ["table.SeatTaken"], ["table.SeatTaken"],
    ]  # fmt: skip
