"""Clauses of Munchkin with two readings: how long people bargain, when help is asked for, what can be promised."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.engine.game import Setup
from referee.engine.referee import seats_that_must_act
from referee.games.munchkin import GAME
from referee.games.munchkin.components import TREASURE_DISCARD
from referee.games.munchkin.events.combat import HelperJoined
from referee.games.munchkin.moves import AcceptHelp, AskHelp, ClaimKill, CounterOffer, DeclineHelp, FleeFrom, PlayCard
from referee.games.munchkin.rules.combat.helping import MOST_PROPOSALS
from referee.games.munchkin.rules.combat.rolling import AfterRoll
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import Deal
from tests.games.course import of, then, when
from tests.games.munchkin.card_moves import ran
from tests.games.munchkin.combats import fighting, refused, when_all
from tests.games.munchkin.given import cast, offered

EMPTY: tuple[tuple[str, ...], ...] = ((), (), ())


def losing(readings: dict[str, int], *hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 of level 1 fights a monster of level 8 that is worth two treasures."""
    return fighting(*(hands or EMPTY), **{"foes": ("sally",), **how}, readings=readings)


def countered(state: Table, times: int) -> Table:
    """Main has asked seat 1, and the two have countered so often."""
    state = then(state, 0, AskHelp(seat=1))
    for turn in range(times):
        state = then(state, (1, 0)[turn % 2], CounterOffer(treasures=turn % 2 + 1))
    return state


# ---- MK-13.8: what can be promised -----------------------------------------------------------------------------------


@pytest.mark.clause("MK-13.8")
def test_by_the_first_reading_any_number_of_treasures_is_promised() -> None:
    assert then(losing({}), 0, AskHelp(seat=1, treasures=40)).running_combat.offer == Deal(treasures=40)


@pytest.mark.clause("MK-13.8-R2")
def test_nobody_names_more_treasures_than_the_kill_would_bring() -> None:
    state = losing({"MK-13.8": 2})
    assert refused(state, 0, AskHelp(seat=1, treasures=40)) == ("more_than_there_are", "MK-13.8-R2")
    assert refused(state, 0, AskHelp(seat=1, treasures=3)) == ("more_than_there_are", "MK-13.8-R2")
    state = then(state, 0, AskHelp(seat=1, treasures=2))
    assert refused(state, 1, CounterOffer(treasures=3)) == ("more_than_there_are", "MK-13.8-R2")
    assert then(state, 1, AcceptHelp()).running_combat.deal == Deal(treasures=2)


@pytest.mark.clause("MK-13.8-R2", "MK-16.2")
def test_what_an_item_of_main_adds_can_be_promised_too() -> None:
    state = losing({"MK-13.8": 2}, items={0: ("leashed_ghost",)})
    assert then(state, 0, AskHelp(seat=1, treasures=3)).running_combat.offer == Deal(treasures=3)
    assert refused(state, 0, AskHelp(seat=1, treasures=4))[0] == "more_than_there_are"


@pytest.mark.clause("MK-13.8-R2")
def test_terms_are_accepted_even_if_there_are_fewer_treasures_by_then() -> None:
    hands: tuple[tuple[str, ...], ...] = ((), (), ("enh_pint",))
    state = then(losing({"MK-13.8": 2}, *hands), 0, AskHelp(seat=1, treasures=2))
    state = then(state, 2, PlayCard("enh_pint", monster="sally"))
    events, _ = when(state, 1, AcceptHelp())
    assert of(events, HelperJoined) == [HelperJoined(1, Deal(treasures=2))]


@pytest.mark.clause("MK-13.8-R2")
def test_the_described_deals_name_no_more_either() -> None:
    for readings, most in (({}, 40), ({"MK-13.8": 2}, 2)):
        state = losing(readings)
        (pattern,) = (each for each in state.agenda[-1].move_patterns(state, 0) if each["type"] == AskHelp.TAG)
        assert pattern["fields"]["treasures"]["maximum"] == most


# ---- MK-13.3: when help is asked for ---------------------------------------------------------------------------------


@pytest.mark.clause("MK-13.3", "MK-13.3-R2")
def test_whether_a_winning_main_asks_for_help_is_a_matter_of_the_reading() -> None:
    how: dict[str, Any] = {"foes": ("puddle_bat",), "levels": (5,)}
    assert AskHelp(seat=1) in offered(fighting(*EMPTY, **how), 0)
    state = fighting(*EMPTY, **how, readings={"MK-13.3": 2})
    assert ClaimKill() in offered(state, 0)
    assert not [move for move in offered(state, 0) if isinstance(move, AskHelp)]
    assert refused(state, 0, AskHelp(seat=1)) == ("no_need_of_help", "MK-13.3-R2")
    assert state.agenda[-1].move_patterns(state, 0) == ()
    assert AskHelp(seat=1) in offered(losing({"MK-13.3": 2}), 0)


@pytest.mark.clause("MK-13.3-R2", "MK-13.6")
def test_new_terms_for_the_helper_need_no_need() -> None:
    state = losing({"MK-13.3": 2}, levels=(5, 9))
    state = when_all(state, (0, AskHelp(seat=1)), (1, AcceptHelp()))[1]
    assert ClaimKill() in offered(state, 0)
    assert AskHelp(seat=1, all_of_them=True) in offered(state, 0)


# ---- MK-13.2: how long people bargain --------------------------------------------------------------------------------


@pytest.mark.clause("MK-13.2")
def test_by_the_first_reading_talks_have_no_end() -> None:
    state = countered(losing({}), MOST_PROPOSALS + 10)
    assert state.running_combat.proposals == 0


@pytest.mark.clause("MK-13.2-R2")
def test_after_twenty_proposals_terms_are_accepted_or_declined() -> None:
    state = countered(losing({"MK-13.2": 2}), MOST_PROPOSALS - 1)
    seat = state.running_combat.asked
    assert refused(state, seat, CounterOffer(all_of_them=True)) == ("talked_enough", "MK-13.2-R2")
    assert {type(move) for move in offered(state, seat)} == {AcceptHelp, DeclineHelp}
    state = then(state, seat, DeclineHelp())
    assert refused(state, 0, AskHelp(seat=2)) == ("talked_enough", "MK-13.2-R2")
    assert not [each for each in state.agenda[-1].move_patterns(state, 0) if each["type"] == AskHelp.TAG]


@pytest.mark.clause("MK-13.2-R2")
def test_a_play_in_the_combat_opens_the_talks_again_but_new_terms_do_not() -> None:
    state = countered(losing({"MK-13.2": 2}, (), (), ("enh_pint",)), MOST_PROPOSALS - 1)
    joined = then(state, state.running_combat.asked, AcceptHelp())
    assert refused(joined, 0, AskHelp(seat=1, all_of_them=True)) == ("talked_enough", "MK-13.2-R2")
    changed = then(joined, 2, PlayCard("enh_pint", monster="sally"))
    assert AskHelp(seat=1, all_of_them=True) in offered(changed, 0)


# ---- rulesets --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-13.2-R2", "MK-13.8-R2", "MK-15.4")
def test_new_matches_take_the_better_readings_and_old_ones_keep_theirs() -> None:
    assert GAME.rulesets["1"] == {}
    assert GAME.newest_ruleset == "4"
    new, old = GAME.complete_setup(Setup("standard", 3)), GAME.complete_setup(Setup("standard", 3, ruleset="1"))
    assert (new.settings["claim_window_ms"], old.settings["claim_window_ms"]) == (8000, 2600)
    third = {"MK-13.2": 2, "MK-13.8": 2, "MK-26.1": 2, "MK-26.9": 2}
    assert GAME.build_initial_state(new).readings == {**third, "MK-26.3": 2}
    before = GAME.build_initial_state(GAME.complete_setup(Setup("standard", 3, ruleset="3")))
    assert before.readings == third
    second = GAME.build_initial_state(GAME.complete_setup(Setup("standard", 3, ruleset="2")))
    assert second.readings == {"MK-13.2": 2, "MK-13.8": 2}
    assert GAME.build_initial_state(old).readings == {}


@pytest.mark.clause("MK-15.4")
def test_a_table_may_keep_the_seconds_of_the_rulebook() -> None:
    setup = GAME.complete_setup(Setup("standard", 3, settings={"claim_window_ms": 2600}))
    assert setup.settings["claim_window_ms"] == 2600


# ---- MK-26.3: a die that nobody can turn -----------------------------------------------------------------------------

BONE = "os_knucklebone"


def rolled(number: int, hand: tuple[str, ...], carried: tuple[str, ...] = (), discarded: tuple[str, ...] = ()) -> Table:
    """Seat 0 has rolled a 6 to escape the wolfman."""
    state = ran("wolfman", hands=(hand, ("bat_hat",), ()), carried={0: carried})
    zones = {**state.zones, TREASURE_DISCARD: (*state.zones.get(TREASURE_DISCARD, ()), *discarded)}
    state = replace(state, zones=zones, readings={"MK-26.3": number})
    return cast(then(state, 0, FleeFrom("wolfman")), 6)[1]


def is_asked(state: Table) -> bool:
    """Whether the player may turn the die now, which every view has to tell alike."""
    told = {
        isinstance(each.agenda[-1], AfterRoll) for each in (state, *(state.view_for(seat) for seat in range(-1, 3)))
    }
    assert len(told) == 1
    return told.pop()


@pytest.mark.clause("MK-26.3-R2")
def test_a_die_that_as_everybody_can_see_nobody_can_turn_is_not_asked_about() -> None:
    assert is_asked(rolled(1, ()))
    assert not is_asked(rolled(2, ()))
    assert not is_asked(rolled(2, ("enh_pint",), discarded=(BONE,)))
    assert is_asked(rolled(2, (), carried=(BONE,)))


@pytest.mark.clause("MK-26.3-R2")
def test_whether_the_die_is_asked_about_tells_nothing_of_a_hand() -> None:
    assert is_asked(rolled(2, (BONE,)))
    assert is_asked(rolled(2, ("enh_pint",)))
    assert seats_that_must_act(rolled(2, ("enh_pint",))) == seats_that_must_act(rolled(2, (BONE,)))
