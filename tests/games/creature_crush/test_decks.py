"""Decks that players bring to the League: refused for each reason, unseen by the other, each a copy of its own."""

from __future__ import annotations

import pytest

from referee.engine.chance import Shuffle
from referee.engine.referee import build_view, sample_legal_move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.games.creature_crush.components import BOXES, DECKS, EDITION, POOL, SEATS, face_of
from referee.games.creature_crush.events.decks import DeckBrought
from referee.games.creature_crush.moves import BringDeck, DeckReady, Keep
from referee.games.creature_crush.rules.decks import BringingDecks, check_deck
from referee.games.creature_crush.rules.setup import StartingPlayerRoll
from referee.games.creature_crush.state import Table
from tests.games.course import asked, near_misses, of, refusal, refused, then, times_out, when
from tests.games.creature_crush.table import offered, shuffled
from tests.games.creature_crush.test_setup import opened

EVERY = tuple(BOXES[EDITION].plain)
FIRST, LAST = EVERY[:20], EVERY[80:]


def brought(first: tuple[str, ...] = FIRST, second: tuple[str, ...] = LAST) -> Table:
    """A League for which both have brought a deck."""
    return then(then(opened("league"), 0, BringDeck(first)), 1, BringDeck(second))


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_each_brings_a_deck_of_twenty_which_is_shuffled() -> None:
    state = opened("league")
    assert asked(state) == {0, 1}
    state = then(state, 1, BringDeck(LAST))
    assert asked(state) == {0}
    events, state = when(state, 0, BringDeck(FIRST))
    assert [(event.seat, event.listed) for event in of(events, DeckBrought)] == [(0, FIRST), (1, LAST)]
    for deck in DECKS:
        assert state.agenda[-1] == Shuffle(deck)
        state = shuffled(state, deck)[1]
    assert isinstance(state.agenda[-1], StartingPlayerRoll)
    assert [len(state.cards_at(place)) for place in (*DECKS, POOL)] == [20, 20, 160]


@pytest.mark.clause("CC-AMB-7")
def test_both_decks_may_hold_the_same_card_each_a_copy_of_its_own() -> None:
    state = brought(FIRST, FIRST)
    assert state.cards_at(DECKS[0]) == tuple(f"{card}#1" for card in FIRST)
    assert state.cards_at(DECKS[1]) == tuple(f"{card}#2" for card in FIRST)
    assert face_of(state.cards_at(DECKS[0])[0]) is face_of(state.cards_at(DECKS[1])[0])
    assert len(BOXES[EDITION].league) == 200


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CC-PREP-1")
@pytest.mark.parametrize("count", [0, 19, 21])
def test_a_deck_of_another_number_is_refused(count: int) -> None:
    ruling = refusal(opened("league"), 0, BringDeck(EVERY[:count]))
    assert (ruling.reason, ruling.params) == ("deck_of_so_many", {"count": count, "size": 20})


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CC-AMB-7")
def test_a_card_that_is_in_the_deck_twice_is_refused_by_its_name() -> None:
    ruling = refusal(opened("league"), 0, BringDeck((*FIRST[:19], FIRST[3])))
    assert (ruling.reason, ruling.params) == ("twice_in_the_deck", {"card": FIRST[3], "count": 2})


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
@pytest.mark.parametrize("card", ["no_such_thing", "hex_toad#1", "?", ""])
def test_a_card_that_there_is_not_is_refused_by_its_name(card: str) -> None:
    ruling = refusal(opened("league"), 0, BringDeck((*FIRST[:19], card)))
    assert (ruling.reason, ruling.params) == ("no_such_card", {"card": card})


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_without_real_cards_a_list_is_needed() -> None:
    state = opened("league")
    assert refused(state, 0, DeckReady()) == ("no_real_cards", "CC-FORMAT-LEAGUE-1")
    assert refused(state, 0, Keep(FIRST[:4])) == ("no_draft_in_this_format", "CC-FORMAT-LEAGUE-1")
    after = then(state, 0, BringDeck(FIRST))
    assert refused(after, 0, BringDeck(LAST)) == ("deck_is_made", "CC-PREP-1")


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_every_reason_is_found_without_a_table_too() -> None:
    check_deck(EVERY, FIRST)
    for cards in (FIRST[:19], (*FIRST[:19], FIRST[0]), (*FIRST[:19], "nonsense")):
        with pytest.raises(IllegalMove):
            check_deck(EVERY, cards)


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_nobody_sees_what_the_other_brings() -> None:
    before = opened("league")
    events, state = when(before, 0, BringDeck(FIRST))
    assert BringDeck(FIRST).view_for(1, 0) == BringDeck(())
    more, state = when(state, 1, BringDeck(LAST))
    for seat, theirs in ((0, LAST), (1, FIRST)):
        seen = build_view(state, Seat(seat))
        told = str([event.view_for(seat) for event in (*events, *more)])
        assert not [card for card in theirs if f"'{card}" in told or f"'{card}" in str(seen)]
        assert seen.lists == {str(seat): (FIRST, LAST)[seat]}  # one's own list one may look at


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_the_view_of_a_seat_follows_from_what_it_is_told_of_both_decks() -> None:
    before = then(opened("league"), 0, BringDeck(FIRST))
    events, after = when(before, 1, BringDeck(LAST))
    for seat in SEATS:
        seen = build_view(before, Seat(seat))
        for event in events:
            seen = event.view_for(seat).apply(seen)
        assert seen == build_view(after, Seat(seat))


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CARDS-TIME-1")
def test_who_brings_none_in_time_plays_with_the_first_deck_that_is_offered() -> None:
    state = then(opened("league", turn_timeout_ms=60_000), 1, BringDeck(LAST))
    _, state = times_out(state)
    assert state.lists["0"] in {move.cards for move in offered(opened("league"), 0) if isinstance(move, BringDeck)}


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_decks_and_near_misses_are_offered_and_the_rest_is_described() -> None:
    state = opened("league")
    assert [len(move.cards) for move in offered(state, 0) if isinstance(move, BringDeck)] == [20] * 5
    assert {refusal(state, 0, move).reason for move in near_misses(state, 0) if isinstance(move, BringDeck)} == {
        "deck_of_so_many", "twice_in_the_deck",
    }  # fmt: skip
    pattern = BringingDecks(SEATS, "", {}).move_patterns(state, Seat(0))[0]
    assert BringingDecks(SEATS, "", {"0": ()}).move_patterns(state, Seat(0)) == ()  # whose answer is given
    assert pattern["fields"]["cards"] == {
        "type": "array", "items": {"enum": sorted(EVERY)}, "minItems": 20, "maxItems": 20, "uniqueItems": True,
    }  # fmt: skip


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_a_bot_builds_a_deck_at_random() -> None:
    state = opened("league")
    decks = [sample_legal_move(state, Seat(0), lambda below, step=step: step % below) for step in (0, 1)]
    assert all(isinstance(deck, BringDeck) for deck in decks)
    assert decks[0] != decks[1]
    for deck in decks:
        assert deck is not None
        then(state, 0, deck)


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CC-PREP-1")
def test_at_a_real_table_a_deck_lies_ready_with_or_without_a_list() -> None:
    state = opened("league", at_table=True)
    assert refused(state, 0, BringDeck(FIRST[:19])) == ("deck_of_so_many", "CC-PREP-1")
    events, state = when(then(state, 0, BringDeck(FIRST)), 1, DeckReady())
    assert [event.put for event in of(events, DeckBrought)] == [("?",) * 20, ("?",) * 20]
    assert state.lists == {"0": FIRST}
    assert isinstance(state.agenda[-1], StartingPlayerRoll)  # the players shuffle real cards themselves
