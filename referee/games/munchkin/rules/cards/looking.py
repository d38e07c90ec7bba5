"""Hidden cards that a text lets a player look at.

Clauses: MK-27.7, CARDS-CHOICE-4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.moves import ChooseCards
from referee.cardscript.questions import LookPrompt, PlayerPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed
from referee.engine.zones import Cards, backs_of, is_back
from referee.games.munchkin.components import DECKS, DISCARDS, HANDS
from referee.games.munchkin.events.looking import DeckTopArranged, DeckTopLookedAt, HandLookedAt
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.rules.drawing import renew_deck
from referee.games.munchkin.state import Table


@named("mk.LookingAtDeck")
@dataclass(frozen=True)
class LookingAtDeck(Step):
    """A player looks at the top cards of a deck.

    MK-27.7: Only that player sees them. If the deck is empty, its discards are shuffled first.
    """

    seat: int
    deck: str
    count: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.7",)

    def resolve(self, state: Table) -> Iterator[Event]:
        if not state.count_cards_at(DECKS[self.deck]) and state.count_cards_at(DISCARDS[self.deck]):
            yield from renew_deck(state, self.deck)
            return
        cards = state.cards_at(DECKS[self.deck])[: self.count]
        yield StepPopped()
        if not cards:
            yield EffectLapsed(self.card, "look", self.seat)
            return
        yield DeckTopLookedAt(self.seat, self.deck, cards)
        yield from bind_cards_seen(state, self.seat, self.card, self.called, DECKS[self.deck], cards)


def look_at_hand(table: Table, seat: int, owner: int, card: str, called: str) -> Iterator[Event]:
    """Yield the events with which a player looks at another hand.

    MK-27.7: Only the player who looks sees it. An empty hand shows nothing.
    """
    if not table.count_cards_at(HANDS[owner]):
        yield EffectLapsed(card, "look", owner)
        return
    cards = table.cards_in_hand(owner)
    yield HandLookedAt(seat, owner, cards)
    yield from bind_cards_seen(table, seat, card, called, HANDS[owner], cards)


def bind_cards_seen(table: Table, seat: int, card: str, called: str, place: str, cards: Cards) -> Iterator[Event]:
    """Yield the events that give cards looked at a name.

    Only their viewer knows them. Real cards are looked at in fact, which the player confirms.
    """
    yield NameBound(called, cards, seat)
    yield NameBound(f"{called}/at", (place,))
    if table.rules.cards_at_table and any(map(is_back, cards)):
        yield StepPushed(LookPrompt(seat, card, cards))


@named("mk.PutBack")
@dataclass(frozen=True)
class DeckTopOrdering(PlayerPrompt):
    """The question in which order a player puts cards back on top of a deck.

    MK-27.7: The others do not see the order.
    """

    seat: int
    card: str
    deck: str
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.7",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCards, dict.fromkeys(permutations(self.cards)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards) or sorted(move.cards) != sorted(self.cards):
            raise IllegalMove("all_of_these_in_order", "MK-27.7", cards=self.cards)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield StepPopped()
        yield DeckTopArranged(self.seat, self.deck, move.cards)

    def view_for(self, seat: int) -> Step:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))
