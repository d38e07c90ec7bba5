"""Running away: order, rolls, what changes them, escapes without a roll, and the end of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cardscript.moves import ChooseValue
from referee.engine.chance import RollResult
from referee.engine.events import apply_events
from referee.engine.prompts import TimedOut
from referee.engine.referee import build_view, find_timeout_move, seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD, RIDES, TREASURE_DISCARD
from referee.games.munchkin.events.combat import (
    Caught,
    CombatEnded,
    DieRolled,
    DieTurned,
    Escaped,
    FlightRollModified,
    FlightStarted,
)
from referee.games.munchkin.events.course import LevelsLost
from referee.games.munchkin.moves import FleeFrom, GiveUpRide, HelperFirst, KeepRoll, PlayCard
from referee.games.munchkin.rules.combat import fleeing, rolling
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import sum_lines
from referee.games.munchkin.values import Foe
from tests.games.munchkin.running import (
    Resting,
    asked,
    die,
    flees,
    invented,  # noqa: F401  # the fixture that lays the invented cards into the box
    kept,
    of,
    offered,
    refusal,
    running,
    table,
    when,
)


def lines(state: Table, seat: int, card: str, value: int | None = None) -> list[tuple[str, int, str]]:
    foe = state.running_combat.find_foe(card)
    assert foe is not None
    return [(line.says, line.count, line.card) for line in rolling.score_flight_roll(state, seat, foe, value)]


# ---- MK-17.1, MK-17.3: everyone from every monster ------------------------------------------------------------------


@pytest.mark.clause("MK-17.1", "MK-17.3")
def test_all_fighters_must_run_from_every_monster() -> None:
    (event,) = fleeing.start_flight(table("t_rat", "t_owl", helper=2))
    assert event == FlightStarted(("0/t_rat", "0/t_owl", "2/t_rat", "2/t_owl"))


@pytest.mark.clause("MK-17.3")
def test_a_fighter_rolls_once_for_each_monster_in_the_order_of_choice() -> None:
    state = running("t_rat", "t_owl")
    assert offered(state, 0)[:2] == [FleeFrom("t_rat"), FleeFrom("t_owl")]
    events, state = flees(state, 0, "t_owl", 6)
    assert of(events, Escaped) == [Escaped(0, "t_owl", "rolled", 6)]
    assert refusal(state, 0, FleeFrom("t_owl")).reason == "settled_already"
    assert asked(state) == {0}
    assert rolling.monsters_to_escape(state, 0) == ("t_rat",)


@pytest.mark.clause("MK-17.3")
@pytest.mark.parametrize("pips", range(1, 7))
def test_five_or_more_escapes_and_less_does_not(pips: int) -> None:
    events, _ = flees(running("t_rat"), 0, "t_rat", pips)
    assert [bool(of(events, Escaped)), bool(of(events, Caught))] == [pips >= 5, pips < 5]


@pytest.mark.clause("MK-17.3")
def test_a_monster_that_is_not_in_the_combat_cannot_be_run_from() -> None:
    ruling = refusal(running("t_rat"), 0, FleeFrom("t_owl"))
    assert (ruling.reason, ruling.clauses) == ("not_in_the_combat", ("MK-17.3",))


@pytest.mark.clause("MK-17.5")
def test_whoever_does_not_run_now_cannot_roll() -> None:
    assert refusal(running("t_rat", helper=1), 1, FleeFrom("t_rat")).reason == "another_runs_first"


@pytest.mark.clause("MK-17.3", "MK-17.7")
def test_own_bonuses_count_for_every_monster_and_a_monsters_for_that_one_alone() -> None:
    state = running("t_snail", "t_wolf", plays={0: ("t_boots",)}, rides={0: ("t_goat",)}, towns={0: ("t_town",)})
    own = [("line.escape", 1, "t_boots"), ("line.escape", 1, "t_town"), ("line.escape", 1, "t_goat")]
    assert lines(state, 0, "t_snail") == [*own, ("line.escape_monster", 2, "t_snail")]
    assert lines(state, 0, "t_wolf") == [*own, ("line.escape_monster", -1, "t_wolf")]
    events, _ = flees(state, 0, "t_wolf", 3)
    assert of(events, Escaped) == [Escaped(0, "t_wolf", "rolled", 5)]


@pytest.mark.clause("MK-7.2", "MK-17.3")
def test_an_item_that_is_only_carried_helps_nobody_to_run() -> None:
    state = running("t_rat", plays={0: ("t_boots",)})
    assert lines(replace(state, equipped=()), 0, "t_rat") == []


@pytest.mark.clause("MK-17.3")
def test_a_bonus_of_one_fighter_is_no_bonus_of_the_other() -> None:
    state = running("t_rat", helper=1, plays={1: ("t_boots",)})
    assert lines(state, 0, "t_rat") == []
    assert lines(state, 1, "t_rat") == [("line.escape", 1, "t_boots")]


@pytest.mark.clause("MK-17.7")
def test_a_curse_on_every_die_counts_when_running_too() -> None:
    state = running("t_rat", curses={0: ("t_shakes",)})
    events, _ = flees(state, 0, "t_rat", 5)
    assert of(events, Caught) == [Caught(0, "t_rat", 4)]


@pytest.mark.clause("MK-17.7", "MK-17.8")
def test_what_hinders_the_next_roll_is_spent_with_it() -> None:
    state = apply_events(running("t_rat", "t_owl"), [FlightRollModified(0, -2)])
    assert lines(state, 0, "t_rat") == [("line.hindered", -2, "")]
    events, state = flees(state, 0, "t_rat", 6)
    assert of(events, Caught) == [Caught(0, "t_rat", 4)]
    assert lines(state, 0, "t_owl") == []


@pytest.mark.clause("MK-17.3")
def test_every_line_of_a_roll_names_a_clause_and_they_add_up_to_the_total() -> None:
    state = running("t_wolf", plays={0: ("t_boots",)}, curses={0: ("t_shakes",)})
    events, _ = flees(state, 0, "t_wolf", 6)
    every = rolling.score_flight_roll(state, 0, Foe("t_wolf", "t_wolf"), 6)
    assert sum_lines(every) == of(events, Escaped)[0].total == 5
    assert {line.clause for line in every} == {"MK-17.3", "MK-17.7"}


@pytest.mark.clause("MK-17.3")
def test_the_least_face_that_escapes_is_worked_out_before_and_after_the_die_has_fallen() -> None:
    state = running("t_wolf", plays={0: ("t_boots",)}, curses={0: ("t_shakes",)})
    foe = Foe("t_wolf", "t_wolf")
    assert rolling.compute_needed_roll(state, 0, foe) == 6
    _, state = when(state, 0, FleeFrom("t_wolf"))
    _, state = die(state, 2)
    assert rolling.compute_needed_roll(state, 0, foe) == 6
    assert lines(state, 0, "t_wolf")[0] == ("line.die", 2, "")


# ---- MK-17.4: bad stuff at once -------------------------------------------------------------------------------------


@pytest.mark.clause("MK-17.4")
def test_bad_stuff_strikes_before_the_next_roll() -> None:
    events, state = flees(running("t_rat", "t_owl"), 0, "t_rat", 1)
    assert [type(event) for event in events if isinstance(event, Caught | LevelsLost)] == [Caught, LevelsLost]
    assert state.levels[0] == 3
    assert rolling.monsters_to_escape(state, 0) == ("t_owl",)


@pytest.mark.clause("MK-17.3")
def test_what_a_monster_does_to_whoever_escaped_by_a_roll_strikes_them() -> None:
    events, _ = flees(running("t_thorn"), 0, "t_thorn", 6)
    assert of(events, LevelsLost) == [LevelsLost(0, 1, 3, "t_thorn")]


@pytest.mark.clause("MK-17.6")
def test_what_a_monster_does_to_whoever_escaped_by_a_roll_spares_whoever_needed_none() -> None:
    state = running("t_thorn", hands={0: ("t_cloak",)})
    events, _ = when(state, 0, PlayCard("t_cloak"))
    assert of(events, Escaped) == [Escaped(0, "t_thorn", "card")]
    assert not of(events, LevelsLost)


# ---- MK-17.5: the order ---------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-17.5")
def test_main_runs_first_and_the_helper_after_all_of_mains_rolls() -> None:
    state = running("t_rat", helper=2)
    assert asked(state) == {0}
    _, state = flees(state, 0, "t_rat", 6)
    assert asked(state) == {2}


@pytest.mark.clause("MK-17.5")
def test_the_helper_runs_first_if_both_ask_for_it() -> None:
    state = running("t_rat", helper=2)
    _, state = when(state, 2, HelperFirst())
    assert asked(state) == {0}
    _, state = when(state, 0, HelperFirst())
    assert asked(state) == {2}


@pytest.mark.clause("MK-17.5")
def test_nobody_asks_twice_for_the_other_order() -> None:
    _, state = when(running("t_rat", helper=2), 2, HelperFirst())
    assert refusal(state, 2, HelperFirst()).reason == "asked_already"


@pytest.mark.clause("MK-17.5")
def test_the_order_stays_once_somebody_has_run() -> None:
    _, state = flees(running("t_rat", "t_owl", helper=2), 0, "t_rat", 6)
    assert refusal(state, 2, HelperFirst()).reason == "running_already"


@pytest.mark.clause("MK-17.5")
def test_without_a_helper_there_is_no_order_to_ask_for() -> None:
    state = running("t_rat")
    assert refusal(state, 0, HelperFirst()).reason == "no_helper_to_run"
    assert HelperFirst() not in offered(state, 0)


@pytest.mark.clause("MK-17.5")
def test_a_bystander_has_no_say_in_the_order() -> None:
    assert refusal(running("t_rat", helper=2), 1, HelperFirst()).reason == "only_fighters_with_a_helper"


# ---- MK-17.6: escapes without a roll --------------------------------------------------------------------------------


@pytest.mark.clause("MK-17.6")
def test_a_monster_that_does_not_pursue_is_escaped_without_a_roll() -> None:
    state = running("t_snob", "t_rat", helper=1, levels=(2, 3, 1))
    assert state.running_combat.to_flee == ("0/t_rat", "1/t_snob", "1/t_rat")


@pytest.mark.clause("MK-17.6")
def test_a_level_lost_while_running_may_end_the_pursuit() -> None:
    state = running("t_rat", "t_snob", levels=(3, 3, 3))
    events, state = flees(state, 0, "t_rat", 1)
    assert of(events, Escaped) == [Escaped(0, "t_snob", "not_pursued")]
    assert state.combat is None


@pytest.mark.clause("MK-17.6", "MK-17.9")
def test_if_no_monster_pursues_nobody_is_asked_and_the_combat_ends() -> None:
    state = running("t_snob", levels=(1, 1, 1))
    assert state.combat is None
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-17.6")
def test_a_card_replaces_the_roll_for_the_monster_named_or_for_all() -> None:
    state = running("t_rat", "t_owl", "t_wolf")
    assert list(fleeing.escape_without_roll(state, 0, "t_owl")) == [Escaped(0, "t_owl", "card")]
    assert list(fleeing.escape_without_roll(state, 0)) == [Escaped(0, "t_rat", "card")]
    assert [event.monster for event in of(fleeing.escape_without_roll(state, 0, every=True), Escaped)] == [
        "t_rat",
        "t_owl",
        "t_wolf",
    ]
    assert list(fleeing.escape_without_roll(state, 0, "t_leech")) == [] == list(fleeing.escape_without_roll(state, 1))


# ---- MK-8.7: giving up the ride -------------------------------------------------------------------------------------


@pytest.mark.clause("MK-8.7")
def test_a_ride_cannot_be_given_up_where_the_match_does_not_allow_it() -> None:
    state = running("t_rat", rides={0: ("t_goat",)})
    assert refusal(state, 0, GiveUpRide()).reason == "rides_are_not_given_up"
    assert GiveUpRide() not in offered(state, 0)


@pytest.mark.clause("MK-8.7")
def test_where_it_is_allowed_giving_up_the_ride_escapes_everything() -> None:
    state = running("t_rat", "t_owl", rides={0: ("t_goat", "t_saddle")}, rules={"ride_sacrifice": True})
    events, state = when(state, 0, GiveUpRide())
    assert [event.monster for event in of(events, Escaped)] == ["t_rat", "t_owl"]
    assert state.cards_at(RIDES[0]) == ()
    assert set(state.cards_at(TREASURE_DISCARD)) == {"t_goat", "t_saddle"}
    assert state.combat is None


@pytest.mark.clause("MK-8.7")
def test_nobody_gives_up_a_ride_that_is_not_there() -> None:
    assert refusal(running("t_rat", rules={"ride_sacrifice": True}), 0, GiveUpRide()).reason == "no_ride"


# ---- MK-17.7, MK-26.3: the die that has fallen ----------------------------------------------------------------------


@pytest.mark.clause("MK-26.3", "MK-17.7")
def test_everybody_has_a_moment_after_the_die_with_a_fitting_card_or_without() -> None:
    for hand in ((), ("t_knuckle",)):
        _, state = when(running("t_rat", hands={0: hand}), 0, FleeFrom("t_rat"))
        _, state = die(state, 2)
        assert seats_that_must_act(state) == {Seat(0), CLOCK}
        assert state.moment == "roll"


@pytest.mark.clause("MK-26.3")
def test_when_the_moment_is_over_the_die_counts_as_it_lies() -> None:
    _, state = when(running("t_rat"), 0, FleeFrom("t_rat"))
    _, state = die(state, 2)
    events, _ = when(state, CLOCK, TimedOut())
    assert of(events, Caught) == [Caught(0, "t_rat", 2)]


@pytest.mark.clause("MK-17.7")
def test_a_changed_face_counts_as_rolled_and_modifiers_come_after() -> None:
    state = running("t_wolf", hands={0: ("t_knuckle",)}, curses={0: ("t_shakes",)}, plays={0: ("t_boots",)})
    _, state = when(state, 0, FleeFrom("t_wolf"))
    events, state = die(state, 1)
    assert of(events, DieRolled) == [DieRolled(0, 1, "t_wolf")]
    events, state = when(state, 0, PlayCard("t_knuckle"), ChooseValue(6))
    assert of(events, DieTurned) == [DieTurned(0, 6)]
    assert state.cards_at(TREASURE_DISCARD) == ("t_knuckle",)
    events, _ = when(state, 0, KeepRoll())
    assert of(events, Escaped) == [Escaped(0, "t_wolf", "rolled", 5)]


@pytest.mark.clause("MK-8.1", "MK-17.7")
def test_a_one_shot_that_lies_in_play_turns_the_die_too() -> None:
    state = running("t_rat", plays={0: ("t_knuckle",)})
    _, state = when(state, 0, FleeFrom("t_rat"))
    _, state = die(state, 1)
    assert PlayCard("t_knuckle") in offered(state, 0)
    events, _ = when(state, 0, PlayCard("t_knuckle"), ChooseValue(5), KeepRoll())
    assert of(events, Escaped) == [Escaped(0, "t_rat", "rolled", 5)]


@pytest.mark.clause("MK-3.6", "MK-17.7")
def test_only_the_player_of_the_die_may_turn_it() -> None:
    state = running("t_rat", hands={1: ("t_knuckle",)})
    _, state = when(state, 0, FleeFrom("t_rat"))
    _, state = die(state, 1)
    assert offered(state, 1) == []
    assert asked(state) == {0}


@pytest.mark.clause("MK-17.7")
def test_a_card_of_another_time_is_not_played_on_a_die() -> None:
    state = running("t_rat", hands={0: ("t_cloak",)})
    _, state = when(state, 0, FleeFrom("t_rat"))
    _, state = die(state, 1)
    assert refusal(state, 0, PlayCard("t_cloak")).reason == "not_the_time"
    assert refusal(state, 0, FleeFrom("t_rat")).reason == "turn_or_keep"


@pytest.mark.clause("MK-17.7")
def test_a_die_has_six_faces_to_turn_to() -> None:
    state = running("t_rat", hands={0: ("t_knuckle",)})
    _, state = when(state, 0, FleeFrom("t_rat"))
    _, state = die(state, 1)
    _, state = when(state, 0, PlayCard("t_knuckle"))
    assert refusal(state, 0, ChooseValue(7)).reason == "no_such_face"
    assert find_timeout_move(state, Seat(0), guess=False) == ChooseValue(1)  # an absent player leaves it as it lies


@pytest.mark.clause("MK-17.7")
def test_a_die_for_a_text_counts_its_face_and_what_is_added_to_every_die_within_the_faces() -> None:
    state = table("t_rat", curses={0: ("t_shakes",)})
    assert [rolling.compute_text_total(state, 0, value) for value in (1, 2, 6)] == [1, 1, 5]
    assert rolling.compute_text_total(state, 1, 6) == 6


@pytest.mark.clause("MK-2.7")
def test_a_text_goes_on_with_the_number_rolled() -> None:
    state = running("t_leech")
    events, state = flees(state, 0, "t_leech", 1)
    assert of(events, Caught)
    assert state.levels[0] == 4
    _, state = when(state, CHANCE, RollResult((3,)))
    events, state = when(state, 0, KeepRoll())
    assert of(events, LevelsLost) == [LevelsLost(0, 1, 3, "t_leech")]


# ---- MK-17.9, MK-23.2: the end, and absent players ------------------------------------------------------------------


@pytest.mark.clause("MK-17.9")
def test_when_all_rolls_are_settled_everything_in_the_combat_is_discarded() -> None:
    _, state = flees(running("t_rat", "t_owl"), 0, "t_rat", 6)
    assert state.cards_at(COMBAT) == ("t_rat", "t_owl")
    events, state = flees(state, 0, "t_owl", 6)
    assert of(events, CombatEnded) == [CombatEnded("fled")]
    assert state.cards_at(COMBAT) == ()
    assert state.cards_at(DOOR_DISCARD) == ("t_rat", "t_owl")
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-17.4", "MK-17.9")
def test_bad_stuff_of_the_last_roll_strikes_before_the_combat_ends() -> None:
    events, _ = flees(running("t_rat"), 0, "t_rat", 1)
    assert [type(event) for event in events if isinstance(event, LevelsLost | CombatEnded)] == [LevelsLost, CombatEnded]


@pytest.mark.clause("MK-23.2")
def test_an_absent_fighter_rolls_against_the_first_monster_and_keeps_the_die() -> None:
    state = running("t_rat", "t_owl", hands={0: ("t_knuckle",)})
    assert find_timeout_move(state, Seat(0), guess=False) == FleeFrom("t_rat")
    _, state = when(state, 0, FleeFrom("t_rat"))
    _, state = die(state, 1)
    assert find_timeout_move(state, Seat(0), guess=False) == KeepRoll()


@pytest.mark.clause("MK-23.1")
def test_what_a_seat_may_do_is_the_same_in_its_view_as_on_the_table() -> None:
    state = running("t_rat", "t_snob", helper=1, hands={0: ("t_cloak", "t_knuckle"), 1: ("t_cloak",)})
    for seat in (0, 1, 2):
        assert offered(build_view(state, Seat(seat)), seat) == offered(state, seat)


@pytest.mark.clause("MK-2.7")
def test_a_flight_goes_on_after_a_restart_at_any_question() -> None:
    state = kept(running("t_leech", "t_rat", hands={0: ("t_knuckle",)}))
    _, state = when(state, 0, FleeFrom("t_leech"))
    _, state = die(kept(state), 6)
    _, state = when(kept(state), 0, PlayCard("t_knuckle"))
    _, state = when(kept(state), 0, ChooseValue(1))
    events, state = when(kept(state), 0, KeepRoll())
    assert of(events, Caught) == [Caught(0, "t_leech", 1)]
    _, state = when(kept(state), CHANCE, RollResult((3,)))
    _, state = when(kept(state), 0, KeepRoll())
    assert state.levels[0] == 3
