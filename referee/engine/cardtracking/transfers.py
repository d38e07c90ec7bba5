"""Transfers: cards taken from places and put at places at once, as shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.engine.zones import back_of

Piles = Mapping[str, Counter[str]]  # cards by place: names, and backs


@dataclass(frozen=True)
class Transfer:
    """Cards that were taken from places and put at places at once.

    They are as they were shown: names, or backs.
    """

    version: int
    took: Piles
    put: Piles

    def hide_card(self, card: str) -> Transfer:
        """Return the transfer with this card showing only its back."""
        return Transfer(self.version, _hide_card(self.took, card), _hide_card(self.put, card))

    def find_unbalanced_back(self) -> str:
        """Return a back of which more or fewer cards were put than taken, or nothing.

        It is an empty string if no card vanished or appeared. A card that is named differently on both sides is left
        to the search.
        """
        took, put = count_backs(self.took), count_backs(self.put)
        return next((shape for shape in sorted(took | put) if took[shape] != put[shape]), "")


def compute_transfer(
    version: int, before: Mapping[str, Iterable[str]], after: Mapping[str, Iterable[str]]
) -> Transfer | None:
    """Return what moved between two snapshots of all places, or None if nothing did."""
    took: dict[str, Counter[str]] = {}
    put: dict[str, Counter[str]] = {}
    for place in dict.fromkeys((*before, *after)):
        here, there = before.get(place, ()), after.get(place, ())
        if here is there or here == there:
            continue
        was, now = Counter(here), Counter(there)
        if gone := was - now:
            took[place] = gone
        if come := now - was:
            put[place] = come
    return Transfer(version, took, put) if took or put else None


def _hide_card(piles: Piles, card: str) -> Piles:
    found = dict(piles)
    for place, cards in piles.items():
        if cards[card]:
            rest = Counter({other: count for other, count in cards.items() if other != card})
            rest[back_of(card)] += cards[card]
            found[place] = rest
    return found


def count_backs_by_place(piles: Piles) -> Piles:
    """Return how many cards of each back lie at each place."""
    found: dict[str, Counter[str]] = {}
    for place, cards in piles.items():
        found[place] = Counter()
        for card, count in cards.items():
            found[place][back_of(card)] += count
    return found


def count_backs(piles: Piles) -> Counter[str]:
    found: Counter[str] = Counter()
    for cards in count_backs_by_place(piles).values():
        found += cards
    return found
