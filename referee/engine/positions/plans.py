"""Plans: places of a table drawn as rows of text, with a letter for each place.

A dot or a space is an empty place. One letter, the origin, lies at 0, 0; columns grow to the right and rows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.engine.positions.form import SchemaError

EMPTY_MARKS = ". "


def locate_letters(rows: Iterable[str], origin: str) -> dict[str, tuple[int, int]]:
    """Return the place of each letter of a plan."""
    lie = {mark: (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in EMPTY_MARKS}
    x0, y0 = lie.get(origin, (0, 0))
    return {mark: (x - x0, y - y0) for mark, (x, y) in lie.items()}


def find_plan_errors(
    plan: dict[str, Any] | None, origin: str, says: str, places: Iterable[tuple[str, Any]]
) -> Iterator[SchemaError]:
    """Find what is wrong with a plan, and with letters that stand for places.

    `plan`: its `rows`, and lists or mappings of letters. None: no plan is drawn, so every letter is wrong.
    `says`: what players call the place at the origin.
    `places`: written places outside the plan, each with its pointer. Only texts are letters.
    """
    drawn = locate_letters(plan["rows"], origin) if plan else {}
    if plan and sum(mark not in EMPTY_MARKS for row in plan["rows"] for mark in row) != len(drawn):
        yield {"pointer": "/plan/rows", "detail": "use each letter only once"}
    if plan and origin not in drawn:
        yield {"pointer": "/plan/rows", "detail": f"{origin}, {says}, is missing"}
    for pointer, place in (*places, *_list_letters(plan or {})):
        if isinstance(place, str) and place not in drawn:
            yield {"pointer": pointer, "detail": f"{place} is not a letter of the plan"}


def _list_letters(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return ((f"/plan/{part}", letter) for part, letters in plan.items() if part != "rows" for letter in letters)
