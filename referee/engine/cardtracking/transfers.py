"""Passages of cards: what was taken from places and brought to places at once, as it was shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.engine.zones import back

Piles = Mapping[str, Counter[str]]  # cards by place: names, and backs


@dataclass(frozen=True)
class Passage:
    """Cards that were taken from places and brought to places at once, as they were shown: names, or backs."""

    version: int
    took: Piles
    put: Piles

    def without(self, card: str) -> Passage:
        """The same, in which this card shows only its back."""
        return Passage(self.version, _without(self.took, card), _without(self.put, card))

    def broken(self) -> str:
        """The back of which more, or fewer, cards were put than taken; empty if none vanished or appeared.

        A card that is named on both sides under two names is found by the search.
        """
        took, put = by_back(self.took), by_back(self.put)
        return next((shape for shape in sorted(took | put) if took[shape] != put[shape]), "")


def passage(version: int, before: Mapping[str, Iterable[str]], after: Mapping[str, Iterable[str]]) -> Passage | None:
    """What went where between two looks at all places; None if nothing did."""
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
    return Passage(version, took, put) if took or put else None


def _without(piles: Piles, card: str) -> Piles:
    found = dict(piles)
    for place, cards in piles.items():
        if cards[card]:
            rest = Counter({other: count for other, count in cards.items() if other != card})
            rest[back(card)] += cards[card]
            found[place] = rest
    return found


def hidden(piles: Piles) -> Piles:
    """How many cards of each back lie at each place."""
    found: dict[str, Counter[str]] = {}
    for place, cards in piles.items():
        found[place] = Counter()
        for card, count in cards.items():
            found[place][back(card)] += count
    return found


def by_back(piles: Piles) -> Counter[str]:
    found: Counter[str] = Counter()
    for cards in hidden(piles).values():
        found += cards
    return found
