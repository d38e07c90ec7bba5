"""Verbs about hand cards: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.chance import PickResult
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CHANCE
from referee.games.munchkin.components import DOOR_DISCARD
from referee.games.munchkin.events.cards import CardDrawn, CardPulled, CardsDiscarded
from tests.games.munchkin.wording import (
    asked,
    at_rest,
    by_chance,
    kept,
    names,
    of,
    of_card,
    offered,
    refusal,
    said,
    table,
    times_out,
    unsaid,  # noqa: F401
    when,
)

# ---- hands -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-2.2")
def test_cards_are_drawn_face_down_from_the_deck_that_the_card_names() -> None:
    events, state = said(table(doors=("coal_imp",), treasures=("bat_hat", "stilts")),
                        {"do": "draw", "deck": "treasure", "count": 2})  # fmt: skip
    assert state.cards_in_hand(0) == ("bat_hat", "stilts")
    assert len(of(events, CardDrawn)) == 2


@pytest.mark.clause("MK-2.3")
def test_who_discards_chooses_the_cards() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat", "stilts")}), {"do": "discard_hand", "count": 2})
    assert asked(state) == {0}
    assert len(offered(state, 0)) == 3
    _, state = when(kept(state), 0, ChooseCards(("stilts", "coal_imp")))
    assert state.cards_in_hand(0) == ("bat_hat",)
    assert state.cards_at(DOOR_DISCARD) == ("coal_imp",)
    assert at_rest(state)


def test_too_few_cards_or_cards_of_somebody_else_are_refused() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat"), 1: ("stilts",)}), {"do": "discard_hand", "count": 1})
    assert refusal(state, 0, ChooseCards(())).reason == "exactly_so_many"
    assert refusal(state, 0, ChooseCards(("stilts",))).reason == "not_in_the_hand"


@pytest.mark.clause("MK-3.8", "MK-26.4")
def test_who_holds_no_more_than_is_asked_for_discards_all_without_being_asked() -> None:
    events, state = said(table({0: ("coal_imp", "bat_hat")}), {"do": "discard_hand", "count": 2})
    assert state.cards_in_hand(0) == ()
    assert len(of(events, CardsDiscarded)) == 2
    assert at_rest(state)


@pytest.mark.clause("MK-18.2")
def test_an_empty_hand_has_nothing_to_discard() -> None:
    events, state = said(table(), {"do": "discard_hand", "count": "all"})
    assert names(events) == ["Lapsed"]
    assert at_rest(state)


def test_several_players_discard_one_after_the_other() -> None:
    state = table({0: ("coal_imp", "bat_hat"), 1: ("stilts", "marrow_pup")}, monsters=("attic_widow",), helper=1)
    _, state = said(state, {"do": "discard_hand", "count": 1, "who": "fighters"})
    assert asked(state) == {0}
    _, state = when(state, 0, ChooseCards(("bat_hat",)))
    assert asked(state) == {1}
    _, state = when(state, 1, ChooseCards(("stilts",)))
    assert at_rest(state)


@pytest.mark.clause("MK-23.2")
def test_an_absent_player_discards_what_is_worth_least() -> None:
    state = table({0: ("overtime_scythe", "coal_imp")}, rules={"turn_timeout_ms": 1000})
    _, state = said(state, {"do": "discard_hand", "count": 1})
    _, state = times_out(state)
    assert state.cards_in_hand(0) == ("overtime_scythe",)


@pytest.mark.clause("MK-2.7")
def test_chance_picks_the_card_that_is_discarded_at_random() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat")}), {"do": "discard_hand", "count": 1, "random": True})
    assert seats_that_must_act(state) == {CHANCE}
    _, state = by_chance(kept(state), PickResult(("bat_hat",)))
    assert state.cards_in_hand(0) == ("coal_imp",)
    assert at_rest(state)


def test_the_only_card_is_discarded_without_chance() -> None:
    _, state = said(table({0: ("bat_hat",)}), {"do": "discard_hand", "count": 1, "random": True})
    assert state.cards_in_hand(0) == ()
    assert at_rest(state)


@pytest.mark.clause("MK-26.11")
def test_at_a_real_table_the_card_discarded_at_random_is_read_out() -> None:
    state = table({0: ("?",)}, thrown={"treasure": ("bat_hat",)}, rules={"cards_at_table": True})
    _, state = said(state, {"do": "discard_hand", "count": 1, "random": True})
    assert seats_that_must_act(state) == {CHANCE}
    assert refusal(state, CHANCE, PickResult(("bat_hat",))).reason == "not_these_cards"
    _, state = by_chance(state, PickResult(("stilts",)))
    assert state.cards_in_hand(0) == ()
    assert state.cards_at("treasures/discard") == ("bat_hat", "stilts")


@pytest.mark.clause("MK-26.11")
def test_at_a_real_table_a_whole_hand_is_named_by_who_holds_it() -> None:
    state = table({0: ("?", "?")}, rules={"cards_at_table": True, "turn_timeout_ms": 1000})
    _, state = said(state, {"do": "discard_hand", "count": "all"})
    assert asked(state) == {0}
    assert seats_that_must_act(state) == {0}
    assert refusal(state, 0, ChooseCards(("bat_hat", "bat_hat"))).reason == "no_copy_left"
    _, state = when(state, 0, ChooseCards(("bat_hat", "stilts")))
    assert state.cards_in_hand(0) == ()
    assert at_rest(state)


@pytest.mark.clause("MK-2.3", "MK-18.1")
def test_a_neighbour_takes_a_card_at_random() -> None:
    _, state = said(table({0: ("coal_imp", "bat_hat")}), {"do": "pull", "by": "left"})
    events, state = by_chance(state, PickResult(("bat_hat",)))
    assert state.cards_in_hand(1) == ("bat_hat",)
    assert of(events, CardPulled)[0].of == 0
    assert at_rest(state)


@pytest.mark.clause("MK-18.2")
def test_nothing_is_taken_out_of_an_empty_hand() -> None:
    events, _ = said(table(), {"do": "pull", "by": "left"})
    assert names(events) == ["Lapsed"]


@pytest.mark.clause("MK-2.5")
def test_a_discarded_card_comes_to_the_hand() -> None:
    state = table(thrown={"door": ("coal_imp",), "treasure": ("bat_hat",)})
    _, state = of_card(state, "os_grave_robbing_kit")
    assert offered(state, 0) == [ChooseCard("coal_imp"), ChooseCard("bat_hat")]
    assert refusal(state, 0, ChooseCard("stilts")).reason == "not_discarded"
    _, state = when(state, 0, ChooseCard("bat_hat"))
    assert state.cards_in_hand(0) == ("bat_hat",)
    assert state.cards_at("treasures/discard") == ()


def test_with_nothing_discarded_there_is_nothing_to_take() -> None:
    events, state = of_card(table(), "os_grave_robbing_kit")
    assert names(events) == ["cards.NothingThere"]
    assert at_rest(state)
