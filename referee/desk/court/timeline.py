"""The course of a match as stretches of versions: what still counts, and what was superseded, by which entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.desk.court.facts import RulingIssued
from referee.desk.entries import Logged
from referee.desk.matches import OfTable, Rewound

CURRENT, PARTLY, SUPERSEDED = "current", "partly", "superseded"


def stretches(entries: Sequence[Logged]) -> list[dict[str, Any]]:
    """All versions in order, those alike together: `{from, to, state, by, dispute}` (TABLE-COURSE-1).

    `state`: `current`; `superseded` by entry `by`; or `partly`: its play is, but who sat where and what was ruled
    stays (`OfTable`). `dispute`: the one whose ruling entry `by` carried out, if it was one. Needs all entries.
    """
    by = struck(entries)
    rulings = {entry.version: ruled(entry) for entry in entries}
    found: list[dict[str, Any]] = []
    for entry in entries:
        state, at = standing(entry, by.get(entry.version))
        last = found[-1] if found else None
        if last is not None and (last["state"], last["by"]) == (state, at):
            last["to"] = entry.version
        else:
            dispute = None if at is None else rulings[at]
            found.append({"from": entry.version, "to": entry.version, "state": state, "by": at, "dispute": dispute})
    return found


def struck(entries: Iterable[Logged]) -> dict[int, int]:
    """Each version that an entry went back behind, and that entry: the first to do so."""
    by: dict[int, int] = {}
    for entry in entries:
        for fact in entry.facts:
            if isinstance(fact, Rewound):
                for version in range(fact.to + 1, entry.version):
                    by.setdefault(version, entry.version)
    return by


def standing(entry: Logged, by: int | None) -> tuple[str, int | None]:
    """Whether an entry still counts, and which entry went back behind it."""
    lasting = [isinstance(fact, OfTable) for fact in entry.facts]
    if by is None or (lasting and all(lasting)):
        return CURRENT, None
    return (PARTLY if any(lasting) else SUPERSEDED), by


def ruled(entry: Logged) -> int | None:
    """The dispute that an entry rules on; None if it does not."""
    return next((fact.dispute for fact in entry.facts if isinstance(fact, RulingIssued)), None)
