"""Trades and gifts, and hands that are shown."""

from __future__ import annotations

import pytest

from referee.games.munchkin.events.cards import HandShown, ItemPassed
from referee.games.munchkin.events.course import TradeOfferClosed, TradeOffered
from referee.games.munchkin.moves import DeclineTrade, EndTurn, OfferTrade, ShowHand, TakeTrade, WithdrawTrade
from referee.games.munchkin.rules.items import trading
from referee.games.munchkin.values import Trade
from tests.games.course import of, refused, then, when
from tests.games.munchkin.given import offered, table
from tests.games.munchkin.test_items import fighting

SWAP = OfferTrade(2, ("bat_hat",), ("stilts", "candy_hook"))
PLAY = {1: ["bat_hat"], 2: ["stilts", "candy_hook"]}


@pytest.mark.clause("MK-7.9", "MK-26.1")
def test_items_in_play_change_hands_when_an_offer_is_taken() -> None:
    events, state = when(table([], [], [], items=PLAY), 1, SWAP)
    assert of(events, TradeOffered) == [TradeOffered(Trade(1, 2, ("bat_hat",), ("stilts", "candy_hook")))]
    assert state.cards_in_play_of(1) == ("bat_hat",)
    events, state = when(state, 2, TakeTrade(1))
    assert of(events, TradeOfferClosed) == [TradeOfferClosed(1, "taken")]
    assert len(of(events, ItemPassed)) == 3
    assert (state.cards_in_play_of(1), state.cards_in_play_of(2)) == (("stilts", "candy_hook"), ("bat_hat",))
    assert (state.equipped, state.trades) == ((), ())


@pytest.mark.clause("MK-7.9")
def test_only_items_in_play_are_traded() -> None:
    state = table(["stilts"], ["candy_hook"], [], items={0: ["bat_hat"]}, rides={0: ["ride_broom"]})
    assert refused(state, 0, OfferTrade(1, ("stilts",))) == ("not_an_item_of_theirs", "MK-7.9")
    assert refused(state, 0, OfferTrade(1, ("bat_hat",), ("candy_hook",))) == ("not_an_item_of_theirs", "MK-7.9")
    assert refused(state, 0, OfferTrade(1, ("bat_hat", "bat_hat"))) == ("not_an_item_of_theirs", "MK-7.9")
    assert refused(state, 0, OfferTrade(1, ("ride_broom",))) == ("rides_are_not_traded", "MK-8.6")
    assert refused(state, 0, OfferTrade(0, ("bat_hat",))) == ("not_oneself", "MK-7.9")
    assert refused(state, 0, OfferTrade(3, ("bat_hat",))) == ("no_such_player", "MK-7.9")
    assert refused(state, 0, OfferTrade(1)) == ("nothing_is_traded", "MK-26.1")


@pytest.mark.clause("MK-7.9", "MK-26.1")
def test_a_gift_has_to_be_taken_and_can_be_declined() -> None:
    state = then(table([], [], [], items=PLAY), 1, OfferTrade(0, ("bat_hat",)))
    assert {TakeTrade(1, ("bat_hat",)), DeclineTrade(1)} <= set(offered(state, 0))
    assert not {TakeTrade(1), DeclineTrade(1)} & set(offered(state, 2))
    events, after = when(state, 0, DeclineTrade(1))
    assert (of(events, TradeOfferClosed), after.cards_in_play_of(1)) == (
        [TradeOfferClosed(1, "declined")],
        ("bat_hat",),
    )
    assert then(state, 0, TakeTrade(1)).cards_in_play_of(0) == ("bat_hat",)
    assert refused(state, 2, TakeTrade(1)) == ("no_such_offer", "MK-26.1")
    assert refused(state, 2, DeclineTrade(1)) == ("no_such_offer", "MK-26.1")


@pytest.mark.clause("MK-26.1")
def test_an_offer_is_withdrawn_or_replaced_and_ends_with_the_turn() -> None:
    state = then(table([], [], [], items=PLAY, stage="after"), 1, SWAP)
    assert refused(state, 1, SWAP) == ("offered_already", "MK-26.1")
    assert refused(state, 0, WithdrawTrade()) == ("no_offer_of_yours", "MK-26.1")
    events, after = when(state, 1, WithdrawTrade())
    assert (of(events, TradeOfferClosed), after.trades) == ([TradeOfferClosed(1, "withdrawn")], ())
    after = then(state, 1, OfferTrade(2, ("bat_hat",), ("stilts",)))
    assert after.trades == (Trade(1, 2, ("bat_hat",), ("stilts",)),)
    assert then(state, 0, EndTurn()).trades == ()


@pytest.mark.clause("MK-26.1", "MK-3.7")
def test_an_offer_is_judged_again_when_it_is_taken() -> None:
    state = then(table([], [], [], items=PLAY), 1, SWAP)
    state = then(state, 2, OfferTrade(0, ("stilts",)))
    state = then(state, 0, TakeTrade(2))
    assert refused(state, 2, TakeTrade(1)) == ("not_an_item_of_theirs", "MK-7.9")


@pytest.mark.clause("MK-26.1", "MK-3.7")
def test_an_offer_that_was_replaced_meanwhile_is_not_taken_for_what_it_was() -> None:
    state = then(table([], [], [], items=PLAY), 1, OfferTrade(2, ("bat_hat",)))
    (read,) = [move for move in offered(state, 2) if isinstance(move, TakeTrade)]
    assert read == TakeTrade(1, ("bat_hat",))
    state = then(state, 1, OfferTrade(2, ("bat_hat",), ("stilts", "candy_hook")))
    assert refused(state, 2, read) == ("offer_has_changed", "MK-3.7")
    assert then(state, 2, TakeTrade(1, ("bat_hat",), ("stilts", "candy_hook"))).cards_in_play_of(2) == ("bat_hat",)


@pytest.mark.clause("MK-7.9", "MK-6.2", "MK-9.7")
def test_nobody_in_combat_trades_and_the_others_do() -> None:
    state = fighting([], [], [], items={0: ["crooked_crown"], **PLAY})
    assert refused(state, 0, OfferTrade(1, ("crooked_crown",))) == ("not_in_combat", "MK-7.9")
    assert refused(state, 1, OfferTrade(0, ("bat_hat",))) == ("not_in_combat", "MK-7.9")
    assert then(then(state, 1, SWAP), 2, TakeTrade(1)).cards_in_play_of(2) == ("bat_hat",)


@pytest.mark.clause("MK-7.10")
def test_a_trade_that_gives_too_many_big_items_is_refused() -> None:
    big = {0: ["coffin_lid_plate"], 1: ["snow_stompers"]}
    state = table([], [], [], items=big)
    assert refused(state, 0, OfferTrade(1, ("coffin_lid_plate",))) == ("too_many_big_by_trade", "MK-7.10")
    assert refused(state, 0, OfferTrade(1, (), ("snow_stompers",))) == ("too_many_big_by_trade", "MK-7.10")
    state = then(then(state, 0, OfferTrade(1, ("coffin_lid_plate",), ("snow_stompers",))), 1, TakeTrade(0))
    assert (state.cards_in_play_of(0), state.cards_in_play_of(1)) == (("snow_stompers",), ("coffin_lid_plate",))


@pytest.mark.clause("MK-7.12")
def test_what_is_attached_goes_with_the_item_that_is_given() -> None:
    state = table([], [], [], items={0: ["bat_hat"]}, attached={"bat_hat": "loose_stitches"})
    assert refused(state, 0, OfferTrade(1, ("loose_stitches",))) == ("not_an_item_of_theirs", "MK-7.9")
    state = then(then(state, 0, OfferTrade(1, ("bat_hat",))), 1, TakeTrade(0))
    assert state.cards_in_play_of(1) == ("bat_hat", "loose_stitches")
    assert state.attached == {"bat_hat": "loose_stitches"}


@pytest.mark.clause("MK-19.7")
def test_the_dead_are_given_nothing() -> None:
    state = table([], [], [], items=PLAY, dead=(2,))
    assert refused(state, 1, OfferTrade(2, ("bat_hat",))) == ("is_dead", "MK-19.7")


@pytest.mark.clause("MK-2.2")
def test_a_hand_is_shown_to_one_player() -> None:
    state = table(["bat_hat"], [], [])
    events, after = when(state, 0, ShowHand(2))
    shown = of(events, HandShown)[0]
    assert [shown.view_for(seat).cards for seat in range(3)] == [("bat_hat",), ("?",), ("bat_hat",)]  # type: ignore[attr-defined]
    assert after == state
    assert refused(state, 0, ShowHand(0)) == ("not_oneself", "MK-2.2")
    assert refused(state, 0, ShowHand(7)) == ("no_such_player", "MK-2.2")
    assert refused(state, 1, ShowHand(0)) == ("hand_is_empty", "MK-2.2")


def test_every_trade_is_described_and_a_few_are_listed() -> None:
    state = table([], [], [], carried={0: ["bat_hat", "crooked_crown"], 1: ["stilts"]})
    listed = [move for move in offered(state, 0) if isinstance(move, OfferTrade)]
    assert listed == [OfferTrade(1, ("bat_hat",)), OfferTrade(1, ("bat_hat",), ("stilts",))]
    described = trading.build_trade_patterns(state, 0)
    assert [each["fields"]["seat"] for each in described] == [{"const": 1}, {"const": 2}]
    assert described[0]["fields"]["give"]["items"]["enum"] == ["bat_hat", "crooked_crown"]
    assert described[1]["fields"]["take"] == {"type": "array", "maxItems": 0}
