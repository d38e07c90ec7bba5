"""Charity: how many cards go, to whom, and who sees which."""

from __future__ import annotations

import pytest

from referee.engine.chance import PickResult
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK
from referee.games.munchkin.components import DISCARDS
from referee.games.munchkin.events.cards import CardsDiscarded, GivenInCharity
from referee.games.munchkin.moves import EndTurn, GiveToCharity, KickDoor, PutIntoPlay
from referee.games.munchkin.rules.drawing import HandNaming
from referee.games.munchkin.state import Table
from tests.games.course import of, refused, then, times_out, when
from tests.games.munchkin.given import offered, table, with_real_cards

EIGHT = ("bat_hat", "stilts", "candy_hook", "rusty_bell", "enh_old", "enh_hungry", "marrow_pup", "coal_imp")


def over(levels: tuple[int, ...] = (4, 2, 2, 6), **more: object) -> Table:
    """Seat 0 holds eight cards, and it is time for charity (worked example 6)."""
    hands = (EIGHT, *((),) * (len(levels) - 1))
    return table(*hands, levels=levels, stage="after", **more)  # type: ignore[arg-type]


@pytest.mark.clause("MK-21.1")
def test_nobody_ends_a_turn_with_more_than_five_cards() -> None:
    assert refused(over(), 0, EndTurn()) == ("too_many_in_hand", "MK-21.1")
    assert EndTurn() in offered(table(EIGHT[:5], [], [], stage="after"), 0)


@pytest.mark.clause("MK-21.3")
def test_who_is_on_the_lowest_level_is_not_sent_to_charity() -> None:
    assert refused(over(levels=(2, 2, 4, 6)), 0, EndTurn()) == ("discard_the_excess", "MK-21.1")


@pytest.mark.clause("MK-21.1")
def test_putting_items_down_brings_a_hand_to_the_limit() -> None:
    state = then(over(), 0, PutIntoPlay("bat_hat"), PutIntoPlay("stilts"), PutIntoPlay("candy_hook"))
    assert then(state, 0, EndTurn()).turn == 1


@pytest.mark.clause("MK-21.1", "MK-4.9")
def test_the_limit_is_six_in_thanksgiving_town_and_higher_with_a_badge() -> None:
    hand = EIGHT[:6]
    assert EndTurn() not in offered(table(hand, [], [], stage="after"), 0)
    assert EndTurn() in offered(table(hand, [], [], stage="after", towns={0: ["town_thanksgiving"]}), 0)
    badge = table(EIGHT[:7], [], [], stage="after", towns={0: ["town_thanksgiving"]}, items={0: ["mayors_badge"]})
    assert EndTurn() in offered(badge, 0)


@pytest.mark.clause("MK-21.2")
def test_the_excess_goes_to_the_lowest_who_share_as_evenly_as_possible() -> None:
    events, state = when(over(), 0, GiveToCharity(("bat_hat", "stilts", "enh_old"), (1, 2, 1)))
    assert [(event.put, event.seat) for event in of(events, GivenInCharity)] == [
        (("bat_hat",), 1),
        (("stilts",), 2),
        (("enh_old",), 1),
    ]
    assert (len(state.cards_in_hand(0)), state.cards_in_hand(1), state.cards_in_hand(2)) == (
        5,
        ("bat_hat", "enh_old"),
        ("stilts",),
    )
    assert state.turn == 1


@pytest.mark.clause("MK-21.2")
def test_the_giver_chooses_who_gets_the_odd_ones() -> None:
    cards = ("bat_hat", "stilts", "enh_old")
    for to in ((1, 2, 1), (2, 1, 2), (1, 1, 2)):
        assert then(over(), 0, GiveToCharity(cards, to)).turn == 1
    assert refused(over(), 0, GiveToCharity(cards, (1, 1, 1))) == ("share_evenly", "MK-21.2")
    assert refused(over(), 0, GiveToCharity(cards, (1, 2, 3))) == ("not_the_lowest", "MK-21.2")
    assert refused(over(), 0, GiveToCharity(cards)) == ("say_who_gets_each", "MK-21.2")


@pytest.mark.clause("MK-21.2")
def test_the_dead_get_nothing() -> None:
    events, _ = when(over((4, 2, 3, 6), dead=(1,)), 0, GiveToCharity(("bat_hat", "stilts", "enh_old"), (2, 2, 2)))
    assert {event.seat for event in of(events, GivenInCharity)} == {2}
    gift = GiveToCharity(("bat_hat", "stilts", "enh_old"), (1, 1, 1))
    assert refused(over((4, 2, 3, 6), dead=(1,)), 0, gift) == ("not_the_lowest", "MK-21.2")


@pytest.mark.clause("MK-21.1")
def test_just_the_excess_is_given() -> None:
    assert refused(over(), 0, GiveToCharity(("bat_hat", "stilts"), (1, 2))) == ("give_just_the_excess", "MK-21.1")
    few = table(EIGHT[:5], [], [], levels=(2, 1, 1), stage="after")
    assert refused(few, 0, GiveToCharity(("bat_hat",), (1,))) == ("nothing_to_give", "MK-21.1")
    assert refused(over(), 0, GiveToCharity(("bat_hat", "bat_hat", "stilts"), (1, 2, 1))) == (
        "not_in_the_hand",
        "MK-21.2",
    )


@pytest.mark.clause("MK-21.3")
def test_who_is_lowest_or_tied_discards_the_excess() -> None:
    for levels in ((1, 2, 3), (2, 2, 3)):
        state = over(levels)
        assert refused(state, 0, GiveToCharity(("bat_hat", "stilts", "enh_old"), (1, 1, 1))) == (
            "lowest_discards",
            "MK-21.3",
        )
        events, state = when(state, 0, GiveToCharity(("bat_hat", "stilts", "enh_old")))
        assert [event.put for event in of(events, CardsDiscarded)] == [("enh_old",), ("bat_hat", "stilts")]
        assert state.cards_at(DISCARDS["treasure"]) == ("bat_hat", "stilts")


@pytest.mark.clause("MK-21.4")
def test_others_may_hold_any_number() -> None:
    state = table([], EIGHT, [], stage="after")
    assert then(state, 0, EndTurn()).cards_in_hand(1) == EIGHT


@pytest.mark.clause("MK-21.5")
def test_others_see_only_how_many_are_given() -> None:
    move = GiveToCharity(("bat_hat", "stilts", "enh_old"), (1, 2, 1))
    events, _ = when(over(), 0, move)
    first = of(events, GivenInCharity)[0]
    assert first.view_for(0).took == ("bat_hat",)  # type: ignore[attr-defined]
    assert [first.view_for(seat).put for seat in (1, 2, 3)] == [("bat_hat",), ("?",), ("?",)]  # type: ignore[attr-defined]
    assert [first.view_for(seat).took for seat in (2, 3)] == [("?",), ("?",)]  # type: ignore[attr-defined]
    assert move.view_for(3, by=0) == GiveToCharity(("?", "?", "?"), (1, 2, 1))


@pytest.mark.clause("MK-6.6")
def test_what_is_given_may_be_put_down_until_the_next_door() -> None:
    state = then(
        over((4, 2, 2, 6), doors=["enh_towering"]), 0, GiveToCharity(("bat_hat", "stilts", "enh_old"), (2, 1, 1))
    )
    assert state.turn == 1
    assert then(state, 2, PutIntoPlay("bat_hat")).cards_in_play_of(2) == ("bat_hat",)
    assert refused(then(state, 1, KickDoor()), 2, PutIntoPlay("bat_hat")) == ("on_the_own_turn", "MK-6.3")


@pytest.mark.clause("MK-21.2", "MK-26.11")
def test_at_a_real_table_cards_are_given_as_backs() -> None:
    state = with_real_cards(over(), 2)
    assert refused(state, 0, GiveToCharity(("?", "?", "?x"), (1, 2, 1))) == ("no_such_card", "MK-21.2")
    state = then(state, 0, GiveToCharity(("?", "?", "?"), (1, 2, 1)))
    assert state.cards_in_hand(1) == ("?", "?")
    assert state.agenda[-1] == HandNaming(2, 1)
    state = then(state, CHANCE, PickResult(("stilts",)))
    assert state.cards_in_hand(2) == ("stilts",)
    assert refused(over(), 0, GiveToCharity(("?", "?", "?"), (1, 2, 1))) == ("name_what_is_given", "MK-21.2")


@pytest.mark.clause("MK-21.3", "MK-26.11")
def test_at_a_real_table_what_is_discarded_is_named() -> None:
    state = with_real_cards(over((1, 2, 3), rules={"turn_timeout_ms": 1000}))
    assert refused(state, 0, GiveToCharity(("?", "?", "?"))) == ("name_what_is_discarded", "MK-21.3")
    assert CLOCK not in seats_that_must_act(state)
    state = then(state, 0, GiveToCharity(("bat_hat", "stilts", "enh_old")))
    assert state.cards_at(DISCARDS["treasure"]) == ("bat_hat", "stilts")
    assert state.cards_in_hand(0) == ("?",) * 5


@pytest.mark.clause("MK-23.2")
def test_who_is_late_gives_the_cheapest_cards() -> None:
    events, state = times_out(over(rules={"turn_timeout_ms": 1000}))
    assert [(event.put[0], event.seat) for event in of(events, GivenInCharity)] == [
        ("coal_imp", 1), ("enh_hungry", 2), ("enh_old", 1),
    ]  # fmt: skip
    assert state.turn == 1


def test_ways_to_give_are_listed_and_all_are_legal() -> None:
    state = over()
    given = [move for move in offered(state, 0) if isinstance(move, GiveToCharity)]
    assert len(given) >= 56
    assert {move.to for move in given} == {(1, 2, 1), (2, 1, 2)}
    patterns = [each for each in state.agenda[-1].move_patterns(state, 0) if each["type"] == "mk.give"]  # type: ignore[arg-type]
    assert patterns[0]["fields"]["cards"]["minItems"] == 3
