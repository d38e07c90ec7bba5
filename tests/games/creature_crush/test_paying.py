"""Paying with start dice (CC-PAY-1 to CC-PAY-4, CC-GLOSS-8)."""

from __future__ import annotations

import pytest

from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.course import DiceBurned
from referee.games.creature_crush.moves import Attack, Summon
from referee.games.creature_crush.rules.actions.paying import burn_dice, list_burns, list_payments
from tests.games.course import of, refusal, refused, then, when
from tests.games.creature_crush.table import table


@pytest.mark.clause("CC-PAY-1", "CC-PAY-3")
def test_a_two_a_four_and_a_five_pay_just_the_costs_of_the_example() -> None:
    assert [cost for cost in range(1, 19) if list_payments((2, 4, 5), cost)] == [2, 4, 5, 6, 7, 9, 11]


@pytest.mark.clause("CC-PAY-4")
def test_six_is_paid_by_a_six_or_by_two_and_four_added() -> None:
    assert list_payments((2, 4, 6), 6) == ((6,), (2, 4))


@pytest.mark.clause("CC-PAY-1")
def test_equal_dice_pay_in_one_way_only() -> None:
    assert list_payments((3, 3, 3), 6) == ((3, 3),)


@pytest.mark.parametrize("move", [Summon("ember_fox", "B1", ()), Attack("ember_fox", (), "clay_guard")])
def test_a_play_for_no_die_says_that_no_die_is_burned(move: Summon | Attack) -> None:
    told = GAME.narration.describe_event(move)
    assert told is not None
    assert "burn no die." in told["en"]
    assert "keinen Würfel verbrennen." in told["de"]


@pytest.mark.clause("CC-PAY-1")
def test_no_die_pays_nothing() -> None:
    assert list_payments((), 3) == ()
    assert list_payments((1, 2), 4) == ()


@pytest.mark.clause("CC-CRUSH-1")
def test_dice_are_burned_whatever_their_pips_each_different_choice_once() -> None:
    assert list_burns((1, 1, 6), 2) == ((1, 1), (1, 6))
    assert list_burns((1, 1, 6), 0) == ((),)
    assert list_burns((1,), 2) == ()


@pytest.mark.clause("CC-PAY-1")
def test_more_pips_than_the_cost_do_not_pay() -> None:
    given = table(dice=(4, 6), hands=(("ember_fox",), ()))
    ruling = refusal(given, 0, Summon("ember_fox", "B1", (4,)))
    assert (ruling.reason, ruling.params) == ("pips_do_not_match", {"pips": 4, "cost": 3})


@pytest.mark.clause("CC-PAY-2", "CC-GLOSS-8")
def test_dice_that_have_paid_are_burned_and_pay_no_second_time() -> None:
    given = table(dice=(1, 2, 3), hands=(("ember_fox", "hex_toad"), ()))
    events, after = when(given, 0, Summon("ember_fox", "B1", (1, 2)))
    assert of(events, DiceBurned) == [DiceBurned(0, (1, 2))]
    assert (after.dice, after.burned) == ((3,), 2)
    assert refused(after, 0, Summon("hex_toad", "B2", (1, 2))) == ("no_such_die", "CC-PAY-2")


@pytest.mark.clause("CC-PAY-2")
def test_one_die_does_not_pay_as_two() -> None:
    given = table(dice=(2, 5), hands=(("web_weaver",), ()))
    assert refused(given, 0, Summon("web_weaver", "B1", (2, 2))) == ("no_such_die", "CC-PAY-2")


@pytest.mark.clause("CC-PAY-3", "CC-COMBAT-1")
def test_three_dice_pay_up_to_three_low_costs() -> None:
    given = table({"A1": "ember_fox"}, dice=(1, 3, 2), hands=(("moss_tick", "thornback"), ()))
    after = then(given, 0, Summon("moss_tick", "B1", (1,)), Attack("ember_fox", (3,)), Summon("thornback", "B2", (2,)))
    assert after.dice == ()
    assert set(after.list_creatures(0)) == {"ember_fox", "moss_tick", "thornback"}


@pytest.mark.clause("CC-PAY-1")
def test_the_order_in_which_dice_are_named_means_nothing() -> None:
    after = then(table(dice=(1, 2), hands=(("ember_fox",), ())), 0, Summon("ember_fox", "B1", (2, 1)))
    assert after.card_at("B1/0") == "ember_fox"
    assert burn_dice(0, (2, 1)) == DiceBurned(0, (1, 2))
