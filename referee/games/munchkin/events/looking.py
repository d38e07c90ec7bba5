"""What a player has looked at unseen by the others (MK-27.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.zones import Cards, arrange_cards, backs_of
from referee.games.munchkin.components import DECKS


@dataclass(frozen=True)
class CardsLookedAt(Event):
    """Hidden cards that only `seat` has seen."""

    def view_for(self, seat: int) -> Event:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))  # type: ignore[attr-defined]

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (self.seat,) if self.cards else ()  # type: ignore[attr-defined]


@named("mk.DeckTopLookedAt")
@dataclass(frozen=True)
class DeckTopLookedAt(CardsLookedAt):
    """A player looked at the top cards of a deck (MK-27.7)."""

    seat: int
    deck: str
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.7",)


@named("mk.HandLookedAt")
@dataclass(frozen=True)
class HandLookedAt(CardsLookedAt):
    """A player looked at the hand of another (MK-27.7)."""

    seat: int
    of: int
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.7",)


@named("mk.TopArranged")
@dataclass(frozen=True)
class DeckTopArranged(Event):
    """A player put cards back on a deck, in an order of their own (MK-27.7)."""

    seat: int
    deck: str
    cards: Cards
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.7",)

    def apply(self, state: Any) -> Any:
        deck = DECKS[self.deck]
        rest = state.zones.get(deck, ())[len(self.cards) :]
        return replace_fields(state, zones={**state.zones, deck: arrange_cards((*self.cards, *rest))})

    def view_for(self, seat: int) -> Event:
        return replace_fields(self, cards=backs_of(self.cards))
