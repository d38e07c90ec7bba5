"""The draft of the Arena: five rounds, both choose at once and unseen, the pile is shuffled before every round."""

from __future__ import annotations

import pytest

from referee.engine.chance import Shuffle
from referee.engine.referee import build_view, seats_that_must_act
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.games.creature_crush.components import DECKS, DRAFTS, POOL, SEATS
from referee.games.creature_crush.events.course import DraftRoundOver
from referee.games.creature_crush.events.decks import CardsDrafted, CardsKept, CardsPutBack, DeckDealt
from referee.games.creature_crush.moves import BringDeck, DeckReady, Keep
from referee.games.creature_crush.rules.drafting import Drafting
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.rules.setup import StartingPlayerRoll
from referee.games.creature_crush.state import Table
from tests.games.course import asked, near_misses, of, refused, then, times_out, when
from tests.games.creature_crush.table import offered, picked, shuffled
from tests.games.creature_crush.test_setup import opened


def drafting(**settings: int) -> Table:
    """The first round of a draft: both have drawn seven cards."""
    return shuffled(opened("arena", **settings), POOL)[1]


def kept(state: Table, seat: int, first: int = 0) -> Keep:
    """Four of the seven cards of a player."""
    return Keep(state.cards_at(DRAFTS[seat])[first : first + 4])


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_each_draws_seven_of_the_shuffled_pile() -> None:
    state = opened("arena")
    assert state.agenda[-1] == Shuffle(POOL)
    events, state = shuffled(state, POOL)
    assert [(event.seat, len(event.put)) for event in of(events, CardsDrafted)] == [(0, 7), (1, 7)]
    assert not set(state.cards_at(DRAFTS[0])) & set(state.cards_at(DRAFTS[1]))
    assert asked(state) == {0, 1}
    assert len(state.cards_at(POOL)) == 86


@pytest.mark.clause("CC-FORMAT-ARENA-1", "CC-AMB-6")
def test_a_whole_draft_makes_two_decks_of_what_was_kept_and_shuffles_them() -> None:
    state = opened("arena")
    mine: dict[int, set[str]] = {0: set(), 1: set()}
    for round_ in range(5):
        assert state.agenda[-1] == Shuffle(POOL)
        assert state.drafted == round_
        _, state = shuffled(state, POOL)
        for seat in SEATS:
            keep = kept(state, seat)
            mine[seat] |= set(keep.cards)
            events, state = when(state, seat, keep)
        assert [len(event.put) for event in of(events, CardsKept)] == [4, 4]
        assert [len(event.put) for event in of(events, CardsPutBack)] == [3, 3]
        assert len(of(events, DraftRoundOver)) == 1
    assert [set(state.cards_at(deck)) for deck in DECKS] == [mine[0], mine[1]]
    assert [len(state.cards_at(deck)) for deck in DECKS] == [20, 20]
    assert len(state.cards_at(POOL)) == 60  # 100 less five times eight
    for deck in DECKS:
        assert state.agenda[-1] == Shuffle(deck)
        before = state.cards_at(deck)
        _, state = shuffled(state, deck)
        assert state.cards_at(deck) == before[::-1]
    assert isinstance(state.agenda[-1], StartingPlayerRoll)


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_what_is_put_back_lies_under_the_pile() -> None:
    state = drafting()
    left = [state.cards_at(DRAFTS[seat])[4:] for seat in SEATS]
    pile = state.cards_at(POOL)
    state = then(then(state, 0, kept(state, 0)), 1, kept(state, 1))
    assert state.cards_at(POOL) == (*pile, *left[0], *left[1])


@pytest.mark.clause("CC-AMB-6")
def test_both_choose_at_the_same_time_and_nobody_sees_what_the_other_keeps() -> None:
    state = drafting()
    seven = state.cards_at(DRAFTS[0])
    events, state = when(state, 0, kept(state, 0))
    assert asked(state) == {1}
    told = [event.view_for(1) for event in events]
    assert not any(card in str(told) for card in seven)
    assert not any(card in str(build_view(state, Seat(1))) for card in seven)
    assert not any(card in str(kept(state, 0).view_for(1, 0)) for card in seven)
    events, _ = when(state, 1, kept(state, 1))
    assert not any(
        card in str([event.view_for(1) for event in events if getattr(event, "seat", 1) == 0]) for card in seven
    )


@pytest.mark.clause("CC-FORMAT-ARENA-1", "CC-AMB-6")
def test_whoever_drafts_sees_the_own_picks_until_the_deck_is_shuffled_and_nobody_else_does() -> None:
    state = drafting()
    mine: list[str] = []
    for _ in range(5):
        mine += kept(state, 0).cards
        state = then(then(state, 0, kept(state, 0)), 1, kept(state, 1))
        if state.agenda[-1] == Shuffle(POOL):
            state = shuffled(state, POOL)[1]
        assert build_view(state, Seat(0)).cards_at(DECKS[0]) == tuple(mine)
        for seat in (1, BYSTANDER):
            seen = build_view(state, Seat(seat))
            assert not any(card in str(seen) for card in mine)
    assert len(mine) == 20
    for deck in DECKS:
        state = shuffled(state, deck)[1]
    assert build_view(state, Seat(0)).cards_at(DECKS[0]) == ("?",) * 20


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_every_four_of_the_seven_may_be_kept_and_no_other_number() -> None:
    state = drafting()
    keeps = [move for move in offered(state, 0) if isinstance(move, Keep)]
    assert len(keeps) == 35
    assert sorted(len(move.cards) for move in near_misses(state, 0) if isinstance(move, Keep)) == [3, 5]


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_a_wrong_choice_is_refused_with_its_reason() -> None:
    state = drafting()
    mine, theirs = state.cards_at(DRAFTS[0]), state.cards_at(DRAFTS[1])
    assert refused(state, 0, Keep(mine[:3])) == ("exactly_so_many", "CC-FORMAT-ARENA-1")
    assert refused(state, 0, Keep((*mine[:3], mine[0]))) == ("same_card_twice", "CC-FORMAT-ARENA-1")
    assert refused(state, 0, Keep((*mine[:3], theirs[0]))) == ("not_among_the_seven", "CC-FORMAT-ARENA-1")
    assert refused(state, 0, Keep((*mine[:3], "nonsense"))) == ("no_such_card", "CC-FORMAT-ARENA-1")
    assert refused(state, 0, BringDeck(mine)) == ("no_deck_in_this_format", "CC-FORMAT-ARENA-1")
    assert refused(state, 0, DeckReady()) == ("keep_four", "CC-FORMAT-ARENA-1")
    after = then(state, 0, kept(state, 0))
    assert refused(after, 0, kept(state, 0)) == ("kept_already", "CC-FORMAT-ARENA-1")


@pytest.mark.clause("CC-FORMAT-ARENA-1", "CARDS-TIME-1")
def test_who_is_late_keeps_the_first_four_in_the_fixed_order() -> None:
    state = drafting(turn_timeout_ms=30_000)
    seven = state.cards_at(DRAFTS[1])
    state = then(state, 0, kept(state, 0))
    events, state = times_out(state)
    late = next(event for event in of(events, CardsKept) if event.seat == 1)
    assert sorted(late.took) == sorted(seven)[:4]


# ---- at a real table ---------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-FORMAT-ARENA-1", "CC-PREP-1")
def test_people_at_a_real_table_draft_by_themselves_and_say_when_they_are_done() -> None:
    state = opened("arena", at_table=True)
    assert asked(state) == {0, 1}
    assert refused(state, 0, Keep(("spark_imp",))) == ("say_deck_ready", "CC-PREP-1")
    events, state = when(then(state, 1, DeckReady()), 0, DeckReady())
    assert [(event.seat, event.put) for event in of(events, DeckDealt)] == [(0, ("?",) * 20), (1, ("?",) * 20)]
    assert isinstance(state.agenda[-1], StartingPlayerRoll)


@pytest.mark.clause("CC-FORMAT-ARENA-1", "KERNEL-CENSUS-1")
def test_at_a_real_table_a_bot_is_read_its_seven_and_says_which_four_it_keeps() -> None:
    state = opened("arena", named=(1,), at_table=True)
    top = state.agenda[-1]
    assert isinstance(top, CardNaming)
    assert (top.seat, top.count, top.place) == (1, 7, DRAFTS[1])
    seven = ("spark_imp", "bone_pup", "moss_tick", "gutter_rat", "hex_toad", "clay_guard", "ember_fox")
    state = picked(state, *seven)[1]
    assert build_view(state, Seat(1)).cards_at(DRAFTS[1]) == seven
    assert set(build_view(state, Seat(0)).cards_at(DRAFTS[1])) == {"?"}
    assert refused(state, 0, Keep(("storm_gull",) * 4)) == ("say_when_drafted", "CC-FORMAT-ARENA-1")
    assert refused(state, 1, DeckReady()) == ("keep_four", "CC-FORMAT-ARENA-1")
    events, state = when(then(state, 0, DeckReady()), 1, Keep(seven[:4]))
    assert [event.took for event in of(events, CardsKept)] == [("?",) * 4, seven[:4]]
    assert state.cards_at(DECKS[1]) == ("?",) * 4  # it is shuffled with real cards: nobody knows what lies where
    assert state.drafted == 1
    assert isinstance(state.agenda[-1], CardNaming)  # the seven of the second round


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_a_draft_with_a_bot_at_a_real_table_comes_to_its_end() -> None:
    state = opened("arena", named=(0,), at_table=True)
    for round_ in range(5):
        assert seats_that_must_act(state) == {CHANCE}
        top = state.agenda[-1]
        assert isinstance(top, CardNaming)
        seven = tuple(sorted(card for card, left in top.possible_cards(state).items() if left))[
            7 * round_ : 7 * round_ + 7
        ]
        state = picked(state, *seven)[1]
        assert isinstance(state.agenda[-1], Drafting)
        state = then(then(state, 0, Keep(seven[3:])), 1, DeckReady())
    assert [state.cards_at(place) for place in (*DECKS, POOL)] == [("?",) * 20, ("?",) * 20, ("?",) * 60]
    assert isinstance(state.agenda[-1], StartingPlayerRoll)
