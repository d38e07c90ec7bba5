"""Drawing, pulling and looking: cards from places that nobody sees.

At a real table the referee sees only backs. Cards that come to a seat in `named` (a bot) are named to it
(`HandNaming`). Clauses: HTS-VERB-1, HTS-VERB-6, HTS-VERB-12, HTS-DECK-1, HTS-DO-1, HTS-DO-6, HTS-DO-13, HTS-TRIG-6,
HTS-AMB-52, HTS-AMB-56, HTS-AMB-60, HTS-AMB-64, HTS-EDGE-4, HTS-STATE-8.
HTS-STATE-8: Each throw, shuffle and pull is recorded as an event. A replay draws nothing.
HTS-AMB-56: A second card must be pulled from the same hand. The table sees only that it was pulled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.hand_disclosure import HandDisclosure, HandReport, find_gained_cards
from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.questions import LookPrompt
from referee.engine.chance import ChanceStep, PickResult, RandomBelow, Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import Cards, CardsForgotten, backs_of, is_back
from referee.games.here_to_slay.components import BOOK, DECK, DISCARD, HANDS
from referee.games.here_to_slay.events.cards import (
    CardDrawn,
    CardPulled,
    DeckRenewed,
    DeckTopLookedAt,
    EffectLapsed,
    LotDrawn,
    NothingToDraw,
)
from referee.games.here_to_slay.state import Table


def renew_deck(table: Table) -> Iterator[Event]:
    """Yield the events that turn the discard pile into the main deck.

    HTS-DECK-1: If a card is needed and the main deck has none, the shuffled discard pile takes its place and drawing
        goes on.
    """
    old = table.cards_at(DISCARD)
    yield DeckRenewed(DISCARD, DECK, old, backs_of(old) if table.rules.cards_at_table else old)
    yield StepPushed(Shuffle(DECK))


def disclose_hands(table: Table, *seats: int) -> Iterator[Event]:
    """Yield the steps that name these seats' cards to the referee at a real table."""
    for seat in seats:
        if table.rules.cards_at_table and seat in table.rules.named:
            yield StepPushed(HandReading(seat))


@named("hts.Drawing")
@dataclass(frozen=True)
class CardDrawing(Step):
    """A player draws `count` cards as one lot.

    `called` is the name to which the text beneath binds them. `before` is the hand as it was before the draw.
    HTS-DO-1: Cards are drawn singly. What the drawing sets off waits until all are drawn.
    HTS-TRIG-6: Cards drawn together form one lot: when all are drawn, the owner of a drawing ability picks one of them
        or declines, and after each pick is asked about the rest.
    """

    seat: int
    count: int
    called: str = ""
    drawn: int = 0
    before: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-1", "HTS-DO-1", "HTS-AMB-52")

    def resolve(self, state: Table) -> Iterator[Event]:
        number = min(self.count, state.count_cards_at(DECK)) if self.count else 0
        if number:
            cards = state.cards_at(DECK)[:number]
            yield StepReplaced(replace_fields(self, count=self.count - number, drawn=self.drawn + number))
            for card in cards:
                yield CardDrawn(DECK, HANDS[self.seat], (card,), (card,), self.seat)
            yield from disclose_hands(state, self.seat)
        elif self.count and state.cards_at(DISCARD):
            yield from renew_deck(state)
        else:
            if self.count:
                yield NothingToDraw(self.seat)
            lot = find_gained_cards(state.cards_in_hand(self.seat), self.before)
            yield StepPopped()
            yield LotDrawn(self.seat, lot)
            if self.called:
                yield NameBound(self.called, lot, self.seat)

    def view_for(self, seat: int) -> Step:
        return self if seat == self.seat else replace_fields(self, before=backs_of(self.before))


def draw_cards(table: Table, seat: int, count: int, called: str = "") -> Event:
    """Return the event that begins a draw."""
    return StepPushed(CardDrawing(seat, count, called, 0, table.cards_in_hand(seat)))


@named("hts.CardsNamed")
@dataclass(frozen=True)
class HandCardsNamed(CardsMoved):
    """The cards of a hand were named to the referee at a real table."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)


@named("hts.Reading")
@dataclass(frozen=True)
class HandReading(HandDisclosure):
    """Asks for a report of the unnamed cards in one seat's hand at a real table."""

    def build_report_step(self, count: int) -> Step:
        return HandNaming(self.seat, count)


@named("hts.Naming")
@dataclass(frozen=True)
class HandNaming(HandReport):
    """`count` cards of a hand are to be named to the referee.

    HTS-STATE-1: Everybody learns what happens. Which hidden card it concerned is known only to those who may see it.
    """

    def describe_report(self) -> Text:
        return BOOK.render_texts("pattern.cards", most=self.count)

    def build_naming_event(self, state: Table, took: Cards, put: Cards) -> Event:
        return HandCardsNamed(HANDS[self.seat], HANDS[self.seat], took, put, self.seat)


@named("hts.Pulling")
@dataclass(frozen=True)
class Pulling(ChanceStep):
    """A player pulls cards out of a hand at random, one after the other.

    HTS-VERB-12: The referee picks the pulled card, each with the same chance, and records it. Only the two players
        concerned see which it is.
    HTS-DO-6: Two pulls are made one after the other. The second picks from the cards that remain.
    """

    seat: int
    of: int
    count: int
    called: str = ""
    before: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-6", "HTS-VERB-12", "HTS-DO-6")

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        if not self.count or state.rules.cards_at_table:
            return frozenset()  # nothing is left to pull, or the referee cannot see the card
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
        if self.count and state.cards_in_hand(self.of):
            if state.rules.cards_at_table:
                yield from self._pull_cards(state, ("?",))
            else:
                yield from self._pull_cards(state, state.cards_in_hand(self.of))
            return
        yield StepPopped()
        if self.called:
            yield NameBound(self.called, find_gained_cards(state.cards_in_hand(self.seat), self.before), self.seat)

    def _pull_cards(self, state: Table, cards: Cards) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        source, target = HANDS[self.of], HANDS[self.seat]
        if state.rules.cards_at_table and any(not is_back(card) for card in state.cards_in_hand(self.of)):
            yield CardsForgotten(source)
        yield CardPulled(source, target, cards, cards, self.seat, self.of)
        if state.rules.cards_at_table:
            yield from disclose_hands(state, self.of, self.seat)

    def view_for(self, seat: int) -> Step:
        return self if seat == self.seat else replace_fields(self, before=backs_of(self.before))


@named("hts.LookingAtDeck")
@dataclass(frozen=True)
class LookingAtDeck(Step):
    """A player looks at the top cards of the main deck.

    HTS-DO-13: Only the player of the effect sees the top three cards of the main deck.
    HTS-AMB-60: With one or two cards left, those are looked at. With none, the discard pile is shuffled first.
    """

    seat: int
    count: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-13", "HTS-AMB-60")

    def resolve(self, state: Table) -> Iterator[Event]:
        if not state.count_cards_at(DECK) and state.cards_at(DISCARD):
            yield from renew_deck(state)
            return
        cards = state.cards_at(DECK)[: self.count]
        yield StepPopped()
        if not cards:
            yield EffectLapsed(self.card, "look")  # both piles are empty
            return
        yield DeckTopLookedAt(self.seat, cards)
        yield NameBound(self.called, cards, self.seat)
        yield NameBound(f"{self.called}/at", ("",))
        if all(map(is_back, cards)) and state.rules.cards_at_table:
            yield StepPushed(LookPrompt(self.seat, self.card, cards))
