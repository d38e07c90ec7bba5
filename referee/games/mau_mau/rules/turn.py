"""The course of a match: setup, turns, wishes, the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.game import Outcome
from referee.engine.prompts import SeatPrompt
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, StackCleared, Step, StepPushed, StepReplaced, require_move
from referee.engine.zones import backs_of, find_cards_leaving
from referee.games.mau_mau.components import (
    CARD_IDS,
    CARDS_PER_SEVEN,
    DECK,
    DISCARD,
    FIRST_HAND_SIZE,
    HANDS,
    SUITS,
    Rules,
    rank_of,
    suit_of,
)
from referee.games.mau_mau.events import (
    CardPlayed,
    CardsBecameDue,
    HandEmptied,
    SuitWished,
    TurnBegan,
    TurnPassed,
    TurnSkipped,
    TurnsRanOut,
)
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.rules.drawing import CardDrawing, FirstCard, check_unseen, list_nameable_cards
from referee.games.mau_mau.state import Table

CLAUSES_BY_RANK = {"7": "MM-SEVEN-1", "8": "MM-EIGHT-1", "jack": "MM-JACK-2"}  # what a card does


def build_initial_table(rules: Rules) -> Table:
    """Return the table before the shuffle. Of real cards only backs are known.

    MM-MAT-1: There are 32 cards, seven to ace in four suits, one of each.
    """
    deck = backs_of(CARD_IDS) if rules.at_table else CARD_IDS
    hands: dict[str, tuple[str, ...]] = {HANDS[seat]: () for seat in range(rules.seats)}
    return Table(agenda=(SetupStart(),), zones={DECK: deck, DISCARD: (), **hands}, rules=rules)


@named("mm.Setup")
@dataclass(frozen=True)
class SetupStart(Step):
    """The cards are shuffled and dealt, and the first one is turned up.

    MM-SETUP-1: The cards are shuffled, and everybody is dealt five.
    MM-AMB-4: The dealer sits on the last seat, so seat 0 begins.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MM-SETUP-1", "MM-SETUP-2", "MM-AMB-4")

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepReplaced(TurnStart(0))
        yield StepPushed(FirstCard())
        for seat in reversed(range(state.rules.seats)):
            yield StepPushed(CardDrawing(seat, FIRST_HAND_SIZE, "deal"))
        yield StepPushed(Shuffle(DECK))


@named("mm.TurnBegins")
@dataclass(frozen=True)
class TurnStart(Step):
    """A player comes on turn (MM-TURN-1).

    MM-AMB-2: After the number of turns set for it, the match is over.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MM-TURN-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.turns >= state.rules.max_turns:
            yield TurnsRanOut()
            yield StackCleared()
        else:
            yield TurnBegan(self.seat)
            yield StepReplaced(TurnQuestion(self.seat))


def give_turn(table: Table, seat: int) -> Table:
    """Return the table corrected so that the turn of `seat` is about to begin.

    What sevens ask for is dropped. Raises ValueError if no turn has begun yet.
    """
    if not table.cards_at(DISCARD):
        raise ValueError("no turn has begun yet")
    return replace_fields(table, agenda=(TurnStart(seat),), due=0)


def check_in_hand(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove unless a card can come from a hand, or Undetermined.

    MM-TURN-1: On a turn a player puts one card of the hand on the discard pile.
    """
    there = table.cards_at(HANDS[seat])
    if card not in there or card not in CARD_IDS:
        check_unseen(table, card)
        if "?" not in table.hand_of(seat):
            raise IllegalMove("not_in_the_hand", "MM-TURN-1", seat=seat, card=card)


def check_fit(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove unless a card may lie on top now, or Undetermined.

    MM-PLAY-1: A card fits if it has the suit or the rank of the card on top of the discard pile.
    MM-AMB-8: A seven may be answered with a seven, and with nothing else; at some tables with nothing at all.
    MM-JACK-1: A jack fits any card, whatever its suit and whatever is wished.
    MM-AMB-9: A jack never goes on a jack, unless the table allows it.
    MM-JACK-2: The next card after the jack must have the suit wished.
    MM-AMB-1-R2: The last card may be any card that fits, except a jack.
    """
    if table.cards_due and not table.rules.stacking:
        raise IllegalMove("no_answer_to_a_seven", "MM-AMB-8", "MM-SEVEN-1", card=card, count=table.cards_due)
    if table.cards_due and rank_of(card) != "7":
        raise IllegalMove("answer_the_seven", "MM-SEVEN-1", "MM-AMB-8", card=card, count=table.cards_due)
    if rank_of(card) == "jack":
        if rank_of(table.top) == "jack" and not table.rules.jack_on_jack:
            raise IllegalMove("no_jack_on_a_jack", "MM-AMB-9", card=card)
        if table.interpretation_number("MM-AMB-1") == 2 and len(table.hand_of(seat)) == 1:
            raise IllegalMove("no_jack_at_the_end", "MM-AMB-1", card=card)
    elif table.wished_suit:
        if suit_of(card) != table.wished_suit:
            raise IllegalMove("another_suit_is_wished", "MM-JACK-2", card=card, suit=table.wished_suit)
    elif suit_of(card) != suit_of(table.top) and rank_of(card) != rank_of(table.top):
        raise IllegalMove("does_not_fit", "MM-PLAY-1", card=card, top=table.top)


def check_not_drawn(drew: bool) -> None:
    """Raise IllegalMove if the player has drawn in this turn.

    MM-DRAW-2: Nobody draws twice in a turn.
    """
    if drew:
        raise IllegalMove("only_one_is_drawn", "MM-DRAW-2")


def check_drew_before_passing(table: Table, drew: bool) -> None:
    """Raise IllegalMove unless the player has drawn in this turn.

    MM-SEVEN-1: After a seven the next player draws two cards.
    MM-DRAW-1: A player who cannot or does not want to play a card draws one.
    MM-DRAW-2: After drawing, the player may play a card or pass.
    """
    if drew:
        return
    if table.due and not table.rules.stacking:
        raise IllegalMove("no_answer_to_a_seven", "MM-AMB-8", "MM-SEVEN-1", count=table.due)
    if table.due:
        raise IllegalMove("no_pass_under_a_seven", "MM-SEVEN-1", "MM-AMB-8", "MM-DRAW-2", count=table.due)
    raise IllegalMove("draw_before_passing", "MM-DRAW-1", "MM-DRAW-2")


def check_wish_done(move: Move) -> None:
    """Raise IllegalMove unless a move is the wish that is due.

    MM-JACK-2: The player of a jack wishes a suit.
    """
    if not isinstance(move, WishSuit):
        raise IllegalMove("wish_a_suit", "MM-JACK-2")


def check_suit(suit: str) -> None:
    """Raise IllegalMove unless the pack has this suit.

    MM-MAT-1: There are clubs, spades, hearts and diamonds.
    """
    if suit not in SUITS:
        raise IllegalMove("no_such_suit", "MM-MAT-1", suit=suit)


@named("mm.Turn")
@dataclass(frozen=True)
class TurnQuestion(SeatPrompt):
    """A player plays a card or draws; after drawing, plays or passes.

    MM-TURN-1: On a turn a player puts one card on the discard pile or draws.
    MM-AMB-8: If sevens cannot be answered, the cards that they ask for are drawn without a question.
    MM-AMB-6: For a player whose time is up, a card is drawn, then the turn is passed.
    """

    drew: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MM-TURN-1",)

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return NO_SEATS if self._is_drawing_forced(state) else super().awaited_seats(state)

    def admitted_seats(self, state: Table) -> frozenset[Seat]:
        """Return the player if sevens cannot be answered.

        No match ever stands here, but a person may write the position down and ask what would be legal.
        """
        return super().awaited_seats(state) if self._is_drawing_forced(state) else NO_SEATS

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return PassTurn() if self.drew else DrawCard()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield DrawCard()
        yield PassTurn()
        yield from map(PlayCard, list_nameable_cards(state, HANDS[self.seat]))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        """Raise IllegalMove if the move is not legal.

        MM-AMB-5: Any card of the hand that fits may be played after drawing.
        """
        require_move(move, PlayCard, DrawCard, PassTurn)
        if isinstance(move, PlayCard):
            check_in_hand(state, self.seat, move.card)
            check_fit(state, self.seat, move.card)
        elif isinstance(move, DrawCard):
            check_not_drawn(self.drew)
        elif isinstance(move, PassTurn):
            check_drew_before_passing(state, self.drew)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, PlayCard):
            yield from self._play_card(state, move.card)
        elif isinstance(move, DrawCard):
            yield from self.resolve(state)
        else:
            yield TurnPassed(self.seat)
            yield StepReplaced(TurnStart(state.seat_after(self.seat)))

    def resolve(self, state: Table) -> Iterator[Event]:
        """Yield the events of drawing one card, or all that sevens ask for.

        MM-SEVEN-1: After a seven the next player draws two cards.
        MM-AMB-7: Drawing for sevens is the whole turn.
        """
        if due := state.cards_due:
            yield StepReplaced(TurnStart(state.seat_after(self.seat)))
            yield StepPushed(CardDrawing(self.seat, due, "sevens"))
        else:
            yield StepReplaced(replace_fields(self, drew=True))
            yield StepPushed(CardDrawing(self.seat, 1, "turn"))

    def _is_drawing_forced(self, state: Table) -> bool:
        return not state.rules.stacking and state.cards_due > 0

    def _play_card(self, state: Table, card: str) -> Iterator[Event]:
        """Yield the events of a card that is played.

        MM-END-1: The first player to get rid of all hand cards wins, and the match is over at once.
        MM-AMB-1: What the last card would do falls away.
        MM-EIGHT-1: After an eight the next player is skipped.
        """
        rank, hand = rank_of(card), HANDS[self.seat]
        rules = (*self._list_why_it_may_be_played(state, card), CLAUSES_BY_RANK.get(rank, "MM-PLAIN-1"))
        yield CardPlayed(hand, DISCARD, find_cards_leaving(state, hand, (card,)), (card,), self.seat, rules)
        if len(state.cards_at(hand)) == 1:
            yield HandEmptied(self.seat)
            yield StackCleared()
            return
        if rank == "7":
            yield CardsBecameDue(state.cards_due + CARDS_PER_SEVEN)
        if rank == "8":
            yield TurnSkipped(state.seat_after(self.seat))
        following = TurnStart(state.seat_after(self.seat, 2 if rank == "8" else 1))
        yield StepReplaced(SuitWish(self.seat) if rank == "jack" else following)

    def _list_why_it_may_be_played(self, state: Table, card: str) -> tuple[str, ...]:
        """Return the clauses by which a card may be played now.

        MM-AMB-5: Any card of the hand that fits may be played after drawing.
        MM-AMB-8: A seven may be answered with a seven.
        MM-AMB-9: A jack goes on a jack only where the table allows it.
        """
        is_jack = rank_of(card) == "jack"
        fits_by = "MM-JACK-1" if is_jack else "MM-JACK-2" if state.wished_suit else "MM-PLAY-1"
        after_drawing = ("MM-DRAW-2", "MM-AMB-5") if self.drew else ()
        seven_on_seven = ("MM-AMB-8",) if state.cards_due else ()
        jack_on_jack = ("MM-AMB-9",) if is_jack and rank_of(state.top) == "jack" else ()
        return (fits_by, *after_drawing, *seven_on_seven, *jack_on_jack)


@named("mm.Wish")
@dataclass(frozen=True)
class SuitWish(SeatPrompt):
    """The player of a jack wishes a suit.

    MM-JACK-2: The player of a jack wishes a suit.
    MM-AMB-6: A wish that is due when the time is up is the jack's own suit.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MM-JACK-2",)

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return WishSuit(suit_of(state.top))

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(WishSuit, SUITS)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        check_wish_done(move)
        assert isinstance(move, WishSuit)
        check_suit(move.suit)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, WishSuit)
        yield SuitWished(self.seat, move.suit)
        yield StepReplaced(TurnStart(state.seat_after(self.seat)))


def compute_outcome(table: Table) -> Outcome | None:
    """Return how the match has ended, or None while something is pending.

    MM-END-1: The first player to get rid of all hand cards wins. All others share the second place.
    MM-AMB-2: After the number of turns set for it, the fewest hand cards win.
    """
    if table.agenda:
        return None
    held = [len(table.cards_at(HANDS[seat])) for seat in range(table.rules.seats)]
    winners = tuple(seat for seat, count in enumerate(held) if count == min(held))
    others = tuple(seat for seat in range(table.rules.seats) if seat not in winners)
    how = ("hand_emptied", ("MM-END-1",)) if min(held) == 0 else ("turns_ran_out", ("MM-AMB-2",))
    return Outcome(winners, *how, (winners, others) if others else (winners,))
