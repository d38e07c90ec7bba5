"""The log as stretches of versions: what still counts, what superseded the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.match.aggregate import LastingTableEvent, MatchRewound
from referee.match.entries import LogEntry
from referee.match.events.dispute_events import HistoryRestored, RulingIssued

RewindTarget = tuple[str, int]
CURRENT, PARTLY, SUPERSEDED = "current", "partly", "superseded"


def build_stretches(entries: Sequence[LogEntry]) -> list[dict[str, Any]]:
    """Return the log as stretches of versions that count alike, as JSON data.

    Each stretch is `{from, to, state, superseded_by, dispute, restored}`. `entries` must be all entries.

    - `state`: `current`; `superseded` by entry `superseded_by`;
      or `partly`: its play is superseded, its lasting events stay.
    - `dispute`: the dispute whose ruling that entry carried out, if it was one.
    - `restored`: the entry by which it counts again, if it once did not.

    TABLE-COURSE-1: Nothing is erased. Going back is an entry of its own, and the entries that no longer count stay
    readable.
    """
    by, again = find_superseded((entry.version, list_rewind_targets(entry)) for entry in entries)
    rulings = {entry.version: find_ruled_dispute(entry) for entry in entries}
    found: list[dict[str, Any]] = []
    for entry in entries:
        state, at = find_entry_state(entry, by.get(entry.version))
        brought = again.get(entry.version) if state == CURRENT and _has_game_events(entry) else None
        status = {
            "state": state, "superseded_by": at, "dispute": None if at is None else rulings[at], "restored": brought
        }  # fmt: skip
        last = found[-1] if found else None
        if last is not None and status.items() <= last.items():
            last["to"] = entry.version
        else:
            found.append({"from": entry.version, "to": entry.version, **status})
    return found


def find_superseded(steps: Iterable[tuple[int, Iterable[RewindTarget]]]) -> tuple[dict[int, int], dict[int, int]]:
    """Return which entry struck each version, and which entry restored others.

    The first mapping names for each struck version the first entry that struck it. The second names for each version
    that was struck and counts again the entry that restored it. `steps` holds the version of every entry, with its
    rewind targets.
    """
    every = [(version, tuple(backs)) for version, backs in steps]
    wanted = {n for _, backs in every for kind, n in backs if kind == HistoryRestored.TAG}
    by, again = dict[int, int](), dict[int, int]()
    then: dict[int, dict[int, int]] = {}
    for version, backs in every:
        if version in wanted:
            then[version] = dict(by)
        for kind, n in backs:
            if kind == MatchRewound.TAG:
                by = {**dict.fromkeys(range(n + 1, version), version), **by}
            elif n in then:
                since = {struck: by.get(struck, version) for struck in range(n, version)}
                again |= dict.fromkeys(by.keys() - then[n].keys() - since.keys(), version)
                by = {**then[n], **since}
    return by, again


def list_rewind_targets(entry: LogEntry) -> list[RewindTarget]:
    """Return the tag of each event that goes back, and the version it names."""
    return [
        (event.TAG, event.to if isinstance(event, MatchRewound) else event.entry)
        for event in entry.events
        if isinstance(event, MatchRewound | HistoryRestored)
    ]


def _has_game_events(entry: LogEntry) -> bool:
    return any(not isinstance(event, LastingTableEvent) for event in entry.events)


def find_entry_state(entry: LogEntry, by: int | None) -> tuple[str, int | None]:
    """Return whether an entry still counts, and which entry went back behind it."""
    lasting = [isinstance(event, LastingTableEvent) for event in entry.events]
    if by is None or (lasting and all(lasting)):
        return CURRENT, None
    return (PARTLY if any(lasting) else SUPERSEDED), by


def find_ruled_dispute(entry: LogEntry) -> int | None:
    """Return the dispute that an entry rules on; None if it rules on none."""
    return next((event.dispute for event in entry.events if isinstance(event, RulingIssued)), None)
