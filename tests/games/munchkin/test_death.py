"""Death: what is lost and what stays, and who takes what of it in which order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.chance import PickResult, RollResult
from referee.engine.events import apply_events
from referee.engine.referee import (
    build_view,
    draw_chance_move,
    find_legal_moves,
    find_timeout_move,
    seats_that_must_act,
)
from referee.engine.rulings import Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin.components import CORPSES, CURSES, DOOR_DISCARD, HANDS, PLAYS, RIDES, TOWNSHIP
from referee.games.munchkin.events.cards import BelongingsLaidOpen, CardLooted, CardsDiscarded
from referee.games.munchkin.events.combat import CombatEnded
from referee.games.munchkin.events.course import DieCast, PlayerDied
from referee.games.munchkin.moves import TakeCard
from referee.games.munchkin.rules import dying
from referee.games.munchkin.state import Table
from tests.games.munchkin.running import (
    Resting,
    asked,
    flees,
    invented,  # noqa: F401  # the fixture that lays the invented cards into the box
    kept,
    of,
    offered,
    opened,
    refusal,
    running,
    settled,
    table,
    when,
)

LEVELS = (4, 3, 2, 5, 1, 6)


def dead(seat: int = 0, **how: object) -> Table:
    """A player dies outside any combat, and everything is settled down to the first question."""
    state = table(**{"levels": LEVELS, "combat": None, **how})  # type: ignore[arg-type]
    return opened(state, *dying.kill_player(state, seat, "t_reaper"))


def cast(state: Table, *pips: int) -> Table:
    """Dice for the order of looting fall so, one after the other."""
    for each in pips:
        _, state = when(state, CHANCE, RollResult((each,)))
    return state


# ---- MK-19.1, MK-19.3: what is lost, what stays ---------------------------------------------------------------------


@pytest.mark.clause("MK-19.1")
def test_the_dead_lose_hand_items_and_ride_and_keep_towns_curses_and_level() -> None:
    state = dead(
        hands={0: ("t_rat", "t_cap")},
        plays={0: ("t_boots", "t_trunk")},
        rides={0: ("t_goat", "t_saddle")},
        towns={0: ("t_town",)},
        curses={0: ("t_shakes",)},
    )
    assert set(state.cards_at(CORPSES[0])) == {"t_rat", "t_cap", "t_boots", "t_trunk", "t_goat", "t_saddle"}
    assert not (state.cards_at(HANDS[0]))
    assert not (state.cards_at(PLAYS[0]))
    assert not (state.cards_at(RIDES[0]))
    assert state.cards_at(TOWNSHIP[0]) == ("t_town",)
    assert state.cards_at(CURSES[0]) == ("t_shakes",)
    assert state.levels[0] == 4
    assert state.dead == state.bereft == (0,)


@pytest.mark.clause("MK-19.3")
def test_what_is_laid_open_is_open_to_all() -> None:
    state = dead(hands={0: ("t_rat", "t_cap")})
    assert build_view(state, Seat(2)).cards_at(CORPSES[0]) == ("t_rat", "t_cap")


@pytest.mark.clause("MK-19.3", "MK-7.12")
def test_attached_cards_are_separated() -> None:
    state = dead(plays={0: ("t_trunk", "t_stitches")}, attached={"t_trunk": "t_stitches"}, equipped=("t_trunk",))
    assert state.cards_at(CORPSES[0]) == ("t_trunk", "t_stitches")
    assert state.attached == {}
    assert state.equipped == ()


@pytest.mark.clause("MK-19.7")
def test_nobody_dies_twice() -> None:
    state = dead(hands={0: ("t_rat", "t_cap")})
    assert tuple(dying.kill_player(state, 0, "t_rat")) == ()


# ---- MK-19.4, MK-19.5: who takes what -------------------------------------------------------------------------------


@pytest.mark.clause("MK-19.4")
def test_the_living_take_one_card_each_the_highest_level_first() -> None:
    state = dead(seats=4, hands={0: ("t_rat", "t_owl", "t_cap", "t_ring", "t_bead")})
    assert asked(state) == {3}
    assert offered(state, 3) == [TakeCard(card) for card in ("t_rat", "t_owl", "t_cap", "t_ring", "t_bead")]
    events, state = when(state, 3, TakeCard("t_cap"))
    assert of(events, CardLooted)[0].seat == 3
    assert state.cards_in_hand(3) == ("t_cap",)
    assert asked(state) == {1}
    _, state = when(state, 1, TakeCard("t_owl"))
    events, state = when(state, 2, TakeCard("t_rat"))
    assert state.cards_in_hand(1) == ("t_owl",)
    assert state.cards_in_hand(2) == ("t_rat",)
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-19.5")
def test_what_is_left_is_discarded() -> None:
    state = dead(hands={0: ("t_rat", "t_owl", "t_cap")})
    _, state = when(state, 1, TakeCard("t_cap"))
    _facts, state = when(state, 2, TakeCard("t_rat"))
    assert state.cards_at(DOOR_DISCARD) == ("t_owl",)
    assert state.cards_at(CORPSES[0]) == ()


@pytest.mark.clause("MK-19.4")
def test_when_no_cards_are_left_the_rest_get_none() -> None:
    state = dead(seats=4, hands={0: ("t_rat", "t_cap")})
    events, state = when(state, 3, TakeCard("t_cap"))
    assert [(event.seat, event.put) for event in of(events, CardLooted)] == [(3, ("t_cap",)), (1, ("t_rat",))]
    assert state.cards_in_hand(2) == ()
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-19.4")
def test_a_card_that_is_not_there_cannot_be_taken() -> None:
    state = dead(hands={0: ("t_rat", "t_cap")})
    ruling = refusal(state, 1, TakeCard("t_ring"))
    assert (ruling.reason, ruling.clauses) == ("not_left_behind", ("MK-19.4",))
    assert refusal(state, 2, TakeCard("t_rat")).reason == "another_takes"
    assert refusal(state, 0, TakeCard("t_rat")).reason == "is_dead"


@pytest.mark.clause("MK-19.5", "MK-6.6")
def test_a_looted_card_goes_to_the_hand_and_may_be_put_down_at_once() -> None:
    _, state = when(dead(hands={0: ("t_rat", "t_cap")}), 1, TakeCard("t_cap"))
    assert state.fresh["1"] == ("t_cap",)


@pytest.mark.clause("MK-19.4")
def test_equal_levels_roll_a_die() -> None:
    state = dead(seats=4, levels=(4, 2, 2, 5), hands={0: ("t_rat", "t_owl", "t_cap", "t_ring")})
    assert seats_that_must_act(state) == {CHANCE}
    state = cast(state, 2, 5)
    assert asked(state) == {3}
    _, state = when(state, 3, TakeCard("t_ring"))
    assert asked(state) == {2}


@pytest.mark.clause("MK-19.4")
def test_equal_dice_are_rolled_again_among_those_who_rolled_them() -> None:
    state = dead(seats=4, levels=(4, 2, 2, 2), hands={0: ("t_rat", "t_owl", "t_cap", "t_ring")})
    state = cast(state, 3, 6, 3)
    events, state = when(state, CHANCE, RollResult((1,)))
    assert of(events, DieCast) == [DieCast(1, 1)]
    events, state = when(state, CHANCE, RollResult((4,)))
    assert of(events, DieCast) == [DieCast(3, 4)]
    taking = []
    for card in ("t_rat", "t_owl", "t_cap"):
        (seat,) = asked(state)
        taking.append(seat)
        _, state = when(state, seat, TakeCard(card))
    assert taking == [2, 3, 1]


@pytest.mark.clause("MK-19.4", "MK-26.4")
def test_nobody_rolls_for_a_place_at_which_no_card_is_left() -> None:
    state = dead(seats=4, levels=(4, 2, 2, 5), hands={0: ("t_rat",)})
    assert state.cards_in_hand(3) == ("t_rat",)
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-19.4")
def test_whoever_leaves_nothing_is_not_looted() -> None:
    state = table(combat=None)
    events = tuple(dying.kill_player(state, 0, "t_reaper"))
    after = settled(apply_events(state, events))
    assert events[0] == PlayerDied(0, "t_reaper")
    assert after.agenda == (Resting(),)


@pytest.mark.clause("MK-23.2", "MK-19.4")
def test_an_absent_looter_takes_the_first_card_of_the_list() -> None:
    state = dead(hands={0: ("t_rat", "t_cap", "t_bead")})
    assert find_timeout_move(state, Seat(1), guess=False) == TakeCard("t_rat")


# ---- MK-18.3, MK-19.2, MK-19.6: death on the run --------------------------------------------------------------------


@pytest.mark.clause("MK-19.2")
def test_the_dead_do_not_run_from_the_monsters_left() -> None:
    events, state = flees(running("t_reaper", "t_rat", levels=LEVELS), 0, "t_reaper", 1)
    assert of(events, PlayerDied) == [PlayerDied(0, "t_reaper")]
    assert of(events, CombatEnded)
    assert state.combat is None


@pytest.mark.clause("MK-19.6")
def test_looting_waits_until_all_rolls_of_the_combat_are_settled() -> None:
    state = running("t_reaper", helper=1, levels=LEVELS, hands={0: ("t_cap", "t_bead")})
    events, state = flees(state, 0, "t_reaper", 1)
    assert not of(events, BelongingsLaidOpen)
    assert asked(state) == {1}
    assert state.cards_in_hand(0) == ("t_cap", "t_bead")
    events, state = flees(state, 1, "t_reaper", 6)
    kinds = [type(event) for event in events if isinstance(event, CombatEnded | BelongingsLaidOpen)]
    assert kinds == [CombatEnded, BelongingsLaidOpen]
    assert asked(state) == {1}


@pytest.mark.clause("MK-19.6")
def test_those_who_died_in_the_same_combat_loot_nothing_and_mains_belongings_come_first() -> None:
    state = running(
        "t_reaper", helper=1, seats=4, levels=LEVELS, hands={0: ("t_cap", "t_bead"), 1: ("t_ring", "t_owl", "t_rat")}
    )
    _, state = flees(state, 0, "t_reaper", 1)
    _, state = flees(state, 1, "t_reaper", 1)
    assert set(state.cards_at(CORPSES[0])) == {"t_cap", "t_bead"}
    assert state.cards_at(CORPSES[1]) == ()
    events, state = when(state, 3, TakeCard("t_cap"))
    assert [event.seat for event in of(events, CardLooted)] == [3, 2]
    assert set(state.cards_at(CORPSES[1])) == {"t_ring", "t_owl", "t_rat"}
    assert asked(state) == {3}
    _, state = when(state, 3, TakeCard("t_ring"))
    events, state = when(state, 2, TakeCard("t_owl"))
    assert [event.put for event in of(events, CardsDiscarded)] == [("t_rat",)]
    assert state.agenda == (Resting(),)


@pytest.mark.clause("MK-19.6")
def test_mains_belongings_come_first_even_if_the_helper_died_first() -> None:
    state = running("t_reaper", helper=1, levels=LEVELS, hands={0: ("t_cap", "t_bead"), 1: ("t_ring", "t_owl")})
    combat = replace(state.running_combat, helper_first=True)
    _, state = flees(replace(state, combat=combat), 1, "t_reaper", 1)
    assert state.running_combat.caught == (1,)
    events, state = flees(state, 0, "t_reaper", 1)
    assert [event.seat for event in of(events, BelongingsLaidOpen)] == [0]


@pytest.mark.clause("MK-19.6")
def test_whoever_dies_outside_the_combat_is_looted_at_once() -> None:
    state = table("t_rat", hands={2: ("t_cap", "t_bead")}, levels=LEVELS)
    events = tuple(dying.kill_player(state, 2, "t_reaper"))
    assert asked(settled(apply_events(state, events))) == {0}


# ---- MK-26.11: real cards -------------------------------------------------------------------------------------------


def at_table(**how: object) -> Table:
    return dead(rules={"cards_at_table": True, "dice_at_table": True}, **how)


@pytest.mark.clause("MK-26.11", "MK-19.3")
def test_at_a_real_table_the_hand_of_the_dead_is_turned_over_and_named() -> None:
    state = at_table(hands={0: ("?", "?")}, plays={0: ("t_boots",)})
    assert seats_that_must_act(state) == {CHANCE}
    events, state = when(state, CHANCE, PickResult(("t_cap", "t_ring")))
    assert of(events, BelongingsLaidOpen)[0].put == ("t_cap", "t_ring")
    assert state.cards_at(CORPSES[0]) == ("t_cap", "t_ring", "t_boots")
    assert asked(state) == {1}


@pytest.mark.clause("MK-26.11", "KERNEL-CENSUS-1")
@pytest.mark.parametrize(
    ("named", "reason"),
    [(("t_cap",), "name_so_many"), (("t_cap", "t_nothing"), "no_such_card"), (("t_boots", "t_boots"), "no_copy_left")],
)
def test_a_hand_that_cannot_be_is_not_taken_for_that_of_the_dead(named: tuple[str, ...], reason: str) -> None:
    state = at_table(hands={0: ("?", "?")}, plays={0: ("t_boots",)})
    assert refusal(state, CHANCE, PickResult(named)).reason == reason


@pytest.mark.clause("MK-26.11", "MK-19.5")
def test_a_card_looted_at_a_real_table_goes_to_a_hand_that_the_referee_does_not_follow() -> None:
    state = at_table(hands={0: ("?", "?")})
    _, state = when(state, CHANCE, PickResult(("t_cap", "t_ring")))
    _, state = when(state, 1, TakeCard("t_cap"))
    assert state.cards_in_hand(1) == ("?",)


@pytest.mark.clause("MK-26.11")
def test_every_hand_of_one_or_two_cards_can_be_reported_and_any_can_be_drawn() -> None:
    state = at_table(hands={0: ("?",)})
    assert PickResult(("t_cap",)) in set(find_legal_moves(state, CHANCE))
    state = at_table(hands={0: ("?",) * 5})
    assert len(draw_chance_move(state, lambda most: most - 1).cards) == 5  # type: ignore[attr-defined]
    (pattern,) = state.agenda[-1].move_patterns(state, CHANCE)
    assert pattern["fields"]["cards"]["minItems"] == 5


def test_a_position_that_leaves_the_hand_of_the_dead_out_says_too_little() -> None:
    with pytest.raises(Undetermined):
        dead(hands={0: ("?some",)})


@pytest.mark.clause("MK-2.7")
def test_looting_goes_on_after_a_restart_at_any_question() -> None:
    state = kept(dead(seats=4, levels=(4, 2, 2, 5), hands={0: ("?",) * 4}))
    _, state = when(state, CHANCE, PickResult(("t_rat", "t_owl", "t_cap", "t_ring")))
    _, state = when(kept(state), CHANCE, RollResult((2,)))
    _, state = when(kept(state), CHANCE, RollResult((5,)))
    _, state = when(kept(state), 3, TakeCard("t_ring"))
    assert asked(kept(state)) == {2}


@pytest.mark.clause("MK-23.1")
def test_what_a_looter_may_take_is_the_same_in_its_view_as_on_the_table() -> None:
    state = dead(hands={0: ("t_rat", "t_cap")})
    for seat in (0, 1, 2):
        assert offered(build_view(state, Seat(seat)), seat) == offered(state, seat)
