"""Examples of positions, all of them in the deep run and some in the quick one, and what holds of rulings on them."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from tests.api.house import Person

Each = TypeVar("Each")
SOME = 4  # of each variant: a ruling tries hundreds of values of what a position leaves out
SOME_EXAMPLES_OR_ALL = [pytest.param(SOME, id="some"), pytest.param(None, id="all", marks=pytest.mark.deep)]


def spread_out(examples: list[Each], most: int | None) -> list[Each]:
    """Some of the examples, evenly spread from the first to the last; None: all of them."""
    if most is None or len(examples) <= most:
        return examples
    return [examples[at * (len(examples) - 1) // (most - 1)] for at in range(most)]


def check_ruling(anyone: Person, game: str, asked: dict[str, Any], ruling: Any) -> None:
    """What holds of a ruling on any written position, whatever the verdict is."""
    assert ruling["clauses"]
    if ruling["verdict"] != "granted":  # after a legal draw from an unknown pile it is unknown, too
        assert ruling["after"] is None
    if ruling["verdict"] == "undecided":
        assert ruling["needs"]
    for way in ruling["way_out"]:
        granted: Any = anyone.post(f"/v1/games/{game}/rulings", {**asked, "move": way["move"]})
        assert granted.json["verdict"] in ("granted", "undecided"), (asked["position"], way)
