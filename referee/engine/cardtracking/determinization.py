"""Determinization: lay out the cards that a view hides as they could lie.

The census says which cards the view does not name. They are dealt at random to the backs that the seat sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from referee.engine.chance import RandomBelow, shuffle_cards
from referee.engine.seats import CHANCE
from referee.engine.zones import (
    Cards,
    ZonedState,
    arrange_cards,
    back_of,
    count_unnamed_copies,
    is_back,
    is_open_to,
    list_copies,
)

Z = TypeVar("Z", bound=ZonedState)
# By place: cards that a seat remembers to lie there. One that the view names elsewhere has left since.
Memory = Mapping[str, Cards]
NOTHING_REMEMBERED: Memory = {}
NO_CARDS: Cards = ()


def is_open_to_nobody(place: str) -> bool:
    """Return whether no seat sees the cards at a place, as in a pile."""
    return place.endswith(":")


def list_hidden_places(view: ZonedState, seat: int, real: bool = False) -> list[str]:
    """Return the places whose cards are hidden from a seat and can be known.

    `real`: real cards are dealt. Then nobody knows what lies in a pile, so it stays as it is. While somebody is to say
    what a card is or what comes off a pile, nothing else is named either.
    """
    if real and CHANCE in view.awaited_seats:
        return []
    return [
        place for place in sorted(view.zones) if not is_open_to(place, seat) and not (real and is_open_to_nobody(place))
    ]


def determinize_zones(
    view: Z,
    seat: int,
    below: RandomBelow,
    box: Mapping[str, int],
    *,
    possible: Callable[[str], Mapping[str, int]] | None = None,
    memory: Memory = NOTHING_REMEMBERED,
    real: bool = False,
) -> dict[str, Cards]:
    """Return the zones of a view with the cards hidden from its seat laid out.

    `box`: the copies of each card.
    `possible`: the cards that may lie at a place, if not all may.
    `real`: real cards are dealt, see `list_hidden_places`.

    A back for which no card is left stays, as after wrong reports at a real table.
    """
    places = list_hidden_places(view, seat, real)
    left = shuffle_cards(list_copies(+count_unnamed_copies(box, view)), below)
    kept = reserve_remembered_cards(view, places, left, memory)
    zones = dict(view.zones)

    def count_kinds(place: str) -> tuple[int, str]:
        return len(possible(place)) if possible else 0, place

    for place in sorted(places, key=count_kinds):  # where few cards may lie, they are dealt first
        pool = [*kept.get(place, ()), *(left if possible is None else filter(possible(place).__contains__, left))]
        cards = lay_out_cards(view.zones[place], pool)
        for card in cards:
            if card in left and not is_back(card):
                left.remove(card)
        zones[place] = arrange_cards(shuffle_cards(cards, below) if is_open_to_nobody(place) else cards)
    return zones


def reserve_remembered_cards(
    view: ZonedState, places: Iterable[str], left: list[str], memory: Memory
) -> dict[str, list[str]]:
    """Return the cards remembered to lie at each place, taken out of `left`.

    Of more cards than lie there, those that come first in `left` are taken, which is in random order.
    """
    kept: dict[str, list[str]] = {}
    for place in places:
        wanted = list(memory.get(place, ()))
        backs = [card for card in view.zones[place] if is_back(card)]
        for card in [card for card in left if card in wanted]:
            if card in wanted and back_of(card) in backs:  # as many copies as are remembered
                wanted.remove(card)
                backs.remove(back_of(card))
                left.remove(card)
                kept.setdefault(place, []).append(card)
    return kept


def lay_out_cards(there: Cards, pool: Iterable[str]) -> list[str]:
    """Return the cards of a place with cards of the pool on its backs, in order."""
    by_back: dict[str, list[str]] = {}
    for card in pool:
        by_back.setdefault(back_of(card), []).append(card)
    waiting = {back: iter(cards) for back, cards in by_back.items()}
    return [next(waiting.get(card, iter(NO_CARDS)), card) if is_back(card) else card for card in there]
