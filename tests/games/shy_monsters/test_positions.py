"""Positions as a person writes them: what is left out is unknown, what cannot be is told."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from referee.engine.referee import find_legal_moves, judge_move
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.moves import Claim, Explore, Jump, Place
from tests.games.schemas import fit
from tests.games.shy_monsters.table import BLOCK, HERO, LINE, MASTER, Scene

WHOLE: dict[str, Any] = {
    "question": "explore",
    "dungeon_master": int(MASTER),
    "floor": 2,
    "plan": {"rows": BLOCK, "cards": {"a": "kraken", "c": "gargoyle"}, "up": ["a", "c"], "dead": []},
    "turned_up": ["a", "c"],
    "hero": "E",
    "attack_ready": True,
    "jump_ready": True,
    "idle_moves": 3,
    "discovered": ["mantis"],
}


def without(*names: str, **more: Any) -> Any:
    """The whole position less some parts."""
    return GAME.positions.decode_position({**{name: part for name, part in WHOLE.items() if name not in names}, **more})


@pytest.mark.parametrize(
    ("left_out", "move", "asks"),
    [
        ("dungeon_master", Explore(0, 1), "who_is_dungeon_master"),
        ("plan", Explore(0, 1), "where_do_cards_lie"),
        ("hero", Explore(0, 1), "where_is_the_hero"),
        ("attack_ready", Explore(0, 1, attack=True), "is_the_attack_ready"),
        ("jump_ready", Jump(1, 1, Place(1, 0)), "is_the_jump_ready"),
    ],
)
@pytest.mark.clause("KERNEL-POSITION-1")
def test_what_a_ruling_needs_and_the_position_leaves_out_is_asked_for(left_out: str, move: Any, asks: str) -> None:
    gone = (left_out, "turned_up") if left_out == "plan" else (left_out,)
    more = {"hero": [0, 0]} if left_out == "plan" else {}
    ruling = judge_move(without(*gone, **more), HERO, move)
    assert (ruling.verdict, ruling.needs[0].key) == ("undecided", asks)
    assert GAME.rulebook.render_texts(asks, **ruling.needs[0].params)
    assert judge_move(without(), HERO, move).verdict != "undecided"


def test_the_dungeon_master_is_asked_how_long_nothing_was_turned_up() -> None:
    ruling = judge_move(without("idle_moves"), MASTER, Claim())
    assert ruling.needs[0].key == "how_many_moves_turned_nothing_up"


def test_which_of_two_monsters_came_first_is_asked_only_where_it_matters() -> None:
    seen = {"discovered": ["dragon"]}
    near = {"rows": LINE, "cards": {"a": "mantis", "b": "kraken", "c": "corridor"}, "up": ["a", "b", "c"], "dead": []}
    unknown = without("turned_up", plan=near, **seen)
    assert judge_move(unknown, HERO, Explore(1, 0)).needs[0].key == "is_the_monster_active"
    assert judge_move(unknown, HERO, Explore(1, 0, attack=True)).granted
    for order, verdict in ((["a", "b", "c"], "refused"), (["b", "a", "c"], "granted")):
        assert judge_move(without(plan=near, turned_up=order, **seen), HERO, Explore(1, 0)).verdict == verdict
    apart = {**near, "cards": {"a": "mantis", "b": "corridor", "c": "kraken"}}
    assert judge_move(without("turned_up", plan=apart, **seen), HERO, Explore(1, 0)).reason == "sure_to_die"


def test_whether_a_card_is_up_and_which_and_whether_it_lives_is_asked() -> None:
    rest = [{"x": x, "y": 0, "up": False} for x in range(2, 7)]

    def asked(**tile: Any) -> str:
        tiles = [{"x": 0, "y": 0}, {"x": 1, "y": 0, **tile}, *rest]
        state = without("plan", "turned_up", "attack_ready", tiles=tiles, hero=[0, 0], floor=3, discovered=[])
        ruling = judge_move(state, HERO, Explore(1, 0))
        assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
        return ruling.needs[0].key if ruling.needs else ruling.verdict

    assert asked() == "is_the_card_up"
    assert asked(up=True) == "which_card_lies_up"
    assert asked(up=True, card="mantis") == "is_the_monster_alive"
    assert asked(up=True, card="mantis", alive=True) == "refused"
    assert asked(up=True, card="mantis", alive=False) == "granted"
    assert asked(up=True, card="kraken") == "granted"
    assert asked(up=False) == "granted"


def test_how_many_cards_are_due_is_asked_before_the_hero_may_move() -> None:
    plan = {"rows": LINE, "up": ["a"], "cards": {"a": "corridor"}}
    state = GAME.positions.decode_position({"question": "reveal", "dungeon_master": 0, "plan": plan})
    assert judge_move(state, HERO, Explore(1, 0)).needs[0].key == "how_many_reveals_are_left"
    known = GAME.positions.decode_position({"question": "reveal", "dungeon_master": 0, "plan": plan, "reveals_left": 1})
    assert judge_move(known, HERO, Explore(1, 0)).reason == "first_turn_cards_up"


def test_a_floor_can_be_drawn_in_rows_or_listed() -> None:
    drawn = without()
    listed = GAME.positions.decode_position(GAME.positions.encode_position(drawn))
    assert "tiles" in GAME.positions.encode_position(drawn)
    assert listed == drawn
    moved = {**WHOLE, "plan": {**WHOLE["plan"], "rows": ["....", *(f".{row}" for row in BLOCK)]}}
    assert GAME.positions.decode_position(moved) == drawn  # it is the entrance that counts


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"question": "wait"}, "/question"),
        ({"question": None}, "/question"),
        ({"hydra": 1}, "/hydra"),
        ({"floor": 4}, "/floor"),
        ({"floor": True}, "/floor"),
        ({"hero": "z"}, "/hero"),
        ({"hero": [1]}, "/hero"),
        ({"turned_up": ["q"]}, "/turned_up/0"),
        ({"tiles": []}, "/plan"),
        ({"plan": {"rows": ["abc"]}}, "/plan/rows"),
        ({"plan": {"rows": ["EaabbB"]}}, "/plan/rows"),
        ({"plan": {"rows": BLOCK, "cards": {"z": "exit"}}}, "/plan/cards"),
        ({"plan": {"rows": BLOCK, "cards": {"a": "hydra"}}}, "/plan/cards/a"),
        ({"turn_up": {"at": "b", "because": "entered"}}, "/turn_up"),
        ({"question": "turn_up"}, "/turn_up"),
        ({"question": "turn_up", "turn_up": {"at": "a", "because": "entered"}}, "/turn_up/at"),
        ({"question": "turn_up", "turn_up": {"at": "b", "because": "entered", "over": [3, 3]}}, "/turn_up/over"),
        ({"question": "turn_up", "turn_up": {"at": "b", "because": "skipped", "over": "a"}}, "/turn_up/over"),
        ({"question": "turn_up", "turn_up": {"at": "b", "because": "revealed", "attack": True}}, "/turn_up/attack"),
        ({"results": [{"winner": 2, "how": "killed"}]}, "/results/0/winner"),
    ],
)
def test_a_malformed_position_says_where(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        GAME.positions.decode_position({**WHOLE, **change})
    assert not isinstance(caught.value, ContradictoryPosition)
    assert pointer in [error["pointer"] for error in caught.value.errors]


def planned(**more: Any) -> dict[str, Any]:
    return {"plan": {**WHOLE["plan"], **more}}


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (planned(rows=["Eab", "cde", "f..", "g.."]), "SM-BUILD-2"),
        (planned(rows=["Eab", "cde", "...", "f.."]), "SM-BUILD-3"),
        (planned(cards={"a": "exit", "c": "exit"}), "SM-MAT-2"),
        (planned(cards={"a": "kraken", "c": "kraken"}), "SM-AMB-18"),
        (planned(cards={"a": "kraken", "c": "gargoyle", "d": "dragon"}), "SM-BUILD-1"),
        (planned(cards={"a": "kraken", "c": "mantis"}), "SM-AMB-18"),  # the mantis was seen on floor 1
        ({"discovered": ["mantis", "dragon", "basilisk"]}, "SM-AMB-18"),
        ({"hero": [3, 3]}, "SM-HERO-EXPLORE-1"),
        ({"hero": "b"}, "SM-HERO-EXPLORE-1"),
        ({"hero": "a"}, "SM-HERO-EXPLORE-2"),
        ({**planned(cards={"a": "exit", "c": "corridor"}), "hero": "a"}, "SM-HERO-EXIT-1"),
        (planned(dead=["a"]), "SM-HERO-SKILL-1"),
        ({**planned(dead=["a", "c"]), "attack_ready": False}, "SM-HERO-SKILL-1"),
        ({"turned_up": ["a"]}, "SM-STATE-1"),
        ({**planned(up=[]), "turned_up": []}, "SM-HERO-REVEAL-1"),
        ({"question": "reveal", "idle_moves": 0}, "SM-HERO-REVEAL-1"),
        ({"question": "reveal", "hero": "c", "idle_moves": 0}, "SM-SETUP-2"),
        ({"floor": 0, "discovered": []}, "SM-COURSE-1"),
        ({"hand": ["exit"]}, "SM-BUILD-1"),
        ({"question": "build", "reveals_left": 2}, "SM-HERO-REVEAL-1"),
        ({"results": [{"winner": 0, "how": "killed"}]}, "SM-END-1"),
        ({"games": 2, "game": 2}, "SM-AMB-1"),
        ({"games": 2, "game": 1, "results": [{"winner": 0, "how": "killed"}]}, "SM-AMB-1"),
        ({"games": 2, "results": [{"winner": 0, "how": "killed"}]}, "SM-END-1"),  # seat 1 was dungeon master then
        ({"games": 2, "results": [{"winner": 1, "how": "escaped"}]}, "SM-END-1"),
        ({"question": "over", "results": [{"winner": 0, "how": "escaped"}]}, "SM-END-1"),
        ({"question": "over", "results": [{"winner": 1, "how": "barred"}]}, "SM-END-1"),
        ({"question": "over"}, "SM-END-1"),
        ({"attack_ready": False, "jump_ready": False}, "SM-AMB-17"),  # kraken and gargoyle bar the way
    ],
)
def test_a_position_that_cannot_be_cites_the_clause(change: dict[str, Any], clause: str) -> None:
    with pytest.raises(ContradictoryPosition) as caught:
        GAME.positions.decode_position({**WHOLE, **change})
    assert clause in [error["clause"] for error in caught.value.errors]
    assert GAME.positions.check_census({**WHOLE, **change})["possible"] is False


def test_a_position_from_which_the_hero_has_a_way_left_is_asked_on() -> None:
    """The near neighbours of the positions refused: with a skill left there is a way, so they can be."""
    for left in ("attack_ready", "jump_ready"):
        state = GAME.positions.decode_position({**WHOLE, "attack_ready": False, "jump_ready": False, left: True})
        assert any(isinstance(move, Explore | Jump) for move in find_legal_moves(state, HERO))
    assert "SM-AMB-17" in GAME.positions.build_schema("standard")["properties"]["question"]["description"]


def test_a_match_that_is_over_says_who_won_and_goes_with_the_roles() -> None:
    for winner, how in ((0, "killed"), (1, "escaped")):
        state = GAME.positions.decode_position(
            {"question": "over", "dungeon_master": 0, "results": [{"winner": winner, "how": how}]}
        )
        outcome = GAME.find_outcome(state)
        assert outcome is not None
        assert (outcome.winners, outcome.reason) == ((winner,), f"won.{how}")


def test_an_activity_that_contradicts_the_floor_is_impossible() -> None:
    for wrong in ({"card": "kraken", "active": True}, {"card": "mantis", "active": False}):
        tiles = [{"x": 0, "y": 0}, {"x": 1, "y": 0, "up": True, **wrong}]
        tiles += [{"x": x, "y": 0, "up": False} for x in range(2, 7)]
        with pytest.raises(ContradictoryPosition) as caught:
            GAME.positions.decode_position({"question": "explore", "floor": 3, "tiles": tiles})
        assert [error["clause"] for error in caught.value.errors] == ["SM-AMB-13"]


def test_the_census_names_the_cards_to_count_again() -> None:
    assert GAME.positions.check_census(WHOLE) == {"possible": True, "contradictions": [], "recounts": []}
    found = GAME.positions.check_census({**WHOLE, **planned(cards={"a": "exit", "c": "exit"})})
    assert found["recounts"] == [{"card": "exit", "copies": 1, "counted": 2}]


def test_every_property_is_described_and_every_example_fits_the_schema() -> None:
    schema = GAME.positions.build_schema("standard")
    jsonschema_rs.meta.validate(schema)
    for name, part in schema["properties"].items():
        assert part.get("description"), name
    asked = {example["question"] for example in GAME.positions.build_examples("standard")}
    assert asked == set(schema["properties"]["question"]["enum"]) - {"over"}
    for example in [*GAME.positions.build_examples("standard"), WHOLE, GAME.positions.encode_position(without())]:
        fit(example, "shy_monsters")


def test_after_each_move_the_position_can_be_read_on() -> None:
    scene = Scene(BLOCK, {"a": "kraken", "c": "gargoyle", "d": "exit"}, discovered=["mantis", "dragon"])
    for move in (scene.jump("b", "a"), scene.explore("e")):
        scene.plays(move)
        assert GAME.positions.decode_position(GAME.positions.encode_position(scene.state)) == scene.state
