"""Bad stuff as the monsters of the box say it, on the run: what it takes, what it spares, and what a death cuts off."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.engine.chance import PickResult, RollResult
from referee.engine.seats import CHANCE
from referee.games.munchkin.components import COMBAT, HANDS, PLAYS, TOWNSHIP
from referee.games.munchkin.events.cards import CardsDiscarded
from referee.games.munchkin.events.combat import Caught, CombatEnded
from referee.games.munchkin.events.course import LevelsGained, LevelsLost, PlayerDied
from referee.games.munchkin.moves import FleeFrom, KeepRoll, PlayCard
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.texts import programs
from tests.games.course import asked, of, when
from tests.games.munchkin.running import Resting, flees, offered, running, table

assert programs.WORDS.effects  # importing them lays the texts of the cards into the box


# ---- MK-18.1: it is what the card says ------------------------------------------------------------------------------


@pytest.mark.clause("MK-17.4", "MK-18.1")
def test_whoever_is_caught_suffers_and_nobody_else() -> None:
    _, state = flees(running("easter_bunny", helper=1, levels=(5, 5, 5)), 0, "easter_bunny", 1)
    assert state.levels == (3, 5, 5)
    events, state = flees(state, 1, "easter_bunny", 6)
    assert of(events, Caught) == [Caught(1, "easter_bunny", 4)]
    assert state.levels == (3, 3, 5)


@pytest.mark.clause("MK-17.4", "MK-18.1")
def test_each_monster_that_catches_a_fighter_does_its_own_bad_stuff() -> None:
    state = running("easter_bunny", "stale_candy_swarm", levels=(6, 4, 4))
    _, state = flees(state, 0, "easter_bunny", 1)
    _, state = flees(state, 0, "stale_candy_swarm", 1)
    assert state.levels[0] == 3


@pytest.mark.clause("MK-18.1")
def test_all_lines_of_a_bad_stuff_are_carried_out() -> None:
    state = running("jack_skellington", towns={0: ("town_easter",)}, levels=(5, 4, 4))
    _, state = flees(state, 0, "jack_skellington", 1)
    assert state.cards_at(TOWNSHIP[0]) == ()
    assert state.levels[0] == 3


@pytest.mark.clause("MK-18.1")
@pytest.mark.parametrize(("pips", "level"), [(3, 2), (4, 2)])
def test_a_bad_stuff_that_depends_on_a_die_waits_for_it(pips: int, level: int) -> None:
    _, state = flees(running("ink_fiend"), 0, "ink_fiend", 1)
    _, state = when(state, CHANCE, RollResult((pips,)))
    events, state = when(state, 0, KeepRoll())
    assert state.levels[0] == level
    assert of(events, CombatEnded)


# ---- MK-18.2: what one does not have --------------------------------------------------------------------------------


@pytest.mark.clause("MK-18.2")
def test_losing_what_one_does_not_have_costs_nothing() -> None:
    events, state = flees(running("windup_duckling"), 0, "windup_duckling", 1)
    assert not of(events, LevelsLost)
    assert state.levels[0] == 4
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-18.2")
def test_a_monster_that_names_something_else_takes_that() -> None:
    _, state = flees(running("doctor_finkelstein"), 0, "doctor_finkelstein", 1)
    assert state.levels[0] == 2


@pytest.mark.clause("MK-7.13")
def test_an_item_that_is_only_carried_is_not_worn() -> None:
    state = running("windup_duckling", plays={0: ("stilts",)}, equipped=())
    _, state = flees(state, 0, "windup_duckling", 1)
    assert state.cards_at(PLAYS[0]) == ("stilts",)


# ---- MK-18.3: a death cuts off the rest -----------------------------------------------------------------------------


@pytest.mark.clause("MK-18.3")
def test_if_part_of_a_bad_stuff_kills_the_rest_of_it_is_dropped() -> None:
    _, state = flees(running("ink_fiend", plays={0: ("stilts",)}), 0, "ink_fiend", 1)
    _, state = when(state, CHANCE, RollResult((2,)))
    events, state = when(state, 0, KeepRoll())
    assert of(events, PlayerDied) == [PlayerDied(0, "ink_fiend")]
    assert not of(events, LevelsLost)
    assert state.levels[0] == 4


@pytest.mark.clause("MK-19.2")
def test_a_death_leaves_the_other_monsters_without_their_bad_stuff() -> None:
    events, state = flees(running("vault_lich", "easter_bunny"), 0, "vault_lich", 1)
    assert not of(events, LevelsLost)
    assert len(of(events, Caught)) == 1
    assert state.combat is None


# ---- MK-18.4: no level below the first ------------------------------------------------------------------------------


@pytest.mark.clause("MK-18.4", "MK-3.2")
def test_levels_below_the_first_are_not_lost() -> None:
    events, state = flees(running("easter_bunny", levels=(2, 4, 4)), 0, "easter_bunny", 1)
    assert of(events, LevelsLost) == [LevelsLost(0, 1, 1, "easter_bunny")]
    assert state.levels[0] == 1


# ---- MK-18.5: one or the other --------------------------------------------------------------------------------------


@pytest.mark.clause("MK-18.5")
def test_the_victim_chooses_what_can_be_done_in_full() -> None:
    state = running("cellar_imp", plays={0: ("os_fruitcake",)})
    _, asked_first = flees(state, 0, "cellar_imp", 1)
    assert offered(asked_first, 0) == [Decline(), Accept()]
    _, state = when(asked_first, 0, Decline())
    assert state.levels[0] == 3
    assert state.cards_at(PLAYS[0]) == ("os_fruitcake",)
    events, state = when(asked_first, 0, Accept())
    assert state.levels[0] == 4
    assert of(events, CardsDiscarded)[0].put == ("os_fruitcake",)


@pytest.mark.clause("MK-18.5")
def test_whoever_can_do_neither_in_full_takes_the_level_loss() -> None:
    _, state = flees(running("cellar_imp"), 0, "cellar_imp", 1)
    assert state.levels[0] == 3
    _, state = flees(running("cellar_imp", levels=(1, 4, 4)), 0, "cellar_imp", 1)
    assert state.levels[0] == 1


@pytest.mark.clause("MK-18.1")
def test_the_victim_says_which_cards_of_the_hand_go() -> None:
    state = running("candle_fiend", hands={0: ("marrow_pup", "puddle_bat", "os_fruitcake")})
    _, state = flees(state, 0, "candle_fiend", 1)
    _, state = when(state, 0, Accept())
    _, state = when(state, 0, ChooseCards(("marrow_pup", "os_fruitcake")))
    assert state.cards_at(HANDS[0]) == ("puddle_bat",)
    assert state.levels[0] == 4


@pytest.mark.clause("MK-18.1")
def test_a_card_taken_at_random_comes_from_chance() -> None:
    state = running("puddle_bat", hands={0: ("marrow_pup", "os_fruitcake")})
    _, state = flees(state, 0, "puddle_bat", 1)
    assert asked(state) == set()
    _, state = when(state, CHANCE, PickResult(("marrow_pup",)))
    assert state.cards_at(HANDS[0]) == ("os_fruitcake",)


# ---- MK-17.2, MK-17.6, MK-17.8: cards on the run --------------------------------------------------------------------


@pytest.mark.clause("MK-17.2")
def test_a_card_may_make_the_fighters_run() -> None:
    state = table("easter_bunny", helper=2, hands={1: ("os_panic_confetti",)}, agenda=(Resting(), Fight(0)))
    _facts, state = when(state, 1, PlayCard("os_panic_confetti"))
    assert state.moment == "flee"
    assert state.running_combat.to_flee == ("0/easter_bunny", "2/easter_bunny")
    assert asked(state) == {0}


@pytest.mark.clause("MK-17.8")
def test_a_level_gained_on_the_run_does_not_reopen_the_combat() -> None:
    state = running("stale_candy_swarm", hands={1: ("gual_scream",)}, levels=(7, 4, 4))
    rising = [move for move in offered(state, 1) if isinstance(move, PlayCard) and move.seat == 0]
    events, state = when(state, 1, rising[0])
    assert of(events, LevelsGained)
    assert state.moment == "flee"


@pytest.mark.clause("MK-17.6")
def test_a_card_for_all_fighters_ends_the_flight_of_both() -> None:
    state = running("easter_bunny", helper=2, hands={1: ("os_sudden_hedge",)})
    events, state = when(state, 1, PlayCard("os_sudden_hedge"))
    assert of(events, CombatEnded) == [CombatEnded("fled")]
    assert state.cards_at(COMBAT) == ()


@pytest.mark.clause("MK-4.9", "MK-17.6")
def test_a_parting_gift_escapes_one_monster_without_a_roll() -> None:
    state = running("easter_bunny", "vault_lich", towns={0: ("town_christmas",)}, plays={0: ("stilts",)}, hands={0: ()})
    powers = [move for move in offered(state, 0) if move.TAG == "mk.use"]
    lich = next(move for move in powers if getattr(move, "monster", "") == "vault_lich")
    _, state = when(state, 0, lich)
    assert state.running_combat.to_flee == ("0/easter_bunny",)
    assert state.cards_at(PLAYS[0]) == ()


@pytest.mark.clause("MK-17.8")
def test_tripping_a_runner_counts_on_the_next_roll_alone() -> None:
    state = running("easter_bunny", "vault_lich", hands={1: ("tripwire",)}, levels=(4, 4, 4))
    _, state = when(state, 1, PlayCard("tripwire", 0))
    events, state = flees(state, 0, "easter_bunny", 6)
    assert [event.total for event in of(events, Caught)] == [2]  # the bunny and the wire take two each
    assert state.hindered == {}


@pytest.mark.clause("MK-18.1")
def test_a_chosen_item_is_discarded_and_the_flight_goes_on() -> None:
    state = running("mourning_twins", "easter_bunny", plays={0: ("stilts", "os_fruitcake", "os_gravy_boat")})
    _, state = flees(state, 0, "mourning_twins", 1)
    assert asked(state) == {0}
    _, state = when(state, 0, ChooseCard("os_fruitcake"))
    _, state = when(state, 0, ChooseCard("stilts"))
    assert state.cards_at(PLAYS[0]) == ("os_gravy_boat",)
    assert FleeFrom("easter_bunny") in offered(state, 0)
