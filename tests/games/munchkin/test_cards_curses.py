"""The sixteen curses: played from the hand on somebody, what each takes, and when it takes nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.munchkin.components import CURSES, DOOR_DISCARD, TOWNSHIP
from referee.games.munchkin.events.course import LevelsLost
from referee.games.munchkin.moves import Pass, PlayCard
from tests.games.course import asked, of, pulled, refused, then
from tests.games.munchkin.card_moves import cursed, fight, kicked, strengths
from tests.games.munchkin.given import table

CURSES_OF_THE_BOX = (
    "curse_level", "curse_two_levels", "curse_headgear", "curse_armor", "curse_footgear", "curse_small_item",
    "curse_big_item", "curse_lose_town", "curse_swap_town", "curse_best_item", "curse_tax", "curse_two_cards",
    "curse_cobweb_hat", "curse_cold_feet", "curse_bare_hands", "curse_ride_bolts",
)  # fmt: skip
WORN = ("bat_hat", "tinfoil_suit", "bone_spurs")
CARRIED = ("jawbone_mask", "patchwork_coat", "curly_boots")


# ---- whenever, on whomever -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", CURSES_OF_THE_BOX)
@pytest.mark.clause("MK-20.5")
def test_a_curse_does_nothing_if_the_victim_answers_it_with_a_wreath(card: str) -> None:
    state = fight("wolfman", hands=(("os_lucky_wreath", "bat_hat"), (card,), ()), items={0: ("tinfoil_suit",)},
                  towns={0: ("town_easter",)}, rides={0: ("ride_broom",)})  # fmt: skip
    before = strengths(state)
    state = then(then(state, 1, PlayCard(card, 0)), 0, PlayCard("os_lucky_wreath"))
    assert strengths(state) == before
    assert state.levels == (4, 4, 4)
    assert state.cards_in_hand(0) == ("bat_hat",)
    assert state.items_of(0) == ("tinfoil_suit",)
    assert state.cards_at(CURSES[0]) == ()
    assert state.cards_at(DOOR_DISCARD) == (card,)


@pytest.mark.parametrize("card", CURSES_OF_THE_BOX)
@pytest.mark.clause("MK-20.1", "MK-20.7")
def test_a_curse_is_not_played_on_the_dead_nor_without_a_victim_nor_by_whoever_does_not_hold_it(card: str) -> None:
    state = table((), (card,), (), dead=(2,))
    assert refused(state, 1, PlayCard(card, 2)) == ("is_dead", "MK-20.7")
    assert refused(state, 1, PlayCard(card)) == ("names_too_little", "MK-20.1")
    assert refused(state, 0, PlayCard(card, 1))[0] == "not_in_the_hand"


@pytest.mark.parametrize("card", CURSES_OF_THE_BOX)
@pytest.mark.clause("MK-5.5", "MK-20.1")
def test_a_curse_behind_the_door_strikes_whoever_opened_it(card: str) -> None:
    state = kicked(card)
    assert asked(state) == {0}
    state = then(state, 0, Pass())
    assert card in (*state.cards_at(DOOR_DISCARD), *state.curses_of(0))
    assert state.moment == "calm"


# ---- levels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "count"), [("curse_level", 1), ("curse_two_levels", 2)])
def test_a_curse_takes_levels(card: str, count: int) -> None:
    events, state = cursed(card)
    assert of(events, LevelsLost) == [LevelsLost(0, count, 4 - count, card)]
    _, state = cursed(card, victim=1)  # on oneself
    assert state.levels == (4, 4 - count, 4)


@pytest.mark.parametrize("card", ["curse_level", "curse_two_levels"])
def test_a_curse_does_not_take_the_first_level(card: str) -> None:
    _, state = cursed(card, levels=(1, 4, 4))
    assert state.levels == (1, 4, 4)


# ---- items -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "taken"),
    [("curse_headgear", "bat_hat"), ("curse_armor", "tinfoil_suit"), ("curse_footgear", "bone_spurs"),
     ("curse_ride_bolts", "bone_spurs")],
)  # fmt: skip
def test_a_curse_takes_what_is_worn_in_a_slot(card: str, taken: str) -> None:
    _, state = cursed(card, items={0: WORN}, carried={0: CARRIED})
    assert set(state.items_of(0)) == {*WORN, *CARRIED} - {taken}


@pytest.mark.parametrize("card", ["curse_headgear", "curse_armor", "curse_footgear", "curse_ride_bolts"])
def test_a_curse_takes_nothing_that_is_only_carried_or_in_the_hand(card: str) -> None:
    _, state = cursed(card, carried={0: WORN}, items={2: CARRIED}, hand=("stilts",))
    assert (state.items_of(0), state.items_of(2), state.cards_in_hand(0)) == (WORN, CARRIED, ("stilts",))
    assert state.levels == (4, 4, 4)


@pytest.mark.card("curse_small_item")
def test_the_hole_in_the_sack_swallows_a_small_item_of_choice() -> None:
    _, state = cursed("curse_small_item", items={0: ("bat_hat",)}, carried={0: ("stilts", "snow_stompers")})
    assert refused(state, 0, ChooseCard("snow_stompers"))[0] == "another_sort_of_item"
    assert set(then(state, 0, ChooseCard("stilts")).items_of(0)) == {"bat_hat", "snow_stompers"}


@pytest.mark.card("curse_small_item")
def test_the_hole_in_the_sack_swallows_nothing_big() -> None:
    _, state = cursed("curse_small_item", items={0: ("snow_stompers",)})
    assert state.items_of(0) == ("snow_stompers",)


@pytest.mark.card("curse_big_item")
def test_the_narrow_chimney_keeps_a_big_item_of_choice() -> None:
    _, state = cursed("curse_big_item", items={0: ("bat_hat", "snow_stompers")}, carried={0: ("confetti_cannon",)},
                      rides={0: ("ride_sleigh",)})  # fmt: skip
    assert refused(state, 0, ChooseCard("bat_hat"))[0] == "another_sort_of_item"
    assert set(then(state, 0, ChooseCard("confetti_cannon")).items_of(0)) == {"bat_hat", "snow_stompers"}


@pytest.mark.card("curse_big_item")
def test_the_narrow_chimney_keeps_nothing_small() -> None:
    _, state = cursed("curse_big_item", items={0: WORN})
    assert state.items_of(0) == WORN


@pytest.mark.card("curse_best_item")
def test_the_recall_takes_the_item_with_the_biggest_bonus() -> None:
    _, state = cursed("curse_best_item", items={0: ("crooked_crown",)}, carried={0: ("carving_fork", "stilts")})
    assert state.items_of(0) == ("crooked_crown", "stilts")  # +4, though the crown is worth more


@pytest.mark.card("curse_best_item")
def test_the_recall_does_not_take_a_lesser_item_or_anything_from_whoever_has_none() -> None:
    _, state = cursed("curse_best_item", items={0: WORN})
    assert refused(state, 0, ChooseCard("stilts"))
    _, state = cursed("curse_best_item", items={0: ("jawbone_mask", "tinfoil_suit")})
    assert state.items_of(0) == ("jawbone_mask",)
    _, state = cursed("curse_best_item", hand=("bat_hat",))
    assert state.cards_in_hand(0) == ("bat_hat",)


@pytest.mark.card("curse_tax")
def test_the_levy_takes_an_item_of_the_victim_and_as_much_of_every_other_player() -> None:
    items = {0: ("bat_hat", "crooked_crown"), 1: ("tinfoil_suit", "bone_spurs"), 2: ("patchwork_coat",)}
    carried = {0: items[0][:1]}
    _, state = cursed("curse_tax", carried=carried, items={0: items[0][1:], 1: items[1], 2: items[2]})
    state = then(state, 0, ChooseCard("bat_hat"))  # 400
    assert asked(state) == {1}
    state = then(state, 1, ChooseCard("bone_spurs"))  # 400
    assert (state.items_of(0), state.items_of(1), state.items_of(2)) == (("crooked_crown",), ("tinfoil_suit",), ())
    assert state.levels == (4, 4, 3)  # 200 are not enough


@pytest.mark.card("curse_tax")
def test_the_levy_takes_nothing_of_anybody_if_the_victim_has_nothing_to_give() -> None:
    _, state = cursed("curse_tax", items={1: WORN})
    assert state.items_of(1) == WORN
    assert state.levels == (4, 4, 4)
    _, state = cursed("curse_tax", items={0: ("lint_slippers",), 1: WORN})
    assert (state.items_of(0), state.items_of(1)) == ((), WORN)


# ---- towns and rides -------------------------------------------------------------------------------------------------


@pytest.mark.card("curse_lose_town")
def test_the_eaten_passport_costs_a_citizenship_of_choice() -> None:
    _, state = cursed("curse_lose_town", towns={0: ("town_easter", "town_halloween", "dual_citizenship")})
    state = then(state, 0, ChooseCard("town_easter"))
    assert state.cards_at(TOWNSHIP[0]) == ("town_halloween", "dual_citizenship")
    _, state = cursed("curse_lose_town", towns={0: ("town_easter", "dual_citizenship")})
    assert (state.cards_at(TOWNSHIP[0]), state.levels[0]) == ((), 4)


@pytest.mark.card("curse_lose_town")
def test_the_eaten_passport_costs_whoever_has_none_a_level_and_not_more() -> None:
    _, state = cursed("curse_lose_town", towns={1: ("town_easter",)})
    assert (state.levels, state.cards_at(TOWNSHIP[1])) == ((3, 4, 4), ("town_easter",))


@pytest.mark.card("curse_swap_town")
def test_the_wrong_tree_leads_to_the_topmost_town_of_the_discards() -> None:
    discards = ("town_christmas", "town_thanksgiving", "marrow_pup")
    _, state = cursed("curse_swap_town", towns={0: ("town_easter",)}, discards=discards)
    assert state.cards_at(TOWNSHIP[0]) == ("town_thanksgiving",)  # the one discarded last (MK-2.5)
    assert sorted(state.cards_at(DOOR_DISCARD)) == ["curse_swap_town", "marrow_pup", "town_christmas", "town_easter"]


@pytest.mark.card("curse_swap_town")
def test_the_wrong_tree_leads_to_nothing_without_a_town_there_and_does_not_touch_the_stateless() -> None:
    _, state = cursed("curse_swap_town", towns={0: ("town_easter",)}, discards=("marrow_pup",))
    assert (state.cards_at(TOWNSHIP[0]), state.levels[0]) == ((), 4)
    _, state = cursed("curse_swap_town", discards=("town_christmas",))
    assert state.cards_at(TOWNSHIP[0]) == ()


@pytest.mark.card("curse_ride_bolts")
def test_the_ride_bolts_with_what_is_attached_and_not_the_footgear() -> None:
    _, state = cursed("curse_ride_bolts", rides={0: ("ride_broom", "renh_bells")}, items={0: WORN})
    assert state.cards_at("ride/0") == ()
    assert state.items_of(0) == WORN


# ---- the hand --------------------------------------------------------------------------------------------------------


@pytest.mark.card("curse_two_cards")
def test_first_the_left_then_the_right_neighbour_takes_a_card() -> None:
    hand = ("bat_hat", "stilts", "bone_spurs")
    _, state = cursed("curse_two_cards", hand=hand)
    _, state = pulled(state, "stilts")
    _, state = pulled(state, "bat_hat")
    assert (state.cards_in_hand(0), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        ("bone_spurs",),
        ("stilts",),
        ("bat_hat",),
    )


@pytest.mark.card("curse_two_cards")
def test_the_neighbours_take_nothing_of_what_lies_in_play() -> None:
    _, state = cursed("curse_two_cards", items={0: WORN})
    assert (state.items_of(0), state.cards_in_hand(1), state.cards_in_hand(2)) == (WORN, (), ())
