"""Chapters 8 and 9: the floor is destroyed; what is recorded, and who sees what."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import TurnUpResult
from referee.engine.events import apply_events
from referee.engine.referee import build_view, judge_move, play_move, seats_that_must_act
from referee.engine.seats import BYSTANDER, CHANCE
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import BASE_HAND, MONSTERS
from referee.games.shy_monsters.events import CardTurnedUp, FloorDestroyed, MonstersDrawn
from tests.games.shy_monsters.table import CROSS, HERO, LINE, MASTER, Scene

PILE = ["gargoyle", "basilisk", "vampire_bat", "kraken"]


def leaving(up: str = "ab") -> Scene:
    """On floor 1 the hero has found the dragon and not the mantis, and is about to enter the exit at c."""
    cards = {"a": "dragon", "d": "mantis", "c": "exit"}
    return Scene(CROSS, cards, floor=1, up=up, pile=PILE, idle_moves=3, attack_ready=False, dead=["a"])


@pytest.mark.clause("SM-DESTROY-1")
def test_the_monsters_turned_up_lie_open_beside_the_area() -> None:
    scene = leaving()
    scene.plays(scene.explore("c"))
    (event,) = scene.told(FloorDestroyed)
    assert event.found == ("dragon",)
    for seat in (HERO, MASTER, BYSTANDER):
        assert build_view(scene.state, seat).get_discovered_monsters() == ("dragon",)


@pytest.mark.clause("SM-DESTROY-2", "SM-AMB-21")
def test_of_those_that_stayed_down_the_hero_learns_the_number_alone() -> None:
    scene = leaving()
    scene.plays(scene.explore("c"))
    assert scene.state.cards_at("undiscovered:0") == ("mantis",)
    assert build_view(scene.state, HERO).cards_at("undiscovered:0") == ("?",)
    told = [event.view_for(HERO) for event in scene.events]
    assert "mantis" not in str(told)
    (seen,) = [event for event in told if isinstance(event, FloorDestroyed)]
    assert seen.undiscovered_count == 1
    assert "mantis" in str([event.view_for(MASTER) for event in scene.events])


@pytest.mark.clause("SM-DESTROY-2", "SM-AMB-9")
def test_a_monster_skipped_by_a_jump_onto_the_exit_counts_as_not_discovered() -> None:
    scene = Scene(LINE, {"a": "mantis", "b": "exit", "e": "dragon"}, floor=2, up="e", discovered=[], undiscovered=2)
    scene.plays(scene.jump("b", "a"))
    (event,) = scene.told(FloorDestroyed)
    assert (event.found, event.undiscovered) == (("dragon",), ("mantis",))


@pytest.mark.clause("SM-DESTROY-3", "SM-DESTROY-4")
@pytest.mark.parametrize("up", ["ab", "abc"])
def test_pawn_hand_pile_and_skills_are_ready_for_the_next_floor(up: str) -> None:
    scene = leaving(up)
    scene.plays(scene.explore("c"))
    assert bool(scene.told(CardTurnedUp)) is ("c" not in up)  # an exit that is up leaves the idle moves to the floor
    state = scene.state
    assert (state.hero_spot, state.floor, state.is_attack_ready(), state.is_jump_ready()) == ((0, 0), 2, True, True)
    assert (state.turned, state.idle, [tile.card for tile in state.tiles]) == ((), 0, ["entrance"])
    assert state.get_hand() == (*BASE_HAND, "gargoyle", "basilisk")
    assert state.cards_at("pile:") == ("vampire_bat", "kraken")
    (drawn,) = scene.told(MonstersDrawn)
    assert "gargoyle" not in str(drawn.view_for(HERO))
    assert seats_that_must_act(state) == {MASTER}


@pytest.mark.clause("SM-DESTROY-5")
def test_after_the_third_floor_nothing_is_built() -> None:
    scene = Scene(LINE, {"a": "exit"}, floor=3)
    scene.plays(scene.explore("a"))
    assert not scene.told(FloorDestroyed)
    assert seats_that_must_act(scene.state) == frozenset()


@pytest.mark.clause("SM-AMB-18")
def test_monsters_do_not_come_again_discovered_or_not() -> None:
    scene = leaving()
    scene.plays(scene.explore("c"))
    used = {*scene.state.get_discovered_monsters(), *scene.state.cards_at("undiscovered:0")}
    assert used == {"dragon", "mantis"}
    assert used.isdisjoint({*scene.state.cards_at("pile:"), *scene.state.get_hand()})
    data = {
        "question": "turn_up",
        "cards": "table",
        "dungeon_master": 0,
        "floor": 3,
        "plan": {"rows": LINE, "up": []},
        "turn_up": {"at": "a", "because": "entered"},
        "discovered": ["dragon", "mantis", "kraken"],
    }
    table = GAME.positions.decode_position(data)
    for card in ("dragon", "mantis", "kraken"):
        ruling = judge_move(table, CHANCE, TurnUpResult(card))
        assert (ruling.reason, ruling.clauses[0]) == ("monster_was_used", "SM-AMB-18")
    assert judge_move(table, CHANCE, TurnUpResult("basilisk")).granted
    unknown = GAME.positions.decode_position({name: part for name, part in data.items() if name != "discovered"})
    ruling = judge_move(unknown, CHANCE, TurnUpResult("basilisk"))
    assert (ruling.verdict, ruling.needs[0].key) == ("undecided", "which_monsters_came_before")


@pytest.mark.clause("SM-AMB-18")
def test_the_undiscovered_stay_hidden_until_the_end() -> None:
    scene = leaving()
    scene.plays(scene.explore("c"))
    for seat in (HERO, BYSTANDER):
        assert "mantis" not in str(build_view(scene.state, seat))
    assert "mantis" in str(build_view(scene.state, MASTER))


@pytest.mark.clause("SM-STATE-1")
def test_a_floor_is_recorded_with_places_faces_order_pawn_skills_and_monsters() -> None:
    scene = Scene(LINE, {"b": "mantis", "d": "kraken", "e": "exit"})
    scene.plays(scene.jump("b", "a", attack=True), scene.explore("c"))
    assert len(scene.state.tiles) == 7
    assert scene.state.turned == ((2, 0), (1, 0), (3, 0))
    assert (scene.state.hero_spot, scene.state.attack, scene.state.jump) == ((3, 0), False, False)
    assert (scene.tile("b").alive, scene.tile("b").active) == (False, True)


@pytest.mark.clause("SM-STATE-2")
def test_the_hero_sees_places_up_faces_and_skills_and_the_dungeon_master_sees_all() -> None:
    state = leaving().state
    hero, master = build_view(state, HERO), build_view(state, MASTER)
    assert {tile.card for tile in hero.tiles} == {"entrance", "dragon", "corridor", "?"}
    assert [tile.spot for tile in hero.tiles] == [tile.spot for tile in state.tiles]
    assert (hero.attack, hero.jump, hero.get_discovered_monsters()) == (
        state.attack,
        state.jump,
        state.get_discovered_monsters(),
    )
    assert master.tiles == state.tiles
    assert build_view(state, BYSTANDER) == hero
    assert master.cards_at("pile:") == ("?",) * 4  # but for the pile, which nobody has looked at


@pytest.mark.clause("SM-MAT-2", "SM-BUILD-1", "SM-AMB-20")
def test_a_face_reported_at_the_table_has_to_be_one_that_can_lie_there() -> None:
    cards = {"a": "corridor", "b": "corridor", "c": "corridor", "d": "exit", "e": "mantis", "f": "kraken"}

    def report(up: str, card: str) -> str:
        seen = {letter: cards[letter] for letter in up}
        data = {
            "question": "turn_up",
            "cards": "table",
            "dungeon_master": 0,
            "floor": 1,
            "plan": {"rows": LINE, "cards": seen, "up": list(up)},
            "turn_up": {"at": next(letter for letter in cards if letter not in up), "because": "entered"},
        }
        return judge_move(GAME.positions.decode_position(data), CHANCE, TurnUpResult(card)).reason

    assert report("abc", "corridor") == "all_copies_lie_elsewhere"
    assert report("abd", "exit") == "all_copies_lie_elsewhere"
    assert report("abe", "mantis") == "all_copies_lie_elsewhere"
    assert report("def", "dragon") == "two_monsters_a_floor"
    assert report("ab", "entrance") == "entrance_is_up_already"
    assert report("ab", "hydra") == "no_such_dungeon_card"
    assert [card for card in ("corridor", "exit", *MONSTERS) if report("abe", card) == "granted"] == [
        "corridor", "exit", *(card for card in MONSTERS if card != "mantis"),
    ]  # fmt: skip


@pytest.mark.clause("SM-AMB-20", "SM-STATE-2")
def test_a_dry_run_stops_at_the_card_that_the_hero_does_not_know() -> None:
    scene = Scene(LINE, {"a": "mantis", "c": "kraken"}, discovered=["basilisk"])
    seen = build_view(scene.state, HERO)
    events = play_move(seen, HERO, scene.explore("a"))
    after: Any = apply_events(seen, events)
    assert seats_that_must_act(after) == {CHANCE}
    assert "mantis" not in str(events)
    killed: Any = apply_events(after, play_move(after, CHANCE, TurnUpResult("mantis")))
    assert GAME.find_outcome(killed) is not None
