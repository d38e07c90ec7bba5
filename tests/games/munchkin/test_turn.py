"""The steps of a turn, whose turn is next, what comes back from death, and the end by the number of turns."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.referee import judge_candidates
from referee.engine.seats import CLOCK
from referee.games.munchkin import GAME
from referee.games.munchkin.components import COMBAT, DISCARDS, DOORS, TREASURES
from referee.games.munchkin.events.cards import CardDrawn, CardsDiscarded, NoLongerFresh
from referee.games.munchkin.events.combat import ClaimBroken
from referee.games.munchkin.events.course import GameDrawn, PlayerRevived, TurnBegan, TurnEnded
from referee.games.munchkin.moves import (
    ClaimKill,
    EndTurn,
    GiveToCharity,
    KickDoor,
    LookForTrouble,
    LootRoom,
    Pass,
    PutIntoPlay,
)
from referee.games.munchkin.rules.turn import AfterDoor, Calm, KeepOne, TurnBegins, TurnEnds
from referee.rendering.texts import find_move_flag
from tests.games.course import asked, near_misses, of, refused, settled, then, times_out, when
from tests.games.munchkin.given import names, offered, table, with_deck, with_real_cards


@pytest.mark.clause("MK-5.1")
def test_a_turn_is_start_door_choice_charity_and_the_next_player() -> None:
    state = table([], [], [], doors=["enh_hungry", "enh_old"])
    state = then(state, 0, KickDoor())
    assert state.agenda == (Calm(0, "choice"),)
    state = then(state, 0, LootRoom())
    assert state.agenda == (Calm(0, "after"),)
    assert state.cards_in_hand(0) == ("enh_hungry", "enh_old")
    events, state = when(state, 0, EndTurn())
    assert of(events, TurnEnded) == [TurnEnded(0)]
    assert of(events, TurnBegan) == [TurnBegan(1)]
    assert (state.turn, state.turns, state.agenda) == (1, 2, (Calm(1, "start"),))


@pytest.mark.clause("MK-5.10", "MK-21.1")
def test_both_moves_that_end_a_turn_say_so() -> None:
    held = ("bat_hat", "stilts", "candy_hook", "coal_imp", "wolfman", "enh_old")
    state, gift = table(held, [], [], levels=(4, 2, 4), stage="after"), GiveToCharity(("enh_old",), (1,))
    assert then(state, 0, gift).turn == 1
    assert [find_move_flag(GAME, move, None) for move in (gift, EndTurn(), KickDoor())] == ["ends_turn"] * 2 + [None]


@pytest.mark.clause("MK-5.1")
def test_the_steps_of_a_turn_are_taken_in_their_order() -> None:
    state = table(["marrow_pup"], [], [])
    for early in (LootRoom(), LookForTrouble("marrow_pup"), EndTurn(), GiveToCharity(("marrow_pup",))):
        assert refused(state, 0, early) == ("kick_first", "MK-5.1")
    state = table(["marrow_pup"], [], [], stage="choice")
    assert refused(state, 0, KickDoor()) == ("door_is_open", "MK-5.1")
    assert refused(state, 1, KickDoor()) == ("turn_of_another", "MK-1.8")
    assert refused(state, 0, ClaimKill()) == ("no_combat_now", "MK-15.1")


@pytest.mark.clause("MK-5.8")
def test_the_choice_cannot_be_skipped() -> None:
    state = table(["bat_hat"], [], [], stage="choice")
    assert refused(state, 0, EndTurn()) == ("choose_first", "MK-5.8")
    assert LootRoom() in offered(state, 0)
    assert refused(state, 0, LookForTrouble("bat_hat")) == ("no_monster", "MK-5.4")
    assert refused(state, 0, LookForTrouble("marrow_pup")) == ("not_in_the_hand", "MK-5.4")


@pytest.mark.clause("MK-5.4")
def test_a_monster_of_the_hand_can_be_looked_for() -> None:
    state = table(["marrow_pup", "bat_hat", "coal_imp"], ["puddle_bat"], [], stage="choice")
    trouble = [move for move in offered(state, 0) if isinstance(move, LookForTrouble)]
    assert trouble == [LookForTrouble("marrow_pup"), LookForTrouble("coal_imp")]


@pytest.mark.clause("MK-5.4")
def test_looting_draws_one_door_face_down_and_is_done_once() -> None:
    events, state = when(table([], [], [], stage="choice", doors=["enh_hungry"]), 0, LootRoom())
    drawn = of(events, CardDrawn)
    assert [(event.source, event.put, event.view_for(1).put) for event in drawn] == [(DOORS, ("enh_hungry",), ("?",))]  # type: ignore[attr-defined]
    assert refused(state, 0, LootRoom()) == ("chosen_already", "MK-5.4")


@pytest.mark.clause("MK-5.6")
def test_after_a_combat_there_is_no_looting_and_no_trouble() -> None:
    state = table(["marrow_pup"], [], [], stage="after", fought=True)
    assert refused(state, 0, LootRoom()) == ("fought_already", "MK-5.6")
    assert refused(state, 0, LookForTrouble("marrow_pup")) == ("fought_already", "MK-5.6")


@pytest.mark.clause("MK-5.6", "MK-5.5")
def test_what_follows_the_door_depends_on_a_combat_and_on_life() -> None:
    after = settled(table([], [], [], agenda=(AfterDoor(0),), fought=True))
    assert after.agenda == (Calm(0, "after"),)
    choice = settled(table([], [], [], agenda=(AfterDoor(0),)))
    assert choice.agenda == (Calm(0, "choice"),)


@pytest.mark.clause("MK-19.9")
def test_a_main_player_who_died_has_no_charity() -> None:
    hands = (["bat_hat"] * 0, [], [])
    state = settled(table(*hands, agenda=(AfterDoor(0),), dead=(0,), bereft=(0,)))
    assert (state.turn, state.dead) == (1, ())
    state = settled(table(*hands, agenda=(Calm(0, "start"),), dead=(0,), bereft=(0,)))
    assert state.turn == 1


@pytest.mark.clause("MK-19.8", "MK-19.10")
def test_the_dead_are_back_with_the_next_turn_and_draw_eight_on_their_own() -> None:
    state = table([], [], [], agenda=(TurnEnds(0),), dead=(1, 2), bereft=(1, 2))
    state = settled(state)
    assert (state.turn, state.dead, state.bereft) == (1, (), (2,))
    assert (len(state.cards_in_hand(1)), len(state.cards_in_hand(2))) == (8, 0)
    state = table([], [], [], turn=1, stage="after", bereft=(2,), levels=(2, 1, 1))
    events, state = when(state, 1, EndTurn())
    assert of(events, PlayerRevived) == [PlayerRevived(2)]
    assert [event.source for event in of(events, CardDrawn)] == [DOORS] * 4 + [TREASURES] * 4


@pytest.mark.clause("MK-1.8", "MK-5.10")
def test_turns_go_to_the_left_and_round() -> None:
    state = table([], [], [], turn=2, stage="after")
    events, state = when(state, 2, EndTurn())
    assert of(events, TurnBegan) == [TurnBegan(0)]


@pytest.mark.clause("MK-6.6")
def test_at_once_lasts_until_the_next_step_of_the_turn() -> None:
    state = table(["enh_hungry"], ["bat_hat"], [], fresh={1: ["bat_hat"]}, doors=["enh_old"])
    assert PutIntoPlay("bat_hat") in offered(state, 1)
    events, after = when(state, 0, KickDoor())
    assert of(events, NoLongerFresh)
    assert refused(after, 1, PutIntoPlay("bat_hat")) == ("on_the_own_turn", "MK-6.3")
    assert after.fresh == {"0": ("enh_old",)}


@pytest.mark.clause("MK-4.9")
def test_a_citizen_of_easter_town_draws_two_and_keeps_one() -> None:
    state = table(["enh_towering"], [], [], towns={0: ["town_easter"]}, stage="choice", doors=["enh_hungry", "enh_old"])
    state = then(state, 0, LootRoom())
    assert isinstance(state.agenda[-1], KeepOne)
    assert state.cards_in_hand(0) == ("enh_towering", "enh_hungry", "enh_old")
    assert refused(state, 0, ChooseCard("enh_towering")) == ("one_of_those_drawn", "MK-4.9")
    assert near_misses(state, 0) == [ChooseCard("enh_towering")]
    events, state = when(state, 0, ChooseCard("enh_old"))
    assert of(events, CardsDiscarded)[0].put == ("enh_old",)
    assert state.cards_in_hand(0) == ("enh_towering", "enh_hungry")
    assert state.agenda == (Calm(0, "after"),)


@pytest.mark.clause("MK-4.9", "MK-3.8")
def test_a_citizen_of_easter_town_keeps_the_only_door_there_is() -> None:
    state = with_deck(table([], [], [], towns={0: ["town_easter"]}, stage="choice"), DOORS, "enh_hungry")
    state = then(state, 0, LootRoom())
    assert state.cards_in_hand(0) == ("enh_hungry",)
    assert state.agenda == (Calm(0, "after"),)


@pytest.mark.clause("MK-4.9", "MK-26.11")
def test_at_a_real_table_the_door_not_kept_is_named() -> None:
    state = with_real_cards(table(["bat_hat"], [], [], towns={0: ["town_easter"]}, stage="choice"))
    state = then(state, 0, LootRoom())
    assert refused(state, 0, ChooseCard("bat_hat")) == ("one_of_those_drawn", "MK-4.9")
    state = then(state, 0, ChooseCard("enh_old"))
    assert state.cards_at(DISCARDS["door"]) == ("enh_old",)
    assert state.cards_in_hand(0) == ("?", "?")


@pytest.mark.clause("MK-26.10")
def test_a_match_ends_in_a_draw_after_so_many_turns() -> None:
    state = table([], [], [], agenda=(TurnBegins(1),), turns=10, rules={"max_turns": 10})
    state = settled(state)
    assert (state.way, state.winner, state.agenda) == ("too_many_turns", -1, ())
    events, state = when(table([], [], [], stage="after", turns=10, rules={"max_turns": 10}), 0, EndTurn())
    assert of(events, GameDrawn) == [GameDrawn(10)]
    _, state = when(table([], [], [], stage="after", turns=9, rules={"max_turns": 10}), 0, EndTurn())
    assert state.turns == 10


@pytest.mark.clause("MK-23.2")
def test_who_is_late_kicks_loots_and_ends_the_turn() -> None:
    state = table(["marrow_pup"], [], [], doors=["enh_hungry", "enh_old"], rules={"turn_timeout_ms": 1000})
    _, state = times_out(state)
    assert state.agenda == (Calm(0, "choice"),)
    _, state = times_out(state)  # no trouble is looked for
    assert state.agenda == (Calm(0, "after"),)
    _, state = times_out(state)
    assert asked(state) == {1}


@pytest.mark.clause("MK-5.3", "MK-9.6")
def test_a_monster_behind_the_door_is_fought_at_once() -> None:
    events, state = when(table([], [], [], doors=["marrow_pup"]), 0, KickDoor())
    assert names(events) == ["DoorOpened", "CombatBegan", "MonsterJoined"]
    assert state.running_combat.fighters == (0,)
    assert state.cards_at(COMBAT) == ("marrow_pup",)
    assert state.agenda[0] == AfterDoor(0)
    assert refused(state, 0, KickDoor()) == ("door_is_open", "MK-5.1")


@pytest.mark.clause("MK-5.4", "MK-5.6")
def test_a_monster_looked_for_is_fought_as_if_behind_the_door() -> None:
    events, state = when(table(["marrow_pup"], [], [], stage="choice"), 0, LookForTrouble("marrow_pup"))
    assert names(events) == ["CombatBegan", "MonsterJoined"]
    assert (state.cards_in_hand(0), state.cards_at(COMBAT), state.fought) == ((), ("marrow_pup",), True)
    assert state.agenda[0] == Calm(0, "after")


@pytest.mark.clause("MK-5.3", "MK-5.5", "MK-20.1")
def test_a_curse_behind_the_door_strikes_and_the_choice_follows() -> None:
    state = then(table([], [], [], doors=["curse_level"], levels=(3, 1, 1)), 0, KickDoor())
    assert asked(state) == {0}
    state = then(state, 0, Pass())
    assert (state.levels[0], state.cards_at(DISCARDS["door"])) == (2, ("curse_level",))
    assert state.agenda == (Calm(0, "choice"),)


@pytest.mark.clause("MK-5.3")
def test_a_card_that_takes_effect_face_up_does_so_and_is_discarded() -> None:
    state = table([], [], [], doors=["town_parade"], towns={1: ["town_halloween"]})
    state = then(state, 0, KickDoor())
    assert state.levels == (1, 2, 1)
    assert state.cards_at(DISCARDS["door"]) == ("town_parade",)
    assert (state.cards_in_hand(0), state.agenda) == ((), (Calm(0, "choice"),))


@pytest.mark.clause("MK-5.3", "MK-6.6")
def test_a_citizenship_behind_the_door_may_be_played_at_once() -> None:
    state = then(table([], [], [], doors=["town_easter"]), 0, KickDoor())
    assert then(state, 0, PutIntoPlay("town_easter")).is_citizen(0, "easter")


@pytest.mark.clause("MK-15.2", "MK-9.7")
def test_a_ride_or_a_town_of_a_fighter_closes_the_window() -> None:
    hands = (["ride_broom", "town_easter"], ["ride_pram"], [])
    state = table(*hands, items={0: ["bat_hat"]}, doors=["marrow_pup"])
    state = then(state, 0, KickDoor(), ClaimKill())
    assert state.moment == "window"
    for card in ("ride_broom", "town_easter"):
        events, after = when(state, 0, PutIntoPlay(card))
        assert of(events, ClaimBroken)
        assert after.moment == "fight"
    events, after = when(state, 1, PutIntoPlay("ride_pram"))  # changes nothing in this combat
    assert not of(events, ClaimBroken)
    assert after.moment == "window"


@pytest.mark.clause("MK-6.1", "MK-23.2")
def test_the_clock_is_listed_no_plays() -> None:
    state = table(["bat_hat"], ["ride_broom"], [], rules={"turn_timeout_ms": 1000})
    assert list(judge_candidates(state, CLOCK)) == []
    assert state.agenda[-1].move_patterns(state, CLOCK) == ()
