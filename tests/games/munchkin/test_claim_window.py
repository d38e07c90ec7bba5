"""The 2.6 seconds: the window after a claim, who is asked in it, what closes it, what becomes of it."""

from __future__ import annotations

import pytest

from referee.engine.events import Move
from referee.engine.referee import build_view, find_timeout_move, seats_that_must_act
from referee.engine.seats import CLOCK, Seat
from referee.games.munchkin.events.cards import CurseLaid
from referee.games.munchkin.events.combat import (
    ClaimBroken,
    CombatEnded,
    FlightStarted,
    KillClaimed,
    MonsterJoined,
    MonstersKilled,
    WindowPassed,
)
from referee.games.munchkin.events.course import GameWon, LevelsGained
from referee.games.munchkin.moves import (
    ClaimKill,
    DiscardFromPlay,
    JoinByTag,
    OfferTrade,
    Pass,
    PlayCard,
    PutIntoPlay,
    RunAway,
    ShowHand,
    TakeBackPass,
    TakeTrade,
    UsePower,
)
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.state import Table
from referee.match.entries import reopens_question
from tests.games.course import asked, of, then, times_out, when
from tests.games.munchkin.combats import cursed, fighting, kicked, passing, refused, strengths, when_all, won
from tests.games.munchkin.given import offered

HANDS = (
    ("os_fruitcake", "puddle_bat", "ride_broom", "town_easter"),
    ("enh_hungry", "enh_asleep", "os_frog_fizz", "wandering_monster", "coal_imp", "curse_level", "cellar_imp"),
    ("gual_pie", "os_panic_confetti", "second_helping"),
)


def claimed(**how: object) -> Table:
    """Seat 0, a citizen of Halloween Town of level 9 or as told, claims the kill of an imp."""
    how = {"levels": (8,), "towns": {0: ("town_halloween",)}, "helper": -1, **how}
    hands = tuple(tuple(card for card in hand if card != "coal_imp") for hand in HANDS)
    return then(fighting(*hands, foes=("coal_imp",), **how), 0, ClaimKill())  # type: ignore[arg-type]


@pytest.mark.clause("MK-15.1", "MK-26.6")
def test_the_window_asks_all_other_living_players_whatever_they_hold() -> None:
    state = fighting((), ("enh_hungry",), (), (), foes=("puddle_bat",), levels=(5,), dead=(3,))
    events, state = when(state, 0, ClaimKill())
    assert of(events, KillClaimed) == [KillClaimed(0, 5, 1)]
    assert seats_that_must_act(state) == {Seat(1), Seat(2), CLOCK}
    assert Pass() in offered(state, 2)
    assert refused(state, 0, Pass())[0] == "fighters_do_not_pass"


@pytest.mark.clause("MK-15.1", "MK-23.1")
def test_the_window_looks_the_same_to_all_whether_or_not_somebody_could_speak_up() -> None:
    with_one, without = (
        then(fighting((), (card,), (), foes=("puddle_bat",), levels=(5,)), 0, ClaimKill())
        for card in ("enh_hungry", "stilts")
    )
    for seat in (0, 2):
        ours, theirs = build_view(with_one, Seat(seat)), build_view(without, Seat(seat))
        assert ours.agenda == theirs.agenda
        assert seats_that_must_act(ours) == seats_that_must_act(theirs)
        assert offered(with_one, seat) == offered(without, seat)


@pytest.mark.clause("MK-15.1")
def test_a_helper_is_not_asked_in_the_window() -> None:
    state = then(fighting((), (), (), foes=("puddle_bat",), helper=1), 0, ClaimKill())
    assert asked(state) == {2}


@pytest.mark.clause("MK-15.1", "MK-9.2")
def test_only_main_claims_and_only_with_the_greater_strength() -> None:
    state = fighting((), (), (), foes=("cracked_egg_sprite",), levels=(2, 9))
    assert strengths(state) == (2, 2)
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")
    helped = fighting((), (), (), foes=("cracked_egg_sprite",), levels=(2, 9), helper=1)
    assert refused(helped, 1, ClaimKill())[0] == "only_main_claims"
    assert refused(helped, 2, ClaimKill())[0] == "only_main_claims"


PLAYS: list[tuple[int, Move]] = [
    (1, PlayCard("enh_hungry", monster="coal_imp")),
    (1, PlayCard("enh_asleep", monster="coal_imp")),  # even a play that helps them
    (1, PlayCard("os_frog_fizz", side="monsters")),
    (1, JoinByTag("cellar_imp")),
    (1, PlayCard("wandering_monster", partner="cellar_imp")),
    (1, PlayCard("curse_level", seat=0)),
    (1, PlayCard("curse_level", seat=2)),
    (2, PlayCard("gual_pie", seat=1)),
    (2, PlayCard("second_helping", monster="coal_imp")),
    (0, PlayCard("os_fruitcake", side="munchkins")),
    (0, UsePower("scare", "puddle_bat")),
    (0, PutIntoPlay("ride_broom")),
    (0, PutIntoPlay("town_easter", "town_halloween")),
    (0, DiscardFromPlay("town_halloween")),
]


@pytest.mark.clause("MK-15.2", "MK-14.1", "MK-14.2")
@pytest.mark.parametrize(("seat", "move"), PLAYS, ids=[f"{seat}-{move}" for seat, move in PLAYS])
def test_any_play_in_the_window_closes_it_without_a_kill(seat: int, move: Move) -> None:
    state = claimed()
    assert move in offered(state, seat)
    events, state = when(state, seat, move)
    assert of(events, ClaimBroken) == [ClaimBroken(seat)]
    assert not of(events, MonstersKilled)
    assert not any(isinstance(step, ClaimWindow) for step in state.agenda)
    assert any(isinstance(step, Fight) for step in state.agenda)


@pytest.mark.clause("MK-15.2")
def test_main_claims_anew_and_a_new_window_opens_for_all() -> None:
    state = when_all(claimed(), (2, Pass()), (1, PlayCard("enh_asleep", monster="coal_imp")))[1]
    assert asked(state) == {0}
    state = then(state, 0, ClaimKill())
    assert state.agenda[-1] == ClaimWindow()
    assert asked(state) == {1, 2}  # the pass held for the other window only


@pytest.mark.clause("MK-15.2", "MK-17.2")
def test_a_card_that_makes_the_fighters_run_is_played_in_the_window() -> None:
    events, state = when(claimed(), 2, PlayCard("os_panic_confetti"))
    assert of(events, ClaimBroken)
    assert of(events, FlightStarted) == [FlightStarted(("0/coal_imp",), True)]
    assert isinstance(state.agenda[-1], Fleeing)


@pytest.mark.clause("MK-15.2", "MK-14.4", "MK-3.6")
def test_a_curse_in_the_window_strikes_before_the_combat_goes_on() -> None:
    hands = ((), ("curse_cold_feet",), ())
    state = then(fighting(*hands, foes=("sally",), levels=(9,)), 0, ClaimKill())
    events, state = when(state, 1, PlayCard("curse_cold_feet", seat=0))
    assert asked(state) == {0}  # the moment to answer the curse
    events, state = when(state, 0, Pass())
    assert of(events, CurseLaid)
    assert strengths(state) == (4, 8)
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")


@pytest.mark.clause("MK-15.2", "MK-7.9")
def test_what_others_do_with_their_own_things_leaves_the_window_open() -> None:
    how = {"levels": (5,), "items": {1: ("stilts",)}, "towns": {2: ("town_easter",)}}
    state = fighting((), ("sally",), (), foes=("puddle_bat",), **how)
    state = then(state, 0, ClaimKill())
    state = when_all(
        state,
        (1, OfferTrade(2, give=("stilts",))),
        (2, TakeTrade(1)),
        (1, ShowHand(0)),
        (2, DiscardFromPlay("town_easter")),
    )[1]
    assert state.agenda[-1] == ClaimWindow()
    assert state.cards_in_play_of(2) == ("stilts",)


@pytest.mark.clause("MK-15.3")
def test_the_monsters_are_killed_when_the_window_runs_out() -> None:
    events, state = times_out(then(fighting((), (), (), foes=("puddle_bat",), levels=(5,)), 0, ClaimKill()))
    assert of(events, MonstersKilled) == [MonstersKilled(0, ("puddle_bat",))]
    assert of(events, CombatEnded) == [CombatEnded("killed")]
    assert state.combat is None


@pytest.mark.clause("MK-15.3", "MK-26.12")
def test_the_monsters_are_killed_as_soon_as_all_others_have_passed() -> None:
    state = then(fighting((), (), (), foes=("puddle_bat",), levels=(5,)), 0, ClaimKill())
    events, state = when(state, 2, Pass())
    assert of(events, WindowPassed) == [WindowPassed(2)]
    assert asked(state) == {1}
    events, state = when(state, 1, Pass())
    assert of(events, MonstersKilled)
    assert state.combat is None


@pytest.mark.clause("MK-15.3", "MK-14.2")
def test_nothing_can_be_played_once_the_monsters_are_killed() -> None:
    state = fighting((), ("enh_hungry",), (), foes=("puddle_bat",), levels=(5,))
    _, state = won(state)
    assert refused(state, 1, PlayCard("enh_hungry", monster="puddle_bat")) == ("not_the_time", "MK-14.2")


@pytest.mark.clause("MK-15.4")
def test_the_window_is_as_long_as_the_match_has_it() -> None:
    state = then(fighting((), (), (), foes=("puddle_bat",), levels=(5,)), 0, ClaimKill())
    assert state.agenda[-1].time_limit(state) == 2600
    for given in (250, 3_600_000):
        how = {"rules": {"claim_window_ms": given}}
        state = then(fighting((), (), (), foes=("puddle_bat",), levels=(5,), **how), 0, ClaimKill())
        assert state.agenda[-1].time_limit(state) == given


@pytest.mark.clause("MK-15.4", "MK-26.12")
def test_without_a_limit_the_window_waits_for_all() -> None:
    how = {"rules": {"claim_window_ms": None}}
    state = then(fighting((), (), (), foes=("puddle_bat",), levels=(5,), **how), 0, ClaimKill())
    assert seats_that_must_act(state) == {Seat(1), Seat(2)}


@pytest.mark.clause("MK-15.5")
def test_a_pass_can_be_taken_back_while_the_window_is_open() -> None:
    state = then(claimed(), 2, Pass())
    assert refused(state, 2, Pass()) == ("has_passed", "MK-15.5")
    assert refused(state, 1, TakeBackPass()) == ("has_not_passed", "MK-15.5")
    assert TakeBackPass() in offered(state, 2)
    events, state = when(state, 2, TakeBackPass())
    assert of(events, WindowPassed) == [WindowPassed(2, taken_back=True)]
    assert asked(state) == {1, 2}
    events, state = when_all(state, (1, Pass()), (2, PlayCard("second_helping", monster="coal_imp")))
    assert of(events, MonsterJoined)


@pytest.mark.clause("MK-15.5", "MK-14.1")
def test_who_has_passed_may_still_speak_up() -> None:
    state = then(claimed(), 1, Pass())
    events, _ = when(state, 1, PlayCard("enh_hungry", monster="coal_imp"))
    assert of(events, ClaimBroken) == [ClaimBroken(1)]


@pytest.mark.clause("MK-15.4", "MK-15.5")
def test_a_pass_taken_back_gains_no_time() -> None:
    before = claimed()
    events, passed = when(before, 2, Pass())
    assert not reopens_question(before, passed, events)
    events, back = when(passed, 2, TakeBackPass())
    assert asked(back) == asked(before)
    assert not reopens_question(passed, back, events)


@pytest.mark.clause("MK-15.6", "MK-22.1")
def test_the_window_is_held_for_the_kill_that_wins_the_game_too() -> None:
    state = then(kicked((), ("enh_hungry",), (), behind="puddle_bat", levels=(9,)), 0, ClaimKill())
    assert asked(state) == {1, 2}
    assert state.winner == -1
    events, state = passing(state)
    assert of(events, GameWon) == [GameWon(0)]


@pytest.mark.clause("MK-15.1")
def test_a_claim_cannot_be_left_for_a_flight_and_other_moves_are_no_answer() -> None:
    state = claimed()
    assert refused(state, 0, RunAway())[0] == "no_need_to_run"
    assert refused(state, 1, RunAway()) == ("only_main_runs", "MK-17.2")


@pytest.mark.clause("MK-23.2", "MK-15.3")
def test_who_is_away_passes() -> None:
    state = claimed()
    assert find_timeout_move(state, Seat(1), guess=False) == Pass()
    assert state.agenda[-1].passing_move(Seat(1)) == Pass()


@pytest.mark.clause("MK-15.3", "MK-16.1")
def test_a_window_that_opens_twice_gives_one_reward() -> None:
    state = when_all(claimed(levels=(4,)), (1, PlayCard("enh_asleep", monster="coal_imp")))[1]
    events, state = won(state)
    assert [(event.seat, event.level) for event in of(events, LevelsGained)] == [(0, 5)]


@pytest.mark.clause("MK-15.2", "MK-20.5")
def test_the_victim_of_a_curse_in_the_window_may_answer_it_and_the_window_stays_closed() -> None:
    state = fighting(("os_lucky_wreath",), ("curse_two_levels",), (), foes=("puddle_bat",), levels=(5,))
    state = when_all(state, (0, ClaimKill()), (1, PlayCard("curse_two_levels", seat=0)),
                     (0, PlayCard("os_lucky_wreath")))[1]  # fmt: skip
    assert state.levels[0] == 5
    assert isinstance(state.agenda[-1], Fight)
    assert ClaimKill() in offered(state, 0)
    assert cursed(claimed(), 1, "curse_level", 2)[1].levels[2] == 1
