"""Verbs about a combat: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.engine.events import replace_fields
from referee.engine.zones import Cards
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD
from referee.games.munchkin.conditions import Condition
from referee.games.munchkin.events.cards import CardDrawn
from referee.games.munchkin.events.combat import Escaped, FlightRollModified, HelperLeft, MonsterRemoved
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import (
    count_treasures,
    is_condition_met,
    score_foe,
    score_monsters,
    score_munchkins,
    sum_lines,
)
from referee.games.munchkin.values import Foe
from tests.games.course import of
from tests.games.munchkin.wording import at_rest, names, of_card, said, table, unsaid  # noqa: F401


def lying(state: Table, *cards: str) -> Table:
    """The table with these played cards lying in the combat."""
    there: Cards = (*state.cards_at(COMBAT), *cards)
    return replace_fields(state, zones={**state.zones, COMBAT: there})


# ---- strength --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-8.3", "MK-9.1")
@pytest.mark.parametrize(("side", "ours", "theirs"), [("munchkins", 5, 6), ("monsters", 3, 8)])
def test_a_bonus_counts_for_the_side_that_was_named(side: str, ours: int, theirs: int) -> None:
    _, state = of_card(table(monsters=("attic_widow",)), "os_popping_corn", by=2, side=side)
    assert (sum_lines(score_munchkins(state)), sum_lines(score_monsters(state))) == (ours, theirs)
    assert state.running_combat.added[0].one_shot
    assert state.running_combat.added[0].seat == 2


@pytest.mark.clause("MK-9.3")
def test_a_bonus_may_be_as_big_as_the_own_strength_of_that_moment() -> None:
    state = table(plays={0: ("bat_hat",)}, monsters=("attic_widow",))
    _, state = of_card(state, "os_mirror_twin")
    assert sum_lines(score_munchkins(state)) == 10


def test_a_bonus_without_a_combat_does_nothing() -> None:
    events, _ = said(table(), {"do": "bonus", "side": "monsters", "count": 3})
    assert names(events) == ["Lapsed"]


@pytest.mark.clause("MK-4.9")
def test_what_a_power_adds_is_no_one_shot() -> None:
    _, state = of_card(table(monsters=("attic_widow",)), "town_halloween", text="power/scare")
    assert sum_lines(score_munchkins(state)) == 6
    assert not state.running_combat.added[0].one_shot


def test_a_card_against_the_undead_adds_more_where_one_is() -> None:
    assert sum_lines(score_munchkins(of_card(table(monsters=("coffin_mouse",)), "os_blessed_corn")[1])) == 11
    assert sum_lines(score_munchkins(of_card(table(monsters=("coal_imp",)), "os_blessed_corn")[1])) == 6


@pytest.mark.clause("MK-10.1", "MK-10.2")
def test_an_enhancer_lies_on_the_monster_that_was_named() -> None:
    state = lying(table(monsters=("attic_widow", "coal_imp")), "enh_towering")
    _, state = of_card(state, "enh_towering", monster="coal_imp")
    assert [foe.enhancers for foe in state.running_combat.foes] == [(), ("enh_towering",)]
    assert count_treasures(state.running_combat.foes[1]) == 3


@pytest.mark.clause("MK-10.3")
def test_an_enhancer_lies_on_the_twins_of_its_monster_as_well() -> None:
    state = table(monsters=(Foe("attic_widow", "attic_widow"), Foe("second_helping", "attic_widow"), "coal_imp"))
    _, state = of_card(lying(state, "enh_pint"), "enh_pint", monster="second_helping")
    assert [foe.enhancers for foe in state.running_combat.foes] == [("enh_pint",), ("enh_pint",), ()]


def test_an_enhancer_of_a_monster_that_is_not_there_does_nothing() -> None:
    events, _ = of_card(table(monsters=("attic_widow",)), "enh_pint", monster="coal_imp")
    assert names(events) == ["Lapsed"]


@pytest.mark.clause("MK-10.5", "MK-12.4")
def test_a_tag_counts_from_the_moment_at_which_its_card_is_laid_down() -> None:
    state = lying(table(monsters=("attic_widow",)), "enh_risen")
    assert not is_condition_met(state, Condition("monster_tag", value="undead"), 0)
    _, state = of_card(state, "enh_risen", monster="attic_widow")
    assert is_condition_met(state, Condition("monster_tag", value="undead"), 0)


# ---- monsters come and go --------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-11.1", "MK-14.3")
def test_a_monster_of_the_hand_joins() -> None:
    state = lying(table({2: ("coal_imp",)}, monsters=("attic_widow",)), "wandering_monster")
    _, state = of_card(state, "wandering_monster", by=2, partner="coal_imp")
    assert [foe.card for foe in state.running_combat.foes] == ["attic_widow", "coal_imp"]
    assert state.cards_in_hand(2) == ()


@pytest.mark.clause("MK-9.5")
def test_a_monster_that_joins_does_first_what_it_does_on_entering() -> None:
    state = lying(table({0: ("bat_hat",), 2: ("lock_shock_barrel",)}, monsters=("attic_widow",)), "wandering_monster")
    _, state = of_card(state, "wandering_monster", by=2, partner="lock_shock_barrel")
    assert state.cards_in_hand(0) == ()
    assert at_rest(state)


@pytest.mark.clause("MK-10.3")
def test_a_twin_has_a_copy_of_every_enhancer() -> None:
    state = table(monsters=(Foe("attic_widow", "attic_widow", ("enh_towering",)),))
    _, state = of_card(lying(state, "second_helping"), "second_helping", monster="attic_widow")
    one, two = state.running_combat.foes
    assert (two.card, two.of, two.enhancers) == ("second_helping", "attic_widow", ("enh_towering",))
    assert sum_lines(tuple(score_foe(state, two))) == sum_lines(tuple(score_foe(state, one))) == 16


@pytest.mark.clause("MK-10.6")
def test_a_monster_gives_place_to_another_and_takes_its_enhancers_along() -> None:
    state = table({0: ("coal_imp",)}, monsters=(Foe("attic_widow", "attic_widow", ("enh_towering",)),))
    events, state = of_card(lying(state, "wrong_costume"), "wrong_costume", monster="attic_widow", partner="coal_imp")
    assert [foe.card for foe in state.running_combat.foes] == ["coal_imp"]
    assert of(events, MonsterRemoved)[0].replaced
    assert state.cards_at(DOOR_DISCARD) == ("attic_widow", "enh_towering")


@pytest.mark.clause("MK-11.3", "MK-16.6")
def test_one_monster_is_removed_and_the_other_stays() -> None:
    events, state = of_card(table(monsters=("attic_widow", "coal_imp")), "os_sleighbell", monster="coal_imp")
    assert [foe.card for foe in state.running_combat.foes] == ["attic_widow"]
    assert not of(events, CardDrawn)
    assert state.cards_at(DOOR_DISCARD) == ("coal_imp",)
    assert state.running_combat.removed == 1


@pytest.mark.clause("MK-16.6")
def test_all_monsters_are_removed_and_main_draws_what_the_card_says() -> None:
    state = table(monsters=("attic_widow", "coal_imp"), treasures=("bat_hat", "stilts", "rusty_bell"))
    _, state = of_card(state, "gone_home_early", by=2)
    assert state.running_combat.foes == ()
    assert state.cards_in_hand(0) == ("bat_hat", "stilts")
    assert state.levels == (3, 3, 3)


@pytest.mark.clause("MK-16.6")
def test_the_printed_treasures_of_the_only_monster_are_drawn() -> None:
    two = table(monsters=("attic_widow", "coal_imp"), treasures=("bat_hat", "stilts", "rusty_bell"))
    assert of_card(two, "os_lantern_genie", monster="coal_imp")[1].cards_in_hand(0) == ()
    one = table(monsters=("attic_widow",), treasures=("bat_hat", "stilts", "rusty_bell"))
    assert of_card(one, "os_lantern_genie", monster="attic_widow")[1].cards_in_hand(0) == ("bat_hat", "stilts")


def test_no_monster_is_removed_that_is_not_there() -> None:
    assert names(of_card(table(monsters=("coal_imp",)), "os_sleighbell", monster="attic_widow")[0]) == ["Lapsed"]


# ---- help, running away ----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-13.11")
def test_the_helper_leaves_unharmed() -> None:
    events, state = of_card(table(monsters=("attic_widow",), helper=1), "curse_cold_feet", by=1)
    assert of(events, HelperLeft)
    assert state.running_combat.fighters == (0,)


def test_who_does_not_help_leaves_no_combat() -> None:
    events, state = of_card(table(monsters=("attic_widow",), helper=1), "curse_cold_feet", by=0)
    assert not of(events, HelperLeft)
    assert state.running_combat.fighters == (0, 1)


@pytest.mark.clause("MK-13.10")
def test_a_player_is_drafted() -> None:
    _, state = of_card(table(monsters=("attic_widow",)), "drafted", target=2)
    assert state.running_combat.helper == 2
    assert state.running_combat.forced


@pytest.mark.clause("MK-17.2")
def test_a_rout_makes_the_fighters_run() -> None:
    _, state = of_card(table(monsters=("attic_widow", "coal_imp"), helper=1), "os_panic_confetti", by=2)
    assert set(state.running_combat.to_flee) == {"0/attic_widow", "0/coal_imp", "1/attic_widow", "1/coal_imp"}


def test_a_rout_without_a_combat_does_nothing() -> None:
    assert names(said(table(), {"do": "rout"})[0]) == []


def fled(*pairs: str) -> Table:
    state = table(monsters=("attic_widow", "coal_imp"), helper=1)
    return replace_fields(state, combat=replace_fields(state.running_combat, to_flee=pairs))


@pytest.mark.clause("MK-17.6")
def test_a_player_escapes_all_that_are_left() -> None:
    events, state = of_card(fled("0/attic_widow", "0/coal_imp", "1/coal_imp"), "os_moth_cloak")
    assert state.running_combat.to_flee == ("1/coal_imp",)
    assert {event.how for event in of(events, Escaped)} == {"card"}


@pytest.mark.clause("MK-17.6")
def test_all_fighters_escape() -> None:
    assert of_card(fled("0/attic_widow", "1/coal_imp"), "os_sudden_hedge", by=2)[1].running_combat.to_flee == ()


@pytest.mark.clause("MK-4.9", "MK-17.6")
def test_a_power_lets_its_owner_escape_the_monster_that_was_named() -> None:
    state = fled("0/attic_widow", "0/coal_imp")
    _, state = of_card(state, "town_christmas", text="power/parting_gift", monster="coal_imp")
    assert state.running_combat.to_flee == ("0/attic_widow",)


def test_who_has_escaped_already_escapes_nothing() -> None:
    assert of(of_card(fled("1/coal_imp"), "os_moth_cloak")[0], Escaped) == []


@pytest.mark.clause("MK-17.8")
def test_the_next_roll_of_a_player_is_hindered() -> None:
    events, state = of_card(fled("1/coal_imp"), "tripwire", by=2, target=1)
    assert of(events, FlightRollModified)[0].count == -2
    assert state.hindered == {"1": -2}
