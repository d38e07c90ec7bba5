"""Takebacks over HTTP: asked, granted at once, consented to, refused, barred; what every reader then sees."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from flask import Flask

from api.openapi.examples import REQUEST_EXAMPLES
from referee.arbitration.remedies.rewind_impact import RewindImpact, compute_rewind_impact
from referee.games import load_games
from tests.api import house
from tests.api.house import Person, Table, problem, seen_as
from tests.arbitration.takebacks import AT_ONCE

GAMES = sorted(load_games())


def loaded(app: Flask, table: Table) -> Any:
    return app.config["SERVICE"].load_match(table.match)


def crossing(app: Flask, table: Table, to: int, seat: int) -> RewindImpact:
    service = app.config["SERVICE"]
    return compute_rewind_impact(service.build_evidence(service.load_match(table.match)), to, seat)


def turn(app: Flask, table: Table, dice: random.Random) -> tuple[int, int]:
    """One move of somebody who is awaited, over HTTP: the version before it, and who made it."""
    version, seats = table.version, [seat for seat in table.awaited if isinstance(seat, int)]
    seat = dice.choice(seats)
    listed = [each["move"] for each in table.moves(seat)["legal"]]
    kinds = sorted({move["type"] for move in listed if not move["type"].endswith("concede")})
    kind = dice.choice(kinds)
    move = dice.choice([each for each in listed if each["type"] == kind])
    made = table.move(seat, move)
    assert made.status_code == 201, made.text
    return version, seat


def reached(app: Flask, game: str, at_once: bool, people: int = 2) -> tuple[Table, int, int, random.Random]:
    """A running match whose last move can be taken back at once, or only by consent; who made it, and what to go back
    to."""
    for seed in range(30):
        dice = random.Random(f"{game}{seed}")
        table = house.opened(app, game, seats=max(people, load_games()[game].min_seats), visibility="public")
        for _ in range(25):
            to, seat = turn(app, table, dice)
            if loaded(app, table).match.status != "running":
                break
            rules = crossing(app, table, to, seat).rules
            if (not rules) if at_once else "revealed" in rules:
                return table, to, seat, dice
    raise AssertionError(f"no such move in {game}")


def ask(table: Table, seat: int, to: int, **headers: str) -> Any:
    headers.setdefault("If_Match", f'"v{table.version}"')
    return table.seats[seat].post(f"{table.path}/takebacks", {"to": to}, **headers)


def consent(table: Table, seat: int, number: int, grant: bool = True, **body: Any) -> Any:
    return table.seats[seat].post(f"{table.path}/takebacks/{number}/consents", {"grant": grant, **body})


def view(table: Table, viewer: int | None = None, version: int | None = None) -> Any:
    query = f"?version={version}" if version else ""
    found = eyes_of(table, viewer).get(seen_as(f"{table.path}/view{query}", viewer))
    assert found.status_code == 200, found.text
    return {name: part for name, part in found.json.items() if name in ("table", "question", "awaits")}  # type: ignore[union-attr]


@pytest.mark.usefixtures("first_scheme")
@pytest.mark.parametrize("game", AT_ONCE)
def test_within_the_rules_it_is_granted_at_once_and_everybody_is_told(app: Flask, game: str) -> None:
    table, to, seat, _ = reached(app, game, at_once=True)
    undone = table.version
    before = {viewer: view(table, viewer, to) for viewer in (*range(len(table.seats)), None)}
    made = ask(table, seat, to)
    assert made.status_code == 201, made.text
    assert made.json["takeback"] == {
        "takeback": undone + 1, "seat": seat, "to": to, "stage": "granted", "waives": [], "consents": [],
        "against": None, "asks": [],
    }  # fmt: skip
    assert made.headers["ETag"] == f'"v{undone + 1}"'
    assert [event["type"] for event in made.json["entry"]["events"]] == [
        "table.TakebackAsked", "table.Rewound", "table.TakebackGranted",
    ]  # fmt: skip
    for viewer, was in before.items():
        assert view(table, viewer) == was, "all stands as it stood"
        since = eyes_of(table, viewer).get(seen_as(f"{table.path}/entries?after={undone}", viewer))
        items = since.json["items"]  # type: ignore[index]
        assert [event["to"] for event in items[0]["events"] if event["type"] == "table.Rewound"] == [to]
        assert all(event["told"]["de"] for event in items[0]["events"])
    assert table.anyone.get(f"{table.path}/entries/{undone}").status_code == 200, "what was undone stays readable"
    assert view(table, None, undone)


def test_lines_of_entries_end_with_the_view_where_one_puts_the_table_back(app: Flask) -> None:
    table, to, seat, _ = reached(app, "creature_crush", at_once=True)
    undone = table.version
    assert ask(table, seat, to).json["takeback"]["stage"] == "granted"
    for viewer in (seat, 1 - seat, None):
        person = eyes_of(table, viewer)

        def lines(query: str, person: Person = person, viewer: int | None = viewer) -> list[Any]:
            path = seen_as(f"{table.path}/entries?{query}", viewer)
            told = person.get(path, Accept="application/x-ndjson").text.splitlines()
            return [json.loads(line) for line in told]

        found = lines("after=0")
        page = person.get(seen_as(f"{table.path}/entries?after=0&limit=200", viewer)).json
        assert [line.get("version") for line in found] == [*range(1, undone + 2), None]
        assert found[-1] == {"snapshot": page["snapshot"]}  # type: ignore[index]
        assert found[-1]["snapshot"]["version"] == undone + 1
        assert lines(f"after={undone}&type=nothing.Such") == [{**found[-2], "events": []}, found[-1]]
        assert lines(f"after=0&upto={undone}") == found[:undone], "none where none of them goes back"
        assert lines(f"after=0&limit={undone}") == found[:undone]
        assert lines(f"after={undone + 1}") == []


def eyes_of(table: Table, viewer: int | None) -> Person:
    return table.anyone if viewer is None else table.seats[viewer]


@pytest.mark.parametrize("game", GAMES)
def test_beyond_the_rules_all_others_are_asked_and_the_last_yes_goes_back(app: Flask, game: str) -> None:
    table, to, seat, dice = reached(app, game, at_once=False)
    length, others = table.version, [other for other in range(len(table.seats)) if other != seat]
    was = view(table, None, to)
    asked = ask(table, seat, to).json
    number = asked["takeback"]["takeback"]
    assert asked["takeback"]["stage"] == "asked"
    assert "revealed" in asked["takeback"]["waives"]
    assert asked["takeback"]["asks"] == others
    assert number == length + 1
    assert table.anyone.get(f"{table.path}/takebacks/{number}").json == asked["takeback"]
    for other in others[:-1]:
        assert consent(table, other, number).json["takeback"]["stage"] == "asked"
    done = consent(table, others[-1], number)
    assert done.status_code == 201, done.text
    assert done.json["takeback"]["stage"] == "granted"
    assert done.json["takeback"]["consents"] == others
    assert [entry["seat"] for entry in done.json["followed"]] in ([], ["chance"], ["chance"] * 2)
    assert view(table)["awaits"] == was["awaits"]
    problem(consent(table, others[0], number), 409, "takeback-closed")
    listed: Any = table.anyone.get(f"{table.path}/takebacks").json
    assert [each["takeback"] for each in listed["items"]] == [number]
    turn(app, table, dice)  # and the match goes on


def test_a_request_is_overtaken_when_play_goes_on(app: Flask) -> None:
    table, to, seat, dice = reached(app, "munchkin", at_once=False)
    number = ask(table, seat, to).json["takeback"]["takeback"]
    turn(app, table, dice)
    other = (seat + 1) % len(table.seats)
    refused = problem(consent(table, other, number), 409, "takeback-overtaken")
    assert refused["ruling"]["clauses"][0]["id"] == "TABLE-TAKEBACK-3"
    assert table.anyone.get(f"{table.path}/takebacks/{number}").json["stage"] == "overtaken"  # type: ignore[index]


def test_a_request_leaves_every_move_that_was_on_its_way_as_it_was(app: Flask) -> None:
    table, to, seat, _ = reached(app, "munchkin", at_once=False)
    looked, asked = f'"v{table.version}"', ask(table, seat, to)
    assert asked.json["takeback"]["stage"] == "asked"
    mover = next(each for each in table.awaited if isinstance(each, int))
    move = table.moves(mover)["legal"][0]["move"]
    tried = table.seats[mover].post(f"{table.path}/seats/{mover}/moves/check", {"move": move}, If_Match=looked)
    assert tried.json["verdict"] == "granted"  # type: ignore[index]
    made = table.move(mover, move, If_Match=looked)
    assert made.status_code == 201, made.text
    assert made.json["entry"]["version"] == asked.json["version"] + 1  # type: ignore[index]
    stale = table.seats[mover].post(f"{table.path}/seats/{mover}/moves/check", {"move": move}, If_Match=looked)
    told = problem(stale, 412, "stale-version")
    assert [each["version"] for each in told["missed"]][:2] == [asked.json["version"], asked.json["version"] + 1]


def test_after_the_second_no_requests_can_be_barred(app: Flask) -> None:
    table, to, seat, _ = reached(app, "munchkin", at_once=False)
    other = (seat + 1) % len(table.seats)
    never = REQUEST_EXAMPLES["answerTakeback"]["never_again"]["value"]
    number = ask(table, seat, to).json["takeback"]["takeback"]
    early = table.seats[other].post(f"{table.path}/takebacks/{number}/consents", never)
    problem(early, 409, "takeback-not-to-be-barred")
    assert consent(table, other, number, False).json["takeback"]["against"] == other
    number = ask(table, seat, to).json["takeback"]["takeback"]
    barred = table.seats[other].post(f"{table.path}/takebacks/{number}/consents", never)
    assert barred.status_code == 201, barred.text
    problem(ask(table, seat, to), 409, "takeback-barred")
    assert table.anyone.get(f"{table.path}/takebacks").json["bars"] == [{"seat": other, "asker": seat}]  # type: ignore[index]


def test_a_repeated_request_is_answered_as_the_first(app: Flask) -> None:
    table, to, seat, _ = reached(app, "creature_crush", at_once=True)
    at = f'"v{table.version}"'
    first = ask(table, seat, to, Idempotency_Key="the-same", If_Match=at)
    again = ask(table, seat, to, Idempotency_Key="the-same", If_Match=at)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    assert table.version == first.json["version"]
    problem(ask(table, seat, to - 1, Idempotency_Key="the-same"), 422, "idempotency-key-reused")


def test_what_a_request_lacks_is_told_and_nothing_changes(app: Flask) -> None:
    table, to, seat, _ = reached(app, "creature_crush", at_once=False)
    version, other = table.version, 1 - seat
    mine, path = table.seats[seat], f"{table.path}/takebacks"
    problem(mine.post(path, {"to": to}), 428, "if-match-missing")
    problem(mine.post(path, {"to": to}, If_Match='"v1"'), 412, "stale-version")
    problem(mine.post(path, {"to": to}, If_Match="*", Idempotency_Key=""), 400, "idempotency-key-missing")
    for wrong in ({}, {"to": 0}, {"to": "9"}, {"to": to, "more": 1}, {"to": to, "seat": -1}):
        problem(mine.post(path, wrong, If_Match="*"), 422, "invalid-input")
    problem(mine.post(path, {"to": to, "seat": other}, If_Match="*"), 403, "not-your-seat")
    problem(mine.post(path, {"to": to, "seat": 9}, If_Match="*"), 404, "unknown-seat")
    problem(table.host.post(path, {"to": to}, If_Match="*"), 403, "players-only")
    problem(ask(table, seat, version + 1), 409, "nothing-to-take-back")
    problem(ask(table, seat, 1), 409, "nothing-to-take-back")
    problem(consent(table, other, version), 404, "no-such-takeback")
    problem(consent(table, other, version, True, bar=True), 422, "invalid-input")
    assert table.version == version


def test_who_holds_two_seats_says_for_which_one(app: Flask) -> None:
    table = house.opened(app, "munchkin", seats=3, start=False, join=False)
    first: Any = table.anyone.post("/v1/join", {"code": table.codes[0]}).json
    both = Person(table.anyone.client, first["token"])
    both.post("/v1/join", {"code": table.codes[1]})
    table.anyone.post("/v1/join", {"code": table.codes[2]})
    table.host.post(f"{table.path}/start", If_Match="*")
    wrong = problem(both.post(f"{table.path}/takebacks", {"to": 3}, If_Match="*"), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/seat"
    problem(both.post(f"{table.path}/takebacks", {"to": 3, "seat": 1}, If_Match="*"), 409, "nothing-to-take-back")


def test_onlookers_learn_of_a_request_as_late_as_of_everything(app: Flask) -> None:
    dice = random.Random("late")
    table = house.opened(app, "munchkin", seats=3, visibility="public", spectator_delay=3)
    to, seat = turn(app, table, dice)
    while crossing(app, table, to, seat).rules == ():
        to, seat = turn(app, table, dice)
    number = ask(table, seat, to).json["takeback"]["takeback"]
    assert table.anyone.get(f"{table.path}/takebacks").json["items"] == []  # type: ignore[index]
    problem(table.anyone.get(f"{table.path}/takebacks/{number}"), 404, "no-such-takeback")
    assert table.seats[seat].get(f"{table.path}/takebacks").json["items"]  # type: ignore[index]
    for _ in range(3):
        turn(app, table, dice)
    assert [each["takeback"] for each in table.anyone.get(f"{table.path}/takebacks").json["items"]] == [number]  # type: ignore[index]


def test_a_token_asks_so_often_in_an_hour_and_no_more() -> None:
    app = house.app(RATES={**house.FREE, "takebacks": 4})
    table, to, seat, _ = reached(app, "munchkin", at_once=False)
    other = (seat + 1) % len(table.seats)
    for _ in range(4):
        number = ask(table, seat, to).json["takeback"]["takeback"]
        consent(table, other, number, False)
    refused = problem(ask(table, seat, to), 429, "too-many-requests")
    assert 0 < int(refused["seconds"]) <= 3600


def test_the_host_asks_for_seats_without_a_phone(app: Flask) -> None:
    table = house.opened(app, "monster_combat", chairs=[{"kind": "table"}, {"kind": "table"}])
    seat = next(each for each in table.awaited if isinstance(each, int))
    to = table.version
    move = table.moves(seat, table.host)["legal"][0]["move"]
    made = table.move(seat, move, table.host)
    assert made.status_code == 201, made.text
    asked: Any = table.host.post(f"{table.path}/takebacks", {"to": to, "seat": seat}, If_Match="*")
    assert asked.status_code == 201, asked.text
    assert asked.json["takeback"]["stage"] == "granted", "there is nobody to ask"
