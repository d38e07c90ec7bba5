"""A log that reads its archived matches from their files.

All else is left to the log, which itself refuses writes to an archived match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, cast

from cachetools import LRUCache

from referee.eventstore.contract import Head, MatchLog, ReadResult, StoredEntry
from referee.eventstore.projection_store import StoreCall
from referee.infrastructure.archives.archive import Archive

MAX_CACHED_TOMBSTONES = 10_000  # tombstones that a process remembers; they never change


class ArchiveBackedLog:
    """A log with the archive of its matches.

    `read`, `read_entries` and `call_together` raise ArchiveMissing if a file that is needed is missing or damaged. All
    else is as in `MatchLog`.
    """

    def __init__(self, log: MatchLog, archive: Archive) -> None:
        self._log, self.archive_files = log, archive
        self._known: LRUCache[str, Head] = LRUCache(MAX_CACHED_TOMBSTONES)
        self._lock = Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def read(self, match: str, *, after: int = 0, limit: int | None = None, **looked_up: Any) -> ReadResult:
        """Read as the log does, with an archived match's entries from its file.

        `looked_up` are key, grant and root. Raises ArchiveMissing.
        """
        reading = self._log.read(match, after=after, limit=limit, **looked_up)
        head = reading.head
        if head is None or head.status != "archived":
            return reading
        self._remember_tombstone(match, head)
        return replace(
            reading, entries=self._read_archived(match, head, after, head.version if limit is None else limit)
        )

    def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
        """Return entries as the log does, those of an archived match from its file.

        Raises ArchiveMissing.
        """
        with self._lock:
            head = self._known.get(match)
        if head is None:
            found = self._log.read_entries(match, after, limit)
            if found or limit < 1:
                return found
            # without entries the match may be archived, perhaps since the last page was read
            head = self._log.read(match, after=1, limit=0).head  # after 1, so that no snapshot is loaded
            if head is None or head.status != "archived":
                return found
            self._remember_tombstone(match, head)
        return self._read_archived(match, head, after, limit)

    def call_together(self, calls: Sequence[StoreCall]) -> list[Any]:
        """Make the calls as the log does, with an archived match's entries from its file.

        Raises ArchiveMissing.
        """
        found = self._log.call_together(calls)
        return [
            self.read_entries(*call.args) if call.name == "read_entries" and not answer else answer
            for call, answer in zip(calls, found, strict=True)
        ]

    def _read_archived(self, match: str, head: Head, after: int, limit: int) -> tuple[StoredEntry, ...]:
        if limit < 1 or after >= head.version:
            return ()
        return self.archive_files.load_entries(match, head.version, head.root)[after : after + limit]

    def _remember_tombstone(self, match: str, head: Head) -> None:
        with self._lock:
            self._known[match] = head


def attach_archive(log: MatchLog, archive: Archive) -> MatchLog:
    """Return the log, with its archived matches read from these files."""
    return cast(MatchLog, ArchiveBackedLog(log, archive))


def find_archive(log: MatchLog) -> Archive | None:
    """Return the files from which a log's archived matches are read, or None."""
    return log.archive_files if isinstance(log, ArchiveBackedLog) else None
