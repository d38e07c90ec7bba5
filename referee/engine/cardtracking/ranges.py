"""Numbers on a table that the rules exclude."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class OutOfRange:
    """A number outside its range.

    `key` is the text that names it (`census.hearts`). `seat` is its owner (-1: nobody). `clause` is the clause that
    sets the bounds.
    """

    key: str
    number: int
    low: int
    high: int
    clause: str
    seat: int = -1


def check_range(key: str, number: int | None, low: int, high: int, clause: str, seat: int = -1) -> Iterator[OutOfRange]:
    """Yield the number as `OutOfRange` if it is known and outside its range."""
    if number is not None and not low <= number <= high:
        yield OutOfRange(key, number, low, high, clause, seat)
