"""The course of a match as stretches of versions: what still counts, and what was superseded, by which entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.match.aggregate import OfTable, Rewound
from referee.match.entries import Logged
from referee.match.events.dispute_events import Restored, RulingIssued

Back = tuple[str, int]
CURRENT, PARTLY, SUPERSEDED = "current", "partly", "superseded"


def stretches(entries: Sequence[Logged]) -> list[dict[str, Any]]:
    """All versions in order, those alike together: `{from, to, state, by, dispute, restored}` (TABLE-COURSE-1).

    `state`: `current`; `superseded` by entry `by`; or `partly`: its play is, but who sat where and what was ruled
    stays (`OfTable`). `dispute`: the one whose ruling entry `by` carried out, if it was one. `restored`: the entry by
    which it counts again, if it once did not. Needs all entries.
    """
    by, again = struck((entry.version, went_back(entry)) for entry in entries)
    rulings = {entry.version: ruled(entry) for entry in entries}
    found: list[dict[str, Any]] = []
    for entry in entries:
        state, at = standing(entry, by.get(entry.version))
        brought = again.get(entry.version) if state == CURRENT and _of_game(entry) else None
        told = {
            "state": state, "by": at, "dispute": None if at is None else rulings[at], "restored": brought
        }  # fmt: skip
        last = found[-1] if found else None
        if last is not None and told.items() <= last.items():
            last["to"] = entry.version
        else:
            found.append({"from": entry.version, "to": entry.version, **told})
    return found


def struck(steps: Iterable[tuple[int, Iterable[Back]]]) -> tuple[dict[int, int], dict[int, int]]:
    """Each version that an entry struck, and that entry, the first to do so; and each that was struck once and stands
    again, with the entry that brought it back. `steps`: the version of every entry, with what it goes back to."""
    every = [(version, tuple(backs)) for version, backs in steps]
    wanted = {n for _, backs in every for kind, n in backs if kind == Restored.TAG}
    by, again = dict[int, int](), dict[int, int]()
    then: dict[int, dict[int, int]] = {}
    for version, backs in every:
        if version in wanted:
            then[version] = dict(by)
        for kind, n in backs:
            if kind == Rewound.TAG:
                by = {**dict.fromkeys(range(n + 1, version), version), **by}
            elif n in then:
                since = {struck: by.get(struck, version) for struck in range(n, version)}
                again |= dict.fromkeys(by.keys() - then[n].keys() - since.keys(), version)
                by = {**then[n], **since}
    return by, again


def went_back(entry: Logged) -> list[Back]:
    """What an entry goes back to: the type of each fact that does, and the version it names."""
    return [
        (fact.TAG, fact.to if isinstance(fact, Rewound) else fact.entry)
        for fact in entry.facts
        if isinstance(fact, Rewound | Restored)
    ]


def _of_game(entry: Logged) -> bool:
    return any(not isinstance(fact, OfTable) for fact in entry.facts)


def standing(entry: Logged, by: int | None) -> tuple[str, int | None]:
    """Whether an entry still counts, and which entry went back behind it."""
    lasting = [isinstance(fact, OfTable) for fact in entry.facts]
    if by is None or (lasting and all(lasting)):
        return CURRENT, None
    return (PARTLY if any(lasting) else SUPERSEDED), by


def ruled(entry: Logged) -> int | None:
    """The dispute that an entry rules on; None if it does not."""
    return next((fact.dispute for fact in entry.facts if isinstance(fact, RulingIssued)), None)
