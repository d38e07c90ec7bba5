"""Cards that come from where nobody sees them: drawn face down, turned up, pulled out of a hand, read to the referee.

At a real table the referee sees backs; what is turned up is reported, and what comes to a seat in `named` (a bot) is
read to it. Clauses: MK-2.2, MK-2.6, MK-5.3, MK-5.7, MK-16.3, MK-18.1, MK-19.7, MK-23.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hand_disclosure import NamingHand, ReadingHand, unnamed
from referee.cardscript.hidden_cards import coming_to
from referee.cardscript.table import SOME
from referee.engine.chance import Below, ChanceStep, Picked, Shuffle, TurnedUp
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.engine.zones import Cards, Forgotten, backs, census, is_back
from referee.games.munchkin.components import BOOK, DECKS, DISCARDS, FACES, HANDS, PENDING, WON
from referee.games.munchkin.events.cards import (
    CardDrawn,
    CardKept,
    CardPulled,
    CardsNamed,
    DeckRenewed,
    DoorOpened,
    NothingToDraw,
    TreasureTurnedUp,
)
from referee.games.munchkin.rules.cards.naming import drawn
from referee.games.munchkin.rules.cards.texts import text_of
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


def renewed(table: Table, deck: str) -> Iterator[Event]:
    """The facts with which the discards of a deck (door, treasure) become that deck again (MK-2.6)."""
    old = table.place(DISCARDS[deck])
    yield DeckRenewed(DISCARDS[deck], DECKS[deck], old, backs(old) if table.rules.cards_at_table else old)
    yield Opened(Shuffle(DECKS[deck]))


def dry(table: Table, deck: str) -> Iterator[Event]:
    """What follows if a draw finds the deck empty: it is renewed, or there is nothing and the step is done (MK-2.6)."""
    if table.size(DISCARDS[deck]):
        yield from renewed(table, deck)
    else:
        yield NothingToDraw(deck)
        yield Closed()


# ---- a bot's cards at a real table -----------------------------------------------------------------------------------


def read_to_us(table: Table, *seats: int) -> Iterator[Event]:
    """The steps that name the cards of those seats whose cards are read to the referee at a real table."""
    for seat in seats:
        if table.rules.cards_at_table and seat in table.rules.named:
            yield Opened(Reading(seat))


@named("mk.Reading")
@dataclass(frozen=True)
class Reading(ReadingHand):
    """At a real table, whatever of one seat's hand nobody has named is read to the referee, as a bot's has to be."""

    def naming(self, count: int) -> Step:
        return Naming(self.seat, count)


@named("mk.Naming")
@dataclass(frozen=True)
class Naming(NamingHand):
    """So many cards of a hand are read to the referee."""

    def says(self) -> Text:
        return BOOK.texts("pattern.read", count=self.count)

    def named_as(self, state: Table, took: Cards, put: Cards) -> Event:
        return CardsNamed(HANDS[self.seat], HANDS[self.seat], took, put, self.seat)

    def draw(self, state: Table, below: Below) -> Move:
        return Picked(drawn(state, self.count, below))


# ---- face down ------------------------------------------------------------------------------------------------------


@named("mk.Drawing")
@dataclass(frozen=True)
class Drawing(Step):
    """A player draws so many cards of a deck (`door`, `treasure`) face down to the hand; a dead one draws none."""

    seat: int
    deck: str
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.2", "MK-2.6", "MK-19.7")

    def resolve(self, state: Table) -> Iterator[Event]:
        deck = DECKS[self.deck]
        if not self.count or self.seat in state.dead:
            yield Closed()
            return
        number = min(self.count, state.size(deck))
        if not number:
            yield from dry(state, self.deck)
            return
        yield Became(changed(self, count=self.count - number))
        for card in state.place(deck)[:number]:
            yield CardDrawn(deck, HANDS[self.seat], (card,), (card,), self.seat)
        yield from read_to_us(state, self.seat)


def draw(table: Table, seat: int, deck: str, count: int) -> Event:  # noqa: ARG001  # as every order of a text is given
    """The fact with which a player begins to draw cards of a deck (`door`, `treasure`) face down."""
    return Opened(Drawing(seat, deck, count))


# ---- turned up ------------------------------------------------------------------------------------------------------


class TurningUp(ChanceStep):
    """The top card of a deck is turned up. At a real table it is reported, for the deck is all backs."""

    __slots__ = ()
    deck: ClassVar[str] = "door"

    def due(self, state: Table) -> bool:
        """Whether a card is to be turned up."""
        return True

    def turned(self, state: Table, took: str, card: str) -> Iterator[Event]:
        """The facts of the card that came up; `took` is what the deck held it as."""
        raise NotImplementedError

    def _blind(self, table: Table) -> bool:
        there = table.place(DECKS[self.deck])
        if self.due(table) and SOME in there:
            raise Unknown("which_cards", place=DECKS[self.deck])
        return self.due(table) and bool(there) and is_back(there[0])

    def _possible(self, table: Table) -> Cards:
        left = unnamed(table.boxes.whole, table)
        known = table.place(DECKS[self.deck])
        return tuple(card for card in table.boxes.decks[self.deck] if left[card] > 0 or card in known)

    def awaits(self, state: Table) -> frozenset[Seat]:
        return frozenset({CHANCE}) if self._blind(state) else frozenset()

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnedUp, self._possible(state))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, TurnedUp):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        box = state.boxes.decks[self.deck]
        if move.card not in box:
            raise Refused("not_of_this_deck", "MK-1.2", card=move.card, deck=self.deck)
        if move.card not in self._possible(state):
            raise Refused("no_copy_left", "KERNEL-CENSUS-1", "MK-2.1", card=move.card, copies=box[move.card])

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnedUp)
        yield from self.turned(state, state.place(DECKS[self.deck])[0], move.card)

    def draw(self, state: Table, below: Below) -> Move:
        # what is read for a bot lies in no deck, though a check allows it
        left = census(state.boxes.decks[self.deck], state)
        names = [card for card, count in sorted((+left).items()) for _ in range(count)]
        return TurnedUp(names[below(len(names))])

    def resolve(self, state: Table) -> Iterator[Event]:
        there = state.place(DECKS[self.deck])
        if not self.due(state):
            yield Closed()
        elif there:
            yield from self.turned(state, there[0], there[0])
        else:
            yield from dry(state, self.deck)


@named("mk.OpenDoor")
@dataclass(frozen=True)
class OpenDoor(TurningUp):
    """The top door is turned up; where there is none, the kick does nothing (MK-5.3, MK-5.7)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3", "MK-5.7")

    def turned(self, state: Table, took: str, card: str) -> Iterator[Event]:
        yield Became(BehindTheDoor(self.seat, card))
        yield DoorOpened(DECKS["door"], PENDING, (took,), (card,), self.seat)


@named("mk.BehindTheDoor")
@dataclass(frozen=True)
class BehindTheDoor(Step):
    """What was behind the door: a monster to fight, a curse, what works at once, or a card for the hand (MK-5.3)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3", "MK-9.6", "MK-20.1")

    def resolve(self, state: Table) -> Iterator[Event]:
        seat, card, face = self.seat, self.card, FACES[self.card]
        yield Closed()
        if face.kind == "monster":
            from referee.games.munchkin.rules.combat import fighting  # rests on what is drawn here, as do the others

            yield from fighting.combat_with(state, card, PENDING, seat, by=NOBODY)
        elif face.kind == "curse":
            from referee.games.munchkin.rules.cards import cursing

            yield from cursing.cursed(state, card, victim=seat, by=NOBODY)
        elif face.face_up:
            from referee.games.munchkin.rules.cards import playing

            yield Opened(playing.Finish(card))
            yield Opened(text_of(state, card, "does", by=seat))
        else:
            yield CardKept(PENDING, HANDS[seat], (card,), coming_to(state, seat, (card,)), seat)


@named("mk.TurnUpTreasures")
@dataclass(frozen=True)
class TurnUpTreasures(TurningUp):
    """So many treasures are turned up for all to see, to be shared out (MK-16.3)."""

    count: int
    deck: ClassVar[str] = "treasure"
    clauses: ClassVar[tuple[str, ...]] = ("MK-16.3", "MK-2.6")

    def due(self, state: Table) -> bool:
        return self.count > 0

    def turned(self, state: Table, took: str, card: str) -> Iterator[Event]:
        yield Became(changed(self, count=self.count - 1))
        yield TreasureTurnedUp(DECKS["treasure"], WON, (took,), (card,))


# ---- out of a hand --------------------------------------------------------------------------------------------------


@named("mk.Pulling")
@dataclass(frozen=True)
class Pulling(ChanceStep):
    """A player takes cards out of another's hand into the own, one after the other, each at random (MK-18.1)."""

    seat: int
    of: int
    count: int = 1
    clauses: ClassVar[tuple[str, ...]] = ("MK-18.1", "MK-19.7")

    def _over(self, table: Table) -> bool:
        return not self.count or not table.hand(self.of) or self.seat in table.dead

    def awaits(self, state: Table) -> frozenset[Seat]:
        if self._over(state) or state.rules.cards_at_table:
            return frozenset()  # nothing left to take, or a card that no referee sees
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
        if self._over(state):
            yield Closed()
        else:
            yield from self._pulled(state, ("?",) if state.rules.cards_at_table else state.hand(self.of))

    def _pulled(self, state: Table, cards: Cards) -> Iterator[Event]:
        yield Became(changed(self, count=self.count - 1))
        source, target = HANDS[self.of], HANDS[self.seat]
        if state.rules.cards_at_table and any(not is_back(card) for card in state.hand(self.of)):
            yield Forgotten(source)
        yield CardPulled(source, target, cards, cards, self.seat, self.of)
        if state.rules.cards_at_table:
            yield from read_to_us(state, self.of, self.seat)
