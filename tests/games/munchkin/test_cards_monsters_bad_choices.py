"""Bad stuff about hands and about items that somebody chooses: what goes, who says so, and when nothing can be had."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.munchkin.events.course import LevelsLost
from tests.games.course import asked, of, pulled, refused, then
from tests.games.munchkin.card_moves import caught
from tests.games.munchkin.given import offered

HAND = ("marrow_pup", "bat_hat", "os_fruitcake")


# ---- the hand --------------------------------------------------------------------------------------------------------


@pytest.mark.card("puddle_bat")
def test_the_puddle_bat_takes_a_random_card_of_the_hand() -> None:
    _, state = caught("puddle_bat", hands=(HAND, (), ()))
    assert asked(state) == set()
    _, state = pulled(state, "bat_hat")
    assert state.cards_in_hand(0) == ("marrow_pup", "os_fruitcake")
    assert state.combat is None
    assert state.cards_at("treasures/discard")[0] == "bat_hat"


@pytest.mark.card("gravy_wisp")
def test_the_gravy_wisp_takes_two_cards_of_the_victims_choice() -> None:
    _, state = caught("gravy_wisp", hands=(HAND, (), ()))
    state = then(state, 0, ChooseCards(("marrow_pup", "os_fruitcake")))
    assert state.cards_in_hand(0) == ("bat_hat",)


@pytest.mark.card("gravy_wisp")
def test_the_gravy_wisp_takes_no_more_than_is_there_and_not_three() -> None:
    _, state = caught("gravy_wisp", hands=(HAND, (), ()))
    assert refused(state, 0, ChooseCards(HAND))
    _, state = caught("gravy_wisp", hands=(HAND[:1], (), ()))
    assert state.cards_in_hand(0) == ()
    assert state.combat is None


@pytest.mark.card("larder_demon")
def test_the_larder_demon_takes_the_whole_hand() -> None:
    _, state = caught("larder_demon", hands=(HAND, (), ()))
    assert state.cards_in_hand(0) == ()


@pytest.mark.card("marrow_pup")
def test_the_marrow_pup_carries_a_random_card_to_the_left() -> None:
    _, state = caught("marrow_pup", hands=(("coal_imp", "bat_hat", "os_fruitcake"), ("stilts",), ()))
    _, state = pulled(state, "os_fruitcake")
    assert state.cards_in_hand(0) == ("coal_imp", "bat_hat")
    assert state.cards_in_hand(1) == ("stilts", "os_fruitcake")


@pytest.mark.card("lock_shock_barrel")
def test_first_the_left_then_the_right_neighbour_takes_a_card_for_the_pranksters() -> None:
    _, state = caught("lock_shock_barrel", hands=(HAND, (), ()))
    _, state = pulled(state, "bat_hat")
    _, state = pulled(state, "os_fruitcake")
    assert (state.cards_in_hand(0), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ("marrow_pup",),
        ("bat_hat",),
        ("os_fruitcake",),
    )


@pytest.mark.card("lock_shock_barrel")
def test_the_right_neighbour_takes_nothing_from_a_hand_that_the_left_has_emptied() -> None:
    _, state = caught("lock_shock_barrel", hands=(("bat_hat",), (), ()))
    if asked(state) == set() and state.cards_in_hand(0):
        _, state = pulled(state, "bat_hat")
    assert (state.cards_in_hand(0), state.cards_in_hand(1), state.cards_in_hand(2)) == ((), ("bat_hat",), ())
    assert state.combat is None


@pytest.mark.parametrize("card", ["puddle_bat", "gravy_wisp", "larder_demon", "marrow_pup", "lock_shock_barrel"])
@pytest.mark.clause("MK-2.3", "MK-18.2")
def test_whoever_holds_nothing_loses_nothing_of_what_lies_in_play(card: str) -> None:
    events, state = caught(card, items={0: ("stilts",)}, hands=((), ("bat_hat",), ("bone_spurs",)))
    assert (state.items_of(0), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ("stilts",),
        ("bat_hat",),
        ("bone_spurs",),
    )
    assert of(events, LevelsLost) == []
    assert state.combat is None


# ---- one or the other ------------------------------------------------------------------------------------------------


@pytest.mark.card("cellar_imp")
@pytest.mark.clause("MK-18.5")
def test_the_cellar_imp_takes_a_one_shot_in_play_or_a_level_as_the_victim_likes() -> None:
    _, state = caught("cellar_imp", carried={0: ("os_fruitcake", "os_frog_fizz"), 1: ("os_snow_grenade",)})
    assert offered(state, 0) == [Decline(), Accept()]
    given = then(state, 0, Accept(), ChooseCard("os_frog_fizz"))
    assert (given.items_of(0), given.levels[0]) == (("os_fruitcake",), 4)
    kept = then(state, 0, Decline())
    assert (kept.items_of(0), kept.levels[0]) == (("os_fruitcake", "os_frog_fizz"), 3)
    _, lower = caught("cellar_imp", carried={0: ("os_fruitcake",)}, levels=(2, 1, 1))
    kept = then(lower, 0, Decline())
    assert (kept.items_of(0), kept.levels[0]) == (("os_fruitcake",), 1)


@pytest.mark.card("cellar_imp")
@pytest.mark.clause("MK-2.3", "MK-18.5")
def test_the_cellar_imp_does_not_take_one_shots_of_the_hand_or_other_items() -> None:
    _, state = caught("cellar_imp", hands=(("os_frog_fizz",), (), ()), items={0: ("bat_hat",)})
    assert (state.cards_in_hand(0), state.items_of(0), state.levels[0]) == (("os_frog_fizz",), ("bat_hat",), 3)
    _, state = caught("cellar_imp", carried={0: ("os_frog_fizz", "bat_hat")}, levels=(1, 1, 1))
    assert (state.items_of(0), state.levels[0]) == (("bat_hat",), 1)  # at level 1 there is no level to lose instead
    _, state = caught("cellar_imp", carried={0: ("bat_hat",)}, levels=(1, 1, 1))
    assert (state.items_of(0), state.levels[0]) == (("bat_hat",), 1)
    _, state = caught("cellar_imp", carried={0: ("os_frog_fizz", "bat_hat")})
    assert then(state, 0, Accept()).items_of(0) == ("bat_hat",)


@pytest.mark.card("candle_fiend")
@pytest.mark.clause("MK-18.5")
def test_the_candle_fiend_takes_two_hand_cards_or_a_level_as_the_victim_likes() -> None:
    _, state = caught("candle_fiend", hands=(HAND, (), ()))
    given = then(state, 0, Accept(), ChooseCards(("marrow_pup", "bat_hat")))
    assert (given.cards_in_hand(0), given.levels[0]) == (("os_fruitcake",), 4)
    kept = then(state, 0, Decline())
    assert (kept.cards_in_hand(0), kept.levels[0]) == (HAND, 3)
    _, lower = caught("candle_fiend", hands=(HAND[:2], (), ()), levels=(2, 1, 1))
    kept = then(lower, 0, Decline())
    assert (kept.cards_in_hand(0), kept.levels[0]) == (HAND[:2], 1)
    assert then(lower, 0, Accept()).cards_in_hand(0) == ()


@pytest.mark.card("candle_fiend")
@pytest.mark.clause("MK-18.5")
def test_the_candle_fiend_does_not_take_a_single_card_for_a_level() -> None:
    _, state = caught("candle_fiend", hands=(HAND[:1], (), ()))
    assert (state.cards_in_hand(0), state.levels[0]) == (HAND[:1], 3)
    _, state = caught("candle_fiend", hands=(HAND[:1], (), ()), levels=(1, 1, 1))
    assert (state.cards_in_hand(0), state.levels[0]) == (HAND[:1], 1)
    _, state = caught("candle_fiend", hands=(HAND[:2], (), ()), levels=(1, 1, 1))
    assert (state.cards_in_hand(0), state.levels[0]) == ((), 1)
    _, state = caught("candle_fiend", hands=(HAND, (), ()), levels=(1, 1, 1))
    state = then(state, 0, ChooseCards(HAND[:2]))  # at level 1 there is no level to lose instead
    assert (state.cards_in_hand(0), state.levels[0]) == (HAND[2:], 1)


# ---- items -----------------------------------------------------------------------------------------------------------


@pytest.mark.card("bog_bride")
def test_the_bog_bride_carries_an_item_of_the_victims_choice_to_the_lowest_other_player() -> None:
    _, state = caught("bog_bride", items={0: ("bat_hat",)}, carried={0: ("stilts",)}, levels=(1, 3, 2))
    assert refused(state, 0, ChooseCard("bone_spurs"))[0] == "not_an_item_of_theirs"
    state = then(state, 0, ChooseCard("stilts"))
    assert (state.items_of(0), state.items_of(2)) == (("bat_hat",), ("stilts",))


@pytest.mark.card("bog_bride")
@pytest.mark.clause("MK-3.1")
def test_the_bog_bride_does_not_choose_the_victim_nor_anybody_higher() -> None:
    _, state = caught("bog_bride", items={0: ("bat_hat", "stilts")}, levels=(1, 2, 2))
    state = then(state, 0, ChooseCard("bat_hat"))
    assert refused(state, 0, ChoosePlayer(0)) == ("not_the_lowest", "MK-3.1")
    assert then(state, 0, ChoosePlayer(2)).items_of(2) == ("bat_hat",)
    _, state = caught("bog_bride", hands=(("bat_hat",), (), ()))
    assert (state.cards_in_hand(0), state.combat) == (("bat_hat",), None)


@pytest.mark.card("tinsel_serpent")
def test_the_left_neighbour_says_which_small_item_the_serpent_takes() -> None:
    _, state = caught("tinsel_serpent", items={0: ("bat_hat", "coffin_lid_plate")}, carried={0: ("stilts",)})
    assert asked(state) == {1}
    state = then(state, 1, ChooseCard("bat_hat"))
    assert set(state.items_of(0)) == {"coffin_lid_plate", "stilts"}


@pytest.mark.card("tinsel_serpent")
def test_the_serpent_does_not_take_big_items() -> None:
    _, state = caught("tinsel_serpent", items={0: ("bat_hat", "coffin_lid_plate")}, carried={0: ("stilts",)})
    assert refused(state, 1, ChooseCard("coffin_lid_plate"))[0] == "another_sort_of_item"
    _, state = caught("tinsel_serpent", items={0: ("coffin_lid_plate",)})
    assert state.items_of(0) == ("coffin_lid_plate",)


@pytest.mark.card("sally")
def test_the_ragdoll_takes_the_item_with_the_biggest_bonus() -> None:
    _, state = caught("sally", items={0: ("bat_hat", "coffin_lid_plate", "grave_spade")})
    assert set(state.items_of(0)) == {"bat_hat", "grave_spade"}


@pytest.mark.card("sally")
def test_the_ragdoll_does_not_take_a_lesser_item_but_lets_the_victim_say_which_of_equal_ones() -> None:
    _, state = caught("sally", items={0: ("bat_hat", "grave_spade")}, carried={0: ("crooked_crown",)})
    assert refused(state, 0, ChooseCard("bat_hat"))[0] == "another_is_better"
    state = then(state, 0, ChooseCard("grave_spade"))
    assert set(state.items_of(0)) == {"bat_hat", "crooked_crown"}


@pytest.mark.card("mourning_twins")
def test_the_twins_take_two_items_of_the_victims_choice() -> None:
    _, state = caught("mourning_twins", items={0: ("bat_hat", "tinfoil_suit")}, carried={0: ("stilts", "os_fruitcake")})
    state = then(state, 0, ChooseCard("os_fruitcake"), ChooseCard("bat_hat"))
    assert set(state.items_of(0)) == {"tinfoil_suit", "stilts"}
    assert state.combat is None


@pytest.mark.card("mourning_twins")
def test_the_twins_take_no_more_than_is_there_and_nothing_of_the_hand() -> None:
    _, state = caught("mourning_twins", items={0: ("bat_hat",)}, hands=(("stilts",), (), ()))
    assert (state.items_of(0), state.cards_in_hand(0), state.combat) == ((), ("stilts",), None)


@pytest.mark.card("sandy_claws")
def test_the_gift_giver_takes_the_two_most_valuable_items() -> None:
    _, state = caught("sandy_claws", items={0: ("patchwork_coat",)}, carried={0: ("stilts", "buckled_vest")})
    assert state.items_of(0) == ("patchwork_coat",)  # 400 and 300 are gone, 200 stays, though it has a bonus


@pytest.mark.card("sandy_claws")
def test_the_gift_giver_does_not_take_cheaper_items_first() -> None:
    mine = ("grave_spade", "bat_hat", "tinfoil_suit", "os_fruitcake")  # 500, 400, 400, 300
    _, state = caught("sandy_claws", items={0: mine[:3]}, carried={0: mine[3:]})
    assert "grave_spade" not in state.items_of(0)
    assert refused(state, 0, ChooseCard("os_fruitcake"))[0] == "another_is_better"
    state = then(state, 0, ChooseCard("tinfoil_suit"))
    assert set(state.items_of(0)) == {"bat_hat", "os_fruitcake"}


@pytest.mark.card("bone_bailiff")
def test_the_bailiff_takes_items_worth_six_hundred_as_the_victim_puts_them_together() -> None:
    _, state = caught("bone_bailiff", items={0: ("bat_hat", "tinfoil_suit")}, carried={0: ("os_frog_fizz",)})
    assert asked(state) == {0}
    state = then(state, 0, ChooseCard("bat_hat"), ChooseCard("os_frog_fizz"))
    assert (state.items_of(0), state.levels[0]) == (("tinfoil_suit",), 4)


@pytest.mark.card("bone_bailiff")
def test_the_bailiff_takes_all_and_a_level_where_six_hundred_are_not_there() -> None:
    _, state = caught("bone_bailiff", items={0: ("bat_hat", "lint_slippers")}, levels=(4, 1, 1))
    assert (state.items_of(0), state.levels[0]) == ((), 3)  # 400 in all
    _, state = caught("bone_bailiff", items={0: ("crooked_crown", "lint_slippers")})
    assert (state.items_of(0), state.levels[0]) == (("lint_slippers",), 4)  # exactly 600: no level, nothing more
