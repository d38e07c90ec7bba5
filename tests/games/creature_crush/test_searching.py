"""Searching the own deck: what fits is taken and shown, less may always be found, and the deck is shuffled."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCards
from referee.engine.chance import Shuffle
from referee.engine.events import Event, apply_events
from referee.engine.referee import build_view, resolve_pending_steps
from referee.engine.seats import Seat
from referee.engine.steps import StepPushed
from referee.games.creature_crush.components import DECKS, HANDS, SOUGHT
from referee.games.creature_crush.events.decks import CardsFound, DeckClosed, DeckOpened, NothingToDraw
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.state import Table
from tests.games.course import asked, near_misses, of, refused, times_out, when
from tests.games.creature_crush.table import BOX, offered, picked, shuffled, table, with_real_cards

CRUSH = tuple(card for card, face in BOX.items() if not face.is_creature)
DECK = ("spark_imp", "clay_guard", "behemoth", CRUSH[0], CRUSH[1])


def searching(state: Table, step: Searching) -> tuple[tuple[Event, ...], Table]:
    """The facts of opening a deck, and the table as its player is asked."""
    state = StepPushed(step).apply(state)
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def opened(kind: str = "", *named: int, real: bool = False, count: int = 1, **how: Any) -> Table:
    """Seat 0 looks for cards of a kind in a deck of three creatures and two crush cards."""
    state = table(decks=(DECK, []), **how)
    state = with_real_cards(state, *named) if real else state
    return searching(state, Searching(0, "cave_scout", kind, 4, count))[1]


@pytest.mark.clause("CC-EFF-SEARCH-1")
def test_the_player_alone_looks_through_the_deck() -> None:
    events, state = searching(table(decks=(DECK, [])), Searching(0, "cave_scout", "crush"))
    assert asked(state) == {0}
    assert build_view(state, Seat(0)).cards_at(SOUGHT[0]) == DECK
    assert set(build_view(state, Seat(1)).cards_at(SOUGHT[0])) == {"?"}
    assert of(events, DeckOpened)[0].view_for(1).put == ("?",) * 5  # type: ignore[attr-defined]


@pytest.mark.clause("CC-EFF-SEARCH-1", "CC-AMB-29")
def test_what_is_taken_is_shown_and_the_deck_is_shuffled() -> None:
    events, state = when(opened("crush"), 0, ChooseCards((CRUSH[1],)))
    found = of(events, CardsFound)[0].view_for(1)
    assert (found.shown, found.put) == ((CRUSH[1],), ("?",))  # type: ignore[attr-defined]
    assert state.cards_in_hand(0) == (CRUSH[1],)
    assert state.agenda[-1] == Shuffle(DECKS[0])
    _, state = shuffled(state, DECKS[0])
    assert state.cards_at(DECKS[0]) == (CRUSH[0], "behemoth", "clay_guard", "spark_imp")
    assert state.cards_at(SOUGHT[0]) == ()


@pytest.mark.clause("CC-AMB-29")
def test_less_may_always_be_found_and_the_deck_is_shuffled_all_the_same() -> None:
    events, state = when(opened("crush"), 0, ChooseCards(()))
    assert of(events, CardsFound) == []
    assert len(of(events, DeckClosed)) == 1
    assert state.agenda[-1] == Shuffle(DECKS[0])


@pytest.mark.clause("CC-EFF-SEARCH-1", "CC-AMB-29")
def test_only_what_the_text_looks_for_is_taken() -> None:
    state = opened("creature")
    assert {move.cards for move in offered(state, 0) if isinstance(move, ChooseCards)} == {
        (), ("spark_imp",), ("clay_guard",),
    }  # fmt: skip
    assert {move.cards for move in near_misses(state, 0) if isinstance(move, ChooseCards)} == {
        ("behemoth",), (CRUSH[0],), (CRUSH[1],),
    }  # fmt: skip
    assert refused(state, 0, ChooseCards(("behemoth",))) == ("not_looked_for", "CC-EFF-SEARCH-1")  # it costs too much
    assert refused(state, 0, ChooseCards((CRUSH[0],))) == ("not_looked_for", "CC-EFF-SEARCH-1")
    assert refused(state, 0, ChooseCards(("hex_toad",))) == ("not_in_the_deck", "CC-EFF-SEARCH-1")
    assert refused(state, 0, ChooseCards(("spark_imp", "clay_guard"))) == ("so_many_cards", "CC-EFF-SEARCH-1")


@pytest.mark.clause("CC-EFF-SEARCH-1")
def test_several_may_be_taken_in_one_answer_each_once() -> None:
    state = opened("creature", count=2)
    assert refused(state, 0, ChooseCards(("spark_imp", "spark_imp"))) == ("same_card_twice", "CC-EFF-SEARCH-1")
    _, state = when(state, 0, ChooseCards(("clay_guard", "spark_imp")))
    assert state.cards_in_hand(0) == ("clay_guard", "spark_imp")


@pytest.mark.clause("CC-EFF-SEARCH-1")
def test_nobody_is_asked_to_look_through_an_empty_deck() -> None:
    events, state = searching(table(decks=([], [])), Searching(0, "cave_scout"))
    assert len(of(events, NothingToDraw)) == 1
    assert not isinstance(state.agenda[-1], Searching)


@pytest.mark.clause("CC-AMB-29")
def test_whether_something_fits_is_not_told_by_asking() -> None:
    _, state = searching(table(decks=(["behemoth", "bog_leech"], [])), Searching(0, "cave_scout", "crush"))
    assert asked(state) == {0}
    assert [move for move in offered(state, 0) if isinstance(move, ChooseCards)] == [ChooseCards(())]


@pytest.mark.clause("CARDS-TIME-1")
def test_who_is_late_finds_nothing() -> None:
    events, state = times_out(opened("crush", rules={"turn_timeout_ms": 1000}))
    assert of(events, CardsFound) == []
    assert state.cards_in_hand(0) == ()


@pytest.mark.clause("CC-EFF-SEARCH-1", "KERNEL-CENSUS-1")
def test_a_person_at_a_real_table_names_what_is_taken() -> None:
    state = opened("crush", 1, real=True, hells=(["bog_leech"], [CRUSH[2]]))
    assert refused(state, 0, ChooseCards((CRUSH[2],)))[0] == "no_copy_left"
    assert ChooseCards((CRUSH[7],)) in offered(state, 0)
    events, state = when(state, 0, ChooseCards((CRUSH[7],)))
    found = of(events, CardsFound)[0]
    assert (found.took, found.put, found.shown) == (("?",), ("?",), (CRUSH[7],))
    assert (state.cards_at(DECKS[0]), state.cards_in_hand(0)) == (("?",) * 4, ("?",))
    assert not isinstance(state.agenda[-1], Shuffle)  # real cards are shuffled by hand


@pytest.mark.clause("CC-EFF-SEARCH-1", "KERNEL-CENSUS-1")
def test_a_bot_at_a_real_table_is_read_its_deck_and_what_it_leaves_is_hidden_again() -> None:
    state = opened("creature", 0, real=True)
    assert state.agenda[-1] == CardNaming(0, 5, SOUGHT[0])
    _, state = picked(state, *DECK)
    assert ChooseCards(("clay_guard",)) in offered(state, 0)
    _, state = when(state, 0, ChooseCards(("clay_guard",)))
    assert state.cards_at(HANDS[0]) == ("clay_guard",)
    assert state.cards_at(DECKS[0]) == ("?",) * 4
