"""A player looks for cards in the own deck, which is shuffled afterwards.

The deck is hidden, so nobody can tell whether it holds what is looked for: its player may always find less. What is
taken is shown, so that everybody can check it. Clauses: CC-EFF-SEARCH-1, CC-AMB-29.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import check_from, coming_to, gone_from, namable
from referee.cardscript.moves import ChooseCards
from referee.cardscript.questions import Asking, combined, wrong_number
from referee.engine.chance import Shuffle
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened
from referee.engine.zones import Cards, backs, is_back
from referee.games.creature_crush.card_attributes import HIGHEST_COST
from referee.games.creature_crush.components import BOOK, DECKS, HANDS, SOUGHT, face
from referee.games.creature_crush.events.decks import CardsFound, DeckClosed, DeckOpened, NothingToDraw
from referee.games.creature_crush.rules.drawing import read_there
from referee.games.creature_crush.state import Table

MOST_WAYS = 500  # of naming several cards of a deck of backs, more are described than listed


@named("cc.Searching")
@dataclass(frozen=True)
class Searching(Asking):
    """A player takes up to so many cards of a kind (creature, crush, empty: any) out of the own deck, then shuffles it.

    `card`: whose text it is; `cost_max`: the highest cost of a creature that fits.
    """

    seat: int
    card: str
    kind: str = ""
    cost_max: int = HIGHEST_COST
    count: int = 1
    opened: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1", "CC-AMB-29")

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if self.opened else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        deck, sought = DECKS[self.seat], SOUGHT[self.seat]
        cards = state.place(deck)
        if not cards:
            yield Closed()
            yield NothingToDraw(self.seat)
            return
        yield Became(changed(self, opened=True))
        yield DeckOpened(deck, sought, cards, cards, self.seat)
        yield from read_there(state, self.seat, sought)

    def fits(self, card: str) -> bool:
        """Whether this is a card that is looked for."""
        printed = face(card)
        if self.kind and printed.kind != self.kind:
            return False
        return not printed.is_creature or printed.cost <= self.cost_max

    def _fitting(self, table: Table) -> Cards:
        return tuple(card for card in namable(table, SOUGHT[self.seat]) if self.fits(card))

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield ChooseCards(())
        fitting, sought = self._fitting(state), state.place(SOUGHT[self.seat])
        there = min(self.count, len(sought))
        if any(map(is_back, sought)):
            ways = (way for size in range(1, there + 1) for way in combinations(fitting, size))
            yield from map(ChooseCards, islice(ways, MOST_WAYS))
        else:
            yield from map(ChooseCards, combined(fitting, min(there, len(fitting)), 1))
            yield from (ChooseCards((card,)) for card in namable(state, SOUGHT[self.seat]) if not self.fits(card))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) > self.count:
            raise wrong_number(0, self.count, "CC-EFF-SEARCH-1")
        if len(set(move.cards)) < len(move.cards):
            raise Refused("same_card_twice", "CC-EFF-SEARCH-1")
        check_from(state, SOUGHT[self.seat], move.cards, "not_in_the_deck", "CC-EFF-SEARCH-1")
        for card in move.cards:
            if not self.fits(card):
                raise Refused("not_looked_for", "CC-EFF-SEARCH-1", "CC-AMB-29", card=card, by=self.card)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        deck, sought = DECKS[self.seat], SOUGHT[self.seat]
        took = gone_from(state, sought, move.cards)
        left = list(state.place(sought))
        for card in took:
            if card in left:
                left.remove(card)
        yield Closed()
        if move.cards:
            put = coming_to(state, self.seat, move.cards)
            yield CardsFound(sought, HANDS[self.seat], took, put, self.seat, move.cards)
        rest = tuple(left)
        yield DeckClosed(sought, deck, rest, backs(rest) if state.rules.cards_at_table else rest, self.seat)
        yield Opened(Shuffle(deck))

    def patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        if self.count < 2:
            return ()
        cards = {"type": "array", "items": {"enum": sorted(self._fitting(state))}, "maxItems": self.count,
                 "uniqueItems": True}  # fmt: skip
        says = BOOK.texts("pattern.search", count=self.count)
        return ({"type": ChooseCards.TAG, "fields": {"cards": cards}, "says": says},)
