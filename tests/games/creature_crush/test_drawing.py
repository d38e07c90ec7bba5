"""Drawing: of an empty deck nothing, and no loss; what a bot draws at a real table is read to the referee."""

from __future__ import annotations

import pytest

from referee.engine.events import Event, apply_events
from referee.engine.referee import build_view, resolve_pending_steps
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPushed
from referee.games.creature_crush.components import DECKS, HANDS
from referee.games.creature_crush.events.decks import CardDrawn, NothingToDraw
from referee.games.creature_crush.rules.drawing import CardDrawing, CardNaming, disclose_place
from referee.games.creature_crush.state import Table
from tests.games.course import of
from tests.games.creature_crush.table import picked, table, with_real_cards


def drawing(state: Table, step: CardDrawing) -> tuple[tuple[Event, ...], Table]:
    """The facts of a draw on this table, and the table then."""
    state = StepPushed(step).apply(state)
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


@pytest.mark.clause("CC-START-1")
def test_the_top_cards_come_to_the_hand_one_after_the_other() -> None:
    before = table(hands=(["moss_tick"], []), decks=(["spark_imp", "bone_pup", "hex_toad"], []))
    events, state = drawing(before, CardDrawing(0, 2))
    assert [event.put for event in of(events, CardDrawn)] == [("spark_imp",), ("bone_pup",)]
    assert state.cards_in_hand(0) == ("moss_tick", "spark_imp", "bone_pup")
    assert state.cards_at(DECKS[0]) == ("hex_toad",)
    assert [event.view_for(1).put for event in of(events, CardDrawn)] == [("?",), ("?",)]  # type: ignore[attr-defined]


@pytest.mark.clause("CC-AMB-8")
def test_what_the_deck_has_not_is_not_drawn_and_nobody_loses_by_it() -> None:
    events, state = drawing(table(decks=(["spark_imp"], ["bone_pup"])), CardDrawing(0, 3))
    assert (len(of(events, CardDrawn)), len(of(events, NothingToDraw))) == (1, 1)
    events, state = drawing(state, CardDrawing(0, 1))
    assert (of(events, CardDrawn), len(of(events, NothingToDraw))) == ([], 1)
    assert state.way == ""


@pytest.mark.clause("CC-AMB-8")
def test_there_is_no_limit_to_a_hand() -> None:
    hand = ["spark_imp", "bone_pup", "moss_tick", "gutter_rat", "hex_toad", "clay_guard", "ember_fox", "dusk_bat"]
    _, state = drawing(table(hands=(hand, []), decks=(["bog_leech"], [])), CardDrawing(0, 1, True))
    assert len(state.cards_in_hand(0)) == 9


@pytest.mark.clause("CC-AMB-4")
def test_the_card_of_the_turn_stirs_nothing_but_another_draw_does() -> None:
    before = table(decks=(["spark_imp", "bone_pup"], []))
    assert not drawing(before, CardDrawing(0, 1, True))[1].stirred
    assert drawing(before, CardDrawing(0, 1))[1].stirred


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_at_a_real_table_what_a_bot_draws_is_read_and_nobody_else_sees_it() -> None:
    before = with_real_cards(table(decks=(["spark_imp", "bone_pup"], [])), 0)
    events, state = drawing(before, CardDrawing(0, 2))
    assert [event.put for event in of(events, CardDrawn)] == [("?",), ("?",)]
    assert state.agenda[-1] == CardNaming(0, 2, HANDS[0])
    events, state = picked(state, "hex_toad", "bone_pup")
    assert state.cards_in_hand(0) == ("hex_toad", "bone_pup")
    assert set(build_view(state, Seat(1)).cards_in_hand(0)) == {"?"}
    assert "hex_toad" not in str([event.view_for(1) for event in events])


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_at_a_real_table_nobody_is_asked_what_a_person_draws() -> None:
    before = with_real_cards(table(decks=([], ["spark_imp"])), 0)
    _, state = drawing(before, CardDrawing(1, 1))
    assert state.cards_in_hand(1) == ("?",)
    assert state.agenda == before.agenda
    assert list(disclose_place(state, 1, HANDS[1])) == []


def test_a_deck_that_a_position_leaves_out_cannot_be_drawn_from() -> None:
    with pytest.raises(Undetermined):
        drawing(table(decks=(["?some"], [])), CardDrawing(0, 1))
