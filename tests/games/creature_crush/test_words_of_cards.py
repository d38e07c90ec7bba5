"""Conditions, and verbs about hell, deck and hand: each where it works, and where it does nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.cardscript.moves import ChooseCards
from referee.engine.chance import ShuffleResult
from referee.engine.referee import seats_that_must_act
from referee.engine.rulebook.book import BookError
from referee.engine.seats import CHANCE
from referee.games.creature_crush.components import DECKS, HANDS
from referee.games.creature_crush.events.cards import CardsDestroyed, CardsRecovered, CardsRecycled
from referee.games.creature_crush.events.decks import CardDrawn, CardsFound, NothingToDraw
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.state import Table
from tests.games.course import of, when
from tests.games.creature_crush.table import picked, shuffled, table, with_real_cards
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    choices,
    kept,
    read,
    refused,
    said,
    unsaid,  # noqa: F401
)

MINE = {"B1": "clay_guard", "A1": "thornback"}
BONUS = {"do": "start_dice", "count": 1}


# ---- conditions ------------------------------------------------------------------------------------------------------

THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull", "B3": "ember_fox"}


@pytest.mark.clause("CC-EFF-COND-1")
@pytest.mark.parametrize(
    ("that", "holds"),
    [
        ({"hand_min": {"of": "me", "count": 2}}, True),
        ({"hand_min": {"of": "me", "count": 3}}, False),
        ({"hand_max": {"of": "opponent", "count": 0}}, True),
        ({"deck_max": {"of": "me", "count": 2}}, False),
        ({"hell_min": {"of": "opponent", "count": 1}}, True),
        ({"creatures_max": {"of": "me", "count": 2}}, True),
        ({"lead_min": {"of": "opponent", "count": 2}}, True),
        ({"lead_min": {"of": "opponent", "count": 3}}, False),
        ({"zone": "A"}, True),
        ({"not": {"zone": "A"}}, False),
        ({"zone": "A", "hand_min": {"of": "me", "count": 3}}, False),
        ({"cost_min": {"of": "defender", "count": 7}}, True),
        ({"cost_min": {"of": "defender", "count": 8}}, False),
        ({"attack_max": {"of": "defender", "count": 4}}, True),
    ],
)
def test_lines_with_a_condition_are_carried_out_if_it_holds(that: dict[str, object], *, holds: bool) -> None:
    state = table(MINE, THEIRS, hands=(("volley", "sky_bolt"), ()), hells=((), ("behemoth",)))
    lines = ({"do": "check", "that": that, "called": "so"}, {**BONUS, "if": "so"})
    events, state = said(state, *lines, this="thornback", defender="dune_strider")
    assert state.extra == (int(holds), 0)
    assert of(events, EffectSkipped) == ([] if holds else [EffectSkipped("thornback", "condition")])


def test_a_condition_that_means_nothing_is_refused_when_the_card_is_read() -> None:
    for that in ({"hand_mni": 2}, {}, {"zone": "C"}, {"hand_min": {"of": "you", "count": 1}}, {"hand_min": 3}):
        with pytest.raises(BookError):
            read({"do": "check", "that": that, "called": "so"}, {**BONUS, "if": "so"})


# ---- hell ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-ZONE-3")
def test_cards_come_out_of_hell_to_the_hand() -> None:
    state = table(hells=(("hex_toad", "volley"), ()))
    events, state = said(state, {"do": "recover", "card": "card"}, card="volley")
    assert of(events, CardsRecovered) == [CardsRecovered("hell/0", "hand:0", ("volley",), ("volley",), 0)]
    assert (state.cards_in_hand(0), state.list_hell(0)) == (("volley",), ("hex_toad",))


def test_with_real_cards_what_comes_to_a_hand_is_a_back_unless_it_is_read_to_the_referee() -> None:
    for named, held in (((), ("?",)), ((0,), ("volley",))):
        state = with_real_cards(table(hells=(("volley",), ())), *named)
        _, state = said(state, {"do": "recover", "card": "card"}, card="volley")
        assert state.cards_in_hand(0) == held


@pytest.mark.parametrize("verb", ["recover", "recycle"])
def test_nothing_is_fetched_from_another_hell_or_from_elsewhere(verb: str) -> None:
    for where in ({"hells": ((), ("volley",))}, {"mine": {"C1": "volley"}}):
        events, state = said(table(**where), {"do": verb, "card": "card"}, card="volley")
        assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
        assert at_rest(state)
        assert not of(events, CardsRecovered)
        assert not of(events, CardsRecycled)


@pytest.mark.clause("CC-EFF-SEARCH-1")
def test_cards_go_from_hell_into_the_deck_which_is_shuffled() -> None:
    state = table(hells=(("hex_toad", "volley", "sky_bolt"), ()), decks=(("ember_fox",), ()))
    lines = ({"do": "choose_some", "hell_card": {}, "count": 2, "called": "cards"}, {"do": "recycle", "card": "cards"})
    _, state = said(state, *lines)
    _, state = when(state, 0, ChooseCards(("volley", "hex_toad")))
    assert state.list_hell(0) == ("sky_bolt",)
    assert seats_that_must_act(state) == {CHANCE}
    _, state = when(kept(state), CHANCE, ShuffleResult(("hex_toad", "ember_fox", "volley")))
    assert state.cards_at(DECKS[0]) == ("hex_toad", "ember_fox", "volley")
    assert at_rest(state)


def test_with_real_cards_nobody_knows_the_order_of_the_deck() -> None:
    state = with_real_cards(table(hells=(("volley",), ()), decks=(("ember_fox",), ())))
    _, state = said(state, {"do": "recycle", "card": "card"}, card="volley")
    assert state.cards_at(DECKS[0]) == ("?", "?")
    assert at_rest(state)


# ---- deck and hand ---------------------------------------------------------------------------------------------------

DECK = ("hex_toad", "volley", "rust_colossus", "ember_fox")


def searching(**how: object) -> Table:
    """Seat 0 searches a deck."""
    return said(table(MINE, decks=(DECK, ())), {"do": "search", **how})[1]


@pytest.mark.clause("CC-EFF-SEARCH-1", "CC-AMB-29")
def test_what_is_searched_for_is_shown_taken_and_the_deck_is_shuffled() -> None:
    state = searching(kind="creature", cost_max=4)
    assert {move.cards for move in choices(state, 0)} == {(), ("hex_toad",), ("ember_fox",)}
    events, state = when(kept(state), 0, ChooseCards(("hex_toad",)))
    assert [event.shown for event in of(events, CardsFound)] == [("hex_toad",)]
    assert of(events, CardsFound)[0].view_for(1).shown == ("hex_toad",)
    assert of(events, CardsFound)[0].view_for(1).put == ("?",)
    _, state = shuffled(state, DECKS[0])
    assert state.cards_in_hand(0) == ("hex_toad",)
    assert Counter(state.cards_at(DECKS[0])) == Counter(DECK) - Counter(["hex_toad"])
    assert at_rest(state)


def test_what_is_not_searched_for_is_not_found() -> None:
    state = searching(kind="creature", cost_max=4)
    for cards in (("rust_colossus",), ("volley",), ("behemoth",), ("hex_toad", "ember_fox")):
        refused(state, 0, ChooseCards(cards))
    assert {move.cards for move in choices(searching(kind="crush"), 0)} == {(), ("volley",)}
    assert Counter(len(move.cards) for move in choices(searching(count=2), 0)) == {0: 1, 1: 4, 2: 6}


def test_nothing_need_be_found_and_the_deck_is_shuffled_all_the_same() -> None:
    events, state = when(searching(kind="crush"), 0, ChooseCards(()))
    assert not of(events, CardsFound)
    assert seats_that_must_act(state) == {CHANCE}


@pytest.mark.clause("CC-AMB-8")
def test_cards_are_drawn_as_far_as_the_deck_goes() -> None:
    events, state = said(table(decks=(DECK, ())), {"do": "draw", "count": 3})
    assert len(of(events, CardDrawn)) == 3
    assert state.cards_in_hand(0) == DECK[:3]
    events, state = said(state, {"do": "draw", "count": 3})
    assert len(of(events, CardDrawn)) == 1
    assert of(events, NothingToDraw) == [NothingToDraw(0)]
    assert not state.way


def test_from_an_empty_deck_nothing_is_drawn_and_that_is_no_loss() -> None:
    events, state = said(table(decks=((), ())), {"do": "draw", "count": 1})
    assert of(events, NothingToDraw) == [NothingToDraw(0)]
    assert at_rest(state)


@pytest.mark.clause("CC-GLOSS-6")
def test_the_top_cards_of_a_deck_are_destroyed_one_by_one() -> None:
    state = table(decks=((), DECK))
    events, state = said(state, {"do": "mill", "who": "opponent", "count": {"x": 1, "plus": 1}}, x=1)
    assert [event.put for event in of(events, CardsDestroyed)] == [("hex_toad",), ("volley",)]
    assert state.cards_at(DECKS[1]) == DECK[2:]
    assert state.list_hell(1) == DECK[:2]


def test_destroying_a_deck_stops_when_it_is_empty_and_never_goes_on_to_the_hand() -> None:
    state = table(decks=((), ("volley",)), hands=((), ("sky_bolt",)))
    events, state = said(state, {"do": "mill", "who": "opponent", "count": 5})
    assert (state.list_hell(1), state.cards_in_hand(1)) == (("volley",), ("sky_bolt",))
    events, state = said(state, {"do": "mill", "who": "opponent", "count": 5})
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "empty_deck")]
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-24")
def test_a_random_hand_card_goes_face_up_to_hell() -> None:
    state = table(hands=((), ("sky_bolt", "volley")))
    _, state = said(state, {"do": "discard", "who": "opponent", "count": 1})
    assert seats_that_must_act(state) == {CHANCE}
    _, state = picked(kept(state), "volley")
    assert (state.list_hell(1), state.cards_in_hand(1)) == (("volley",), ("sky_bolt",))
    assert at_rest(state)


def test_from_an_empty_hand_nothing_is_discarded() -> None:
    events, state = said(table(hands=(("volley",), ())), {"do": "discard", "who": "opponent", "count": 1})
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "empty_hand")]
    assert state.cards_at(HANDS[0]) == ("volley",)
