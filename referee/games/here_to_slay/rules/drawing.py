"""Drawing, pulling and looking: cards that come from where nobody sees them.

At a real table the referee sees backs only; what comes to a seat in `named` (a bot) is read to it (`Naming`).
Clauses: HTS-VERB-1, HTS-VERB-6, HTS-VERB-12, HTS-DECK-1, HTS-DO-1, HTS-DO-6, HTS-DO-13, HTS-TRIG-6, HTS-AMB-52,
HTS-AMB-56, HTS-AMB-60, HTS-AMB-64, HTS-EDGE-4, HTS-STATE-8.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.hand_disclosure import NamingHand, ReadingHand, difference
from referee.cardscript.language.interpreter import Bound
from referee.cardscript.questions import Looking
from referee.engine.chance import Below, ChanceStep, Picked, Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Refused
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, Forgotten, backs, is_back
from referee.games.here_to_slay.components import BOOK, DECK, DISCARD, HANDS
from referee.games.here_to_slay.events.cards import (
    CardDrawn,
    CardPulled,
    DeckRenewed,
    Lapsed,
    LotDrawn,
    NothingToDraw,
    TopLookedAt,
)
from referee.games.here_to_slay.state import Table


def renewed(table: Table) -> Iterator[Event]:
    """The facts with which the discard pile becomes the main deck (HTS-DECK-1)."""
    old = table.place(DISCARD)
    yield DeckRenewed(DISCARD, DECK, old, backs(old) if table.rules.cards_at_table else old)
    yield Opened(Shuffle(DECK))


def read_to_us(table: Table, *seats: int) -> Iterator[Event]:
    """The steps that name the cards of those seats whose cards are read to the referee at a real table."""
    for seat in seats:
        if table.rules.cards_at_table and seat in table.rules.named:
            yield Opened(Reading(seat))


@named("hts.Drawing")
@dataclass(frozen=True)
class Drawing(Step):
    """A player draws `count` cards by one order; all first, then what they set off (HTS-DO-1, HTS-TRIG-6).

    `called` is the name under which the text beneath goes on with them; `before` is the hand that they come to.
    """

    seat: int
    count: int
    called: str = ""
    drawn: int = 0
    before: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-1", "HTS-DO-1", "HTS-AMB-52")

    def resolve(self, state: Table) -> Iterator[Event]:
        number = min(self.count, state.size(DECK)) if self.count else 0
        if number:
            cards = state.place(DECK)[:number]
            yield Became(changed(self, count=self.count - number, drawn=self.drawn + number))
            for card in cards:
                yield CardDrawn(DECK, HANDS[self.seat], (card,), (card,), self.seat)
            yield from read_to_us(state, self.seat)
        elif self.count and state.place(DISCARD):
            yield from renewed(state)
        else:
            if self.count:
                yield NothingToDraw(self.seat)
            lot = difference(state.hand(self.seat), self.before)
            yield Closed()
            yield LotDrawn(self.seat, lot)
            if self.called:
                yield Bound(self.called, lot, self.seat)

    def seen_by(self, seat: int) -> Step:
        return self if seat == self.seat else changed(self, before=backs(self.before))


def draw(table: Table, seat: int, count: int, called: str = "") -> Event:
    """The fact with which a player begins to draw."""
    return Opened(Drawing(seat, count, called, 0, table.hand(seat)))


@named("hts.CardsNamed")
@dataclass(frozen=True)
class CardsNamed(CardsMoved):
    """At a real table, the cards of a hand were read to the referee."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CENSUS-1",)


@named("hts.Reading")
@dataclass(frozen=True)
class Reading(ReadingHand):
    """At a real table, whatever of one seat's hand nobody has named is read to the referee, as a bot's has to be."""

    def naming(self, count: int) -> Step:
        return Naming(self.seat, count)


@named("hts.Naming")
@dataclass(frozen=True)
class Naming(NamingHand):
    """So many cards of a hand are read to the referee (HTS-STATE-1)."""

    def says(self) -> Text:
        return BOOK.texts("pattern.cards", most=self.count)

    def named_as(self, state: Table, took: Cards, put: Cards) -> Event:
        return CardsNamed(HANDS[self.seat], HANDS[self.seat], took, put, self.seat)


@named("hts.Pulling")
@dataclass(frozen=True)
class Pulling(ChanceStep):
    """A player pulls cards out of a hand, one after the other, each at random (HTS-VERB-12, HTS-DO-6)."""

    seat: int
    of: int
    count: int
    called: str = ""
    before: Cards = ()
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-6", "HTS-VERB-12", "HTS-DO-6")

    def awaits(self, state: Table) -> frozenset[Seat]:
        if not self.count or state.rules.cards_at_table:
            return frozenset()  # nothing left to pull, or a card that no referee sees
        return frozenset({CHANCE}) if len(state.hand(self.of)) > 1 else frozenset()

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != 1 or move.cards[0] not in state.hand(self.of):
            raise Refused("not_these_cards", "KERNEL-CHANCE-1")

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield from self._pulled(state, move.cards)

    def draw(self, state: Table, below: Below) -> Move:
        hand = sorted(state.hand(self.of))
        return Picked((hand[below(len(hand))],))

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.count and state.hand(self.of):
            if state.rules.cards_at_table:
                yield from self._pulled(state, ("?",))
            else:
                yield from self._pulled(state, state.hand(self.of))
            return
        yield Closed()
        if self.called:
            yield Bound(self.called, difference(state.hand(self.seat), self.before), self.seat)

    def _pulled(self, state: Table, cards: Cards) -> Iterator[Event]:
        yield Became(changed(self, count=self.count - 1))
        source, target = HANDS[self.of], HANDS[self.seat]
        if state.rules.cards_at_table and any(not is_back(card) for card in state.hand(self.of)):
            yield Forgotten(source)
        yield CardPulled(source, target, cards, cards, self.seat, self.of)
        if state.rules.cards_at_table:
            yield from read_to_us(state, self.of, self.seat)

    def seen_by(self, seat: int) -> Step:
        return self if seat == self.seat else changed(self, before=backs(self.before))


@named("hts.LookingAtDeck")
@dataclass(frozen=True)
class LookingAtDeck(Step):
    """A player looks at the topmost cards of the main deck (HTS-DO-13, HTS-AMB-60)."""

    seat: int
    count: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-13", "HTS-AMB-60")

    def resolve(self, state: Table) -> Iterator[Event]:
        if not state.size(DECK) and state.place(DISCARD):
            yield from renewed(state)
            return
        cards = state.place(DECK)[: self.count]
        yield Closed()
        if not cards:
            yield Lapsed(self.card, "look")  # both piles are empty
            return
        yield TopLookedAt(self.seat, cards)
        yield Bound(self.called, cards, self.seat)
        yield Bound(f"{self.called}/at", ("",))
        if all(map(is_back, cards)) and state.rules.cards_at_table:
            yield Opened(Looking(self.seat, self.card, cards))
