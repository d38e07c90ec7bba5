"""Plain data as a list of numbers of fixed length, for learners.

This is feature hashing: each value with its place in the data is a feature, a hash says to which number it is added
and with which sign. Features may collide, and what a list of plain values has in which order is lost, so two different
views may have the same numbers. Nothing is added that the data does not hold.

| data | features |
| --- | --- |
| `{"hp": 12}` | `/hp` with weight 12, and `/hp=12` with weight 1 |
| `{"zones": {"hand:0": ["axe", "axe"]}}` | `/zones/hand:0[]=axe` with weight 1, twice |
| `{"tiles": [{"x": 1}]}` | `/tiles/0/x` and `/tiles/0/x=1` |
| `{"over": true}` | `/over=True` |
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Any

GREATEST = 127  # of a number; what would be greater or less stays there, so that it fits into a byte
REMEMBERED_FEATURES = 1 << 16


def hash_features(data: Any, size: int) -> list[int]:
    """Return `size` numbers from -127 to 127 for plain data."""
    numbers = [0] * size
    for feature, weight in list_features(data):
        code = hash_feature(feature)
        numbers[(code >> 1) % size] += weight if code & 1 else -weight
    return [max(-GREATEST, min(GREATEST, number)) for number in numbers]


def list_features(data: Any, place: str = "") -> Iterator[tuple[str, int]]:
    """Yield the features of plain data, each with its weight."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from list_features(value, f"{place}/{name}")
    elif isinstance(data, list | tuple):
        for index, value in enumerate(data):
            if isinstance(value, dict | list | tuple):
                yield from list_features(value, f"{place}/{index}")
            else:
                yield f"{place}[]={value}", 1
    elif data is not None:
        yield f"{place}={data}", 1
        if type(data) is int and data:
            yield place, data


@lru_cache(maxsize=REMEMBERED_FEATURES)
def hash_feature(feature: str) -> int:
    """Return a number for a feature that is the same everywhere."""
    return int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "big")
