"""A player searches their own deck, which is shuffled afterwards.

The deck is hidden, so nobody can tell whether it holds what is searched for. The player may therefore always find less.
What is taken is shown, so that everybody can check it. Clauses: CC-EFF-SEARCH-1, CC-AMB-29.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import cards_arriving, check_cards_from, find_nameable_cards
from referee.cardscript.moves import ChooseCards
from referee.cardscript.questions import CardPrompt, list_combinations, refuse_wrong_number
from referee.engine.chance import Shuffle
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import Cards, find_cards_leaving, is_back
from referee.games.creature_crush.card_attributes import HIGHEST_COST
from referee.games.creature_crush.components import BOOK, DECKS, HANDS, SOUGHT, face_of
from referee.games.creature_crush.events.decks import CardsFound, DeckClosed, DeckOpened, NothingToDraw
from referee.games.creature_crush.rules.drawing import disclose_place
from referee.games.creature_crush.state import Table

MOST_WAYS = 500  # ways listed to name several cards of a deck of backs; a pattern describes the others


@named("cc.Searching")
@dataclass(frozen=True)
class Searching(CardPrompt):
    """A player takes up to `count` cards out of their deck and shuffles it.

    `card` is the card whose text it is. `kind` is creature, crush, or empty for any. `cost_max` is the highest cost of
    a creature that fits, `attack_min` the least printed attack; a crush card has none.
    """

    seat: int
    card: str
    kind: str = ""
    cost_max: int = HIGHEST_COST
    count: int = 1
    opened: bool = False
    attack_min: int = field(default=0, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("CC-EFF-SEARCH-1", "CC-AMB-29")

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if self.opened else ()

    def resolve(self, state: Table) -> Iterator[Event]:
        deck, sought = DECKS[self.seat], SOUGHT[self.seat]
        cards = state.cards_at(deck)
        if not cards:
            yield StepPopped()
            yield NothingToDraw(self.seat)
            return
        yield StepReplaced(replace_fields(self, opened=True))
        yield DeckOpened(deck, sought, cards, cards, self.seat)
        yield from disclose_place(state, self.seat, sought)

    def is_wanted(self, card: str) -> bool:
        """Return whether this is a card that is searched for."""
        printed = face_of(card)
        if self.kind and printed.kind != self.kind:
            return False
        if not printed.is_creature:
            return not self.attack_min
        return printed.cost <= self.cost_max and printed.attack >= self.attack_min

    def _list_wanted(self, table: Table) -> Cards:
        return tuple(card for card in find_nameable_cards(table, SOUGHT[self.seat]) if self.is_wanted(card))

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield ChooseCards(())
        fitting, sought = self._list_wanted(state), state.cards_at(SOUGHT[self.seat])
        there = min(self.count, len(sought))
        if any(map(is_back, sought)):
            ways = (way for size in range(1, there + 1) for way in combinations(fitting, size))
            yield from map(ChooseCards, islice(ways, MOST_WAYS))
        else:
            yield from map(ChooseCards, list_combinations(fitting, min(there, len(fitting)), 1))
            yield from (
                ChooseCards((card,))
                for card in find_nameable_cards(state, SOUGHT[self.seat])
                if not self.is_wanted(card)
            )

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCards)
        if len(move.cards) > self.count:
            raise refuse_wrong_number(0, self.count, "CC-EFF-SEARCH-1")
        if len(set(move.cards)) < len(move.cards):
            raise IllegalMove("same_card_twice", "CC-EFF-SEARCH-1")
        check_cards_from(state, SOUGHT[self.seat], move.cards, "not_in_the_deck", "CC-EFF-SEARCH-1")
        for card in move.cards:
            if not self.is_wanted(card):
                raise IllegalMove("not_looked_for", "CC-EFF-SEARCH-1", "CC-AMB-29", card=card, by=self.card)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        deck, sought = DECKS[self.seat], SOUGHT[self.seat]
        took = find_cards_leaving(state, sought, move.cards)
        left = list(state.cards_at(sought))
        for card in took:
            if card in left:
                left.remove(card)
        yield StepPopped()
        if move.cards:
            put = cards_arriving(state, self.seat, move.cards)
            yield CardsFound(sought, HANDS[self.seat], took, put, self.seat, move.cards)
        rest = tuple(left)
        yield DeckClosed(sought, deck, rest, state.rules.lay_face_down(rest), self.seat)
        yield StepPushed(Shuffle(deck))

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        if self.count < 2:
            return ()
        cards = {"type": "array", "items": {"enum": sorted(self._list_wanted(state))}, "maxItems": self.count,
                 "uniqueItems": True}  # fmt: skip
        says = BOOK.render_texts("pattern.search", count=self.count)
        return ({"type": ChooseCards.TAG, "fields": {"cards": cards}, "says": says},)
