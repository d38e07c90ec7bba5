"""Sevens, eights, jacks, and cards that do nothing special."""

from __future__ import annotations

import pytest

from referee.engine.referee import find_legal_moves
from referee.engine.seats import Seat
from referee.games.mau_mau.events import CardPlayed, CardsBecameDue, CardsDrawn, NothingToDraw, TurnSkipped
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.rules.turn import SuitWish, TurnQuestion
from tests.games.course import asked, of, refused, then, when
from tests.games.mau_mau.given import table

OWN = ["hearts_7", "hearts_8", "clubs_jack", "hearts_ace"]
OTHER = ["spades_7", "spades_9", "spades_jack"]


@pytest.mark.clause("MM-SEVEN-1", "MM-AMB-7")
def test_after_a_seven_the_next_player_draws_two_and_the_turn_is_over() -> None:
    state = then(table(OWN, OTHER), 0, PlayCard("hearts_7"))
    assert refused(state, 1, PlayCard("spades_jack")) == ("answer_the_seven", "MM-SEVEN-1")
    assert refused(state, 1, PassTurn()) == ("no_pass_under_a_seven", "MM-SEVEN-1")
    events, state = when(state, 1, DrawCard())
    (drawn,) = of(events, CardsDrawn)
    assert (len(drawn.put), drawn.applied_clauses()) == (2, ("MM-SEVEN-1", "MM-AMB-7"))
    assert (asked(state), state.cards_due) == ({0}, 0)
    assert then(state, 0, PlayCard("hearts_ace"))


@pytest.mark.clause("MM-AMB-8")
def test_a_seven_on_a_seven_hands_four_cards_on() -> None:
    state = then(table(OWN, OTHER, ["clubs_9"]), 0, PlayCard("hearts_7"))
    assert list(find_legal_moves(state, Seat(1))) == [DrawCard(), PlayCard("spades_7")]
    events, state = when(state, 1, PlayCard("spades_7"))
    assert [event.count for event in of(events, CardsBecameDue)] == [4]
    assert len(then(state, 2, DrawCard()).hand_of(2)) == 5


@pytest.mark.clause("MM-AMB-8")
def test_without_stacking_two_cards_are_drawn_without_a_question() -> None:
    events, state = when(table(OWN, OTHER, rules={"stacking": False}), 0, PlayCard("hearts_7"))
    (drawn,) = of(events, CardsDrawn)
    assert (drawn.seat, len(drawn.put)) == (1, 2)
    assert drawn.applied_clauses() == ("MM-SEVEN-1", "MM-AMB-7", "MM-AMB-8")
    assert (asked(state), state.cards_due) == ({0}, 0)


@pytest.mark.clause("MM-SEVEN-1", "MM-DRAW-3")
def test_as_many_cards_as_there_are_are_drawn_for_sevens() -> None:
    state = table(OTHER, OWN, top="diamonds_7", deck=["clubs_9"], due=2)
    events, state = when(state, 0, DrawCard())
    assert [len(event.put) for event in of(events, CardsDrawn)] == [1]
    assert len(of(events, NothingToDraw)) == 1
    assert (asked(state), state.cards_due) == ({1}, 0)


@pytest.mark.clause("MM-EIGHT-1")
def test_after_an_eight_the_next_player_is_skipped() -> None:
    events, state = when(table(OWN, OTHER, ["clubs_9"]), 0, PlayCard("hearts_8"))
    assert [event.seat for event in of(events, TurnSkipped)] == [1]
    assert asked(state) == {2}
    assert asked(then(table(OWN, OTHER), 0, PlayCard("hearts_8"))) == {0}


@pytest.mark.clause("MM-JACK-1", "MM-JACK-2")
def test_a_jack_goes_on_anything_and_its_wish_is_followed() -> None:
    state = then(table(OWN, OTHER), 0, PlayCard("clubs_jack"))
    assert state.agenda == (SuitWish(0),)
    assert refused(state, 0, PlayCard("hearts_7")) == ("wish_a_suit", "MM-JACK-2")
    assert refused(state, 0, WishSuit("stars")) == ("no_such_suit", "MM-MAT-1")
    state = then(state, 0, WishSuit("hearts"))
    assert refused(state, 1, PlayCard("spades_9")) == ("another_suit_is_wished", "MM-JACK-2")
    state = then(state, 1, DrawCard(), PassTurn())
    assert refused(state, 0, PlayCard("clubs_7"))[0] == "not_in_the_hand"
    state = then(state, 0, PlayCard("hearts_ace"))
    assert state.wished_suit == ""


@pytest.mark.clause("MM-AMB-9")
def test_no_jack_goes_on_a_jack_unless_the_table_allows_it() -> None:
    for wish in ("", "hearts"):
        state = table(OWN, ["hearts_9"], top="spades_jack", wish=wish)
        assert refused(state, 0, PlayCard("clubs_jack")) == ("no_jack_on_a_jack", "MM-AMB-9")
    state = table(OWN, OTHER[:1], top="spades_jack", wish="hearts", rules={"jack_on_jack": True})
    assert then(state, 0, PlayCard("clubs_jack")).agenda == (SuitWish(0),)


@pytest.mark.clause("MM-PLAIN-1")
def test_an_ace_does_nothing_special() -> None:
    events, state = when(table(OWN, OTHER), 0, PlayCard("hearts_ace"))
    (played,) = of(events, CardPlayed)
    assert played.applied_clauses() == ("MM-PLAY-1", "MM-PLAIN-1")
    assert (state.agenda, state.cards_due, state.wished_suit) == ((TurnQuestion(1),), 0, "")
