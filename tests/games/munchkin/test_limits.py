"""What is put right at once when a limit shrinks."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.munchkin.components import DISCARDS, TOWNSHIP
from referee.games.munchkin.events.cards import CardsDiscarded, ItemPassed, ItemsUsed
from referee.games.munchkin.moves import DiscardFromPlay, KickDoor, PutIntoPlay, Sell
from referee.games.munchkin.rules import state_based_checks
from referee.games.munchkin.rules.state_based_checks import TooManyBig, TooManyInUse, TooManyTowns
from referee.games.munchkin.state import Table
from tests.games.course import asked, of, refused, settled, then, times_out, when
from tests.games.munchkin.given import offered, table
from tests.games.munchkin.test_items import fighting

THREE_HANDS = {0: ["candy_hook", "rusty_bell", "coffin_nails"]}
TWO_BIG = {0: ["coffin_lid_plate", "snow_stompers"]}


def sleigh(**more: object) -> Table:
    """Seat 0 has two Big items, thanks to a sleigh."""
    return table([], [], [], items=TWO_BIG, rides={0: ["ride_sleigh"]}, **more)  # type: ignore[arg-type]


@pytest.mark.clause("MK-7.11")
def test_whoever_loses_a_hand_chooses_what_is_only_carried_even_in_combat() -> None:
    for state in (
        table([], [], [], items=THREE_HANDS, rides={0: ["ride_pram"]}),
        fighting([], [], [], items=THREE_HANDS, rides={0: ["ride_pram"]}),
    ):
        assert state_based_checks.find_correction_step(state) is None
        after = then(state, 0, DiscardFromPlay("ride_pram"))
        assert after.agenda[-1] == TooManyInUse(0)
        assert refused(after, 0, KickDoor()) == ("limit_first", "MK-7.11")
        assert refused(after, 0, ChooseCard("bat_hat")) == ("one_of_these", "MK-7.11")
        events, after = when(after, 0, ChooseCard("rusty_bell"))
        assert of(events, ItemsUsed) == [ItemsUsed(0, (), ("rusty_bell",))]
        assert after.agenda == state.agenda
        assert after.cards_in_play_of(0) == ("candy_hook", "rusty_bell", "coffin_nails")


@pytest.mark.clause("MK-7.11", "MK-26.2")
def test_nobody_else_plays_while_a_limit_is_put_right() -> None:
    state = then(
        table([], ["ride_broom"], [], items=THREE_HANDS, rides={0: ["ride_pram"]}), 0, DiscardFromPlay("ride_pram")
    )
    assert offered(state, 1) == []
    assert asked(state) == {0}
    assert {move.card for move in offered(state, 0) if isinstance(move, ChooseCard)} == set(THREE_HANDS[0])


@pytest.mark.clause("MK-7.11")
def test_two_items_in_a_slot_come_down_to_one() -> None:
    state = settled(table([], [], [], items={1: ["bat_hat", "crooked_crown"]}))
    assert state.agenda[-1] == TooManyInUse(1)
    assert then(state, 1, ChooseCard("bat_hat")).equipped == ("crooked_crown",)


@pytest.mark.clause("MK-7.11")
def test_a_big_item_too_many_goes_to_the_lowest_who_can_carry_it() -> None:
    state = table([], [], [], [], items=TWO_BIG, rides={0: ["ride_sleigh"]}, levels=(5, 1, 3, 3))
    state = then(state, 0, DiscardFromPlay("ride_sleigh"))
    assert state.agenda[-1] == TooManyBig(0)
    events, after = when(state, 0, ChooseCard("coffin_lid_plate"))
    assert [(event.put, event.seat) for event in of(events, ItemPassed)] == [(("coffin_lid_plate",), 1)]
    assert after.cards_in_play_of(0) == ("snow_stompers",)
    assert "coffin_lid_plate" not in after.equipped
    laden = table(
        [], [], [], [], items={**TWO_BIG, 1: ["confetti_cannon"]}, rides={0: ["ride_sleigh"]}, levels=(5, 1, 3, 3)
    )
    events, _ = when(then(laden, 0, DiscardFromPlay("ride_sleigh")), 0, ChooseCard("coffin_lid_plate"))
    assert [event.seat for event in of(events, ItemPassed)] == [2]


@pytest.mark.clause("MK-7.11")
def test_a_big_item_that_nobody_can_carry_is_discarded() -> None:
    items = {**TWO_BIG, 1: ["confetti_cannon"], 2: ["drumstick_club"]}
    state = then(table([], [], [], items=items, rides={0: ["ride_sleigh"]}), 0, DiscardFromPlay("ride_sleigh"))
    events, state = when(state, 0, ChooseCard("snow_stompers"))
    assert [event.put for event in of(events, CardsDiscarded)] == [("snow_stompers",)]
    assert state.cards_at(DISCARDS["treasure"])[-1] == "snow_stompers"


@pytest.mark.clause("MK-7.11", "MK-7.14")
def test_on_the_own_turn_and_in_calm_a_big_item_too_many_is_sold() -> None:
    state = then(sleigh(), 0, DiscardFromPlay("ride_sleigh"))
    sale = Sell(("coffin_lid_plate", "snow_stompers"))
    assert sale in offered(state, 0)
    after = then(state, 0, sale)
    assert (after.levels[0], after.cards_in_play_of(0)) == (2, ())
    assert refused(state, 0, Sell(("coffin_lid_plate",))) == ("below_a_thousand", "MK-7.14")


@pytest.mark.clause("MK-7.11")
def test_in_combat_or_on_another_turn_a_big_item_too_many_is_not_sold() -> None:
    sale = Sell(("coffin_lid_plate", "snow_stompers"))
    fight = then(fighting([], [], [], items=TWO_BIG, rides={0: ["ride_sleigh"]}), 0, DiscardFromPlay("ride_sleigh"))
    assert refused(fight, 0, sale) == ("only_in_calm", "MK-7.11")
    away = then(sleigh(turn=1), 0, DiscardFromPlay("ride_sleigh"))
    assert refused(away, 0, sale) == ("only_in_calm", "MK-7.11")
    assert not [move for move in offered(away, 0) if isinstance(move, Sell)]


@pytest.mark.clause("MK-23.2", "MK-7.11")
def test_who_is_late_parts_with_the_cheapest_big_item() -> None:
    state = then(sleigh(rules={"turn_timeout_ms": 1000}), 0, DiscardFromPlay("ride_sleigh"))
    events, _ = times_out(state)
    assert of(events, ItemPassed)[0].put == ("snow_stompers",)


@pytest.mark.clause("MK-7.11", "MK-7.7")
def test_a_stitched_big_item_counts_against_no_limit() -> None:
    state = table([], [], [], items=TWO_BIG, attached={"snow_stompers": "loose_stitches"})
    assert state_based_checks.find_correction_step(state) is None


@pytest.mark.clause("MK-4.6")
def test_dual_citizenship_goes_when_no_citizenship_is_left() -> None:
    state = table([], [], [], towns={0: ["town_easter", "dual_citizenship"]})
    events, state = when(state, 0, DiscardFromPlay("town_easter"))
    assert [event.put for event in of(events, CardsDiscarded)] == [("town_easter",), ("dual_citizenship",)]
    assert state.cards_at(TOWNSHIP[0]) == ()
    two = table([], [], [], towns={0: ["town_easter", "town_halloween", "dual_citizenship"]})
    assert then(two, 0, DiscardFromPlay("town_easter")).cards_at(TOWNSHIP[0]) == ("town_halloween", "dual_citizenship")


@pytest.mark.clause("MK-4.5")
def test_two_towns_without_dual_citizenship_come_down_to_one() -> None:
    state = settled(table([], [], [], towns={2: ["town_easter", "town_halloween"]}))
    assert state.agenda[-1] == TooManyTowns(2)
    assert then(state, 2, ChooseCard("town_easter")).towns_of(2) == ("town_halloween",)


@pytest.mark.clause("MK-7.11", "MK-8.6")
def test_a_new_ride_that_carries_less_sets_the_limit_at_once() -> None:
    state = table(["ride_broom"], [], [], items=TWO_BIG, rides={0: ["ride_sleigh"]})
    assert then(state, 0, PutIntoPlay("ride_broom", "ride_sleigh")).agenda[-1] == TooManyBig(0)
