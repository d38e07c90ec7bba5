"""Monsters that do something on entering, let a fighter go, or give or take something at the end."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCards
from referee.games.munchkin.components import DOOR_DISCARD
from referee.games.munchkin.events.combat import Caught, Escaped
from referee.games.munchkin.events.course import LevelsLost
from referee.games.munchkin.moves import ClaimKill, KeepRoll, LetPass, LookForTrouble, PlayCard, RunAway, UsePower
from tests.games.course import asked, of, refused, then, when
from tests.games.munchkin.card_moves import fight, flees, kicked, killed, ran, runs_with, strengths
from tests.games.munchkin.given import cast, table

HALLOWEEN = {0: ("town_halloween",)}


# ---- on entering -----------------------------------------------------------------------------------------------------


@pytest.mark.card("oogie_boogie")
@pytest.mark.parametrize(("pips", "ours", "theirs"), [(1, 3, 22), (2, 3, 22), (5, 5, 20), (6, 5, 20)])
@pytest.mark.clause("MK-9.5")
def test_oogie_boogie_gambles_as_he_comes_in(pips: int, ours: int, theirs: int) -> None:
    _, state = cast(kicked("oogie_boogie"), pips)
    assert asked(state) == {0}
    assert strengths(then(state, 0, KeepRoll())) == (ours, theirs)


@pytest.mark.card("oogie_boogie")
@pytest.mark.parametrize("pips", [3, 4])
def test_a_middling_die_of_oogie_boogie_means_nothing(pips: int) -> None:
    _, state = cast(kicked("oogie_boogie"), pips)
    assert strengths(then(state, 0, KeepRoll())) == (3, 20)


@pytest.mark.card("oogie_boogie")
def test_main_rolls_even_if_another_sends_oogie_boogie_and_webs_count_on_that_die() -> None:
    state = fight("puddle_bat", hands=((), ("wandering_monster", "oogie_boogie"), ()),
                  curses={0: ("curse_cobweb_hat",)})  # fmt: skip
    state = then(state, 1, PlayCard("wandering_monster", partner="oogie_boogie"))
    _, state = cast(state, 5)
    assert asked(state) == {0}
    assert strengths(then(state, 0, KeepRoll())) == (4, 21)  # 5 - 1: nothing


@pytest.mark.card("lock_shock_barrel")
@pytest.mark.clause("MK-9.5")
def test_each_fighter_discards_a_card_of_choice_when_the_three_pranksters_come_in() -> None:
    hands = (("bat_hat", "stilts"), ("bone_spurs", "rusty_bell"), ("wandering_monster", "lock_shock_barrel"))
    state = then(fight("puddle_bat", helper=1, hands=hands), 2,
                 PlayCard("wandering_monster", partner="lock_shock_barrel"))  # fmt: skip
    assert refused(state, 0, ClaimKill())[0] != "not_stronger"  # this comes before anything else
    state = then(then(state, 0, ChooseCards(("stilts",))), 1, ChooseCards(("bone_spurs",)))
    assert (state.cards_in_hand(0), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ("bat_hat",),
        ("rusty_bell",),
        (),
    )
    assert state.moment == "fight"


@pytest.mark.card("lock_shock_barrel")
def test_the_pranksters_take_nothing_from_an_empty_hand_or_from_bystanders() -> None:
    state = table(("lock_shock_barrel",), ("bat_hat",), (), stage="choice")
    state = then(state, 0, LookForTrouble("lock_shock_barrel"))
    assert state.moment == "fight"
    assert state.cards_in_hand(1) == ("bat_hat",)


# ---- letting pass ----------------------------------------------------------------------------------------------------


@pytest.mark.card("sally")
def test_a_citizen_of_halloween_town_lets_the_ragdoll_pass_for_a_treasure() -> None:
    state = then(kicked("sally", towns=HALLOWEEN, treasures=("bat_hat",)), 0, LetPass("sally"))
    assert state.cards_in_hand(0) == ("bat_hat",)
    assert state.levels[0] == 3
    assert state.combat is None
    assert state.cards_at(DOOR_DISCARD) == ("sally",)


@pytest.mark.card("sally")
@pytest.mark.clause("MK-3.1")
def test_the_ragdoll_does_not_pass_for_others_or_for_the_helper_or_once_something_was_played() -> None:
    assert refused(kicked("sally"), 0, LetPass("sally")) == ("condition_fails", "MK-3.1")
    assert refused(kicked("sally", towns={1: ("town_halloween",)}), 0, LetPass("sally")) == (
        "condition_fails", "MK-3.1",
    )  # fmt: skip
    state = kicked("sally", ("marrow_pup",), towns=HALLOWEEN)
    state = then(state, 0, UsePower("scare", "marrow_pup"))
    assert refused(state, 0, LetPass("sally")) == ("something_was_played", "MK-3.1")
    assert refused(kicked("attic_widow", towns=HALLOWEEN), 0, LetPass("attic_widow"))[0] == "lets_nobody_pass"


# ---- pursuit and running away ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "most"), [("jack_skellington", 3), ("crypt_dreadnought", 3), ("ninth_bell", 4), ("oogie_boogie", 4)]
)
@pytest.mark.clause("MK-17.6")
def test_a_great_monster_does_not_pursue_the_small(card: str, most: int) -> None:
    events, state = when(fight(card, levels=(most, 1, 1)), 0, RunAway())
    assert of(events, Escaped) == [Escaped(0, card, "not_pursued")]
    assert state.combat is None
    assert state.levels[0] == most  # nothing is lost, for nobody rolled


@pytest.mark.parametrize(
    ("card", "most"), [("jack_skellington", 3), ("crypt_dreadnought", 3), ("ninth_bell", 4), ("oogie_boogie", 4)]
)
def test_a_great_monster_pursues_whoever_is_a_level_higher(card: str, most: int) -> None:
    state = ran(card, levels=(most + 1, 1, 1))
    assert state.running_combat.to_flee == (f"0/{card}",)
    both = ran(card, helper=1, levels=(most, most + 1, 1))
    assert both.running_combat.to_flee == (f"1/{card}",)


ESCAPES = (
    ("puddle_bat", 1), ("tinsel_serpent", -1), ("attic_widow", -1), ("easter_bunny", -2), ("crypt_dreadnought", -1)
)  # fmt: skip


@pytest.mark.parametrize(("card", "escape"), ESCAPES)
def test_a_monster_is_escaped_more_or_less_easily(card: str, escape: int) -> None:
    boots = {0: ("curly_boots",)}  # +1, so that a die can do it
    assert runs_with(card, 4 - escape, items=boots) == "escaped"
    assert runs_with(card, 3 - escape, items=boots) == "caught"


@pytest.mark.parametrize(("card", "escape"), ESCAPES)
def test_what_a_monster_says_of_running_does_not_count_for_the_others(card: str, escape: int) -> None:
    for pips, how in ((5, Escaped), (4, Caught)):
        state = ran("mitten_gremlins", card)
        events, _ = flees(state, "mitten_gremlins", pips)
        assert [type(event) for event in events if isinstance(event, Escaped | Caught)] == [how]


@pytest.mark.card("ninth_bell")
def test_whoever_escapes_the_bell_by_a_roll_loses_a_level() -> None:
    events, _ = flees(ran("ninth_bell", levels=(5, 1, 1)), "ninth_bell", 5)
    assert of(events, LevelsLost) == [LevelsLost(0, 1, 4, "ninth_bell")]


@pytest.mark.card("ninth_bell")
def test_whoever_escapes_the_bell_by_a_card_loses_nothing() -> None:
    state = ran("ninth_bell", levels=(5, 1, 1), hands=(("os_moth_cloak",), (), ()))
    events, state = when(state, 0, PlayCard("os_moth_cloak"))
    assert of(events, LevelsLost) == []
    assert state.levels[0] == 5


# ---- after a kill ----------------------------------------------------------------------------------------------------


@pytest.mark.card("sandy_claws")
@pytest.mark.clause("MK-16.8")
def test_main_draws_a_door_as_well_for_the_gift_giver_even_if_the_treasures_lie_open() -> None:
    state = fight("sandy_claws", helper=1, strong=20, doors=("marrow_pup",))
    _, state = killed(state)
    assert "marrow_pup" in state.cards_in_hand(0)
    assert len(state.cards_in_hand(0)) == 5  # four treasures, and the door


@pytest.mark.card("sandy_claws")
def test_the_gift_giver_brings_no_door_if_he_is_not_killed() -> None:
    state = fight("sandy_claws", hands=(("os_lantern_genie",), (), ()), treasures=("bat_hat", "stilts", "bone_spurs"))
    state = then(state, 0, PlayCard("os_lantern_genie", monster="sandy_claws"))
    assert len(state.cards_in_hand(0)) == 4
    assert not set(state.cards_in_hand(0)) & {"marrow_pup", "curse_level"}
    assert state.levels[0] == 4
