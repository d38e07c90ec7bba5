"""Drawing face down, doors and treasures turned up, cards pulled out of a hand."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import build_view, resolve_pending_steps, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.engine.zones import backs_of
from referee.games.munchkin.components import COMBAT, DISCARDS, DOORS, HANDS, PENDING, PRINTED, TREASURES, WON
from referee.games.munchkin.events.cards import (
    CardDrawn,
    CardKept,
    CardPulled,
    DeckRenewed,
    DoorOpened,
    NothingToDraw,
    TreasureTurnedUp,
)
from referee.games.munchkin.moves import KickDoor
from referee.games.munchkin.rules.drawing import Drawing, HandNaming, Pulling, TurnUpTreasures
from referee.games.munchkin.rules.opening_doors import OpenDoor
from referee.games.munchkin.rules.turn import AfterDoor, Calm
from referee.games.munchkin.state import Table
from tests.games.course import of, pulled, refused, settled, then, when
from tests.games.munchkin.given import everything, names, shuffled, table, turned_up, with_deck, with_real_cards


def on_top(state: Table, *steps: Step) -> Table:
    """The same table with these steps on its agenda."""
    return replace_fields(state, agenda=(*state.agenda, *steps))


@pytest.mark.clause("MK-2.2")
def test_a_card_drawn_face_down_is_seen_by_its_drawer_alone() -> None:
    state = on_top(table([], [], [], treasures=["bat_hat", "stilts"]), Drawing(1, "treasure", 2))
    events = resolve_pending_steps(state)
    drawn = of(events, CardDrawn)
    assert [event.put for event in drawn] == [("bat_hat",), ("stilts",)]
    assert [event.view_for(0).put for event in drawn] == [("?",), ("?",)]  # type: ignore[attr-defined]
    after = apply_events(state, events)
    assert after.cards_in_hand(1) == ("bat_hat", "stilts")
    assert after.fresh == {"1": ("bat_hat", "stilts")}
    assert build_view(after, Seat(0)).fresh == {"1": ("?", "?")}


@pytest.mark.clause("MK-2.6")
def test_a_draw_that_finds_the_deck_empty_shuffles_the_discards_and_goes_on() -> None:
    state = with_deck(table([], [], [], discards=["bat_hat", "stilts"]), TREASURES, "candy_hook")
    state = on_top(state, Drawing(0, "treasure", 2))
    events = resolve_pending_steps(state)
    assert names(events) == ["CardDrawn", "DeckRenewed"]
    assert of(events, DeckRenewed)[0].put == ("bat_hat", "stilts")
    events, state = shuffled(apply_events(state, events), TREASURES)
    assert state.cards_in_hand(0) == ("candy_hook", "stilts")
    assert state.cards_at(DISCARDS["treasure"]) == ()


@pytest.mark.clause("MK-2.6")
def test_a_draw_from_empty_deck_and_discards_does_nothing() -> None:
    state = on_top(with_deck(table([], [], []), DOORS, "town_easter"), Drawing(0, "door", 3))
    events = resolve_pending_steps(state)
    assert names(events) == ["CardDrawn", "NothingToDraw"]
    assert of(events, NothingToDraw) == [NothingToDraw("door")]
    assert apply_events(state, events).agenda == (Calm(0, "start"),)


@pytest.mark.clause("MK-2.6", "MK-1.3")
def test_each_deck_is_renewed_from_its_own_discards() -> None:
    state = with_deck(table([], [], [], discards=["bat_hat"]), DOORS)
    state = settled(on_top(state, Drawing(0, "door", 1)))
    assert state.cards_in_hand(0) == ()
    assert state.cards_at(DISCARDS["treasure"]) == ("bat_hat",)


@pytest.mark.clause("MK-19.7")
def test_the_dead_draw_nothing() -> None:
    state = settled(on_top(table([], [], [], dead=(1,)), Drawing(1, "door", 2)))
    assert state.cards_in_hand(1) == ()


@pytest.mark.clause("MK-5.3")
def test_a_door_of_no_use_now_comes_from_the_table_to_the_hand() -> None:
    events, state = when(table([], [], [], doors=["enh_hungry"]), 0, KickDoor())
    opened, kept = of(events, DoorOpened)[0], of(events, CardKept)[0]
    assert (opened.target, opened.put, opened.view_for(2).put) == (PENDING, ("enh_hungry",), ("enh_hungry",))
    assert kept.put == ("enh_hungry",)
    assert state.cards_in_hand(0) == ("enh_hungry",)
    assert state.agenda == (Calm(0, "choice"),)


@pytest.mark.clause("MK-5.7", "MK-2.6")
def test_a_kick_without_doors_leads_to_the_choice() -> None:
    events, state = when(with_deck(table([], [], []), DOORS), 0, KickDoor())
    assert names(events) == ["NothingToDraw"]
    assert state.agenda == (Calm(0, "choice"),)


@pytest.mark.clause("MK-2.6", "MK-5.3")
def test_a_kick_that_finds_no_door_renews_the_deck_first() -> None:
    state = with_deck(table([], [], [], discards=["enh_hungry"]), DOORS)
    events, state = when(state, 0, KickDoor())
    assert names(events) == ["DeckRenewed", "DoorOpened", "CardKept"]
    assert state.cards_in_hand(0) == ("enh_hungry",)


@pytest.mark.clause("MK-26.11", "MK-5.3")
def test_at_a_real_table_the_door_turned_up_is_reported() -> None:
    state = with_real_cards(table(["town_easter"], [], []))
    state = then(state, 0, KickDoor())
    assert seats_that_must_act(state) == {CHANCE}
    assert refused(state, CHANCE, TurnUpResult("bat_hat")) == ("not_of_this_deck", "MK-1.2")
    events, state = turned_up(state, "town_halloween")
    assert of(events, DoorOpened)[0].took == ("?",)
    assert state.cards_in_hand(0) == ("?", "?")
    assert state.agenda == (Calm(0, "choice"),)


@pytest.mark.clause("KERNEL-CENSUS-1", "MK-2.1")
def test_at_a_real_table_no_card_that_lies_open_can_be_turned_up() -> None:
    state = with_real_cards(table([], [], [], discards=["enh_hungry"]))
    state = on_top(state, OpenDoor(0))
    assert refused(state, CHANCE, TurnUpResult("enh_hungry")) == ("no_copy_left", "KERNEL-CENSUS-1")


@pytest.mark.clause("MK-16.3")
def test_treasures_are_turned_up_for_all_to_see() -> None:
    state = on_top(table([], [], [], treasures=["bat_hat", "stilts"]), TurnUpTreasures(2))
    events = resolve_pending_steps(state)
    assert [event.view_for(2).put for event in of(events, TreasureTurnedUp)] == [("bat_hat",), ("stilts",)]
    assert apply_events(state, events).cards_at(WON) == ("bat_hat", "stilts")


@pytest.mark.clause("MK-16.3", "MK-2.6")
def test_treasures_turned_up_renew_their_deck_and_stop_when_there_are_none() -> None:
    state = with_deck(table([], [], [], discards=["bat_hat"]), TREASURES, "stilts")
    events = resolve_pending_steps(on_top(state, TurnUpTreasures(4)))
    assert names(events) == ["TreasureTurnedUp", "DeckRenewed", "TreasureTurnedUp", "NothingToDraw"]


@pytest.mark.clause("MK-16.3", "MK-26.11")
def test_at_a_real_table_treasures_turned_up_are_reported_one_by_one() -> None:
    state = on_top(with_real_cards(table([], [], [])), TurnUpTreasures(2))
    for card in ("bat_hat", "stilts"):
        assert seats_that_must_act(state) == {CHANCE}
        _, state = turned_up(state, card)
    assert state.cards_at(WON) == ("bat_hat", "stilts")
    assert state.agenda == (Calm(0, "start"),)


@pytest.mark.clause("MK-18.1")
def test_cards_are_pulled_at_random_and_seen_by_two_alone() -> None:
    state = on_top(table(["bat_hat", "stilts"], [], []), Pulling(2, 0, 1))
    assert seats_that_must_act(state) == {CHANCE}
    assert refused(state, CHANCE, PickResult(("candy_hook",))) == ("not_these_cards", "KERNEL-CHANCE-1")
    events, state = pulled(state, "stilts")
    event = of(events, CardPulled)[0]
    assert (event.put, event.view_for(1).put) == (("stilts",), ("?",))
    assert (state.cards_in_hand(0), state.cards_in_hand(2)) == (("bat_hat",), ("stilts",))


@pytest.mark.clause("MK-18.1", "MK-3.8")
def test_no_more_is_pulled_than_there_is() -> None:
    state = settled(on_top(table(["bat_hat"], [], []), Pulling(2, 0, 3)))
    assert (state.cards_in_hand(0), state.cards_in_hand(2)) == ((), ("bat_hat",))
    assert state.agenda == (Calm(0, "start"),)


@pytest.mark.clause("MK-18.1", "MK-26.11")
def test_what_is_pulled_at_a_real_table_is_read_for_a_bot() -> None:
    state = with_real_cards(table(["bat_hat", "stilts"], [], []), 2)
    state = settled(on_top(state, Pulling(2, 0, 1)))
    assert state.agenda[-1] == HandNaming(2, 1)
    state = then(state, CHANCE, PickResult(("stilts",)))
    assert state.cards_in_hand(2) == ("stilts",)
    assert state.cards_in_hand(0) == ("?",)


@pytest.mark.clause("MK-2.1")
def test_nothing_is_lost_on_the_way() -> None:
    state = on_top(
        table(["bat_hat"], [], [], discards=["stilts"]), Drawing(1, "door", 5), TurnUpTreasures(3), Pulling(1, 0)
    )
    assert everything(settled(state)) == Counter(PRINTED.whole)


@pytest.mark.clause("MK-5.3")
def test_the_door_deck_at_a_real_table_loses_a_back() -> None:
    state = with_real_cards(table([], [], []))
    before = len(state.cards_at(DOORS))
    _, state = turned_up(then(state, 0, KickDoor()), "enh_hungry")
    assert len(state.cards_at(DOORS)) == before - 1
    assert state.cards_at(HANDS[0]) == backs_of(("x",))
    assert state.cards_at(COMBAT) == ()
    assert not [step for step in state.agenda if isinstance(step, AfterDoor)]
