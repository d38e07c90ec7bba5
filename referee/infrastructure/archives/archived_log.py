"""A log whose archived matches are read from their files, as if they had never left the store.

What is not said here is the log's own affair: writes to an archived match it refuses by itself.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import Any, cast

from referee.eventstore.contract import Entry, Head, MatchLog, Reading
from referee.infrastructure.archives.archive import Archive

KNOWN = 10_000  # tombstones that a process remembers: they never change again


class Shelved:
    """Any log, and the archive of its matches. `read` and `entries` raise `archive.Lost` where a file that is needed is
    missing or damaged; all else is as `base.MatchLog` says."""

    def __init__(self, log: MatchLog, archive: Archive) -> None:
        self._log, self.archive_files = log, archive
        self._known: OrderedDict[str, Head] = OrderedDict()
        self._lock = Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def read(self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = "") -> Reading:
        """As the log reads, with the entries of an archived match from its file. Raises Lost."""
        reading = self._log.read(match, after=after, limit=limit, key=key, grant=grant)
        head = reading.head
        if head is None or head.status != "archived":
            return reading
        self._know(match, head)
        return replace(reading, entries=self._filed(match, head, after, head.version if limit is None else limit))

    def entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[Entry, ...]:
        """As the log gives them, those of an archived match from its file. Raises Lost."""
        with self._lock:
            head = self._known.get(match)
        if head is None:
            found = self._log.entries(match, after, limit)
            if found or limit < 1:
                return found
            # where nothing is left it may be archived, perhaps since the last page was read
            head = self._log.read(match, after=1, limit=0).head  # after 1, or the snapshot would come along
            if head is None or head.status != "archived":
                return found
            self._know(match, head)
        return self._filed(match, head, after, limit)

    def _filed(self, match: str, head: Head, after: int, limit: int) -> tuple[Entry, ...]:
        if limit < 1 or after >= head.version:
            return ()
        return self.archive_files.entries(match, head.version, head.root)[after : after + limit]

    def _know(self, match: str, head: Head) -> None:
        with self._lock:
            self._known[match] = head
            self._known.move_to_end(match)
            while len(self._known) > KNOWN:
                self._known.popitem(last=False)


def shelved(log: MatchLog, archive: Archive) -> MatchLog:
    """The log, with its archived matches read from these files."""
    return cast(MatchLog, Shelved(log, archive))


def archive_of(log: MatchLog) -> Archive | None:
    """The files from which a log's archived matches are read; None if it has none."""
    return log.archive_files if isinstance(log, Shelved) else None
