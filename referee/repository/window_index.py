"""The windows of matches, read from their logs and cached."""

from __future__ import annotations

from threading import Lock

from cachetools import LRUCache

from referee.match.entries import has_rewind
from referee.match.loaded import LoadedMatch
from referee.match.windows import Window, WindowIndex
from referee.repository.matches import MatchRepository

MAX_CACHED_MATCHES = 64  # whose windows are kept per process


class WindowRepository:
    """Reads the windows of matches from their logs, and caches them."""

    def __init__(self, reader: MatchRepository) -> None:
        self._reader = reader
        self._kept: LRUCache[tuple[str, bool], WindowIndex] = LRUCache(MAX_CACHED_MATCHES)
        self._lock, self._each = Lock(), [Lock() for _ in range(MAX_CACHED_MATCHES)]

    def list_windows(self, loaded: LoadedMatch) -> list[Window]:
        """Return the windows of a match up to the loaded version, in the order of opening."""
        name = loaded.match.id
        key = (name, loaded.version < loaded.head.version)  # delayed spectators have a cache of their own
        with self._each[hash(key) % MAX_CACHED_MATCHES]:
            with self._lock:
                index = self._kept.pop(key, None) or WindowIndex()
            index = self._catch_up(name, index, loaded.version)
            found = list(index.windows.values())
            with self._lock:
                self._kept[key] = index
        return found

    def _catch_up(self, match: str, index: WindowIndex, version: int) -> WindowIndex:
        """Return the index led on to a version, built afresh if the log is not the same."""
        if index.version > version:
            index = WindowIndex()
        fresh = self._reader.load_entries(match, max(0, index.version - 1), version)
        if index.version and (not fresh or fresh[0].root != index.root):
            index, fresh = WindowIndex(), self._reader.load_entries(match, 0, version)
        for entry in fresh:
            if entry.version <= index.version:
                continue
            if has_rewind([entry]):
                index.rebuild_after_rewind(self._reader.load_entries(match, 0, entry.version))
            else:
                index.apply_entry(entry)
        return index
