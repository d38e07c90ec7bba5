"""Who may do what when: the states of a match, what each allows, what follows, what is done for who is away."""

from __future__ import annotations

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import build_view, find_timeout_move, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import ENTRIES, FACES
from referee.games.munchkin.conditions import CONDITION_NAMES
from referee.games.munchkin.events.course import PlayerDied, TurnBegan, TurnEnded
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    CounterOffer,
    DeclineHelp,
    EndTurn,
    FleeFrom,
    GiveToCharity,
    JoinByTag,
    KeepRoll,
    KickDoor,
    LookForTrouble,
    LootRoom,
    Pass,
    PickTreasure,
    PlayCard,
    PutIntoPlay,
    Ready,
    RunAway,
    Sell,
    TakeBackRequest,
    TakeCard,
    UsePower,
)
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.setup import build_initial_table
from referee.games.munchkin.rules.turn import Calm
from referee.games.munchkin.state import Table
from tests.games.course import asked, of, settled, then, times_out, when
from tests.games.munchkin.combats import fighting, flees, kicked, passing, refused, when_all, won
from tests.games.munchkin.given import offered, shuffled, table


def kinds(state: Table, seat: int) -> set[type[Move]]:
    """The kinds of moves that a seat may make now."""
    return {type(move) for move in offered(state, seat)}


# ---- section 24 -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-24.1", "MK-1.6")
def test_in_the_setup_all_put_cards_down_and_say_they_are_ready_at_once() -> None:
    state = settled(build_initial_table(table((), (), ()).rules))
    for deck in ("doors:", "treasures:"):
        _, state = shuffled(state, deck)
    assert asked(state) == {0, 1, 2}
    for seat in range(3):
        assert Ready in kinds(state, seat)
        assert not {KickDoor, PlayCard, Sell, LootRoom} & kinds(state, seat)
        assert refused(state, seat, KickDoor()) == ("not_begun_yet", "MK-1.6")
    state = when_all(state, (1, Ready()), (0, Ready()), (2, Ready()))[1]
    state = when_all(state, (CHANCE, RollResult((2,))), (CHANCE, RollResult((6,))), (CHANCE, RollResult((3,))))[1]
    assert state.agenda == (Calm(1, "start"),)


@pytest.mark.clause("MK-24.2", "MK-5.2", "MK-5.9")
def test_at_the_start_of_a_turn_the_active_player_does_all_of_the_own_turn_and_kicks() -> None:
    how = {"carried": {0: ("confetti_cannon", "crooked_crown")}, "doors": ("town_easter",)}
    state = table(("bat_hat", "town_halloween", "loose_stitches"), (), (), **how)
    assert {KickDoor, PutIntoPlay, Sell, PlayCard} <= kinds(state, 0)
    assert not {LootRoom, LookForTrouble, EndTurn, GiveToCharity} & kinds(state, 0)
    assert asked(state) == {0}
    assert then(state, 0, KickDoor()).agenda == (Calm(0, "choice"),)
    assert isinstance(kicked((), (), (), behind="puddle_bat").agenda[-1], Fight)


@pytest.mark.clause("MK-24.3", "MK-5.8", "MK-5.9")
def test_at_the_choice_the_active_player_looks_for_trouble_or_loots() -> None:
    state = table(("puddle_bat", "bat_hat"), (), (), stage="choice")
    assert {LootRoom, LookForTrouble, PutIntoPlay} <= kinds(state, 0)
    assert not {KickDoor, EndTurn, GiveToCharity} & kinds(state, 0)
    assert refused(state, 0, EndTurn()) == ("choose_first", "MK-5.8")
    assert then(state, 0, LootRoom()).agenda == (Calm(0, "after"),)
    assert then(state, 0, LookForTrouble("puddle_bat")).agenda == (Calm(0, "after"), Fight(0))


@pytest.mark.clause("MK-24.4")
def test_in_an_open_combat_main_helper_and_others_have_their_own_commands() -> None:
    hands = (("os_fruitcake", "coal_imp"), ("os_frog_fizz", "puddle_bat"), ("enh_hungry", "marrow_pup"))
    towns = {0: ("town_halloween",), 1: ("town_halloween",)}
    state = fighting(*hands, foes=("skeleton_choir",), towns=towns, levels=(2,))
    assert {PlayCard, UsePower, AskHelp, RunAway} <= kinds(state, 0)
    assert {PlayCard, JoinByTag} <= kinds(state, 2)
    assert not {AskHelp, RunAway, ClaimKill, UsePower, AcceptHelp} & kinds(state, 2)
    state = then(state, 0, AskHelp(seat=1))
    assert {AcceptHelp, DeclineHelp, CounterOffer, PlayCard} <= kinds(state, 1)
    assert {TakeBackRequest, PlayCard, UsePower} <= kinds(state, 0)
    state = then(state, 1, AcceptHelp())
    assert {PlayCard, UsePower} <= kinds(state, 1)
    assert not {ClaimKill, RunAway, AskHelp} & kinds(state, 1)


@pytest.mark.clause("MK-24.5", "MK-15.1")
def test_in_the_window_others_play_or_pass_and_fighters_may_play() -> None:
    hands = (("os_fruitcake",), ("enh_hungry",), ())
    state = then(fighting(*hands, foes=("puddle_bat",), levels=(5,)), 0, ClaimKill())
    assert kinds(state, 1) >= {Pass, PlayCard}
    assert Pass in kinds(state, 2)
    assert PlayCard in kinds(state, 0)
    assert not {Pass, ClaimKill, RunAway, AskHelp} & kinds(state, 0)
    assert isinstance(then(state, 0, PlayCard("os_fruitcake", side="monsters")).agenda[-1], Fight)
    assert passing(state)[1].combat is None


@pytest.mark.clause("MK-24.6", "MK-26.2")
def test_at_the_rewards_treasures_are_picked_and_may_be_put_down_afterwards() -> None:
    how = {"levels": (5, 5), "treasures": ("bat_hat", "stilts")}
    state = fighting((), (), ("gual_pie", "curse_level"), foes=("skeleton_choir",), **how)
    state = when_all(state, (0, AskHelp(seat=1, treasures=1, picks=("helper",))), (1, AcceptHelp()))[1]
    _, state = won(state)
    assert kinds(state, 1) == {PickTreasure}
    assert kinds(state, 0) == kinds(state, 2) == set()
    state = then(state, 1, PickTreasure("bat_hat"))
    assert state.agenda == (Calm(0, "after"),)
    assert PutIntoPlay("bat_hat") in offered(state, 1)


@pytest.mark.clause("MK-24.7", "MK-17.3", "MK-17.7")
def test_on_the_run_each_chooses_a_monster_rolls_and_keeps_or_changes_the_die() -> None:
    hands = (("os_knucklebone", "os_moth_cloak"), (), ())
    how = {"towns": {0: ("town_christmas",)}, "items": {0: ("stilts",)}}
    state = then(fighting(*hands, foes=("sally", "coal_imp"), **how), 0, RunAway())
    assert {FleeFrom, UsePower, PlayCard} <= kinds(state, 0)
    assert {FleeFrom("sally"), FleeFrom("coal_imp")} <= set(offered(state, 0))
    state = when_all(state, (0, FleeFrom("coal_imp")), (CHANCE, RollResult((1,))))[1]
    assert kinds(state, 0) == {KeepRoll, PlayCard}
    state = then(state, 0, KeepRoll())
    assert FleeFrom("sally") in offered(state, 0)
    state = flees(state, 0, "sally", 6)[1]
    assert state.agenda == (Calm(0, "after"),)


@pytest.mark.clause("MK-24.8", "MK-19.4", "MK-19.9")
def test_the_others_loot_the_dead_in_order_and_then_the_next_turn_begins() -> None:
    state = fighting(("stilts", "bat_hat", "coal_imp"), (), (), foes=("moonlit_hydra",), levels=(1, 3, 2))
    events, state = flees(then(state, 0, RunAway()), 0, "moonlit_hydra", 1)
    assert of(events, PlayerDied)
    assert asked(state) == {1}
    assert kinds(state, 1) == {TakeCard}
    assert kinds(state, 2) == set()
    state = then(state, 1, TakeCard("bat_hat"))
    assert asked(state) == {2}
    events, state = when(state, 2, TakeCard("stilts"))
    assert of(events, TurnEnded) == [TurnEnded(0)]
    assert state.agenda == (Calm(1, "start"),)


@pytest.mark.clause("MK-24.8", "MK-26.8", "MK-19.8", "MK-19.10")
def test_a_helper_who_died_is_back_as_the_next_turn_begins_and_is_not_passed_over() -> None:
    state = fighting((), ("stilts",), (), foes=("moonlit_hydra",), helper=1)
    state = then(state, 0, RunAway())
    state = flees(state, 0, "moonlit_hydra", 6)[1]
    state = flees(state, 1, "moonlit_hydra", 1)[1]
    while not isinstance(state.agenda[-1], Calm):
        state = when(state, CHANCE, RollResult((3 + len(state.agenda[-2].casts),)))[1]  # type: ignore[attr-defined]
    assert state.dead == (1,)
    events, state = when(state, 0, EndTurn())
    assert of(events, TurnBegan) == [TurnBegan(1, back=(1,))]
    assert state.dead == ()
    assert state.agenda == (Calm(1, "start"),)
    assert len(state.cards_in_hand(1)) == 8


@pytest.mark.clause("MK-24.9", "MK-24.10", "MK-21.1", "MK-5.9")
def test_before_charity_the_active_player_does_all_of_the_own_turn_and_gives_what_is_too_much() -> None:
    hand = ("puddle_bat", "coal_imp", "sally", "enh_pint", "bat_hat", "gual_pie")
    state = table(hand, (), (), stage="after", levels=(3,), carried={0: ("confetti_cannon", "crooked_crown")})
    assert {PutIntoPlay, Sell, PlayCard, GiveToCharity} <= kinds(state, 0)
    assert not {KickDoor, LootRoom, LookForTrouble, EndTurn} & kinds(state, 0)
    assert refused(state, 0, EndTurn()) == ("too_many_in_hand", "MK-21.1")
    state = then(state, 0, PutIntoPlay("bat_hat"))
    assert EndTurn in kinds(state, 0)
    assert then(state, 0, EndTurn()).agenda == (Calm(1, "start"),)


@pytest.mark.clause("MK-24.11", "MK-6.1")
def test_what_is_allowed_at_any_moment_leaves_the_state_as_it_is() -> None:
    hands = ((), ("gual_pie", "ride_broom"), ())
    for state in (table(*hands), table(*hands, stage="choice"), fighting(*hands, foes=("sally",))):
        for move in (PlayCard("gual_pie", seat=1), PutIntoPlay("ride_broom")):
            assert then(state, 1, move).agenda == state.agenda


# ---- section 23 -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-23.1", "MK-2.2")
def test_nobody_sees_anothers_hand_or_the_order_of_the_decks() -> None:
    hands = (("puddle_bat",), ("enh_hungry", "stilts"), ("gual_pie",))
    state = kicked(*hands, behind="sally")
    for seat in range(3):
        seen = build_view(state, Seat(seat))
        for other in range(3):
            hand = seen.cards_in_hand(other)
            assert (hand == hands[other]) if other == seat else set(hand) == {"?"}
            assert len(hand) == len(hands[other])
        assert set(seen.cards_at("doors:")) == set(seen.cards_at("treasures:")) == {"?"}


@pytest.mark.clause("MK-23.1", "MK-20.5", "MK-26.3", "MK-26.6")
def test_whether_somebody_could_have_answered_is_told_by_no_question() -> None:
    with_one, without = (
        then(fighting(("curse_level",), (card,), (), foes=("sally",)), 0, PlayCard("curse_level", seat=1))
        for card in ("os_lucky_wreath", "puddle_bat")
    )
    for state in (with_one, without):
        assert seats_that_must_act(state) == {Seat(1), CLOCK}
    for seat in (0, 2):
        assert build_view(with_one, Seat(seat)).agenda == build_view(without, Seat(seat)).agenda
        assert offered(with_one, seat) == offered(without, seat) == []


TIMED = {"rules": {"turn_timeout_ms": 60_000}}


@pytest.mark.clause("MK-23.2", "MK-26.9")
def test_the_smallest_legal_step_is_done_for_who_does_not_act_in_time() -> None:
    state = table(("puddle_bat", "curse_level"), (), (), doors=("town_easter",), **TIMED)
    assert CLOCK in seats_that_must_act(state)
    steps: list[Move | None] = []
    while state.turn == 0:
        steps.append(find_timeout_move(state, Seat(0), guess=False))
        events, state = times_out(state)
        assert events
    assert steps == [KickDoor(), LootRoom(), EndTurn()]
    assert state.agenda == (Calm(1, "start"),)
    assert "curse_level" in state.cards_in_hand(0)  # nobody was attacked, and nothing was lost


@pytest.mark.clause("MK-23.2", "MK-21.2")
def test_the_cheapest_cards_are_given_for_who_does_not_say_which() -> None:
    hand = ("overtime_scythe", "lint_slippers", "crooked_crown", "bat_hat", "stilts", "confetti_cannon")
    state = table(hand, (), (), stage="after", levels=(3,), **TIMED)
    assert find_timeout_move(state, Seat(0), guess=False) == GiveToCharity(("lint_slippers",), (1,))
    _, state = times_out(state)
    assert state.cards_in_hand(1) == ("lint_slippers",)
    assert state.turn == 1


@pytest.mark.clause("MK-23.2", "MK-17.2", "MK-15.1")
def test_a_fighter_who_is_away_claims_what_is_won_and_runs_from_what_is_not() -> None:
    for foe, step in (("puddle_bat", ClaimKill()), ("sally", RunAway())):
        state = fighting((), (), (), foes=(foe,), levels=(3,), **TIMED)
        assert find_timeout_move(state, Seat(0), guess=False) == step
        assert then(state, 0, step) == times_out(state)[1]


@pytest.mark.clause("MK-23.2", "MK-17.3", "MK-17.7")
def test_a_runner_who_is_away_rolls_and_keeps() -> None:
    state = then(fighting(("os_knucklebone",), (), (), foes=("sally",), **TIMED), 0, RunAway())
    _, state = times_out(state)
    assert seats_that_must_act(state) == {CHANCE}
    state = when(state, CHANCE, RollResult((6,)))[1]
    _, state = times_out(state)
    assert state.combat is None
    assert state.cards_in_hand(0) == ("os_knucklebone",)


@pytest.mark.clause("MK-23.2", "MK-19.4")
def test_a_looter_who_is_away_gets_a_card() -> None:
    state = fighting(("stilts", "bat_hat"), (), (), foes=("moonlit_hydra",), levels=(1, 3, 2), **TIMED)
    state = flees(then(state, 0, RunAway()), 0, "moonlit_hydra", 1)[1]
    assert CLOCK in seats_that_must_act(state)
    _, state = times_out(state)
    assert len(state.cards_in_hand(1)) == 1


@pytest.mark.clause("MK-23.2")
def test_without_a_limit_only_windows_close_by_themselves() -> None:
    assert seats_that_must_act(table((), (), ())) == {Seat(0)}
    assert seats_that_must_act(fighting((), (), (), foes=("sally",))) == {Seat(0)}
    assert CLOCK in seats_that_must_act(then(fighting((), (), (), foes=("puddle_bat",), levels=(5,)), 0, ClaimKill()))


@pytest.mark.clause("MK-26.10")
def test_a_match_of_too_many_turns_is_drawn() -> None:
    state = table((), (), (), stage="after", turns=10, rules={"max_turns": 10}, levels=(3, 5, 5))
    _, state = when(state, 0, EndTurn())
    ended = GAME.find_outcome(state)
    assert ended is not None
    assert ended.winners == ()
    assert ended.placement == ((1, 2), (0,))
    assert ended.clauses == ("MK-26.10",)


# ---- what else nobody had said --------------------------------------------------------------------------------------


@pytest.mark.clause("MK-1.1")
@pytest.mark.parametrize("seats", [2, 7])
def test_three_to_six_play(seats: int) -> None:
    with pytest.raises(MalformedInput):
        GAME.build_table(Setup("standard", seats, {}, dict.fromkeys(GAME.devices, "server")))
    for fitting in (3, 6):
        assert (
            GAME.build_table(Setup("standard", fitting, {}, dict.fromkeys(GAME.devices, "server"))).levels
            == (1,) * fitting
        )


@pytest.mark.clause("MK-1.9")
def test_no_condition_and_no_card_looks_at_the_sex_of_a_character() -> None:
    assert not {word for word in CONDITION_NAMES if "sex" in word or "male" in word}
    assert not [entry["id"] for _, entry in ENTRIES if "sex" in entry]


@pytest.mark.clause("MK-4.3")
def test_there_are_four_towns() -> None:
    assert {face.town for face in FACES.values() if face.town} == {"halloween", "christmas", "easter", "thanksgiving"}
