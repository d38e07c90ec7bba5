"""Creature Crush over HTTP: typical mistakes and the clauses against them, rulings for quarrels, how a match ends."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table
from tests.api.test_creature_crush import done, refused, rolled, view


@pytest.fixture
def combat(app: Flask) -> Table:
    """Two players with real cards and dice: 0 has a Thornback on B1 and a crush card on C1, and is on turn again;
    1 has a Knife Goblin on B1. The dice show 2, 2 and 5."""
    table = house.opened(app, "creature_crush", 2, chance={"dice": "table", "deck": "table"})
    rolled(table, 5)
    rolled(table, 3)
    rolled(table, 6, 2)
    done(table, 0, {"type": "cc.summon", "card": "thornback", "place": "B1", "dice": [2]})
    done(table, 0, {"type": "cc.lay", "card": "?", "place": "C1", "dice": [6]})
    done(table, 0, {"type": "cc.end_combat"})
    done(table, 0, {"type": "cc.end_turn"})
    rolled(table, 4, 3, 1)
    done(table, 1, {"type": "cc.summon", "card": "knife_goblin", "place": "B1", "dice": [4]})
    done(table, 0, {"type": "cc.pass"})
    done(table, 1, {"type": "cc.end_combat"})
    done(table, 1, {"type": "cc.end_turn"})
    rolled(table, 2, 2, 5)
    return table


MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("dice that do not add up", {"type": "cc.summon", "card": "hex_toad", "place": "B2", "dice": [2]}, "CC-PAY-1"),
    ("a die that was not rolled", {"type": "cc.summon", "card": "hex_toad", "place": "B2", "dice": [3]}, "CC-PAY-2"),
    ("an occupied place", {"type": "cc.summon", "card": "bog_leech", "place": "B1", "dice": [2]}, "CC-SUMMON-1"),
    (
        "the front without a defender",
        {"type": "cc.summon", "card": "bog_leech", "place": "A2", "dice": [2]},
        "CC-AMB-11 CC-SUMMON-2",
    ),
    (
        "a crush card as a creature",
        {"type": "cc.summon", "card": "recoil", "place": "B2", "dice": [2]},
        "CC-SUMMON-1 CC-ZONE-1",
    ),
    (
        "a place that is not there",
        {"type": "cc.summon", "card": "bog_leech", "place": "D4", "dice": [2]},
        "CC-ZONE-1 CC-SUMMON-1",
    ),
    ("a direct attack from the B-zone", {"type": "cc.attack", "creature": "thornback", "dice": [2]}, "CC-ATTACK-4"),
    (
        "an attack with a creature of the other",
        {"type": "cc.attack", "creature": "knife_goblin", "target": "thornback", "dice": [2, 2]},
        "CC-GLOSS-4 CC-COMBAT-1",
    ),
    ("too few dice for a crush card", {"type": "cc.lay", "card": "volley", "place": "C2", "dice": [2]}, "CC-CRUSH-1"),
    ("a flip without its prerequisite", {"type": "cc.flip", "place": "C1", "card": "pitfall"}, "CC-CRUSH-FLIP-3"),
    ("a card that lies open elsewhere", {"type": "cc.flip", "place": "C1", "card": "thornback"}, "CC-CRUSH-FLIP-1"),
    (
        "moving in combat",
        {"type": "cc.move", "creature": "thornback", "place": "B2", "die": 2},
        "CC-TACTIC-1 CC-COMBAT-1",
    ),
]


@pytest.mark.parametrize(("move", "clauses"), [case[1:] for case in MISTAKES], ids=[case[0] for case in MISTAKES])
def test_a_typical_mistake_is_refused_with_its_clauses_and_a_way_out_that_is_granted(
    combat: Table, move: dict[str, Any], clauses: str
) -> None:
    version = combat.version
    assert refused(combat, 0, move) == clauses.split()
    assert combat.version == version
    answer: Any = combat.move(0, move).json
    assert answer["ruling"]["way_out"]
    for way in answer["ruling"]["way_out"]:
        dry: Any = combat.seats[0].post(f"{combat.path}/seats/0/moves/check", {"move": way["move"]}).json
        assert dry["verdict"] == "granted", way


@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        ({}, "/move/type"),
        ({"type": "cc.fly"}, "/move/type"),
        ({"type": "clock.timed_out"}, "/move/type"),
        ({"type": "cc.summon", "card": "hex_toad", "place": "B2"}, "/move/dice"),
        ({"type": "cc.summon", "card": "hex_toad", "place": "B2", "dice": ["3"]}, "/move/dice/0"),
        ({"type": "cc.summon", "card": "hex_toad", "place": "B2", "dice": [1] * 6}, "/move/dice"),
        ({"type": "cc.pass", "card": "hex_toad"}, "/move/card"),
    ],
)
def test_a_malformed_move_is_answered_with_the_member_that_is_wrong(
    combat: Table, move: dict[str, Any], pointer: str
) -> None:
    version = combat.version
    answer: Any = house.problem(combat.move(0, move), 422, "invalid-input")
    assert pointer in [error["pointer"] for error in answer["errors"]]
    assert combat.version == version


def test_all_that_is_listed_is_granted_and_can_be_read(combat: Table) -> None:
    found = combat.moves(0)
    assert not found["cut"]
    assert len(found["legal"]) > 10
    for each in found["legal"]:
        assert each["told"]["en"] != each["told"]["de"]
        dry: Any = combat.seats[0].post(f"{combat.path}/seats/0/moves/check", {"move": each["move"]}).json
        assert dry["verdict"] == "granted", each


def test_a_retry_a_stale_look_and_a_wrong_seat_change_nothing(combat: Table) -> None:
    seen, move = combat.version, {"type": "cc.summon", "card": "bog_leech", "place": "B2", "dice": [2]}
    key = house.fresh()
    answers = [combat.move(0, move, Idempotency_Key=key) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201] * 3
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", "true"]
    assert view(combat, 0)["dice"] == [2, 5]
    house.problem(combat.move(0, {"type": "cc.end_combat"}, Idempotency_Key=key), 422, "idempotency-key-reused")
    late: Any = house.problem(combat.move(0, {"type": "cc.end_combat"}, seen=seen - 1), 409, "overtaken")
    assert late["missed"][-1]["move"]["card"] == "bog_leech"
    house.problem(combat.move(0, {"type": "cc.pass"}, combat.seats[1]), 403, "not-your-seat")
    assert refused(combat, 1, {"type": "cc.pass"}) == ["CC-CHAIN-4", "KERNEL-TURN-1"]


def test_a_draw_is_offered_once_in_a_turn_declined_and_agreed_in_the_next(combat: Table) -> None:
    assert done(combat, 0, {"type": "cc.offer_draw"})["awaits"] == [1]
    assert refused(combat, 0, {"type": "cc.end_combat"}) == ["CC-END-3", "KERNEL-TURN-1"]
    assert done(combat, 1, {"type": "cc.decline_draw"})["awaits"] == [0]
    assert refused(combat, 0, {"type": "cc.offer_draw"}) == ["CC-END-3", "CC-AMB-33"]
    done(combat, 0, {"type": "cc.end_combat"})
    done(combat, 0, {"type": "cc.end_turn"})
    rolled(combat, 1, 2, 4)
    done(combat, 1, {"type": "cc.offer_draw"})
    done(combat, 0, {"type": "cc.accept_draw"})
    outcome: Any = combat.host.get(combat.path).json["outcome"]  # type: ignore[index]
    assert (outcome["winners"], outcome["placement"], outcome["clauses"]) == ([], [[0, 1]], ["CC-END-3"])


def test_who_is_not_on_turn_may_give_up(combat: Table) -> None:
    assert combat.awaited == [0]
    assert [(each["move"]["type"], each["flag"]) for each in combat.moves(1)["legal"]][-1] == ("cc.concede", "gives_up")
    on_turn = combat.moves(0)["legal"]
    assert [each["flag"] == "gives_up" for each in on_turn] == [*[False] * (len(on_turn) - 1), True], "marked, and last"
    assert done(combat, 1, {"type": "cc.concede"})["status"] == "finished"
    outcome: Any = combat.host.get(combat.path).json["outcome"]  # type: ignore[index]
    assert (outcome["winners"], outcome["clauses"]) == ([0], ["CC-END-2"])
    house.problem(combat.move(0, {"type": "cc.end_combat"}), 409, "match-over")


def test_a_standing_pass_answers_a_window_for_a_seat_and_leaves_the_turn_alone(combat: Table) -> None:
    passes = {"kinds": ["response"], "until": "match"}
    assert combat.seats[0].put(f"{combat.path}/seats/0/standing-passes", passes).status_code == 200
    done(combat, 0, {"type": "cc.end_combat"})
    done(combat, 0, {"type": "cc.end_turn"})
    rolled(combat, 1, 2, 4)
    summoned = done(combat, 1, {"type": "cc.summon", "card": "spark_imp", "place": "B2", "dice": [1]})
    assert [entry["move"]["type"] for entry in summoned["followed"]] == ["cc.pass"]
    assert combat.awaited == [1]


POSITION: dict[str, Any] = {
    "seats": [
        {
            "deck": 8,
            "hand": ["hex_toad", "cave_scout", "overthrow", "pitfall"],
            "hell": {"cards": ["gutter_rat"], "more": True},
            "board": {
                "B1": {"creature": "bog_leech", "damage": 1}, "B2": "iron_boar", "A2": "dusk_bat",
                "C1": "broken_seal", "C2": "sky_bolt",
            },
        },
        {
            "deck": 9,
            "hand": 4,
            "hell": {"cards": [], "more": True},
            "board": {"A1": "stone_owl", "B3": "tar_golem", "C1": {"dice": 1}},
        },
    ],
    "turn": 0,
    "start_dice": [2, 3, 6],
}  # fmt: skip

TACTIC = {"question": {"asks": "tactic"}}
QUARRELS: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"type": "cc.summon", "card": "hex_toad", "place": "B9", "dice": [3]}, {}, "refused", "CC-ZONE-1"),
    ({"type": "cc.concede"}, {}, "granted", "CC-END-2"),
    ({"type": "cc.summon", "card": "hex_toad", "place": "B3", "dice": [2]}, {}, "refused", "CC-PAY-1"),
    ({"type": "cc.summon", "card": "hex_toad", "place": "B3", "dice": [3]}, {}, "granted", "CC-PAY-1"),
    ({"type": "cc.summon", "card": "hex_toad", "place": "A3", "dice": [3]}, {}, "refused", "CC-AMB-11"),
    ({"type": "cc.attack", "creature": "dusk_bat", "target": "stone_owl", "dice": [2]}, {}, "refused", "CC-ATTACK-3"),
    ({"type": "cc.attack", "creature": "dusk_bat", "dice": [2]}, {}, "granted", "CC-ATTACK-1"),
    ({"type": "cc.attack", "creature": "bog_leech", "dice": [2]}, {}, "refused", "CC-ATTACK-4"),
    ({"type": "cc.attack", "creature": "bog_leech", "target": "stone_owl", "dice": [2]}, {}, "granted", "CC-ATTACK-1"),
    ({"type": "cc.lay", "card": "overthrow", "place": "C3", "dice": [2, 3]}, {}, "refused", "CC-CRUSH-1"),
    ({"type": "cc.flip", "place": "C2", "card": "sky_bolt"}, {}, "granted", "CC-CRUSH-FLIP-1"),
    ({"type": "cc.flip", "place": "C1", "card": "broken_seal"}, {}, "refused", "CC-CRUSH-FLIP-3"),
    ({"type": "cc.move", "creature": "bog_leech", "place": "A1", "die": 6}, TACTIC, "granted", "CC-TACTIC-1"),
    ({"type": "cc.move", "creature": "bog_leech", "place": "A2", "die": 6}, TACTIC, "refused", "CC-TACTIC-1"),
    ({"type": "cc.swap", "creature": "iron_boar", "other": "tar_golem", "dice": [2]}, TACTIC, "refused", "CC-GLOSS-4"),
]


@pytest.mark.parametrize(("move", "more", "verdict", "clause"), QUARRELS)
def test_a_quarrel_of_each_chapter_is_ruled_upon_from_the_position_alone(
    app: Flask, move: dict[str, Any], more: dict[str, Any], verdict: str, clause: str
) -> None:
    body = {"position": {**POSITION, **more}, "seat": 0, "move": move}
    answer = Person(app.test_client()).post("/v1/games/creature_crush/rulings", body, Idempotency_Key="")
    ruling: Any = answer.json
    assert answer.status_code == 200, ruling
    assert ruling["verdict"] == verdict, ruling["reason"]
    assert clause in [each["id"] for each in ruling["clauses"]]
    assert ruling["reason"]["en"] != ruling["reason"]["de"]
