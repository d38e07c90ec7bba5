"""The four rides and the two ride enhancers: their bonus, what more they give, and when they give nothing."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import RIDES, TREASURE_DISCARD
from referee.games.munchkin.moves import DiscardFromPlay, Equip, KickDoor, OfferTrade, PlayCard, PutIntoPlay, Sell
from tests.games.course import asked, refused, then
from tests.games.munchkin.card_moves import fight, ran, runs_with, strengths
from tests.games.munchkin.given import table

BONUS = (("ride_sleigh", 3), ("ride_hearse_goat", 2), ("ride_pram", 1), ("ride_broom", 1))
ENHANCERS = (("renh_runners", 2), ("renh_bells", 1))
ESCAPES = (("ride_hearse_goat", 1), ("ride_broom", 2), ("renh_bells", 1))


@pytest.mark.parametrize(("card", "bonus"), BONUS)
@pytest.mark.clause("MK-6.1", "MK-8.6")
def test_a_ride_is_put_down_at_any_time_and_counts_at_once(card: str, bonus: int) -> None:
    for seat in (0, 1):
        hands = [(), (), ()]
        hands[seat] = (card,)
        state = then(fight("sally", hands=hands, helper=1), seat, PutIntoPlay(card))
        assert state.ride_of(seat) == card
        assert strengths(state) == (8 + bonus, 8)
    fleeing = then(ran("wolfman", hands=((), (), (card,))), 2, PutIntoPlay(card))
    assert fleeing.ride_of(2) == card


@pytest.mark.parametrize(("card", "bonus"), BONUS)
@pytest.mark.clause("MK-6.3", "MK-7.17", "MK-8.6")
def test_a_ride_is_no_item_and_no_second_one_is_had(card: str, bonus: int) -> None:
    other = "ride_pram" if card != "ride_pram" else "ride_broom"
    state = table((card,), (), (), rides={0: (other, "renh_runners")})
    assert refused(state, 0, PutIntoPlay(card)) == ("one_ride", "MK-8.6")
    assert refused(state, 0, Sell((card, "os_lucky_wreath"))) == ("not_an_item", "MK-7.17")
    assert refused(state, 0, OfferTrade(1, give=(other,)))[0] == "rides_are_not_traded"
    assert refused(state, 0, PlayCard(card)) == ("is_put_into_play", "MK-6.3")
    state = then(state, 0, PutIntoPlay(card, other))
    assert state.cards_at(RIDES[0]) == (card,)
    assert set(state.cards_at(TREASURE_DISCARD)) == {other, "renh_runners"}


@pytest.mark.parametrize(("card", "bonus"), BONUS)
def test_a_ride_adds_nothing_in_the_hand_for_bystanders_or_once_it_is_discarded(card: str, bonus: int) -> None:
    assert strengths(fight("sally", hands=((card,), (), ())))[0] == 4
    assert strengths(fight("sally", rides={1: (card,)}))[0] == 4
    assert strengths(then(fight("sally", rides={0: (card,)}), 0, DiscardFromPlay(card)))[0] == 4


@pytest.mark.parametrize(("card", "bonus"), ENHANCERS)
@pytest.mark.clause("MK-8.8")
def test_a_ride_enhancer_is_attached_in_calm_and_adds_to_the_ride(card: str, bonus: int) -> None:
    state = table((card,), (), (), rides={0: ("ride_pram",)}, doors=("sally",))
    state = then(state, 0, PutIntoPlay(card), KickDoor())
    assert strengths(state)[0] == 1 + 1 + bonus
    gone = then(state, 0, DiscardFromPlay("ride_pram"))
    assert set(gone.cards_at(TREASURE_DISCARD)) == {"ride_pram", card}
    assert strengths(gone)[0] == 1


@pytest.mark.parametrize(("card", "bonus"), ENHANCERS)
@pytest.mark.clause("MK-6.3", "MK-7.6", "MK-8.8")
def test_a_ride_enhancer_is_not_attached_without_a_ride_in_combat_or_on_anothers_turn(card: str, bonus: int) -> None:
    assert refused(table((card,), (), (), rides={1: ("ride_pram",)}), 0, PutIntoPlay(card)) == (
        "no_ride_of_ones_own",
        "MK-8.8",
    )
    state = fight("wolfman", hands=((card,), (), ()), rides={0: ("ride_pram",)})
    assert refused(state, 0, PutIntoPlay(card)) == ("not_in_combat", "MK-9.7")
    state = table((), (card,), (), rides={1: ("ride_pram",)})
    assert refused(state, 1, PutIntoPlay(card)) == ("on_the_own_turn", "MK-6.3")


@pytest.mark.parametrize(("card", "escape"), ESCAPES)
def test_a_ride_helps_to_run_away(card: str, escape: int) -> None:
    rides = {0: ("ride_pram", card)} if card.startswith("renh") else {0: (card,)}
    assert runs_with("wolfman", 5 - escape, rides=rides) == "escaped"
    assert runs_with("wolfman", 4 - escape, rides=rides) == "caught"


@pytest.mark.parametrize("card", ["ride_hearse_goat", "ride_broom", "renh_bells", "ride_pram", "ride_sleigh"])
def test_a_ride_does_not_help_others_to_run_away_and_some_help_nobody(card: str) -> None:
    theirs = {1: ("ride_pram", card)} if card.startswith("renh") else {1: (card,)}
    assert runs_with("wolfman", 4, rides=theirs) == "caught"
    if card in ("ride_pram", "ride_sleigh"):
        assert runs_with("wolfman", 4, rides={0: (card,)}) == "caught"


@pytest.mark.card("ride_sleigh")
def test_the_sleigh_carries_one_big_item_more() -> None:
    state = table(("snow_stompers",), (), (), items={0: ("confetti_cannon",)}, rides={0: ("ride_sleigh",)})
    state = then(state, 0, PutIntoPlay("snow_stompers"))
    assert set(state.used_items(0)) == {"confetti_cannon", "snow_stompers"}


@pytest.mark.card("ride_sleigh")
@pytest.mark.clause("MK-7.7", "MK-7.11")
def test_the_sleigh_does_not_carry_a_third_and_without_it_the_second_has_to_go() -> None:
    big = ("confetti_cannon", "snow_stompers")
    state = table(("coffin_lid_plate",), (), (), items={0: big}, rides={0: ("ride_sleigh",)})
    assert refused(state, 0, PutIntoPlay("coffin_lid_plate")) == ("too_many_big_even_so", "MK-7.7")
    state = then(state, 0, DiscardFromPlay("ride_sleigh"))
    assert asked(state) == {0}
    assert set(state.items_of(0)) == set(big)


@pytest.mark.card("ride_pram")
def test_the_pram_has_a_hand_to_spare() -> None:
    state = table(("rusty_bell",), (), (), items={0: ("grave_spade",)}, rides={0: ("ride_pram",)})
    assert set(then(state, 0, PutIntoPlay("rusty_bell")).used_items(0)) == {"grave_spade", "rusty_bell"}


@pytest.mark.card("ride_pram")
@pytest.mark.clause("MK-7.3", "MK-7.11")
def test_the_pram_has_no_second_hand_to_spare_and_takes_it_along() -> None:
    state = table(("candy_hook",), (), (), items={0: ("grave_spade", "rusty_bell")}, rides={0: ("ride_pram",)})
    state = then(state, 0, PutIntoPlay("candy_hook"))
    assert refused(state, 0, Equip("candy_hook")) == ("hands_are_full", "MK-7.3")
    state = then(state, 0, DiscardFromPlay("ride_pram"))
    assert asked(state) == {0}  # what is used no longer has to be carried instead
