"""Selling items for levels."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import DISCARDS
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import Sell
from referee.games.munchkin.rules.items import selling
from tests.games.course import near_misses, of, refused, then, when
from tests.games.munchkin.given import offered, table, with_real_cards
from tests.games.munchkin.test_items import fighting

HAND = ["crooked_crown", "coffin_lid_plate", "os_frog_fizz", "lint_slippers", "ride_broom", "gual_pie"]


@pytest.mark.clause("MK-7.14")
def test_a_level_for_each_full_thousand_from_hand_and_play() -> None:
    state = table(HAND, [], [], items={0: ["overtime_scythe"]}, levels=(3, 1, 1))
    events, after = when(state, 0, Sell(("crooked_crown", "coffin_lid_plate", "overtime_scythe")))  # 600, 700, 800
    assert of(events, LevelsGained) == [LevelsGained(0, 2, 5)]
    assert (after.levels[0], after.cards_in_play_of(0), after.equipped) == (5, (), ())
    assert set(after.cards_at(DISCARDS["treasure"])) == {"crooked_crown", "coffin_lid_plate", "overtime_scythe"}


@pytest.mark.clause("MK-7.14")
def test_less_than_a_thousand_is_no_sale() -> None:
    state = table(HAND, [], [])
    assert refused(state, 0, Sell(("crooked_crown", "os_frog_fizz"))) == ("below_a_thousand", "MK-7.14")
    assert refused(state, 0, Sell(())) == ("below_a_thousand", "MK-7.14")
    assert refused(state, 0, Sell(("crooked_crown", "crooked_crown"))) == ("not_yours_to_sell", "MK-7.14")


@pytest.mark.clause("MK-7.14", "MK-6.3", "MK-9.7")
def test_items_are_sold_on_the_own_turn_in_calm() -> None:
    sale = Sell(("crooked_crown", "coffin_lid_plate"))
    assert refused(table([], HAND, []), 1, sale) == ("on_the_own_turn", "MK-6.3")
    assert refused(fighting(HAND, [], []), 0, sale) == ("not_in_combat", "MK-9.7")
    for stage in ("start", "choice", "after"):
        assert then(table(HAND, [], [], stage=stage), 0, sale).levels[0] == 2


@pytest.mark.clause("MK-7.15")
def test_a_sale_never_gives_level_ten() -> None:
    cards = ("crooked_crown", "coffin_lid_plate", "overtime_scythe")
    state = table(["crooked_crown", "coffin_lid_plate", "overtime_scythe"], [], [], levels=(9, 1, 1))
    assert refused(state, 0, Sell(cards)) == ("nothing_sold_at_nine", "MK-7.15")
    state = table(["crooked_crown", "coffin_lid_plate", "overtime_scythe"], [], [], levels=(8, 1, 1))
    events, _ = when(state, 0, Sell(cards))
    assert of(events, LevelsGained) == [LevelsGained(0, 1, 9)]


@pytest.mark.clause("MK-7.16")
def test_items_without_value_may_be_thrown_in() -> None:
    state = then(table(HAND, [], []), 0, Sell(("crooked_crown", "coffin_lid_plate", "lint_slippers")))
    assert state.levels[0] == 2
    assert "lint_slippers" in state.cards_at(DISCARDS["treasure"])


@pytest.mark.clause("MK-7.17")
def test_one_shots_are_sold_and_rides_citizenships_and_levels_are_not() -> None:
    state = table([*HAND, "town_easter", "os_knucklebone"], [], [], rides={0: ["ride_pram"]})
    assert then(state, 0, Sell(("crooked_crown", "os_frog_fizz", "os_knucklebone"))).levels[0] == 2
    for card in ("ride_broom", "ride_pram", "gual_pie", "town_easter"):
        assert refused(state, 0, Sell(("crooked_crown", "coffin_lid_plate", card))) == ("not_an_item", "MK-7.17")


@pytest.mark.clause("MK-7.12", "MK-7.14")
def test_what_is_attached_to_an_item_goes_with_it() -> None:
    state = table(HAND, [], [], items={0: ["overtime_scythe"]}, attached={"overtime_scythe": "loose_stitches"})
    state = then(state, 0, Sell(("overtime_scythe", "crooked_crown")))
    assert (state.cards_in_play_of(0), state.attached) == ((), {})
    assert state.cards_at(DISCARDS["door"]) == ("loose_stitches",)


def test_the_same_one_shot_is_sold_twice_if_there_are_two() -> None:
    state = table(["os_lucky_wreath"], [], [], carried={0: ["os_lucky_wreath"]})
    assert then(state, 0, Sell(("os_lucky_wreath", "os_lucky_wreath"))).levels[0] == 2


def test_the_cheapest_sale_is_listed_and_the_rest_described() -> None:
    state = table(HAND, [], [], items={0: ["overtime_scythe"]})
    sales = [move for move in offered(state, 0) if isinstance(move, Sell)]
    assert Sell(("crooked_crown", "coffin_lid_plate")) in sales
    described = selling.build_sale_patterns(state, 0)
    assert described[0]["fields"]["cards"]["items"]["enum"] == sorted(
        ["crooked_crown", "coffin_lid_plate", "os_frog_fizz", "lint_slippers", "overtime_scythe"]
    )
    assert selling.build_sale_patterns(state, 1) == ()
    poor = table(["crooked_crown"], [], [])
    assert [move for move in near_misses(poor, 0) if isinstance(move, Sell)] == [Sell(("crooked_crown",))]


@pytest.mark.clause("MK-26.11")
def test_cards_of_a_hand_nobody_has_seen_are_sold_by_name() -> None:
    state = with_real_cards(table(HAND, [], []))
    state = then(state, 0, Sell(("crooked_crown", "coffin_lid_plate")))
    assert (state.levels[0], len(state.cards_in_hand(0))) == (2, 4)
