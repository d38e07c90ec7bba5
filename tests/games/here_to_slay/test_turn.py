"""The turn: points and what they buy, when it ends, and what "immediately" means."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.games.here_to_slay.components import PENDING
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.plays import HeroEntered, PlayAnnounced, PlayStood, RollSettled
from referee.games.here_to_slay.events.turns import GameWon, LastingEffectEnded, PointsSpent, TurnEnded, TurnStarted
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Pass,
    PlayCard,
    RollFor,
)
from referee.games.here_to_slay.rules.playing import FreeRoll
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, stands, table

# ---- points and turns ----------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-TURN-1")
def test_turns_go_clockwise_one_player_after_the_other() -> None:
    state = table([], [], [])
    order = []
    for _ in range(4):
        order.append(state.active)
        state = then(state, state.active, EndTurn())
    assert order == [0, 1, 2, 0]


@pytest.mark.clause("HTS-TURN-2")
def test_a_turn_starts_with_three_points_or_four_with_mega_slime() -> None:
    events, state = when(table([], [], slain={0: ["mega_slime"]}), 0, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(1, 3)]
    events, state = when(state, 1, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(0, 4)]
    assert state.points == 4


@pytest.mark.clause("HTS-TURN-3")
def test_points_buy_any_actions_in_any_order_and_the_same_one_again() -> None:
    state = then(table(["enchanted_spell"], []), 0, DrawOne(), DrawOne())
    assert state.points == 1
    state = then(table(["enchanted_spell"], [], parties={0: ["peanut"]}), 0, DrawOne(), PlayCard("enchanted_spell"))
    _, state = rolls(then(state, 0, RollFor("peanut")), 1, 2)
    assert state.active == 1


@pytest.mark.clause("HTS-TURN-4")
def test_a_cost_is_paid_when_the_action_is_declared_and_never_comes_back() -> None:
    state = table([], ["hook"], parties={0: ["peanut"]}, row=["terratuga"])
    events, state = when(state, 0, RollFor("peanut"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]  # before the dice
    _, state = rolls(state, 1, 2)
    assert state.points == 2
    events, state = when(state, 0, Attack("terratuga"))
    assert of(events, PointsSpent) == [PointsSpent(0, 2, 0)]
    events, state = rolls(state, 4, 5)
    assert of(events, RollSettled)[0].outcome == "nothing"
    assert state.active == 1


@pytest.mark.clause("HTS-TURN-4")
def test_the_point_of_a_lost_play_stays_spent() -> None:
    state = then(then(table(["peanut"], ["challenge"]), 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 6, 6, 1, 1)
    assert (state.active, state.points) == (0, 2)


@pytest.mark.clause("HTS-TURN-5", "HTS-ACT-7")
def test_no_action_can_be_declared_while_something_is_pending() -> None:
    state = then(table(["peanut"], ["hook"]), 0, PlayCard("peanut"))
    for move in (DrawOne(), EndTurn()):
        assert refusal(state, 0, move).reason == "card_under_way"
    _, state = passes(state)
    assert state.agenda[-1] == FreeRoll(0, "peanut")
    for move in (DrawOne(), EndTurn(), RollFor("peanut")):
        assert refusal(state, 0, move).reason == "card_under_way"
    then(then(state, 0, Decline()), 0, EndTurn())


@pytest.mark.clause("HTS-TURN-6", "HTS-AMB-77")
def test_the_turn_ends_by_itself_with_no_points_left_and_nothing_pending() -> None:
    state = table(["peanut"], ["hook"], points=1)
    _, state = stands(state, 0, PlayCard("peanut"))
    assert (state.points, asked(state)) == (0, {0})  # the free roll comes first
    events, state = when(state, 0, Decline())
    assert names(events) == ["TurnEnded", "TurnStarted"]
    assert asked(state) == {1}


@pytest.mark.clause("HTS-TURN-6", "HTS-AMB-77")
def test_triggers_of_the_last_action_come_before_the_end_of_the_turn() -> None:
    state = table(["enchanted_spell"], [], points=1, leaders={0: "the_cloaked_sage"})
    events, state = when(state, 0, PlayCard("enchanted_spell"))
    assert not of(events, TurnEnded)
    events, _ = when(state, 0, Accept())
    assert names(events) == ["CardDrawn", "TurnEnded", "LastingEnded", "TurnStarted"]


@pytest.mark.clause("HTS-TURN-6", "HTS-AMB-77", "HTS-ACT-7")
def test_whoever_does_without_further_actions_loses_the_points_left() -> None:
    events, state = when(table([], [], points=2), 0, EndTurn())
    assert names(events) == ["TurnEnded", "TurnStarted"]
    assert not of(events, PointsSpent)
    events, state = when(state, 1, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(0, 3)]


@pytest.mark.clause("HTS-TURN-7")
def test_a_turn_starts_with_the_end_of_protections_cleared_marks_and_new_points() -> None:
    lasting = (LastingEffect("mighty_blade", 1, "no_destroy", "own_turn_start"),)
    state = table([], [], [], lasting=lasting, rolled=("peanut",), used=True)
    events, state = when(state, 0, EndTurn())
    assert names(events) == ["TurnEnded", "LastingEnded", "TurnStarted"]
    assert of(events, LastingEffectEnded) == [LastingEffectEnded(1, "own_turn_start")]
    assert (state.lasting, state.rolled, state.used, state.points) == ((), (), False, 3)


@pytest.mark.clause("HTS-TURN-7", "HTS-AMB-69")
def test_there_is_no_free_draw_at_the_start_of_a_turn() -> None:
    events, state = when(table([], ["hook"]), 0, EndTurn())
    assert not of(events, CardDrawn)
    assert state.cards_in_hand(1) == ("hook",)


@pytest.mark.clause("HTS-TURN-7")
def test_what_lasts_until_another_players_turn_starts_goes_on() -> None:
    lasting = (LastingEffect("mighty_blade", 0, "no_destroy", "own_turn_start"),)
    state = then(table([], [], lasting=lasting), 0, EndTurn())
    assert state.lasting == lasting
    assert then(state, 1, EndTurn()).lasting == ()


@pytest.mark.clause("HTS-TURN-8")
def test_a_turn_ends_with_the_win_check_then_running_effects_then_the_next_turn() -> None:
    lasting = (LastingEffect("enchanted_spell", 0, "roll_bonus", "own_turn_end", 2),)
    party = {0: ["bad_axe", "calming_voice", "bullseye", "kit_napper", "bun_bun"]}
    state = table([], [], parties=party, lasting=lasting, leaders={0: "the_cloaked_sage"})
    events, after = when(state, 0, EndTurn())
    assert names(events) == ["TurnEnded", "LastingEnded", "TurnStarted"]
    assert after.lasting == ()
    state = table([], [], parties=party, lasting=lasting, leaders={0: "the_charismatic_song"})
    events, after = when(state, 0, EndTurn())
    assert names(events) == ["TurnEnded", "GameWon"]
    assert of(events, GameWon) == [GameWon(0, "six_classes")]


# ---- immediately ---------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-NOW-1")
def test_what_is_done_immediately_costs_no_point() -> None:
    state = table(["bard_mask"], [], parties={0: ["hook"]}, points=1)
    _, state = rolls(then(state, 0, RollFor("hook")), 3, 3)
    events, _ = when(state, 0, ChooseCard("bard_mask"))
    assert of(events, PlayAnnounced)[0].immediate
    assert not of(events, PointsSpent)


@pytest.mark.clause("HTS-NOW-2")
def test_it_happens_at_that_point_of_the_effect_or_is_gone() -> None:
    state = table(["bard_mask"], [], parties={0: ["hook"]}, deck=["sealing_key"])
    events, _ = when(rolls(then(state, 0, RollFor("hook")), 3, 3)[1], 0, ChooseCard("bard_mask"))
    assert names(events) == ["PlayAnnounced", "PlayStood", "ItemEquipped", "CardDrawn"]
    state = table([], [], parties={0: ["quick_draw"]}, deck=["bard_mask", "sealing_key"])
    _, state = rolls(then(state, 0, RollFor("quick_draw")), 4, 4)
    assert ChooseCard("bard_mask") in offered(state, 0)
    state = then(state, 0, Decline())
    assert state.agenda == (Turn(0),)
    events, _ = when(state, 0, PlayCard("bard_mask"))
    assert of(events, PointsSpent)  # now it is an action like any other


@pytest.mark.clause("HTS-NOW-3")
def test_a_hero_played_immediately_gives_the_free_roll_and_can_be_challenged() -> None:
    state = table([], ["challenge"], parties={0: ["mellow_dee"]}, deck=["peanut"])
    _, state = rolls(then(state, 0, RollFor("mellow_dee")), 4, 4)
    state = then(state, 0, ChooseCard("peanut"))
    assert asked(state) == {1}
    events, state = when(state, 1, Pass())
    assert of(events, HeroEntered)
    assert offered(state, 0) == [Decline(), Accept()]
    off = table([], ["challenge"], parties={0: ["mellow_dee"]}, deck=["peanut"], rules={"challenge_immediate": False})
    events, _ = when(rolls(then(off, 0, RollFor("mellow_dee")), 4, 4)[1], 0, ChooseCard("peanut"))
    assert of(events, HeroEntered)


@pytest.mark.clause("HTS-NOW-3")
def test_an_item_played_immediately_still_needs_a_free_hero() -> None:
    state = table(["bard_mask", "peanut"], [], parties={0: [("hook", "really_big_ring")]})
    _, state = rolls(then(state, 0, RollFor("hook")), 3, 3)
    assert offered(state, 0) == [Decline()]


@pytest.mark.clause("HTS-NOW-3")
def test_an_immediate_roll_marks_its_hero_and_needs_an_unmarked_one_without_key() -> None:
    state = table([], [], parties={0: ["wiggles"], 1: ["peanut"]})
    _, after = rolls(then(state, 0, RollFor("wiggles")), 5, 5)
    _, after = rolls(after, 1, 2)
    assert refusal(after, 0, RollFor("peanut")).reason == "rolled_already"
    marked = table([], [], parties={0: ["wiggles"], 1: ["peanut"]}, rolled=("peanut",))
    sealed = table([], [], parties={0: ["wiggles"], 1: [("peanut", "sealing_key")]})
    for state in (marked, sealed):
        _, after = rolls(then(state, 0, RollFor("wiggles")), 5, 5)
        assert after.controller_of("peanut") == 0
        assert after.agenda == (Turn(0),)


@pytest.mark.clause("HTS-NOW-3", "HTS-AMB-5")
@pytest.mark.parametrize("allowed", [False, True])
def test_a_play_outside_the_own_turn_is_challenged_only_if_that_was_agreed(allowed: bool) -> None:
    state = table(
        [], ["hook", "fluffy"], [], parties={0: ["plundering_puma"]}, slain={1: ["orthus"]}, deck=["enchanted_spell"],
        rules={"challenge_out_of_turn": allowed},
    )  # fmt: skip
    _, state = rolls(then(state, 0, RollFor("plundering_puma")), 4, 4)
    _, state = pulled(state, "hook")
    state = then(state, 1, Accept())
    events, state = when(state, 1, ChooseCard("enchanted_spell"))
    assert of(events, PlayAnnounced)[0].immediate
    assert (asked(state) == {0} and bool(state.cards_at(PENDING))) == allowed
    assert bool(of(events, PlayStood)) == (not allowed)
