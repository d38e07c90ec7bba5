"""The windows of matches, read from their logs and kept to go on from there."""

from __future__ import annotations

from threading import Lock

from cachetools import LRUCache

from referee.match.entries import has_rewind
from referee.match.loaded import LoadedMatch
from referee.match.windows import Window, WindowIndex
from referee.repository.matches import MatchRepository

MAX_CACHED_MATCHES = 64  # matches whose windows are kept per process


class WindowRepository:
    """Tells the windows of matches from their logs, and keeps what it has read, to go on from there."""

    def __init__(self, reader: MatchRepository) -> None:
        self._reader = reader
        self._kept: LRUCache[tuple[str, bool], WindowIndex] = LRUCache(MAX_CACHED_MATCHES)
        self._lock, self._each = Lock(), [Lock() for _ in range(MAX_CACHED_MATCHES)]

    def list_windows(self, loaded: LoadedMatch) -> list[Window]:
        """The windows of a match up to the version that was loaded, the first one first."""
        name = loaded.match.id
        key = (name, loaded.version < loaded.head.version)  # those who come late have their own place in the log
        with self._each[hash(key) % MAX_CACHED_MATCHES]:
            with self._lock:
                told = self._kept.pop(key, None) or WindowIndex()
            told = self._catch_up(name, told, loaded.version)
            found = list(told.windows.values())
            with self._lock:
                self._kept[key] = told
        return found

    def _catch_up(self, match: str, told: WindowIndex, version: int) -> WindowIndex:
        """What was told before and what the log tells since; from the beginning if that is not the same log."""
        if told.version > version:
            told = WindowIndex()
        fresh = self._reader.load_entries(match, max(0, told.version - 1), version)
        if told.version and (not fresh or fresh[0].root != told.root):
            told, fresh = WindowIndex(), self._reader.load_entries(match, 0, version)
        for entry in fresh:
            if entry.version <= told.version:
                continue
            if has_rewind([entry]):
                told.rebuild_after_rewind(self._reader.load_entries(match, 0, entry.version))
            else:
                told.apply_entry(entry)
        return told
