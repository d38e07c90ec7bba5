"""A refused report names what it contradicts and what can be done; each of these ways is open."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from flask import Flask

from referee.engine.codec import encode
from referee.engine.referee import find_legal_moves, judge_move, sample_legal_move, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.match.errors import MoveRejected
from referee.service.requests import MoveRequest
from tests.api import house
from tests.api.house import Table, problem
from tests.api.tables import service, stands
from tests.arbitration.playing import turn
from tests.arbitration.test_as_it_lies import GAMES, contradicting, list_open_names

SEATS = {"shy_monsters": 2, "creature_crush": 2}


def play_once(table: Table, dice: random.Random) -> bool:
    """Somebody makes a move by chance; False once the match is over."""
    state: Any = stands(table).state
    waiting = seats_that_must_act(state)
    if not waiting:
        return False
    seat = dice.choice(sorted(waiting))
    legal = [*find_legal_moves(state, seat)] if seat == CHANCE else []
    move = dice.choice(legal) if legal else sample_legal_move(state, seat, dice.randrange)
    assert move is not None
    who = "chance" if seat == CHANCE else int(seat)
    made = table.move(who, encode(move), table.seats[0] if seat == CHANCE else None)
    assert made.status_code == 201, made.text
    return True


def second_copy(app: Flask, game: str) -> tuple[Table, dict[str, Any]]:
    """A real table where chance has turned up a card that lies open elsewhere: the report that is refused."""
    for key in range(20):
        table = house.opened(app, game, SEATS.get(game, 3), chance="table")
        dice = random.Random(f"{game}-{key}")
        for _ in range(150):
            state: Any = stands(table).state
            if state.agenda and CHANCE in seats_that_must_act(state) and (found := contradicting(state, game)):
                return table, encode(found[0])
            if not play_once(table, dice):
                break
    raise AssertionError("no second copy was ever turned up")


def refuse(table: Table, report: dict[str, Any]) -> dict[str, Any]:
    refused: dict[str, Any] = problem(table.move("chance", report, table.seats[0]), 409, "illegal-move")
    found: dict[str, Any] = refused["contradiction"]
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.clause("TABLE-CENSUS-2")
def test_a_refused_report_names_its_suspects_and_each_way_out_is_open(app: Flask, game: str) -> None:
    table, report = second_copy(app, game)
    found = refuse(table, report)
    versions = [each["version"] for each in found["suspects"]]
    assert {each["card"] for each in found["suspects"]} == {report["card"]}
    assert all(str(version) in found["says"]["en"] for version in versions)
    for suspect in found["suspects"]:
        entry: Any = table.host.get(f"{table.path}/entries/{suspect['version']}").json
        assert suspect["card"] in str(entry["events"]), "everybody can read where it was named"
    ways = {each["way"]: each for each in found["ways"]}
    assert list(ways) == ["misreported", "impossible_table", "deviation"]
    assert [each["body"]["about"] for each in found["ways"] if each["way"] == "misreported"] == versions
    asked = table.host.post(
        ways["deviation"]["path"], {**ways["deviation"]["body"], "reason": "It is."}, If_Match=f'"v{table.version}"'
    )
    assert asked.status_code == 201, asked.text
    assert asked.json["deviation"]["seat"] == "chance"
    assert table.host.get(asked.headers["Location"]).json == asked.json["deviation"]
    for way in ("misreported", "impossible_table"):
        opened = table.seats[1].post(ways[way]["path"], ways[way]["body"])
        assert opened.status_code == 201, opened.text
    number = opened.json["dispute"]["dispute"]
    shown: Any = [by.get(f"{table.path}/disputes/{number}").json for by in (table.host, *table.seats)]
    assert [each["version"] for each in shown[0]["suspects"]] == versions
    assert all(each["remedies"] == shown[0]["remedies"] for each in shown), "what is offered is the same for all"
    assert {each["remedy"]: each["offered"] for each in shown[0]["remedies"]}["as_it_lies"]


@pytest.mark.parametrize("game", ["mau_mau", "monster_combat", "here_to_slay"])
@pytest.mark.clause("TABLE-DEVIATION-4")
def test_a_card_played_from_a_real_hand_may_lie_there_twice(app: Flask, game: str) -> None:
    for key in range(40):
        table = house.opened(app, game, 3, chance="table")
        dice = random.Random(f"{game}-hand-{key}")
        for _ in range(60):
            if (found := played_twice(table, game)) is not None:
                return stands_after_consent(table, *found)
            if not play_once(table, dice):
                break
    raise AssertionError("no card was ever played that lies open already")


def played_twice(table: Table, game: str) -> tuple[int, dict[str, Any]] | None:
    """A seat that is to move, and a play of a card whose only copy lies open, refused for just that reason."""
    state: Any = stands(table).state
    for seat in sorted(each for each in seats_that_must_act(state) if each >= 0):
        kinds = {type(move): move for move in find_legal_moves(state, Seat(seat)) if getattr(move, "card", "")}
        for legal, card in product(kinds.values(), list_open_names(state, game)):
            move: Any = replace(legal, card=card)  # type: ignore[type-var]
            ruling = judge_move(state, Seat(seat), move)
            if ruling.verdict == "refused" and "KERNEL-CENSUS-1" in ruling.clauses and not ruling.broken[1:]:
                return int(seat), encode(move)
    return None


def stands_after_consent(table: Table, seat: int, move: dict[str, Any]) -> None:
    refused = problem(table.move(seat, move), 409, "illegal-move")
    assert {each["card"] for each in refused["contradiction"]["suspects"]} == {move["card"]}
    way = refused["contradiction"]["ways"][-1]
    assert (way["way"], way["body"]["seat"], way["body"]["move"]["card"]) == ("deviation", seat, move["card"])
    asked = table.host.post(way["path"], {**way["body"], "reason": "It is."}, If_Match=f'"v{table.version}"')
    assert asked.status_code == 201, asked.text
    for by in table.seats:
        done = by.post(f"{asked.headers['Location']}/consents", {"grant": True})
        assert done.status_code == 201, done.text
    assert done.json["deviation"]["stage"] == "recorded"
    census: Any = table.host.get(f"{table.path}/census").json
    assert census["possible"]


def test_the_claim_needs_no_entry_and_others_do(app: Flask) -> None:
    table = house.opened(app, "shy_monsters", 2, chance="table")
    dice = random.Random(1)
    assert all(play_once(table, dice) for _ in range(3))
    wrong = problem(table.seats[0].post(f"{table.path}/disputes", {"claim": "misreported"}), 422, "invalid-input")
    assert [each["pointer"] for each in wrong["errors"]] == ["/about"]
    done: Any = table.seats[0].post(f"{table.path}/disputes", {"claim": "impossible_table"})
    assert (done.status_code, done.json["dispute"]["stage"]) == (201, "ruled"), done.text
    assert done.json["dispute"]["about"] == table.version - 1


def test_where_the_server_deals_a_refusal_names_no_suspects_and_chance_no_deviation(app: Flask) -> None:
    table = house.opened(app, "shy_monsters", 2)
    bat = {"type": "chance.turned_up", "card": "vampire_bat"}
    refused = problem(table.move("chance", bat, table.seats[0]), 409, "illegal-move")
    assert "contradiction" not in refused
    body = {"seat": "chance", "move": bat, "clauses": ["SM-MAT-2"], "reason": "So."}
    refused = problem(
        table.host.post(f"{table.path}/deviations", body, If_Match=f'"v{table.version}"'), 409, "illegal-move"
    )
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-REPORT-1"]


def test_a_card_of_a_bot_that_lies_open_twice_is_recorded_without_showing_it(app: Flask) -> None:
    chairs = [{"kind": "human"}, {"kind": "human"}, {"kind": "bot"}]
    for key in range(40):
        table = house.opened(app, "monster_combat", 3, chance="table", chairs=chairs)
        dice = random.Random(f"bot-{key}")
        for number in range(80):
            if (report := held_twice(table)) is not None:
                return is_recorded_unseen(table, report)
            following = turn(service(table), table.match, dice)
            if following is None:
                break
            seat, move = following
            actor = {CHANCE: "reporter:0", 2: "bot"}.get(int(seat), "player")
            try:
                service(table).make_move(MoveRequest(table.match, seat, move, key=f"move-{number}", actor=actor))
            except MoveRejected:  # chance does not see what the bot holds
                break
    raise AssertionError("no bot ever drew a card that lies open already")


def held_twice(table: Table) -> dict[str, Any] | None:
    """A report of a bot's cards in which one lies open already; None if none is asked for."""
    state: Any = stands(table).state
    if CHANCE not in seats_that_must_act(state):
        return None
    legal: Any = next((move for move in find_legal_moves(state, CHANCE) if getattr(move, "cards", ())), None)
    for card in list_open_names(state, "monster_combat") if legal is not None else ():
        move = replace(legal, cards=(card, *legal.cards[1:]))
        ruling = judge_move(state, CHANCE, move)
        if ruling.verdict == "refused" and "KERNEL-CENSUS-1" in ruling.clauses and not ruling.broken[1:]:
            return encode(move)
    return None


def is_recorded_unseen(table: Table, report: dict[str, Any]) -> None:
    refused = refuse(table, report)
    assert [each["way"] for each in refused["ways"]][-1] == "deviation"
    assert "impossible_table" not in {each["way"] for each in refused["ways"]}, "the claim would show the card to all"
    claim = table.seats[1].post(f"{table.path}/disputes", {"claim": "impossible_table", "move": report})
    assert problem(claim, 422, "invalid-input")["errors"][0]["pointer"] == "/move"
    body = {"seat": "chance", "move": report, "clauses": ["MC-MAT-2"], "reason": "So it is."}
    asked = table.host.post(f"{table.path}/deviations", body, If_Match=f'"v{table.version}"')
    assert asked.status_code == 201, asked.text
    for by in table.seats[:2]:
        assert by.post(f"{asked.headers['Location']}/consents", {"grant": True}).status_code == 201
    shown: Any = table.seats[1].get(f"{table.path}/entries?viewer=seat:1&after=0&limit=200").json
    events = [each for entry in shown["items"] for each in entry["events"]]
    recorded = next(each for each in events if each["type"] == "table.Deviated")
    assert all(card.startswith("?") for card in recorded["move"]["cards"])
    assert recorded["against"] == [], "the clauses would tell that it lies open already"
    taken = next(each for each in events if each["type"] == "table.AsItLies")
    assert taken["surplus"] == {}, "only what everybody sees is surplus"
