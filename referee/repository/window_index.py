"""The windows of matches, read from their logs and kept to go on from there."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from referee.match.entries import rewinds
from referee.match.loaded import Loaded
from referee.match.windows import Told, Window
from referee.repository.matches import Reader

KEPT = 64  # matches whose windows are kept per process


class Windows:
    """Tells the windows of matches from their logs, and keeps what it has read, to go on from there."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: OrderedDict[tuple[str, bool], Told] = OrderedDict()
        self._lock, self._each = Lock(), [Lock() for _ in range(KEPT)]

    def upto(self, loaded: Loaded) -> list[Window]:
        """The windows of a match up to the version that was loaded, the first one first."""
        name = loaded.match.id
        key = (name, loaded.version < loaded.head.version)  # those who come late have their own place in the log
        with self._each[hash(key) % KEPT]:
            with self._lock:
                told = self._kept.pop(key, None) or Told()
            told = self._followed(name, told, loaded.version)
            found = list(told.windows.values())
            with self._lock:
                self._kept[key] = told
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return found

    def _followed(self, match: str, told: Told, version: int) -> Told:
        """What was told before and what the log tells since; from the beginning if that is not the same log."""
        if told.version > version:
            told = Told()
        fresh = self._reader.entries(match, max(0, told.version - 1), version)
        if told.version and (not fresh or fresh[0].root != told.root):
            told, fresh = Told(), self._reader.entries(match, 0, version)
        for entry in fresh:
            if entry.version <= told.version:
                continue
            if rewinds([entry]):
                told.back(self._reader.entries(match, 0, entry.version))
            else:
                told.take(entry)
        return told
