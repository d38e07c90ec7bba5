"""Cards drawn face down, turned up, pulled from a hand or read to the referee.

At a real table the referee sees backs. A card turned up is reported. A card that goes to the hand of a seat in `named`
(a bot) is read to the referee. Clauses: MK-2.2, MK-2.6, MK-16.3, MK-18.1, MK-19.7, MK-23.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.chance import HandPull, TopCardTurnUp
from referee.cardscript.hand_disclosure import HandDisclosure, HandReport, count_unseen_copies
from referee.engine.chance import PickResult, RandomBelow, Shuffle, TurnUpResult
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import Cards, count_unnamed_copies
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
    yield DeckRenewed(DISCARDS[deck], DECKS[deck], old, table.rules.lay_face_down(old))
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
    return (StepPushed(HandReading(seat)) for seat in seats if table.rules.hears_hand_of(seat))


@named("mk.Naming")
@dataclass(frozen=True)
class HandNaming(HandReport):
    """The report of a given number of cards from a hand."""

    event_type: ClassVar[type[CardsNamed]] = CardsNamed

    def describe_report(self) -> Text:
        return BOOK.render_texts("pattern.read", count=self.count)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult(draw_hidden_cards(state, self.count, below))


@named("mk.Reading")
@dataclass(frozen=True)
class HandReading(HandDisclosure):
    """The reading of a hand to the referee at a real table.

    It covers the cards of one seat that nobody has named yet. A bot's hand has to be known to the referee.
    """

    report_type: ClassVar[type[HandNaming]] = HandNaming


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
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2",)

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


class TurningUp(TopCardTurnUp):
    """A step that turns up the top card of a deck.

    MK-2.6: A draw that finds its deck empty has the discards shuffled and then goes on.
    """

    __slots__ = ()
    deck: ClassVar[str] = "door"

    def find_pile(self) -> str:
        return DECKS[self.deck]

    def handle_empty_pile(self, table: Table) -> Iterator[Event]:
        yield from handle_empty_deck(table, self.deck)

    def _find_possible_cards(self, table: Table) -> Cards:
        left = count_unseen_copies(table.boxes.whole, table)
        deck_cards = table.cards_at(DECKS[self.deck])
        return tuple(card for card in table.boxes.decks[self.deck] if left[card] > 0 or card in deck_cards)

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, self._find_possible_cards(state))

    def check_card(self, table: Table, card: str) -> None:
        box = table.boxes.decks[self.deck]
        if card not in box:
            raise IllegalMove("not_of_this_deck", "MK-1.2", card=card, deck=DECKS[self.deck])
        if card not in self._find_possible_cards(table):
            raise IllegalMove("no_copy_left", "KERNEL-CENSUS-1", "MK-2.1", card=card, copies=box[card])

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        # a card read to the referee for a bot is not in the deck, though the check would allow it
        left = count_unnamed_copies(state.boxes.decks[self.deck], state)
        names = [card for card, count in sorted((+left).items()) for _ in range(count)]
        return TurnUpResult(names[below(len(names))])


@named("mk.TurnUpTreasures")
@dataclass(frozen=True)
class TurnUpTreasures(TurningUp):
    """The turning up of a number of treasures that are then shared.

    MK-16.3: With a helper the treasures are drawn face up for all to see.
    """

    count: int
    deck: ClassVar[str] = "treasure"
    clauses: ClassVar[tuple[str, ...]] = ("MK-16.3",)

    def is_due(self, table: Table) -> bool:
        return self.count > 0

    def place_card(self, table: Table, took: str, card: str) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        yield TreasureTurnedUp(DECKS["treasure"], WON, (took,), (card,))


# ---- from a hand ----------------------------------------------------------------------------------------------------


@named("mk.Pulling")
@dataclass(frozen=True)
class Pulling(HandPull):
    """The taking of cards at random from another player's hand, one after the other.

    MK-18.1: Bad stuff is what the monster's card says: the loss of items, cards, levels or towns, or death.
    MK-19.7: A dead character gets no cards in any way.
    """

    count: int = 1
    reading_type: ClassVar[type[HandReading]] = HandReading
    clauses: ClassVar[tuple[str, ...]] = ("MK-18.1", "MK-19.7")

    def is_over(self, table: Table) -> bool:
        return super().is_over(table) or self.seat in table.dead

    def build_pull_event(self, cards: Cards) -> Event:
        return CardPulled(HANDS[self.of], HANDS[self.seat], cards, cards, self.seat, self.of)
