"""Bad stuff about levels, slots, towns and death, monster by monster: what it takes, and what it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.munchkin.components import TOWNSHIP
from referee.games.munchkin.events.course import LevelsLost, PlayerDied
from referee.games.munchkin.moves import KeepRoll
from tests.games.course import asked, of, pulled, refused, then
from tests.games.munchkin.card_moves import caught, flees, ran
from tests.games.munchkin.given import cast

WORN = ("bat_hat", "buckled_vest", "bone_spurs", "candy_hook", "rusty_bell")  # every slot, both hands
CARRIED = ("jawbone_mask", "patchwork_coat", "curly_boots", "grave_spade")


# ---- levels ----------------------------------------------------------------------------------------------------------

LEVELS = (
    ("stale_candy_swarm", 1), ("cracked_egg_sprite", 1), ("coal_imp", 1), ("skeleton_choir", 1), ("wolfman", 1),
    ("hollow_judge", 1), ("pumpkin_brute", 2), ("clockwork_nutcracker", 2), ("easter_bunny", 2),
    ("doctor_finkelstein", 2), ("grave_carolers", 2), ("jack_skellington", 2), ("coffin_mouse", 2),
    ("pit_choirmaster", 3), ("ember_hound", 1), ("bone_bailiff", 1),
)  # fmt: skip


@pytest.mark.parametrize(("card", "count"), LEVELS)
@pytest.mark.clause("MK-17.4", "MK-18.1")
def test_whoever_is_caught_loses_so_many_levels(card: str, count: int) -> None:
    events, state = caught(card, helper=1, levels=(5, 5, 5))
    assert of(events, LevelsLost) == [LevelsLost(0, count, 5 - count, card)]
    assert state.levels == (5 - count, 5, 5)


@pytest.mark.parametrize(("card", "count"), [each for each in LEVELS if each[0] != "jack_skellington"])
@pytest.mark.clause("MK-3.2", "MK-18.4")
def test_nobody_is_brought_below_level_one_and_the_first_is_never_lost(card: str, count: int) -> None:
    events, state = caught(card, levels=(1, 5, 5))
    assert of(events, LevelsLost) == []
    assert state.levels == (1, 5, 5)


@pytest.mark.parametrize("card", [each for each, _ in LEVELS])
@pytest.mark.clause("MK-17.9")
def test_nothing_befalls_whoever_escapes(card: str) -> None:
    events, state = flees(ran(card, levels=(5, 5, 5), items={0: ("stilts",)}), card, 6)
    assert of(events, LevelsLost) == []
    assert state.items_of(0) == ("stilts",)
    assert state.combat is None


# ---- what is worn ----------------------------------------------------------------------------------------------------

SLOTS = (  # the monster, what it takes of WORN, the levels that it takes besides
    ("windup_duckling", ("bone_spurs",), 0),
    ("paper_lantern_haunt", ("bat_hat",), 0),
    ("knock_kneed_scarecrow", ("buckled_vest",), 0),  # its shield is one against curses
    ("coffin_mouse", ("bone_spurs",), 0),
    ("attic_widow", ("candy_hook", "rusty_bell"), 0),
    ("wolfman", ("bone_spurs",), 1),
    ("frost_marionette", ("buckled_vest", "candy_hook", "rusty_bell"), 0),
)


@pytest.mark.parametrize(("card", "taken", "levels"), SLOTS)
@pytest.mark.clause("MK-7.13")
def test_a_monster_takes_what_is_worn_in_a_slot_and_leaves_what_is_carried(
    card: str, taken: tuple[str, ...], levels: int
) -> None:
    _, state = caught(card, items={0: WORN}, carried={0: CARRIED})
    assert set(state.items_of(0)) == {*WORN, *CARRIED} - set(taken)
    assert state.levels[0] == 4 - levels
    _, state = caught(card, items={0: taken})  # what else is worn does not matter
    assert (state.items_of(0), state.levels[0]) == ((), 4 - levels)


@pytest.mark.parametrize(
    ("card", "levels"), [(card, 2 if card == "coffin_mouse" else levels) for card, _, levels in SLOTS]
)
@pytest.mark.clause("MK-7.13", "MK-18.2")
def test_a_monster_takes_nothing_from_a_slot_in_which_nothing_is_worn(card: str, levels: int) -> None:
    _, state = caught(card, carried={0: CARRIED}, items={1: WORN}, hands=(("crooked_crown",), (), ()))
    assert state.items_of(0) == CARRIED
    assert state.items_of(1) == WORN
    assert state.cards_in_hand(0) == ("crooked_crown",)
    assert state.levels[0] == 4 - levels


@pytest.mark.card("mitten_gremlins")
def test_the_gremlins_take_the_hand_item_that_their_victim_names() -> None:
    _, state = caught("mitten_gremlins", items={0: WORN})
    assert asked(state) == {0}
    assert refused(state, 0, ChooseCard("bat_hat"))[0] == "another_sort_of_item"
    state = then(state, 0, ChooseCard("rusty_bell"))
    assert set(state.items_of(0)) == set(WORN) - {"rusty_bell"}


@pytest.mark.card("mitten_gremlins")
def test_the_gremlins_do_not_take_hand_items_that_are_carried() -> None:
    _, state = caught("mitten_gremlins", items={0: ("rusty_bell",)}, carried={0: CARRIED})
    assert state.items_of(0) == CARRIED  # the only one in use went without asking
    _, state = caught("mitten_gremlins", carried={0: CARRIED})
    assert state.items_of(0) == CARRIED


@pytest.mark.card("hollow_judge")
def test_the_judge_takes_every_big_item_worn_or_carried() -> None:
    _, state = caught("hollow_judge", items={0: ("coffin_lid_plate", "bat_hat")}, carried={0: ("snow_stompers",)},
                      rides={0: ("ride_sleigh",)})  # fmt: skip
    assert state.items_of(0) == ("bat_hat",)
    assert state.levels[0] == 3


@pytest.mark.card("hollow_judge")
def test_the_judge_takes_no_small_items_and_nothing_of_others() -> None:
    _, state = caught("hollow_judge", items={0: ("bat_hat",), 1: ("coffin_lid_plate",)})
    assert (state.items_of(0), state.items_of(1)) == (("bat_hat",), ("coffin_lid_plate",))


@pytest.mark.parametrize(("card", "levels"), [("skeleton_choir", 1), ("grave_carolers", 2)])
def test_a_choir_takes_a_random_card_as_well(card: str, levels: int) -> None:
    _, state = caught(card, hands=(("bat_hat", "stilts"), (), ()))
    assert asked(state) == set()
    _, state = pulled(state, "bat_hat")
    assert state.cards_in_hand(0) == ("stilts",)
    assert state.levels[0] == 4 - levels


# ---- towns and rides -------------------------------------------------------------------------------------------------


@pytest.mark.card("doctor_finkelstein")
def test_the_doctor_takes_all_citizenships_and_no_level() -> None:
    _, state = caught("doctor_finkelstein", towns={0: ("town_easter", "town_halloween", "dual_citizenship")})
    assert state.cards_at(TOWNSHIP[0]) == ()
    assert state.levels[0] == 4


@pytest.mark.card("doctor_finkelstein")
def test_the_doctor_does_not_touch_the_towns_of_others() -> None:
    _, state = caught("doctor_finkelstein", helper=1, towns={1: ("town_easter",)})
    assert state.cards_at(TOWNSHIP[1]) == ("town_easter",)
    assert state.levels[0] == 2


@pytest.mark.card("jack_skellington")
def test_jack_takes_all_citizenships_and_two_levels() -> None:
    _, state = caught("jack_skellington", towns={0: ("town_easter", "dual_citizenship")}, levels=(5, 1, 1))
    assert state.cards_at(TOWNSHIP[0]) == ()
    assert state.levels[0] == 3


@pytest.mark.card("jack_skellington")
def test_jack_takes_nothing_more_from_whoever_belongs_nowhere() -> None:
    _, state = caught("jack_skellington", towns={1: ("town_easter",)}, levels=(5, 1, 1), items={0: WORN})
    assert state.levels[0] == 3
    assert state.items_of(0) == WORN


@pytest.mark.card("ember_hound")
def test_the_hound_takes_the_ride_with_what_is_attached_and_no_level() -> None:
    _, state = caught("ember_hound", rides={0: ("ride_broom", "renh_bells")})
    assert state.ride_of(0) is None
    assert set(state.cards_at("treasures/discard")) == {"ride_broom", "renh_bells"}
    assert state.levels[0] == 4


@pytest.mark.card("ember_hound")
def test_the_hound_does_not_take_the_ride_of_another() -> None:
    _, state = caught("ember_hound", helper=1, rides={1: ("ride_broom",)})
    assert state.ride_of(1) == "ride_broom"
    assert state.levels[0] == 3


# ---- death -----------------------------------------------------------------------------------------------------------

DEADLY = ("vault_lich", "moonlit_hydra", "crypt_dreadnought", "ninth_bell", "oogie_boogie")


@pytest.mark.parametrize("card", DEADLY)
@pytest.mark.clause("MK-19.1")
def test_whoever_is_caught_by_one_of_the_worst_dies_and_loses_all_but_level_and_town(card: str) -> None:
    events, state = caught(card, levels=(5, 1, 1), towns={0: ("town_halloween",)}, hands=(("os_fruitcake",), (), ()))
    assert of(events, PlayerDied) == [PlayerDied(0, card)]
    assert state.cards_in_hand(0) == ()
    assert state.levels[0] == 5
    assert state.cards_at(TOWNSHIP[0]) == ("town_halloween",)


@pytest.mark.parametrize("card", DEADLY)
def test_whoever_escapes_one_of_the_worst_does_not_die(card: str) -> None:
    events, state = flees(ran(card, levels=(5, 1, 1), items={0: ("stilts",)}), card, 6)
    assert of(events, PlayerDied) == []
    assert state.items_of(0) == ("stilts",)


@pytest.mark.card("ink_fiend")
@pytest.mark.parametrize(
    ("pips", "dies", "level", "items"),
    [(1, True, 4, 0), (2, True, 4, 0), (3, False, 2, 2), (4, False, 2, 2), (5, False, 4, 1), (6, False, 4, 1)],
)
def test_the_ink_fiend_writes_one_of_three_endings(pips: int, dies: bool, level: int, items: int) -> None:
    _, state = caught("ink_fiend", items={0: ("bat_hat",)}, carried={0: ("stilts",)}, levels=(4, 2, 1))
    _, state = cast(state, pips)
    state = then(state, 0, KeepRoll())
    if pips >= 5:
        state = then(state, 0, ChooseCard("stilts"))
        assert state.items_of(0) == ("bat_hat",)
    assert len(state.items_of(0)) == items
    assert state.combat is None
    assert (state.levels[0], 0 in state.bereft) == (level, dies)


@pytest.mark.card("ink_fiend")
def test_the_ink_fiend_takes_nothing_from_whoever_rolls_well_and_owns_nothing() -> None:
    _, state = caught("ink_fiend", hands=(("bat_hat",), (), ()))
    _, state = cast(state, 6)
    state = then(state, 0, KeepRoll())
    assert (state.cards_in_hand(0), state.levels[0], state.bereft) == (("bat_hat",), 4, ())
