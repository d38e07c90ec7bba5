"""Draw cards, and read cards to the referee for a bot at a real table.

Clauses: CC-START-1, CC-AMB-8, KERNEL-CENSUS-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hand_disclosure import HandDisclosure, HandReport
from referee.engine.chance import PickResult, RandomBelow
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import Text
from referee.engine.steps import Step, StepPopped, StepPushed
from referee.games.creature_crush.components import BOOK, DECKS, HANDS
from referee.games.creature_crush.events.decks import CardDrawn, CardsNamed, NothingToDraw
from referee.games.creature_crush.rules.naming import draw_unnamed_cards
from referee.games.creature_crush.state import Table


def disclose_hands(table: Table, *seats: int) -> Iterator[Event]:
    """Yield the steps that name the hand cards of these seats.

    That happens only at a real table, for seats whose cards are read to the referee.
    """
    for seat in seats:
        yield from disclose_place(table, seat, HANDS[seat])


def disclose_place(table: Table, seat: int, place: str) -> Iterator[Event]:
    """Yield the step that names the cards of a place that only this seat may look at.

    That happens only at a real table, for a seat whose cards are read to the referee.
    """
    if table.rules.hears_hand_of(seat):
        yield StepPushed(CardDisclosure(seat, place))


@named("cc.Naming")
@dataclass(frozen=True)
class CardNaming(HandReport):
    """A given number of cards of a place is read to the referee."""

    place: str
    event_type: ClassVar[type[CardsNamed]] = CardsNamed

    def find_place(self) -> str:
        return self.place

    def describe_report(self) -> Text:
        return BOOK.render_texts("pattern.read", count=self.count)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult(draw_unnamed_cards(state, self.seat, self.count, below))


@named("cc.Reading")
@dataclass(frozen=True)
class CardDisclosure(HandDisclosure):
    """The unnamed cards of a seat at a place are to be read to the referee.

    A bot at a real table needs that.
    """

    place: str

    def build_report_step(self, count: int) -> CardNaming:
        return CardNaming(self.seat, count, self.place)


@named("cc.Drawing")
@dataclass(frozen=True)
class CardDrawing(Step):
    """A player draws cards.

    `for_turn` marks the card that is drawn as every turn begins.

    CC-START-1: In the start phase the active player draws one card.
    CC-AMB-8: A draw from an empty deck does nothing and loses nothing.
    """

    seat: int
    count: int = 1
    for_turn: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-1", "CC-AMB-8")

    def resolve(self, state: Table) -> Iterator[Event]:
        deck, hand = DECKS[self.seat], HANDS[self.seat]
        number = min(self.count, state.count_cards_at(deck))
        yield StepPopped()
        for card in state.cards_at(deck)[:number]:
            yield CardDrawn(deck, hand, (card,), (card,), self.seat, self.for_turn)
        if number < self.count:
            yield NothingToDraw(self.seat)
        if number:
            yield from disclose_hands(state, self.seat)
