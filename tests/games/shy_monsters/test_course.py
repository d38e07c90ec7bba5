"""Chapters 2 to 4: roles, setup, the course of the floors, the end."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import ShuffleResult
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import build_view, judge_move, play_move, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE, Seat
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import BASE_HAND, MONSTERS
from referee.games.shy_monsters.events import FloorBegun, GameSetUp, HeroKilled, MonsterKilled, RolesGiven
from referee.games.shy_monsters.floors import lay_floor, list_shapes
from referee.games.shy_monsters.moves import Build, Concede, Explore, Reveal, RolesDrawn
from tests.games.shy_monsters.table import HERO, LINE, MASTER, Scene, opened


def step(state: Any, seat: Seat, move: Any) -> Any:
    return apply_events(state, play_move(state, seat, move))


def built(state: Any, seat: Seat = MASTER) -> Any:
    """The floor as a straight line to the right, the cards in the order of the hand."""
    line = tuple((x, 0) for x in range(1, 7))
    assert line in list_shapes()
    return step(state, seat, Build(lay_floor(line, state.hand())))


@pytest.mark.clause("SM-SETUP-1")
def test_the_dungeon_master_has_a_shuffled_pile_of_monsters_and_four_cards_in_hand() -> None:
    state = opened()
    assert seats_that_must_act(state) == {CHANCE}
    assert set(state.cards_at("pile:")) == set(MONSTERS)
    assert build_view(state, MASTER).cards_at("pile:") == ("?",) * 6
    assert state.cards_at("hand:0") == BASE_HAND
    assert [(tile.spot, tile.card, tile.up) for tile in state.tiles] == [((0, 0), "entrance", True)]
    order = tuple(reversed(MONSTERS))
    after = step(state, CHANCE, ShuffleResult(order))
    assert after.cards_at("hand:0") == (*BASE_HAND, *order[:2])
    assert after.cards_at("pile:") == order[2:]


@pytest.mark.clause("SM-SETUP-1")
def test_real_cards_are_shuffled_by_hand() -> None:
    state = opened("table")
    assert state.agenda[-1].question_name() == "sm.BuildFloor"
    assert state.cards_at("hand:0") == (*BASE_HAND, "?", "?")
    assert state.cards_at("pile:") == ("?",) * 4


@pytest.mark.clause("SM-SETUP-2")
def test_the_hero_starts_on_the_entrance_with_both_skills() -> None:
    state = opened()
    assert (state.hero_spot, state.is_attack_ready(), state.is_jump_ready(), state.hero) == ((0, 0), True, True, HERO)


@pytest.mark.clause("SM-SETUP-3", "SM-AMB-1")
def test_roles_are_those_agreed_else_drawn() -> None:
    assert opened(roles={"dungeon_master": 1}).master == 1
    drawing = opened(roles="drawn")
    assert seats_that_must_act(drawing) == {CHANCE}
    events = play_move(drawing, CHANCE, RolesDrawn(1))
    assert events[0] == RolesGiven(1)
    assert apply_events(drawing, events).hero == 0
    ruling = judge_move(drawing, CHANCE, RolesDrawn(2))
    assert (ruling.reason, ruling.clauses) == ("no_such_seat_for_the_role", ("SM-MAT-1", "SM-AMB-1"))
    with pytest.raises(MalformedInput):
        GAME.complete_setup(Setup("standard", 2, {"roles": {"dungeon_master": 2}}))


@pytest.mark.clause("SM-AMB-1")
def test_two_games_change_the_roles_and_one_win_each_is_a_draw() -> None:
    state = opened("table", games=2)
    events = play_move(state, HERO, Concede())
    state = apply_events(state, events)
    assert GAME.find_outcome(state) is None
    assert [event.dungeon_master for event in events if isinstance(event, GameSetUp)] == [1]
    assert (state.game, state.master, state.floor, state.attack, state.get_discovered_monsters()) == (2, 1, 1, True, ())
    state = step(state, Seat(0), Concede())
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.placement, outcome.reason) == ((), ((0, 1),), "match_drawn")


@pytest.mark.clause("SM-AMB-1")
def test_who_wins_both_games_wins_the_match() -> None:
    state = step(opened("table", games=2), HERO, Concede())  # seat 0 wins as dungeon master
    scene = Scene(LINE, {"a": "exit"}, games=2, dungeon_master=1, results=[{"winner": 0, "how": "conceded"}])
    assert state.results == scene.state.results
    scene.plays(scene.explore("a"), seat=Seat(0))
    outcome = GAME.find_outcome(scene.state)
    assert outcome is not None
    assert (outcome.winners, outcome.placement, outcome.reason) == ((0,), ((0,), (1,)), "won.both_games")


@pytest.mark.clause("SM-COURSE-1", "SM-HERO-REVEAL-1", "SM-DESTROY-3", "SM-DESTROY-5", "SM-END-1", "SM-GOAL-1")
def test_three_floors_are_built_explored_and_destroyed_and_then_the_hero_has_won() -> None:
    state = step(opened(), CHANCE, ShuffleResult(MONSTERS))
    for number, due in ((1, 2), (2, 1), (3, 0)):
        assert state.floor == number
        assert seats_that_must_act(state) == {MASTER}
        state = step(
            state, MASTER, Build(lay_floor(((0, -2), (0, -1), (1, 0), (0, 1), (0, 2), (-1, 0)), harmless(state)))
        )
        for spot in ((0, 1), (0, 2))[:due]:
            assert state.agenda[-1].question_name() == "sm.RevealCards"
            state = step(state, HERO, Reveal(*spot))
        assert state.agenda[-1].question_name() == "sm.Walk"
        events = play_move(state, HERO, Explore(-1, 0))
        state = apply_events(state, events)
        assert [event.floor for event in events if isinstance(event, FloorBegun)] == (
            [number + 1] if number < 3 else []
        )
    assert seats_that_must_act(state) == frozenset()
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.clauses) == ((HERO,), "won.escaped", ("SM-END-1",))


def harmless(state: Any) -> list[str]:
    """The hand with the exit last."""
    return sorted(state.get_hand(), key=lambda card: card == "exit")


@pytest.mark.clause("SM-END-1", "SM-END-2", "SM-GOAL-1")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_first_attack_of_an_active_monster_ends_the_game_on_any_floor(number: int) -> None:
    up = "fe"[: 3 - number]
    scene = Scene(LINE, {"a": "mantis"}, floor=number, up=up)
    scene.plays(scene.explore("a"))
    assert scene.told(HeroKilled) == [HeroKilled(1, 0, "mantis")]
    outcome = GAME.find_outcome(scene.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((MASTER,), "won.killed")


def test_a_monster_that_is_attacked_ends_nothing() -> None:
    scene = Scene(LINE, {"a": "mantis"})
    scene.plays(scene.explore("a", attack=True))
    assert scene.told(MonsterKilled)
    assert GAME.find_outcome(scene.state) is None


def test_once_the_match_is_over_nothing_can_be_moved() -> None:
    scene = Scene(LINE, {"a": "exit"})
    scene.plays(scene.explore("a"))
    assert judge_move(scene.state, HERO, scene.explore("b")).reason == "nothing_is_open"
