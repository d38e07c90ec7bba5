"""How a game ends without exit or death: conceded, barred, claimed (SM-AMB-17)."""

from __future__ import annotations

import pytest

from referee.engine.events import apply_events
from referee.engine.referee import (
    build_view,
    find_legal_moves,
    judge_move,
    play_move,
    seats_that_may_act,
    seats_that_may_respond,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.events import ExitReached, HeroBarred
from referee.games.shy_monsters.moves import Claim, Concede
from tests.games.shy_monsters.table import HERO, LINE, MASTER, Scene, opened


@pytest.mark.clause("SM-AMB-17")
def test_the_hero_may_concede_instead_of_a_move() -> None:
    for scene in (Scene(LINE), Scene(LINE, floor=1, question="reveal")):
        scene.plays(Concede())
        outcome = GAME.find_outcome(scene.state)
        assert outcome is not None
        assert (outcome.winners, outcome.reason) == ((MASTER,), "won.conceded")


@pytest.mark.clause("SM-AMB-17")
def test_nobody_can_concede_while_a_card_turned_up_or_monsters_drawn_are_still_to_be_reported() -> None:
    scene = Scene(LINE)
    entered = build_view(scene.state, HERO)  # as at a table, where the face has to be reported
    entered = apply_events(entered, play_move(entered, HERO, scene.explore("a")))
    for state in (entered, opened("table", named=(0,))):
        assert seats_that_may_act(state) == {CHANCE}
        ruling = judge_move(state, HERO, Concede())
        assert (ruling.reason, ruling.clauses) == ("concede_later", ("SM-AMB-17", "KERNEL-TURN-1"))
        assert judge_move(state, MASTER, Concede()).reason == "only_the_hero_concedes"
    says = GAME.rulebook.clauses["SM-AMB-17"].says
    assert "any moment" not in says["en"]
    assert "jederzeit" not in says["de"]


@pytest.mark.clause("SM-AMB-17", "SM-HERO-KNOWN-1")
def test_a_hero_whom_a_known_monster_bars_from_all_that_is_new_has_lost() -> None:
    scene = Scene(LINE, {"a": "corridor", "b": "mantis"}, up="b", attack_ready=False, jump_ready=False)
    scene.plays(scene.explore("a"))
    outcome = GAME.find_outcome(scene.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((MASTER,), "won.barred")


@pytest.mark.clause("SM-AMB-17")
@pytest.mark.parametrize("left", ["attack_ready", "jump_ready"])
def test_a_skill_that_is_left_keeps_the_game_open(left: str) -> None:
    skills = {"attack_ready": False, "jump_ready": False, left: True}
    scene = Scene(LINE, {"a": "corridor", "b": "mantis"}, up="b", **skills)
    scene.plays(scene.explore("a"))
    assert GAME.find_outcome(scene.state) is None


@pytest.mark.clause("SM-AMB-17")
@pytest.mark.parametrize("jump", [False, True])
def test_an_attack_that_is_left_opens_the_way_past_one_known_monster_and_not_past_a_second(jump: bool) -> None:
    rows = ["fEabc", "....d", "....e"]
    cards = {"a": "mantis", "b": "corridor", "c": "basilisk", "f": "corridor"}
    scene = Scene(rows, cards, up="abc", jump_ready=jump)
    assert (scene.tile("a").active, scene.tile("c").active) == (True, True)
    scene.plays(scene.explore("f"))
    assert bool(scene.told(HeroBarred)) is not jump
    outcome = GAME.find_outcome(scene.state)
    assert (outcome and outcome.reason) == (None if jump else "won.barred")
    one = Scene(rows, {**cards, "a": "dragon", "c": "basilisk"}, up="abc", jump_ready=False)
    assert one.tile("a").active is False
    one.plays(one.explore("f"))
    assert GAME.find_outcome(one.state) is None


@pytest.mark.clause("SM-AMB-17")
def test_a_way_by_a_harmless_monster_and_a_jump_counts() -> None:
    rows = ["Eabc", "...d", "...e", "...f"]
    cards = {"a": "corridor", "b": "mantis", "c": "basilisk", "d": "exit"}
    scene = Scene(rows, cards, up="bc", turned_up=["c", "b"], attack_ready=False)
    assert (scene.tile("c").active, scene.tile("b").active) == (True, False)
    scene.plays(scene.explore("a"))
    assert GAME.find_outcome(scene.state) is None  # by way of the frightened mantis on b a jump over c reaches d
    scene.plays(scene.explore("b"), scene.jump("d", "c"))
    assert scene.told(ExitReached)
    spent = Scene(rows, cards, up="bc", turned_up=["c", "b"], attack_ready=False, jump_ready=False)
    spent.plays(spent.explore("a"))
    assert GAME.find_outcome(spent.state) is not None


@pytest.mark.clause("SM-AMB-17")
def test_after_twenty_moves_that_turned_nothing_up_the_dungeon_master_may_claim() -> None:
    scene = Scene(LINE, up="a", idle_moves=0)
    for count in range(20):
        scene.refuses(Claim(), "claim_too_early", "SM-AMB-17", seat=MASTER)
        assert scene.state.idle == count
        assert list(find_legal_moves(scene.state, MASTER)) == []
        assert seats_that_may_respond(scene.state) == frozenset()
        scene.plays(scene.explore("E" if count % 2 else "a"))
    assert seats_that_must_act(scene.state) == {HERO}
    assert seats_that_may_act(scene.state) == {HERO, MASTER}
    assert seats_that_may_respond(scene.state) == {MASTER}
    assert list(find_legal_moves(scene.state, MASTER)) == [Claim()]
    scene.refuses(Claim(), "only_the_dungeon_master_claims", "SM-AMB-17")
    scene.refuses(Concede(), "only_the_hero_concedes", "SM-AMB-17", seat=MASTER)
    scene.refuses(scene.explore("a"), "only_the_hero_explores", "SM-COURSE-1", "SM-BUILD-7", seat=MASTER)
    scene.plays(Claim(), seat=MASTER)
    outcome = GAME.find_outcome(scene.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((MASTER,), "won.claimed")


@pytest.mark.clause("SM-AMB-17")
def test_a_card_turned_up_starts_the_count_again() -> None:
    scene = Scene(LINE, up="a", hero="a", idle_moves=19)
    scene.plays(scene.explore("b"))
    assert scene.state.idle == 0
