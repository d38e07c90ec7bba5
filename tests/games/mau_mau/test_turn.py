"""The turn: play a card that fits, or draw, then play or pass."""

from __future__ import annotations

import pytest

from referee.engine.chance import Shuffle, ShuffleResult
from referee.engine.referee import find_legal_moves, find_timeout_move
from referee.engine.seats import CHANCE, Seat
from referee.games.mau_mau import GAME
from referee.games.mau_mau.components import DECK, DISCARD
from referee.games.mau_mau.events import CardPlayed, CardsDrawn, NothingToDraw, PileRenewed, TurnBegan
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.rules.turn import SuitWish, TurnQuestion
from tests.games.course import asked, of, refused, then, when
from tests.games.mau_mau.given import table

HANDS = (["hearts_ace", "spades_9", "clubs_king"], ["clubs_9", "clubs_ace"])


@pytest.mark.clause("MM-TURN-1", "MM-PLAY-1")
def test_a_card_of_the_same_suit_or_rank_is_played_and_the_next_is_on_turn() -> None:
    for card in ("hearts_ace", "spades_9"):
        events, state = when(table(*HANDS), 0, PlayCard(card))
        assert [event.put for event in of(events, CardPlayed)] == [(card,)]
        assert [event.seat for event in of(events, TurnBegan)] == [1]
        assert (state.cards_at(DISCARD), asked(state)) == ((card, "hearts_9"), {1})
    assert refused(table(*HANDS), 0, PlayCard("clubs_king")) == ("does_not_fit", "MM-PLAY-1")
    assert refused(table(*HANDS), 0, PlayCard("clubs_9")) == ("not_in_the_hand", "MM-TURN-1")
    assert refused(table(*HANDS), 0, PlayCard("hearts_9")) == ("lies_in_the_discard", "MM-MAT-1")
    assert refused(table(*HANDS), 1, PlayCard("clubs_9")) == ("turn_of_another", "MM-TURN-1")
    assert refused(table(*HANDS), 0, WishSuit("hearts")) == ("only_a_jack_wishes", "MM-JACK-2")


@pytest.mark.clause("MM-TURN-1")
def test_after_the_last_seat_the_first_is_on_turn() -> None:
    assert asked(then(table(*HANDS, agenda=(TurnQuestion(1),)), 1, PlayCard("clubs_9"))) == {0}


@pytest.mark.clause("MM-DRAW-1", "MM-DRAW-2")
def test_a_player_draws_one_card_and_then_passes() -> None:
    assert refused(table(*HANDS), 0, PassTurn()) == ("draw_before_passing", "MM-DRAW-1")
    events, state = when(table(*HANDS, deck=["clubs_7", "clubs_8"]), 0, DrawCard())
    (drawn,) = of(events, CardsDrawn)
    assert (drawn.put, drawn.applied_clauses()) == (("clubs_7",), ("MM-DRAW-1",))
    assert state.agenda == (TurnQuestion(0, drew=True),)
    assert refused(state, 0, DrawCard()) == ("only_one_is_drawn", "MM-DRAW-2")
    assert asked(then(state, 0, PassTurn())) == {1}


@pytest.mark.clause("MM-DRAW-2", "MM-AMB-5")
def test_after_drawing_any_card_that_fits_may_be_played() -> None:
    state = then(table(*HANDS, deck=["hearts_7"]), 0, DrawCard())
    played = {move.card for move in find_legal_moves(state, Seat(0)) if isinstance(move, PlayCard)}
    assert played == {"hearts_7", "hearts_ace", "spades_9"}


@pytest.mark.clause("MM-DRAW-3")
def test_the_discards_under_the_top_one_become_the_draw_pile() -> None:
    events, state = when(table(*HANDS, deck=[], below=["clubs_7", "clubs_8"]), 0, DrawCard())
    assert [event.put for event in of(events, PileRenewed)] == [("clubs_7", "clubs_8")]
    assert state.agenda[-1] == Shuffle(DECK)
    state = then(state, CHANCE, ShuffleResult(("clubs_8", "clubs_7")))
    assert state.hand_of(0)[-1] == "clubs_8"
    assert (state.cards_at(DISCARD), state.cards_at(DECK)) == (("hearts_9",), ("clubs_7",))
    assert state.agenda == (TurnQuestion(0, drew=True),)


@pytest.mark.clause("MM-DRAW-3")
def test_with_nothing_left_to_draw_the_player_goes_on_without() -> None:
    events, state = when(table(*HANDS, deck=[]), 0, DrawCard())
    assert [event.seat for event in of(events, NothingToDraw)] == [0]
    assert (len(state.hand_of(0)), state.agenda) == (3, (TurnQuestion(0, drew=True),))
    assert asked(then(state, 0, PassTurn())) == {1}


@pytest.mark.clause("MM-MAU-1")
def test_saying_mau_is_left_to_the_players() -> None:
    assert GAME.rulebook.find_clause("MM-MAU-1").players_duty
    assert asked(then(table(["hearts_8", "hearts_7"], ["clubs_9"], ["clubs_ace"]), 0, PlayCard("hearts_7"))) == {1}


@pytest.mark.clause("MM-AMB-6")
def test_for_a_late_player_a_card_is_drawn_then_passed_and_the_jacks_suit_is_wished() -> None:
    for hand in (HANDS[0], ["?", "?"]):
        state = table(hand, HANDS[1])
        assert find_timeout_move(state, Seat(0), guess=True) == DrawCard()
        assert find_timeout_move(then(state, 0, DrawCard()), Seat(0), guess=True) == PassTurn()
    wishing = table(*HANDS, top="spades_jack", agenda=(SuitWish(0),))
    assert find_timeout_move(wishing, Seat(0), guess=True) == WishSuit("spades")


def test_a_corrected_turn_begins_anew_without_cards_due() -> None:
    state = GAME.give_turn(table(*HANDS, top="hearts_7", due=4), 1)
    assert (state.agenda[-1].seat, state.cards_due) == (1, 0)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no turn"):
        GAME.give_turn(table(*HANDS, deck=[]).__class__(), 0)
