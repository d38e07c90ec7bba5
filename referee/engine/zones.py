"""Zones: places where cards lie, who may see them, and the event that moves cards.

A place is named by a string. What follows its colon says to whom the place is open: `discard` is open to all, `hand:2`
to seat 2 alone, `deck:` to nobody.

A card is named by a string. After `!` stands its back if the box has several (`sword!trigger` shows `?trigger`). Else
its back is `?`. A hidden card appears as its back: in the view of a seat, at a table where real cards are dealt, and
in a position that a person wrote down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.engine.remembering import share_public_answers
from referee.engine.steps import State

Cards = tuple[str, ...]


def is_back(card: str) -> bool:
    """Return whether this card appears as its back."""
    return card.startswith("?")


@lru_cache(4096)
def back_of(card: str) -> str:
    """Return what a hidden card shows: `?`, or `?` and the name of its back.

    Copy numbers do not show.
    """
    if card.startswith("?"):
        return card
    return "?" + card.partition("!")[2].partition("#")[0]


def backs_of(cards: Iterable[str]) -> Cards:
    """Return the backs of these cards, sorted because hidden cards have no order."""
    return _cached_backs(tuple(cards))


@lru_cache(4096)  # every view masks the same piles, and most moves change few of them
def _cached_backs(cards: Cards) -> Cards:
    return tuple(sorted(map(back_of, cards)))


@lru_cache(4096)  # every view asks for the same few places
def is_open_to(place: str, seat: int) -> bool:
    """Return whether the cards at a place lie open to a seat."""
    _name, colon, viewer = place.partition(":")
    return not colon or (viewer != "" and str(int(seat)) in viewer.split(","))


@lru_cache(4096)  # most states have the same places as the one before
def _list_hidden_places(places: tuple[str, ...], seat: int) -> tuple[str, ...]:
    return tuple(place for place in places if not is_open_to(place, seat))


def arrange_cards(cards: Iterable[str]) -> Cards:
    """Return cards in the order in which a place holds them.

    The order is kept if all cards are named. Otherwise the named ones come first, then the sorted backs.
    """
    cards = tuple(cards)
    if "?" not in "".join(cards):  # the usual case, in one go
        return cards
    hidden = [card for card in cards if card.startswith("?")]
    return (*(card for card in cards if not card.startswith("?")), *sorted(hidden))


def remove_cards(cards: Cards, gone: Iterable[str]) -> Cards:
    """Return the cards without the given ones, removing the first match of each.

    Raises ValueError if one is not there.
    """
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


@dataclass(frozen=True)
class ZonedState(State):
    """A table with cards on it. `zones` must never be changed in place.

    `surplus`: how many copies of a card lie at a real table beyond those of the box, as the table has agreed.
    """

    zones: dict[str, Cards] = field(default_factory=dict)
    surplus: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY, kw_only=True)

    def cards_at(self, name: str) -> Cards:
        """Return the cards at a place, none if the place was never used."""
        return self.zones.get(name, ())

    def view_for(self, seat: int) -> Any:
        zones = dict(self.zones)
        for name in _list_hidden_places(tuple(zones), seat):
            zones[name] = _cached_backs(zones[name])
        seen = replace_fields(self, zones=zones, agenda=tuple(step.view_for(seat) for step in self.agenda))
        share_public_answers(self, seen)
        return seen


Z = TypeVar("Z", bound=ZonedState)


@named("Moved")
@dataclass(frozen=True)
class Moved(Event):
    """Cards moved from `source` to `target`.

    `took` are the cards as the source held them, `put` as the target holds them. A hidden card is named by taking a
    back and putting a name. Games derive events with names of their own.
    """

    source: str
    target: str
    took: Cards
    put: Cards

    def apply(self, state: Z) -> Z:
        zones = dict(state.zones)
        zones[self.source] = remove_cards(zones.get(self.source, ()), self.took)
        zones[self.target] = arrange_cards((*zones.get(self.target, ()), *self.put))
        return replace_fields(state, zones=zones)

    def view_for(self, seat: int) -> Event:
        took = self.took if is_open_to(self.source, seat) else backs_of(self.took)
        put = self.put if is_open_to(self.target, seat) else backs_of(self.put)
        return replace_fields(self, took=took, put=put)


@named("Reordered")
@dataclass(frozen=True)
class CardsReordered(Event):
    """The cards at a place lie in a new order."""

    where: str
    order: Cards

    def apply(self, state: Z) -> Z:
        return replace_fields(state, zones={**state.zones, self.where: arrange_cards(self.order)})

    def view_for(self, seat: int) -> Event:
        return self if is_open_to(self.where, seat) else replace_fields(self, order=backs_of(self.order))


@named("Forgotten")
@dataclass(frozen=True)
class CardsForgotten(Event):
    """A card left this place unnamed, so it is no longer known which card is which."""

    where: str

    def apply(self, state: Z) -> Z:
        return replace_fields(state, zones={**state.zones, self.where: backs_of(state.cards_at(self.where))})


def list_copies(box: Mapping[str, int]) -> Cards:
    """Return every card of a box, once for each copy."""
    return tuple(card for card, count in box.items() for _ in range(count))


def count_copies(box: Mapping[str, int], state: ZonedState) -> Counter[str]:
    """Return the copies of each card of the box, its surplus copies included."""
    there = Counter(dict(box))
    for card, count in state.surplus.items():
        if card in there:
            there[card] += count
    return there


def count_unnamed_copies(box: Mapping[str, int], state: ZonedState) -> Counter[str]:
    """Return how many copies of each card of the box are not named anywhere.

    This is computed and never stored. A negative number means an impossible table.
    """
    left = count_copies(box, state)
    for cards in state.zones.values():
        for card in cards:
            if not card.startswith("?"):
                left[card.partition("#")[0]] -= 1
    return left


def find_cards_leaving(state: ZonedState, place: str, cards: Iterable[str]) -> Cards:
    """Return what leaves a place when these names are given, for `Moved.took`.

    It is the name if the place holds it by name, else its back.
    """
    left = list(state.cards_at(place))
    took = []
    for card in cards:
        took.append(card if card in left else back_of(card))
        if took[-1] in left:
            left.remove(took[-1])
    return tuple(took)
