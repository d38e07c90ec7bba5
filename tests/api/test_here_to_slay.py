"""Here to Slay over HTTP: a challenged hero with modifiers at a real table, and why an attack is refused."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table


@pytest.fixture
def anyone(app: Flask) -> Person:
    """Somebody without any token."""
    return Person(app.test_client())


PICKS = ("the_charismatic_song", "the_divine_arrow", "the_cloaked_sage")


def done(table: Table, seat: int | str, move: dict[str, Any], by: int | None = None) -> Any:
    """What follows from a move that must be granted, as its maker sees it."""
    answer = table.move(seat, move, table.seats[by if by is not None else 0] if seat == "chance" else None)
    assert answer.status_code == 201, answer.text
    return answer.json


def rolled(table: Table, *pips: int) -> None:
    done(table, "chance", {"type": "chance.rolled", "values": list(pips)})


@pytest.fixture
def at_the_table(app: Flask) -> Table:
    """Three players round a table with cards and dice of their own; seat 2 is on turn."""
    table = house.opened(
        app, "here_to_slay", 3, chance={"dice": "table", "deck": "table"}, settings={"leader_choice": "at_once"}
    )
    for seat, leader in enumerate(PICKS):
        done(table, seat, {"type": "hts.pick_leader", "leader": leader})
    for monster in ("orthus", "abyss_queen", "malamammoth"):
        done(table, "chance", {"type": "chance.turned_up", "card": monster})
    assert table.awaited == [2]
    return table


def test_a_hero_is_played_challenged_and_saved_by_a_modifier(at_the_table: Table) -> None:
    table = at_the_table
    done(table, 2, {"type": "hts.play", "card": "peanut"})
    assert sorted(table.awaited) == [0, 1]  # whether or not they hold a challenge
    done(table, 0, {"type": "hts.pass"})
    done(table, 1, {"type": "hts.challenge"})
    late: Any = house.problem(table.move(0, {"type": "hts.challenge"}), 409, "illegal-move")
    assert late["ruling"]["verdict"] == "refused"
    rolled(table, 4, 3)
    rolled(table, 3, 3)
    assert sorted(table.awaited) == [0, 1, 2]
    done(table, 2, {"type": "hts.modify", "card": "modifier_plus_2_minus_2", "value": 2, "roller": 2})
    wrong: Any = house.problem(
        table.move(0, {"type": "hts.modify", "card": "modifier_plus_4", "value": 3, "roller": 2}), 409, "illegal-move"
    )
    assert [clause["id"] for clause in wrong["ruling"]["clauses"]] == ["HTS-MOD-3", "HTS-MOD-13"]
    assert wrong["ruling"]["reason"]["de"]
    for seat in (0, 1, 2):
        after = done(table, seat, {"type": "hts.pass"})
    told = [event["told"]["en"] for event in after["entry"]["events"] if event.get("told")]
    assert any("8" in line for line in told), told  # 3 + 3 + 2 against 4 + 3
    seen: Any = table.seats[0].get(f"{table.path}/view?viewer=seat:0").json
    assert seen["table"]["zones"]["party/2"] == ["peanut"]
    assert seen["table"]["zones"]["hand:2"] == ["?"] * 3
    assert table.moves(2)["question"]["name"] == "hts.FreeRoll"


ATTACKER = {"leader": "the_cloaked_sage", "hand": [], "party": ["bun_bun"], "slain": []}
OTHER = {"leader": "the_divine_arrow", "hand": 3, "party": [], "slain": []}


@pytest.mark.parametrize(
    ("monster", "player", "points", "clauses"),
    [
        ("abyss_queen", {}, 3, "HTS-MON-3 HTS-MON-2"),  # one hero for two slots; the leader is none
        ("malamammoth", {}, 3, "HTS-MON-2 HTS-MON-3"),  # no ranger
        ("malamammoth", {"party": [{"hero": "bun_bun", "item": "ranger_mask"}]}, 3, "HTS-MON-4 HTS-MON-2 HTS-MON-3"),
        ("terratuga", {}, 3, "HTS-MON-1"),  # lies in no row
        ("orthus", {}, 1, "HTS-ACT-8 HTS-ACT-4 HTS-AMB-63"),
    ],
)
def test_a_wrong_attack_is_refused_with_its_clauses(
    anyone: Person, monster: str, player: dict[str, Any], points: int, clauses: str
) -> None:
    position = {
        "seats": [{**ATTACKER, **player}, OTHER],
        "row": ["orthus", "abyss_queen", "malamammoth"],
        "turn": 0,
        "points": points,
    }
    body = {"position": position, "seat": 0, "move": {"type": "hts.attack", "monster": monster}}
    ruling: Any = anyone.post("/v1/games/here_to_slay/rulings", body, Idempotency_Key="").json
    assert ruling["verdict"] == "refused", ruling
    assert [clause["id"] for clause in ruling["clauses"]] == clauses.split()
    assert ruling["reason"]["en"]
    assert ruling["reason"]["de"]


def test_a_right_attack_is_granted_by_leader_and_hero(anyone: Person) -> None:
    position = {"seats": [ATTACKER, OTHER], "row": ["orthus", "abyss_queen", "malamammoth"], "turn": 0, "points": 2}
    body = {"position": position, "seat": 0, "move": {"type": "hts.attack", "monster": "orthus"}}
    ruling: Any = anyone.post("/v1/games/here_to_slay/rulings", body, Idempotency_Key="").json
    assert ruling["verdict"] == "granted", ruling


def test_the_cards_are_listed_with_numbers_texts_and_clauses(anyone: Person) -> None:
    listed: Any = anyone.get("/v1/games/here_to_slay/cards").json["items"]
    assert len(listed) == 95
    assert sum(card["copies"] for card in listed) == 136
    for card in listed:
        assert card["text"]["en"] != card["text"]["de"]
        assert card["clauses"]
    (orthus,) = [card for card in listed if card["id"] == "orthus"]
    assert (orthus["slay"], orthus["requires"]) == ({"min": 8}, ["wizard", "hero"])
