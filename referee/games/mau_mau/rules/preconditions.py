"""What the rules demand of each kind of move, whatever question is open.

They give the reasons of refusals (`referee.engine.reasons.preconditions`); the steps decide what is legal, by the same
functions. Whether a card fits is asked of the player on turn only: for all others another card will lie on top.
"""

from __future__ import annotations

from referee.engine.chance import PickResult, Shuffle, TurnUpResult
from referee.engine.events import Move
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import CHANCE, Seat
from referee.games.mau_mau.components import DISCARD
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.rules.drawing import DRAWING_CLAUSES, CardDrawing, FirstCard, check_unseen
from referee.games.mau_mau.rules.turn import (
    SuitWish,
    TurnQuestion,
    TurnStart,
    check_drew_before_passing,
    check_fit,
    check_in_hand,
    check_not_drawn,
    check_suit,
    check_wish_done,
)
from referee.games.mau_mau.state import Table

TURN_MOVES = (PlayCard, DrawCard, PassTurn)


def find_turn_question(table: Table, seat: Seat) -> TurnQuestion | None:
    """Return the open question to this seat on its turn, or None."""
    top = table.agenda[-1]
    return top if isinstance(top, TurnQuestion) and top.seat == seat else None


def find_seat_on_turn(table: Table) -> int | None:
    """Return the seat whose turn it is, or None before the first turn."""
    kinds = (CardDrawing, TurnQuestion, SuitWish, TurnStart)
    found = (step.seat for step in reversed(table.agenda) if isinstance(step, kinds))
    return next(found, None) if table.cards_at(DISCARD) else None


# ---- a card, a suit, once only -------------------------------------------------------------------------------


@precondition(Table, PlayCard, clauses=("MM-MAT-1", "MM-TURN-1"))
def require_card_in_hand(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card that this seat does not hold."""
    if table.cards_at(DISCARD) and 0 <= seat < table.rules.seats:
        check_in_hand(table, int(seat), move.card)


@precondition(
    Table, PlayCard, clauses=("MM-SEVEN-1", "MM-AMB-8", "MM-AMB-9", "MM-AMB-1", "MM-JACK-1", "MM-JACK-2", "MM-PLAY-1")
)
def require_card_that_fits(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card that may not lie on top now."""
    if find_turn_question(table, seat):
        check_fit(table, int(seat), move.card)


@precondition(Table, DrawCard, clauses=("MM-DRAW-2",))
def require_first_drawing(table: Table, seat: Seat, move: DrawCard) -> None:
    """Refuse a second card drawn in a turn."""
    if question := find_turn_question(table, seat):
        check_not_drawn(question.drew)


@precondition(Table, PassTurn, clauses=("MM-SEVEN-1", "MM-DRAW-1", "MM-DRAW-2"))
def require_drawing_before_passing(table: Table, seat: Seat, move: PassTurn) -> None:
    """Refuse a pass without drawing."""
    if question := find_turn_question(table, seat):
        check_drew_before_passing(table, question.drew)


@precondition(Table, WishSuit, clauses=("MM-MAT-1",))
def require_suit_of_the_pack(table: Table, seat: Seat, move: WishSuit) -> None:
    """Refuse a suit that the pack lacks."""
    check_suit(move.suit)


# ---- what has to come first ----------------------------------------------------------------------------------


@precondition(Table, *TURN_MOVES, WishSuit, scope=Scope.WINDOW, clauses=("MM-SETUP-1", "MM-SETUP-2"))
def require_dealt_cards(table: Table, seat: Seat, move: Move) -> None:
    """Refuse moves before the cards are dealt and the first one is turned up.

    MM-SETUP-1: The cards are shuffled, and everybody is dealt five.
    MM-SETUP-2: The next card is turned up and starts the discard pile.
    """
    if table.cards_at(DISCARD):
        return
    if isinstance(table.agenda[-1], FirstCard):
        raise IllegalMove("first_turn_a_card_up", "MM-SETUP-2")
    raise IllegalMove("first_deal_the_cards", "MM-SETUP-1")


@precondition(
    Table, *TURN_MOVES, WishSuit, scope=Scope.WINDOW, clauses=("MM-DRAW-3", "MM-DRAW-1", "MM-SEVEN-1", "MM-AMB-7")
)
def require_no_card_to_name(table: Table, seat: Seat, move: Move) -> None:
    """Refuse moves before the pile is shuffled or a drawn card is named.

    MM-DRAW-3: The discards under the top one are shuffled and replace the draw pile.
    """
    top = table.agenda[-1]
    if isinstance(top, Shuffle) and table.cards_at(DISCARD):
        raise IllegalMove("first_shuffle_the_discards", "MM-DRAW-3")
    if isinstance(top, CardDrawing) and top.why != "deal":
        raise IllegalMove("first_name_the_card", *DRAWING_CLAUSES[top.why], seat=top.seat)


@precondition(Table, *TURN_MOVES, scope=Scope.WINDOW, clauses=("MM-JACK-2",))
def require_no_wish_due(table: Table, seat: Seat, move: Move) -> None:
    """Refuse moves before a suit is wished."""
    if isinstance(table.agenda[-1], SuitWish):
        check_wish_done(move)


@precondition(Table, WishSuit, scope=Scope.WINDOW, clauses=("MM-JACK-2",))
def require_own_jack(table: Table, seat: Seat, move: WishSuit) -> None:
    """Refuse a wish of anybody but the player of a jack, and any later wish.

    MM-JACK-2: The player of a jack wishes a suit.
    """
    top = table.agenda[-1]
    if not isinstance(top, SuitWish) or top.seat != seat:
        raise IllegalMove("only_a_jack_wishes", "MM-JACK-2")


# ---- whose turn it is ----------------------------------------------------------------------------------------


@precondition(Table, *TURN_MOVES, scope=Scope.TURN, clauses=("MM-TURN-1",))
def require_own_turn(table: Table, seat: Seat, move: Move) -> None:
    """Refuse moves out of turn.

    MM-TURN-1: After a turn it is the next player's turn, clockwise.
    """
    on_turn = find_seat_on_turn(table)
    if on_turn is not None and seat != on_turn:
        raise IllegalMove("turn_of_another", "MM-TURN-1", seat=on_turn)


# ---- chance --------------------------------------------------------------------------------------------------


@precondition(Table, TurnUpResult, PickResult, clauses=("MM-MAT-1",))
def require_unseen_card(table: Table, seat: Seat, move: TurnUpResult | PickResult) -> None:
    """Refuse a card that the pack lacks or that lies open."""
    if seat == CHANCE and isinstance(table.agenda[-1], FirstCard | CardDrawing):
        for card in move.cards if isinstance(move, PickResult) else (move.card,):
            check_unseen(table, card)
