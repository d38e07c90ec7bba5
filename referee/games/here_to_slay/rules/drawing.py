"""Drawing, pulling and looking: cards from places that nobody sees.

At a real table the referee sees only backs. Cards that come to a seat in `named` (a bot) are named to it
(`HandNaming`). Clauses: HTS-VERB-1, HTS-VERB-6, HTS-VERB-12, HTS-DECK-1, HTS-DO-1, HTS-DO-6, HTS-DO-13, HTS-TRIG-6,
HTS-AMB-52, HTS-AMB-56, HTS-AMB-60, HTS-AMB-64, HTS-EDGE-4, HTS-STATE-8.
HTS-STATE-8: Each throw, shuffle and pull is recorded as an event. A replay draws nothing.
HTS-AMB-56: A second card must be pulled from the same hand. The table sees only that it was pulled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from referee.cardscript.chance import HandPull
from referee.cardscript.events import CardsMoved
from referee.cardscript.hand_disclosure import HandDisclosure, HandReport, find_gained_cards
from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.questions import LookPrompt
from referee.engine.chance import Shuffle
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.engine.rulebook.book import Text
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import Cards, backs_of, is_back
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
    yield DeckRenewed(DISCARD, DECK, old, table.rules.lay_face_down(old))
    yield StepPushed(Shuffle(DECK))


def disclose_hands(table: Table, *seats: int) -> Iterator[Event]:
    """Yield the steps that name these seats' cards to the referee at a real table."""
    return (StepPushed(HandReading(seat)) for seat in seats if table.rules.hears_hand_of(seat))


@named("hts.Drawing")
@dataclass(frozen=True)
class CardDrawing(Step):
    """A player draws `count` cards as one lot.

    `called` is the name to which the text beneath binds them. `before` is the hand as it was before the draw.
    `reported`: a report on a free text lists the draw, so it sets off no text (CARDS-FREE-2).
    HTS-DO-1: Cards are drawn singly. What the drawing sets off waits until all are drawn.
    HTS-TRIG-6: Cards drawn together form one lot: when all are drawn, the owner of a drawing ability picks one of them
        or declines, and after each pick is asked about the rest.
    """

    seat: int
    count: int
    called: str = ""
    drawn: int = 0
    before: Cards = ()
    reported: bool = field(default=False, metadata=OMIT_IF_EMPTY)
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
            if not self.reported:
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


@named("hts.Naming")
@dataclass(frozen=True)
class HandNaming(HandReport):
    """`count` cards of a hand are to be named to the referee.

    HTS-STATE-1: Everybody learns what happens. Which hidden card it concerned is known only to those who may see it.
    """

    event_type: ClassVar[type[HandCardsNamed]] = HandCardsNamed

    def describe_report(self) -> Text:
        return BOOK.render_texts("pattern.cards", most=self.count)


@named("hts.Reading")
@dataclass(frozen=True)
class HandReading(HandDisclosure):
    """Asks for a report of the unnamed cards in one seat's hand at a real table."""

    report_type: ClassVar[type[HandNaming]] = HandNaming


@named("hts.Pulling")
@dataclass(frozen=True)
class Pulling(HandPull):
    """A player pulls cards out of a hand at random, one after the other.

    HTS-VERB-12: The referee picks the pulled card, each with the same chance, and records it. Only the two players
        concerned see which it is.
    HTS-DO-6: Two pulls are made one after the other. The second picks from the cards that remain.
    """

    called: str = ""
    before: Cards = ()
    reading_type: ClassVar[type[HandReading]] = HandReading
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-6", "HTS-VERB-12", "HTS-DO-6")

    def build_pull_event(self, cards: Cards) -> Event:
        return CardPulled(HANDS[self.of], HANDS[self.seat], cards, cards, self.seat, self.of)

    def finish_pulling(self, table: Table) -> Iterator[Event]:
        yield StepPopped()
        if self.called:
            yield NameBound(self.called, find_gained_cards(table.cards_in_hand(self.seat), self.before), self.seat)

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
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-13",)

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
