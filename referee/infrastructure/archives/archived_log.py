"""A log that reads its archived matches from their files.

A sleeping match is read from its file, too, and woken by the first write: its entries are put back into the log, and
nobody else knows. All else is left to the log, which itself refuses writes to an archived match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, cast

from cachetools import LRUCache

from referee.eventstore.contract import (
    AppendResult,
    Commit,
    Head,
    LogWriteStatus,
    MatchLog,
    ReadResult,
    StoredEntry,
)
from referee.eventstore.projection_store import StoreCall
from referee.eventstore.transfer import TransferPayload
from referee.infrastructure.archives.archive import Archive

MAX_CACHED_TOMBSTONES = 10_000  # tombstones that a process remembers; they never change
MAX_TRIES = 3  # a match that falls asleep again and again while it is written to has waited for days each time


class ArchiveBackedLog:
    """A log with the archive of its matches.

    What reads entries, or adds one, raises ArchiveMissing if a file that is needed is missing or damaged. All else is
    as in `MatchLog`.
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
        if head is None or not _is_filed(head):
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
            # without entries the match may lie in a file, perhaps since the last page was read
            head = self._log.read(match, after=1, limit=0).head  # after 1, so that no snapshot is loaded
            if head is None or not _is_filed(head):  # it may have been woken just now
                return self._log.read_entries(match, after, limit) if head and after < head.version else found
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
        if head.status != "archived":
            return  # a sleeping match may be woken
        with self._lock:
            self._known[match] = head

    # -- writing, which wakes a match ------------------------------------------------------------------------------

    def append(self, commit: Commit) -> AppendResult:
        """Append as the log does, to a sleeping match after waking it.

        Raises ArchiveMissing.
        """
        return self._write_awake(commit.match, lambda: self._log.append(commit))

    def append_together(self, commits: Sequence[Commit]) -> AppendResult:
        """Append as the log does, to a sleeping match after waking it.

        Raises ArchiveMissing.
        """
        return self._write_awake(commits[0].match, lambda: self._log.append_together(commits))

    def transfer_out(self, commit: Commit, expected: TransferPayload, packed: bytes) -> AppendResult:
        """Let a match go as the log does, a sleeping one after waking it.

        Raises ArchiveMissing.
        """
        return self._write_awake(commit.match, lambda: self._log.transfer_out(commit, expected, packed))

    def _write_awake(self, match: str, write: Callable[[], AppendResult]) -> AppendResult:
        for _ in range(MAX_TRIES):
            done = write()
            if done.status is not LogWriteStatus.ASLEEP:
                break
            head = self._log.read(match, after=1, limit=0).head
            if head is not None and head.asleep:
                self._log.wake_match(match, head.version, head.root, self._read_archived(match, head, 0, head.version))
        return done


def _is_filed(head: Head) -> bool:
    """Return whether the entries of a match lie in its file."""
    return head.status == "archived" or head.asleep


def attach_archive(log: MatchLog, archive: Archive) -> MatchLog:
    """Return the log, with its archived matches read from these files."""
    return cast(MatchLog, ArchiveBackedLog(log, archive))


def find_archive(log: MatchLog) -> Archive | None:
    """Return the files from which a log's archived matches are read, or None."""
    return log.archive_files if isinstance(log, ArchiveBackedLog) else None
