"""Setting up: the decks of Skirmish, a roll for who begins, four cards each; what can be agreed before a match."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from referee.engine.chance import PickResult, RollResult
from referee.engine.game import Setup
from referee.engine.referee import build_view, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import is_back
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import BOXES, DECKS, EDITION, HANDS, POOL, SEATS, VARIANTS
from referee.games.creature_crush.events.course import DieCast, TurnBegan
from referee.games.creature_crush.events.decks import DeckDealt, HandDrawn
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.state import Table
from tests.games.course import asked, of, refused, settled, when
from tests.games.creature_crush.table import names, picked, rolled, shuffled


def opened(variant: str = "skirmish", named: tuple[int, ...] = (), at_table: bool = False, **settings: Any) -> Table:
    """A new match of that format, as it waits for the first answer."""
    chance = {"dice": "table", "deck": "table"} if at_table else {}
    return settled(GAME.build_table(Setup(variant, 2, settings, chance, named)))


def skirmish() -> Table:
    """A new Skirmish: the pile lies in the reverse order, and the decks are dealt."""
    return shuffled(opened(), POOL)[1]


@pytest.mark.clause("CC-FORMAT-SKIRMISH-1", "CC-MAT-1")
def test_in_skirmish_twenty_random_cards_of_the_hundred_are_dealt_to_each() -> None:
    state = opened()
    assert seats_that_must_act(state) == {CHANCE}
    pile = state.cards_at(POOL)
    assert Counter(pile) == Counter(BOXES[EDITION].plain)
    assert len(pile) == 100
    events, state = shuffled(state, POOL)
    assert [(event.seat, len(event.put)) for event in of(events, DeckDealt)] == [(0, 20), (1, 20)]
    assert state.cards_at(DECKS[0]) + state.cards_at(DECKS[1]) + state.cards_at(POOL) == pile[::-1]
    assert len(state.cards_at(POOL)) == 60


@pytest.mark.clause("CC-PREP-1", "CC-FORMAT-SKIRMISH-1")
@pytest.mark.parametrize("seat", SEATS)
def test_nobody_sees_the_decks_nor_what_is_not_used(seat: int) -> None:
    seen = build_view(skirmish(), Seat(seat))
    assert {card for place in (*DECKS, POOL) for card in seen.cards_at(place)} == {"?"}


@pytest.mark.clause("CC-PREP-2", "CC-AMB-5")
def test_the_higher_die_begins_and_ties_are_rolled_again() -> None:
    state = skirmish()
    events: tuple[Any, ...] = ()
    for pips in (4, 4, 2, 5):
        assert seats_that_must_act(state) == {CHANCE}
        more, state = rolled(state, pips)
        events += more
    assert [(event.seat, event.pips) for event in of(events, DieCast)] == [(0, 4), (1, 4), (0, 2), (1, 5)]
    assert [event.seat for event in of(events, TurnBegan)] == [1]
    assert GAME.seat_on_turn(state) == 1


@pytest.mark.clause("CC-PREP-2")
def test_one_die_is_thrown_at_a_time() -> None:
    assert refused(skirmish(), CHANCE, RollResult((3, 4))) == ("no_such_roll", "KERNEL-CHANCE-1")


@pytest.mark.clause("CC-PREP-3", "CC-AMB-31")
def test_each_takes_the_top_four_cards_before_the_first_turn_and_keeps_them() -> None:
    state = skirmish()
    tops = [state.cards_at(deck)[:4] for deck in DECKS]
    events, state = rolled(rolled(state, 6)[1], 1)
    assert [event.put for event in of(events, HandDrawn)] == tops
    assert names(events)[:4] == ["DieCast", "HandDrawn", "HandDrawn", "TurnBegan"]
    assert [len(state.cards_in_hand(seat)) for seat in SEATS] == [
        5,
        4,
    ]  # the first card of the first turn is drawn already
    assert seats_that_must_act(state) == {CHANCE}  # no question is asked before the start dice


@pytest.mark.clause("CC-PREP-3")
def test_a_hand_is_seen_by_its_player_alone() -> None:
    state = rolled(rolled(skirmish(), 6)[1], 1)[1]
    assert build_view(state, Seat(0)).cards_in_hand(0) == state.cards_in_hand(0)
    assert set(build_view(state, Seat(0)).cards_in_hand(1)) == {"?"}


@pytest.mark.clause("CC-FORMAT-1")
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_format_can_be_opened_with_its_settings_filled_in(variant: str) -> None:
    rules = opened(variant).rules
    assert (rules.variant, rules.response_window_ms, rules.turn_timeout_ms, rules.quiet_turns) == (
        variant,
        None,
        None,
        40,
    )
    assert rules.edition == GAME.edition


@pytest.mark.parametrize(
    ("settings", "pointer"),
    [
        ({"quiet_turns": 9}, "/settings/quiet_turns"),
        ({"quiet_turns": 1001}, "/settings/quiet_turns"),
        ({"quiet_turns": None}, "/settings/quiet_turns"),
        ({"response_window_ms": 249}, "/settings/response_window_ms"),
        ({"turn_timeout_ms": 999}, "/settings/turn_timeout_ms"),
        ({"max_turns": 20}, "/settings/max_turns"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(settings: dict[str, Any], pointer: str) -> None:
    with pytest.raises(MalformedInput) as malformed:
        opened(**settings)
    assert [error["pointer"] for error in malformed.value.errors] == [pointer]


def test_settings_at_their_limits_are_taken() -> None:
    rules = opened(quiet_turns=10, response_window_ms=250, turn_timeout_ms=1000).rules
    assert (rules.quiet_turns, rules.response_window_ms, rules.turn_timeout_ms) == (10, 250, 1000)


def test_the_game_is_for_two_and_says_so() -> None:
    with pytest.raises(MalformedInput) as malformed:
        GAME.build_table(Setup("skirmish", 3))
    assert malformed.value.errors == [{"pointer": "/seats", "detail": "the game has 2 seats"}]


def test_a_seat_that_there_is_not_cannot_have_its_cards_read() -> None:
    with pytest.raises(MalformedInput) as malformed:
        opened(named=(2,), at_table=True)
    assert [error["pointer"] for error in malformed.value.errors] == ["/named"]


@pytest.mark.clause("CC-FORMAT-SKIRMISH-1", "KERNEL-CENSUS-1")
def test_at_a_real_table_the_decks_are_backs_and_the_hand_of_a_bot_is_read() -> None:
    state = opened(named=(1,), at_table=True)
    assert [state.cards_at(place) for place in (*DECKS, POOL)] == [("?",) * 20, ("?",) * 20, ("?",) * 60]
    state = rolled(rolled(state, 6)[1], 1)[1]
    top = state.agenda[-1]
    assert isinstance(top, CardNaming)
    assert (top.seat, top.count, top.place) == (1, 4, HANDS[1])
    mine = ("spark_imp", "bone_pup", "moss_tick", "gutter_rat")
    _, state = picked(state, *mine)
    assert state.cards_in_hand(1) == mine
    assert all(map(is_back, state.cards_in_hand(0)))
    assert asked(state) == set()


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_no_card_is_read_twice_nor_one_that_there_is_not() -> None:
    state = rolled(rolled(opened(named=(1,), at_table=True), 6)[1], 1)[1]
    read = ("spark_imp", "bone_pup", "moss_tick")
    assert refused(state, CHANCE, PickResult((*read, "spark_imp")))[0] == "no_copy_left"
    assert refused(state, CHANCE, PickResult((*read, "hex_toad#1")))[0] == "no_such_card"
    assert refused(state, CHANCE, PickResult(read))[0] == "name_so_many"


def test_the_view_of_a_seat_follows_from_what_it_is_told() -> None:
    state = skirmish()
    for pips in (3, 2):
        before = state
        events, state = when(state, CHANCE, RollResult((pips,)))
        for seat in SEATS:
            seen = build_view(before, Seat(seat))
            for event in events:
                seen = event.view_for(seat).apply(seen)
            assert seen == build_view(state, Seat(seat))
