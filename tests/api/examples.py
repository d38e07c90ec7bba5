"""Examples of positions: all of them in the deep run, some of them in the quick one, because a ruling tries much."""

from __future__ import annotations

from typing import TypeVar

import pytest

Each = TypeVar("Each")
SOME_EXAMPLES_OR_ALL = [pytest.param(6, id="some"), pytest.param(None, id="all", marks=pytest.mark.deep)]


def spread_out(examples: list[Each], most: int | None) -> list[Each]:
    """Some of the examples, evenly spread from the first to the last; None: all of them."""
    if most is None or len(examples) <= most:
        return examples
    return [examples[at * (len(examples) - 1) // (most - 1)] for at in range(most)]
