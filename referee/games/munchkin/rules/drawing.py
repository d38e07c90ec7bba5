"""Cards drawn face down, turned up, pulled from a hand or read to the referee.

At a real table the referee sees backs. A card turned up is reported. A card that goes to the hand of a seat in `named`
(a bot) is read to the referee. Clauses: MK-2.2, MK-2.6, MK-16.3, MK-18.1, MK-19.7, MK-23.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hand_disclosure import HandDisclosure, HandReport, count_unseen_copies
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import ChanceStep, PickResult, RandomBelow, Shuffle, TurnUpResult
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import Cards, CardsForgotten, backs_of, count_unnamed_copies, is_back
from referee.games.munchkin.components import BOOK, DECKS, DISCARDS, HANDS, WON
from referee.games.munchkin.events.cards import (
    CardDrawn,
    CardPulled,
    CardsNamed,
    DeckRenewed,
    NothingToDraw,
    TreasureTurnedUp,
)
from referee.games.munchkin.rules.cards.naming import draw_hidden_cards
from referee.games.munchkin.state import Table


def renew_deck(table: Table, deck: str) -> Iterator[Event]:
    """Yield the events with which the discards of a deck become that deck again.

    MK-2.6: A draw that finds its deck empty has the discards shuffled into a new deck.
    """
    old = table.cards_at(DISCARDS[deck])
    yield DeckRenewed(DISCARDS[deck], DECKS[deck], old, backs_of(old) if table.rules.cards_at_table else old)
    yield StepPushed(Shuffle(DECKS[deck]))


def handle_empty_deck(table: Table, deck: str) -> Iterator[Event]:
    """Yield the events of a draw from an empty deck.

    MK-2.6: The discards are shuffled into a new deck. If there are none either, the draw does nothing.
    """
    if table.count_cards_at(DISCARDS[deck]):
        yield from renew_deck(table, deck)
    else:
        yield NothingToDraw(deck)
        yield StepPopped()


# ---- a bot's cards at a real table -----------------------------------------------------------------------------------


def disclose_hands(table: Table, *seats: int) -> Iterator[Event]:
    """Yield the steps that read the hands of these seats to the referee.

    Only seats in `named` at a real table have their cards read.
    """
    for seat in seats:
        if table.rules.cards_at_table and seat in table.rules.named:
            yield StepPushed(HandReading(seat))


@named("mk.Reading")
@dataclass(frozen=True)
class HandReading(HandDisclosure):
    """The reading of a hand to the referee at a real table.

    It covers the cards of one seat that nobody has named yet. A bot's hand has to be known to the referee.
    """

    def build_report_step(self, count: int) -> Step:
        return HandNaming(self.seat, count)


@named("mk.Naming")
@dataclass(frozen=True)
class HandNaming(HandReport):
    """The report of a given number of cards from a hand."""

    def describe_report(self) -> Text:
        return BOOK.render_texts("pattern.read", count=self.count)

    def build_naming_event(self, state: Table, took: Cards, put: Cards) -> Event:
        return CardsNamed(HANDS[self.seat], HANDS[self.seat], took, put, self.seat)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult(draw_hidden_cards(state, self.count, below))


# ---- face down ------------------------------------------------------------------------------------------------------


@named("mk.Drawing")
@dataclass(frozen=True)
class Drawing(Step):
    """The drawing of cards from a deck (`door`, `treasure`) face down into a hand.

    MK-2.2: A hand is secret and only its size is public.
    MK-2.6: A draw that finds its deck empty has the discards shuffled and then goes on.
    MK-19.7: A dead character gets no cards in any way.
    """

    seat: int
    deck: str
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2", "MK-2.6", "MK-19.7")

    def resolve(self, state: Table) -> Iterator[Event]:
        deck = DECKS[self.deck]
        if not self.count or self.seat in state.dead:
            yield StepPopped()
            return
        number = min(self.count, state.count_cards_at(deck))
        if not number:
            yield from handle_empty_deck(state, self.deck)
            return
        yield StepReplaced(replace_fields(self, count=self.count - number))
        for card in state.cards_at(deck)[:number]:
            yield CardDrawn(deck, HANDS[self.seat], (card,), (card,), self.seat)
        yield from disclose_hands(state, self.seat)


def draw_cards(table: Table, seat: int, deck: str, count: int) -> Event:  # noqa: ARG001  # as every order of a text is given
    """Return the event with which a player begins to draw cards face down.

    `deck` is `door` or `treasure`.
    """
    return StepPushed(Drawing(seat, deck, count))


# ---- turned up ------------------------------------------------------------------------------------------------------


class TurningUp(ChanceStep):
    """A step that turns up the top card of a deck.

    At a real table the deck is all backs, so the card is reported.
    """

    __slots__ = ()
    deck: ClassVar[str] = "door"

    def is_due(self, state: Table) -> bool:
        """Return whether a card is to be turned up."""
        return True

    def place_turned_card(self, state: Table, took: str, card: str) -> Iterator[Event]:
        """Yield the events of the card that came up.

        The deck held it as `took`, which is a back at a real table.
        """
        raise NotImplementedError

    def _is_top_card_hidden(self, table: Table) -> bool:
        there = table.cards_at(DECKS[self.deck])
        if self.is_due(table) and UNCOUNTED_CARDS in there:
            raise Undetermined("which_cards", place=DECKS[self.deck])
        return self.is_due(table) and bool(there) and is_back(there[0])

    def _find_possible_cards(self, table: Table) -> Cards:
        left = count_unseen_copies(table.boxes.whole, table)
        deck_cards = table.cards_at(DECKS[self.deck])
        return tuple(card for card in table.boxes.decks[self.deck] if left[card] > 0 or card in deck_cards)

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset({CHANCE}) if self._is_top_card_hidden(state) else frozenset()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, self._find_possible_cards(state))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, TurnUpResult):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        box = state.boxes.decks[self.deck]
        if move.card not in box:
            raise IllegalMove("not_of_this_deck", "MK-1.2", card=move.card, deck=self.deck)
        if move.card not in self._find_possible_cards(state):
            raise IllegalMove("no_copy_left", "KERNEL-CENSUS-1", "MK-2.1", card=move.card, copies=box[move.card])

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnUpResult)
        yield from self.place_turned_card(state, state.cards_at(DECKS[self.deck])[0], move.card)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        # a card read to the referee for a bot is not in the deck, though the check would allow it
        left = count_unnamed_copies(state.boxes.decks[self.deck], state)
        names = [card for card, count in sorted((+left).items()) for _ in range(count)]
        return TurnUpResult(names[below(len(names))])

    def resolve(self, state: Table) -> Iterator[Event]:
        there = state.cards_at(DECKS[self.deck])
        if not self.is_due(state):
            yield StepPopped()
        elif there:
            yield from self.place_turned_card(state, there[0], there[0])
        else:
            yield from handle_empty_deck(state, self.deck)


@named("mk.TurnUpTreasures")
@dataclass(frozen=True)
class TurnUpTreasures(TurningUp):
    """The turning up of a number of treasures that are then shared.

    MK-16.3: With a helper the treasures are drawn face up for all to see.
    """

    count: int
    deck: ClassVar[str] = "treasure"
    clauses: ClassVar[tuple[str, ...]] = ("MK-16.3", "MK-2.6")

    def is_due(self, state: Table) -> bool:
        return self.count > 0

    def place_turned_card(self, state: Table, took: str, card: str) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        yield TreasureTurnedUp(DECKS["treasure"], WON, (took,), (card,))


# ---- from a hand ----------------------------------------------------------------------------------------------------


@named("mk.Pulling")
@dataclass(frozen=True)
class Pulling(ChanceStep):
    """The taking of cards at random from another player's hand, one after the other.

    MK-18.1: Bad stuff is what the monster's card says: the loss of items, cards, levels or towns, or death.
    MK-19.7: A dead character gets no cards in any way.
    """

    seat: int
    of: int
    count: int = 1
    clauses: ClassVar[tuple[str, ...]] = ("MK-18.1", "MK-19.7")

    def _is_over(self, table: Table) -> bool:
        return not self.count or not table.cards_in_hand(self.of) or self.seat in table.dead

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        if self._is_over(state) or state.rules.cards_at_table:
            return frozenset()  # nothing left to take, or a card that no referee sees
        return frozenset({CHANCE}) if len(state.cards_in_hand(self.of)) > 1 else frozenset()

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, PickResult):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != 1 or move.cards[0] not in state.cards_in_hand(self.of):
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1")

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._pull_cards(state, move.cards)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        hand = sorted(state.cards_in_hand(self.of))
        return PickResult((hand[below(len(hand))],))

    def resolve(self, state: Table) -> Iterator[Event]:
        if self._is_over(state):
            yield StepPopped()
        else:
            yield from self._pull_cards(state, ("?",) if state.rules.cards_at_table else state.cards_in_hand(self.of))

    def _pull_cards(self, state: Table, cards: Cards) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        source, target = HANDS[self.of], HANDS[self.seat]
        if state.rules.cards_at_table and any(not is_back(card) for card in state.cards_in_hand(self.of)):
            yield CardsForgotten(source)
        yield CardPulled(source, target, cards, cards, self.seat, self.of)
        if state.rules.cards_at_table:
            yield from disclose_hands(state, self.of, self.seat)
