"""Statistics of draws: how far counts are from even, in standard deviations, whatever the number of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable

Below = Callable[[int], int]
FAR = 5.0  # deviations: once in three million tries of an even source; and the sources here are the same in every run


def deviation(counts: Counter[Hashable], cells: int) -> float:
    """How far these counts over so many equally likely cells are from even: chi-squared as a standard normal, by the
    cube root of Wilson and Hilferty (1931), which is good from a handful of expected counts a cell on."""
    total = sum(counts.values())
    expected = total / cells
    assert expected >= 5, "too few draws for a test of chi-squared"
    empty = cells - len(counts)
    squares = sum((count - expected) ** 2 for count in counts.values()) / expected + empty * expected
    freedom = cells - 1
    return ((squares / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5


def even(values: Iterable[Hashable], cells: int) -> bool:
    """Whether these values fall evenly into so many cells, as far as one can tell."""
    return abs(deviation(Counter(values), cells)) < FAR


def by_chance(hits: int, tries: int, share: float) -> bool:
    """Whether so many hits are what somebody gets who knows nothing, each of which has this chance."""
    return abs(hits - tries * share) < FAR * (tries * share * (1 - share)) ** 0.5
