"""Deals: what main may promise a helper, and how the referee carries it out after the kill."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.munchkin.components import BOOK, PLAYS, TREASURE_DISCARD, WON
from referee.games.munchkin.events.cards import CardPlayed, ItemPassed, TreasurePicked, TreasureTurnedUp
from referee.games.munchkin.events.combat import CombatEnded, HelperJoined, PromiseLapsed
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    CounterOffer,
    DeclineHelp,
    Equip,
    OfferTrade,
    PickTreasure,
    PlayCard,
    RunAway,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import Deal
from tests.games.course import asked, of, then, times_out, when
from tests.games.munchkin.combats import cursed, fighting, refused, seen, when_all, won
from tests.games.munchkin.given import offered

DEAL = BOOK.render_texts("pattern.deal")
FIVE = ("bat_hat", "stilts", "gual_pie", "gual_coin", "os_fruitcake")


def agreed(
    *hands: tuple[str, ...], foes: tuple[str, ...] = ("skeleton_choir",), how: dict[str, Any], **deal: Any
) -> Table:
    """Seat 1 helps seat 0 on these terms."""
    state = fighting(*(hands or ((), (), ())), foes=foes, **{"levels": (5, 5, 1), "treasures": FIVE, **how})
    return when_all(state, (0, AskHelp(seat=1, **deal)), (1, AcceptHelp()))[1]


# ---- MK-13.5, MK-13.6: what may be promised -------------------------------------------------------------------------


@pytest.mark.clause("MK-13.5")
def test_main_offers_items_in_play_but_nobody_elses_and_none_twice() -> None:
    state = fighting((), (), (), foes=("sally",), items={0: ("chained_lantern",), 1: ("rusty_bell",)})
    assert refused(state, 0, AskHelp(seat=1, items=("rusty_bell",))) == ("not_an_item_of_theirs", "MK-13.5")
    twice = AskHelp(seat=1, items=("chained_lantern", "chained_lantern"))
    assert refused(state, 0, twice) == ("not_an_item_of_theirs", "MK-13.5")
    assert then(state, 0, AskHelp(seat=1, items=("chained_lantern",))).running_combat.offer == Deal(
        items=("chained_lantern",)
    )


@pytest.mark.clause("MK-13.5")
def test_main_offers_to_play_cards_on_the_helper_that_are_in_the_hand() -> None:
    state = fighting(("gual_pie", "gual_whine", "enh_pint"), (), (), foes=("sally",))
    assert refused(state, 0, AskHelp(seat=1, plays=("gual_coin",))) == ("not_in_the_hand", "MK-13.5")
    for card in ("gual_whine", "enh_pint", "no_such"):
        assert refused(state, 0, AskHelp(seat=1, plays=(card,))) == ("cannot_be_promised", "MK-13.5")
    twice = AskHelp(seat=1, plays=("gual_pie", "gual_pie"))
    assert refused(state, 0, twice) == ("cannot_be_promised", "MK-13.5")
    assert then(state, 0, AskHelp(seat=1, plays=("gual_pie",))).running_combat.offer == Deal(plays=("gual_pie",))


@pytest.mark.clause("MK-13.5", "MK-23.1")
def test_a_counter_offer_names_no_card_of_mains_hand_that_main_has_not_named() -> None:
    state = then(fighting(("gual_pie", "gual_coin"), (), (), foes=("sally",)), 0, AskHelp(seat=1, plays=("gual_pie",)))
    for card in ("gual_coin", "gual_moonrise"):  # held or not: the answer is the same
        assert refused(state, 1, CounterOffer(plays=(card,))) == ("not_your_cards", "MK-13.5")
    assert asked(then(state, 1, CounterOffer(plays=("gual_pie",), treasures=1))) == {0}


@pytest.mark.clause("MK-13.6")
@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"treasures": -1}, "no_such_number_of_treasures"),
        ({"treasures": 41}, "no_such_number_of_treasures"),
        ({"treasures": 1, "all_of_them": True}, "no_such_number_of_treasures"),
        ({"picks": ("helper",), "all_of_them": True}, "no_such_number_of_treasures"),
        ({"picks": ("seat 1",), "treasures": 1}, "main_or_helper_picks"),
        ({"picks": ("helper",)}, "picks_and_treasures"),
        ({"picks": ("main",), "treasures": 1}, "picks_and_treasures"),
        ({"note": "x" * 201}, "note_too_long"),
    ],
    ids=str,
)
def test_terms_that_contradict_themselves_are_refused(terms: dict[str, Any], reason: str) -> None:
    state = fighting((), (), (), foes=("sally",))
    assert refused(state, 0, AskHelp(seat=1, **terms)) == (reason, "MK-13.6")


@pytest.mark.clause("MK-13.6")
def test_a_deal_is_replaced_by_another_that_both_accept_while_the_combat_is_open() -> None:
    state = agreed(how={}, treasures=1)
    assert refused(state, 0, AskHelp(seat=1, treasures=1)) == ("same_terms", "MK-13.6")
    state = then(state, 0, AskHelp(seat=1, all_of_them=True))
    assert state.running_combat.deal == Deal(treasures=1)  # until it is accepted
    events, state = when(state, 1, AcceptHelp())
    assert of(events, HelperJoined) == [HelperJoined(1, Deal(all_of_them=True))]
    assert state.running_combat.deal == Deal(all_of_them=True)


@pytest.mark.clause("MK-13.6", "MK-13.2")
def test_new_terms_that_the_helper_declines_leave_the_old_deal() -> None:
    state = agreed(how={}, treasures=1)
    state = when_all(state, (0, AskHelp(seat=1)), (1, DeclineHelp()))[1]
    assert state.running_combat.deal == Deal(treasures=1)
    assert state.running_combat.helper == 1


@pytest.mark.clause("MK-13.5", "MK-3.7")
def test_terms_are_judged_again_when_they_are_accepted() -> None:
    hands = ((), (), ("curse_small_item",))
    state = fighting(*hands, foes=("sally",), items={0: ("chained_lantern",)})
    state = then(state, 0, AskHelp(seat=1, items=("chained_lantern",)))
    _, state = cursed(state, 2, "curse_small_item", 0)
    assert refused(state, 1, AcceptHelp()) == ("not_an_item_of_theirs", "MK-13.5")
    assert asked(then(state, 1, CounterOffer())) == {0}


@pytest.mark.clause("MK-13.5", "MK-13.6")
def test_the_deals_that_may_be_named_are_described_and_none_where_none_may() -> None:
    def described(state: Table, seat: int) -> list[str]:
        seen = build_view(state, Seat(seat))
        return [each["type"] for each in seen.agenda[-1].move_patterns(seen, Seat(seat)) if each["says"] == DEAL]

    state = fighting(("gual_pie", "drafted"), (), (), foes=("sally",), items={0: ("chained_lantern",)})
    (pattern,) = (each for each in state.agenda[-1].move_patterns(state, Seat(0)) if each["says"] == DEAL)
    assert pattern["fields"]["seat"] == {"enum": [1, 2]}
    assert pattern["fields"]["items"]["items"] == {"enum": ["chained_lantern"]}
    assert pattern["fields"]["plays"]["items"] == {"enum": ["gual_pie"]}
    asking = then(state, 0, AskHelp(seat=1))
    assert [described(asking, seat) for seat in range(3)] == [[], [CounterOffer.TAG], []]
    declined = when_all(asking, (1, DeclineHelp()), (0, AskHelp(seat=2)), (2, DeclineHelp()))[1]
    assert described(declined, 0) == []
    assert described(then(state, 0, PlayCard("drafted", seat=1)), 0) == []
    assert described(fighting((), (), (), foes=("pit_choirmaster",)), 0) == []


# ---- MK-13.7, MK-13.8, MK-16.4: the treasures -----------------------------------------------------------------------


@pytest.mark.clause("MK-16.3", "MK-16.4")
def test_with_a_helper_the_treasures_are_turned_up_for_all_to_see() -> None:
    events, state = won(agreed(how={}, treasures=1))
    assert [event.put for event in of(events, TreasureTurnedUp)] == [("bat_hat",), ("stilts",)]
    told = of(seen(events, 2), TreasureTurnedUp)
    assert [event.put for event in told] == [("bat_hat",), ("stilts",)]
    assert state.cards_at(WON) == ("bat_hat", "stilts")
    assert asked(state) == {0}


@pytest.mark.clause("MK-16.4")
def test_without_a_word_of_treasures_all_are_mains() -> None:
    events, state = won(agreed(how={}))
    assert [event.seat for event in of(events, TreasurePicked)] == [0, 0]
    assert state.cards_in_hand(0) == ("bat_hat", "stilts")
    assert of(events, CombatEnded) == [CombatEnded("killed")]


@pytest.mark.clause("MK-16.4", "MK-13.7")
def test_all_of_the_treasures_go_to_a_helper_who_was_promised_them() -> None:
    _, state = won(agreed(how={}, all_of_them=True))
    assert state.cards_in_hand(1) == ("bat_hat", "stilts")
    assert state.cards_in_hand(0) == ()


@pytest.mark.clause("MK-13.7", "MK-16.4")
def test_the_picks_are_made_in_the_agreed_order() -> None:
    _, state = won(agreed(how={}, treasures=1, picks=("helper",)))
    assert asked(state) == {1}
    assert refused(state, 1, PickTreasure("gual_pie")) == ("not_among_these", "MK-16.4")
    assert refused(state, 1, PlayCard("gual_pie", seat=1)) == ("not_in_the_hand", "MK-2.3")
    assert offered(state, 1) == [PickTreasure("bat_hat"), PickTreasure("stilts")]
    events, state = when(state, 1, PickTreasure("stilts"))
    assert [(event.seat, event.put) for event in of(events, TreasurePicked)] == [(1, ("stilts",)), (0, ("bat_hat",))]
    assert state.combat is None


@pytest.mark.clause("MK-13.7")
def test_main_and_helper_pick_by_turns_as_they_agreed() -> None:
    deal = {"treasures": 2, "picks": ("helper", "main", "helper")}
    state = agreed(foes=("skeleton_choir", "puddle_bat", "coal_imp"), how={"levels": (5, 5, 1)}, **deal)
    _, state = won(state)
    order = []
    while state.combat is not None:
        (seat,) = asked(state)
        order.append(seat)
        state = then(state, seat, PickTreasure(state.cards_at(WON)[0]))
    assert order == [1, 0, 1]
    assert [len(state.cards_in_hand(seat)) for seat in (0, 1)] == [2, 2]  # what is not named goes to main


@pytest.mark.clause("MK-13.8")
def test_of_fewer_treasures_than_promised_the_first_picks_are_made() -> None:
    deal = {"treasures": 2, "picks": ("main", "helper", "main", "helper")}
    _, state = won(agreed(how={}, **deal))
    assert asked(state) == {0}
    state = then(state, 0, PickTreasure("stilts"))
    assert [state.cards_in_hand(seat) for seat in (0, 1)] == [("stilts",), ("bat_hat",)]


@pytest.mark.clause("MK-13.8")
def test_of_more_treasures_than_named_the_rest_is_mains() -> None:
    state = agreed((), (), ("enh_towering",), how={"levels": (8, 9, 1)}, treasures=1, picks=("helper",))
    state = then(state, 2, PlayCard("enh_towering", monster="skeleton_choir"))
    _, state = won(state)
    assert len(state.cards_at(WON)) == 4
    state = then(state, 1, PickTreasure("gual_pie"))
    assert state.cards_in_hand(1) == ("gual_pie",)
    assert sorted(state.cards_in_hand(0)) == ["bat_hat", "gual_coin", "stilts"]


@pytest.mark.clause("MK-13.8")
def test_more_treasures_promised_than_there_are_make_all_of_them_the_helpers() -> None:
    _, state = won(agreed(how={}, treasures=9))
    assert state.cards_in_hand(1) == ("bat_hat", "stilts")


@pytest.mark.clause("MK-23.2", "MK-16.4")
def test_who_does_not_pick_in_time_gets_one_all_the_same() -> None:
    _, state = won(agreed(how={"rules": {"turn_timeout_ms": 60_000}}, treasures=1, picks=("helper",)))
    events, state = times_out(state)
    assert [event.seat for event in of(events, TreasurePicked)] == [1, 0]
    assert state.combat is None


@pytest.mark.clause("MK-26.4", "MK-16.4")
def test_nobody_is_asked_to_pick_among_equal_treasures_or_a_last_one() -> None:
    how = {"treasures": ("os_lucky_wreath", "os_lucky_wreath")}
    events, state = won(agreed(how=how, treasures=1))
    assert [event.seat for event in of(events, TreasurePicked)] == [0, 1]
    assert state.combat is None


# ---- MK-13.7: items, plays, notes -----------------------------------------------------------------------------------


@pytest.mark.clause("MK-13.7", "MK-13.5")
def test_items_change_hands_after_the_win_and_not_before() -> None:
    state = agreed(how={"items": {0: ("chained_lantern",)}}, items=("chained_lantern",))
    assert state.cards_in_play_of(0) == ("chained_lantern",)
    events, state = won(state)
    assert [(event.by, event.seat) for event in of(events, ItemPassed)] == [(0, 1)]
    assert state.cards_in_play_of(1) == ("chained_lantern",)
    assert Equip("chained_lantern") in offered(state, 1)


@pytest.mark.clause("MK-13.7")
def test_an_item_that_is_gone_by_the_win_is_a_promise_that_lapses() -> None:
    how = {"items": {0: ("chained_lantern",)}}
    state = agreed((), (), ("curse_small_item",), how=how, items=("chained_lantern",))
    _, state = cursed(state, 2, "curse_small_item", 0)
    events, state = won(state)
    assert of(events, PromiseLapsed) == [PromiseLapsed(0, 1, "chained_lantern")]
    assert not of(events, ItemPassed)
    assert state.combat is None


@pytest.mark.clause("MK-13.7", "MK-7.10")
def test_a_big_item_that_the_helper_cannot_carry_stays_with_main() -> None:
    how = {"items": {0: ("confetti_cannon",), 1: ("snow_stompers",)}}
    events, state = won(agreed(how=how, items=("confetti_cannon",)))
    assert of(events, PromiseLapsed) == [PromiseLapsed(0, 1, "confetti_cannon")]
    assert state.cards_in_play_of(0) == ("confetti_cannon",)


@pytest.mark.clause("MK-13.7", "MK-7.12")
def test_what_lies_on_a_promised_item_goes_with_it() -> None:
    how = {"items": {0: ("chained_lantern",)}, "attached": {"chained_lantern": "loose_stitches"}}
    _, state = won(agreed(how=how, items=("chained_lantern",)))
    assert state.cards_at(PLAYS[1]) == ("chained_lantern", "loose_stitches")
    assert state.attached == {"chained_lantern": "loose_stitches"}


@pytest.mark.clause("MK-13.7", "MK-13.5")
def test_promised_cards_are_played_on_the_helper() -> None:
    events, state = won(agreed(("gual_scream",), (), (), how={}, plays=("gual_scream",)))
    assert [(event.card, event.whom) for event in of(events, CardPlayed)] == [("gual_scream", 1)]
    assert [(event.seat, event.level) for event in of(events, LevelsGained)] == [(0, 6), (1, 6)]
    assert state.cards_at(TREASURE_DISCARD) == ("gual_scream",)
    assert state.combat is None


@pytest.mark.clause("MK-13.7", "MK-4.2")
def test_a_promised_card_that_is_no_longer_legal_or_no_longer_there_is_not_played() -> None:
    state = agreed(("gual_scream",), (), (), how={"levels": (2, 9, 1)}, plays=("gual_scream",))
    events, after = won(state)
    assert of(events, PromiseLapsed) == [PromiseLapsed(0, 1, "gual_scream")]
    assert after.cards_in_hand(0)[0] == "gual_scream"
    state = then(agreed(("gual_scream",), (), (), how={}, plays=("gual_scream",)), 0, PlayCard("gual_scream", seat=0))
    events, after = won(state)
    assert of(events, PromiseLapsed) == [PromiseLapsed(0, 1, "gual_scream")]
    assert after.levels[1] == 5


@pytest.mark.clause("MK-13.7")
def test_a_note_binds_nobody() -> None:
    events, state = won(agreed(how={}, note="and your next treasure"))
    assert not of(events, PromiseLapsed)
    assert state.cards_in_hand(1) == ()


@pytest.mark.clause("MK-13.7", "MK-17.1")
def test_a_deal_gives_nothing_to_a_helper_who_has_to_run() -> None:
    how = {"items": {0: ("chained_lantern",)}, "levels": (1, 1, 1)}
    state = then(agreed(how=how, items=("chained_lantern",)), 0, RunAway())
    assert state.running_combat.to_flee == ("0/skeleton_choir", "1/skeleton_choir")
    assert state.cards_in_play_of(0) == ("chained_lantern",)


@pytest.mark.clause("MK-7.9", "MK-9.7")
def test_what_is_promised_cannot_be_traded_away_during_the_combat() -> None:
    state = agreed(how={"items": {0: ("chained_lantern",)}}, items=("chained_lantern",))
    assert refused(state, 0, OfferTrade(2, give=("chained_lantern",)))[0] == "not_in_combat"
