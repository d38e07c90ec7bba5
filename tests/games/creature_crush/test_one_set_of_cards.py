"""The League where both decks are built from one set of cards (CC-AMB-7-R2)."""

from __future__ import annotations

import pytest

from referee.engine.referee import build_view, collect_granting_clauses
from referee.engine.seats import Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.decks import CardsContested, DeckBrought
from referee.games.creature_crush.moves import BringDeck
from referee.games.creature_crush.state import Table
from tests.games.course import asked, of, refused, then, times_out, when
from tests.games.creature_crush.table import offered
from tests.games.creature_crush.test_decks import EVERY, FIRST
from tests.games.creature_crush.test_setup import opened

SHARED = (*FIRST[18:], *EVERY[40:58])  # two cards of the first deck


def league(**settings: int) -> Table:
    """A League whose players share one set of cards."""
    read_so: Table = GAME.apply_interpretations(opened("league", **settings), {"CC-AMB-7": 2})
    return read_so


@pytest.mark.clause("CC-AMB-7", "CC-AMB-7-R2")
def test_by_the_first_reading_both_decks_may_hold_the_same_cards() -> None:
    events, _ = when(then(opened("league"), 0, BringDeck(FIRST)), 1, BringDeck(FIRST))
    assert len(of(events, DeckBrought)) == 2


@pytest.mark.clause("CC-AMB-7-R2")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_by_the_second_reading_the_second_player_builds_anew_without_what_both_have_chosen(
    order: tuple[int, int],
) -> None:
    decks = {0: BringDeck(FIRST), 1: BringDeck(SHARED)}
    state = then(league(), order[0], decks[order[0]])
    events, after = when(state, order[1], decks[order[1]])
    assert of(events, CardsContested) == [CardsContested(1, FIRST[18:])]
    assert of(events, DeckBrought) == []
    assert asked(after) == {1}
    cited = collect_granting_clauses(state, decks[order[1]], events)
    assert "CC-AMB-7-R2" in cited
    assert "CC-AMB-7" not in cited
    assert refused(after, 1, decks[1]) == ("taken_by_the_other", "CC-AMB-7-R2")
    assert not any(set(FIRST[18:]) & set(move.cards) for move in offered(after, 1) if isinstance(move, BringDeck))
    assert GAME.positions.decode_position(GAME.positions.encode_position(after)) == after
    events, _ = when(after, 1, BringDeck(EVERY[40:60]))
    assert [event.listed for event in of(events, DeckBrought)] == [FIRST, EVERY[40:60]]


@pytest.mark.clause("CC-AMB-7-R2")
def test_the_second_player_learns_only_the_cards_that_both_have_chosen() -> None:
    state = then(then(league(), 0, BringDeck(FIRST)), 1, BringDeck(SHARED))
    seen = str(build_view(state, Seat(1)).agenda)
    assert all(f"'{card}'" in seen for card in FIRST[18:])
    assert not any(f"'{card}'" in seen for card in FIRST[:18])


@pytest.mark.clause("CC-AMB-7-R2", "CARDS-TIME-1")
def test_players_who_are_late_bring_decks_that_differ_in_the_end() -> None:
    _, state = times_out(league(turn_timeout_ms=60_000))
    while asked(state) & {0, 1}:
        _, state = times_out(state)
    assert not set(state.lists["0"]) & set(state.lists["1"])
