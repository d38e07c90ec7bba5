"""Reading matches: the log folded to its course, with what was folded before kept in this process."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from referee.desk.entries import Logged, course, folded, rewinds, unpack
from referee.desk.errors import UnknownMatch
from referee.desk.matches import Match
from referee.store.base import Head, MatchLog, Reading

CACHED = 512  # folded matches kept per process


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match at one version, with the head of its log as it was read, and what was written to it since that read."""

    match: Match
    version: int
    head: Head
    reading: Reading
    written: tuple[Logged, ...] = ()


class Reader:
    """Folds matches from a log. What it keeps is checked against the head that each read brings along."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log
        self._cache: OrderedDict[str, tuple[int, bytes, Match]] = OrderedDict()
        self._lock = Lock()

    def _keep(self, match: str, version: int, root: bytes, state: Match) -> None:
        with self._lock:
            self._cache[match] = (version, root, state)
            self._cache.move_to_end(match)
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)

    def _read(self, match: str, key: str = "", grant: str = "") -> Loaded:
        with self._lock:
            kept = self._cache.get(match)
        reading = self.log.read(match, after=kept[0] if kept else 0, key=key, grant=grant)
        head = reading.head
        if head is None:
            raise UnknownMatch(match)
        if kept is None:
            kept = (0, b"", Match())
        version, root, state = kept
        fresh = [unpack(entry) for entry in reading.entries]
        lost = head.version < version or (head.version == version and head.root != root)
        if version and (lost or rewinds(fresh)):
            fresh, state = self._all(match, head.version), Match()
        elif rewinds(fresh):
            fresh = course(fresh)
        state = folded(state, fresh)
        self._keep(match, head.version, head.root, state)
        return Loaded(state, head.version, head, reading)

    def _all(self, match: str, upto: int) -> list[Logged]:
        return course(self.entries(match, 0, upto))

    def entries(self, match: str, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Logged]:
        """The entries with versions in (after, upto], at most `limit`, whether or not they still count."""
        found: list[Logged] = []
        while upto is None or after < upto:
            batch = self.log.entries(match, after, 200 if limit is None else min(200, limit - len(found)))
            found += [unpack(entry) for entry in batch if upto is None or entry.version <= upto]
            if not batch or (limit is not None and len(found) >= limit):
                break
            after = batch[-1].version
        return found
