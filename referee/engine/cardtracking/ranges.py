"""Numbers on a table that cannot be: what a game finds out of its range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class OutOfRange:
    """A number that is out of its range: `key` is the text that names it (`census.hearts`), `seat` whose it is (-1:
    nobody's), `clause` what bounds it."""

    key: str
    number: int
    low: int
    high: int
    clause: str
    seat: int = -1


def check_range(key: str, number: int | None, low: int, high: int, clause: str, seat: int = -1) -> Iterator[OutOfRange]:
    """The miscount, if the number is known and out of its range."""
    if number is not None and not low <= number <= high:
        yield OutOfRange(key, number, low, high, clause, seat)
