"""Reading tournaments: fold their logs, and cache what was folded."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache

from referee.eventstore.contract import Head, MatchLog, ReadResult
from referee.match.entries import LogEntry, decode_entry
from referee.tournament.events import fold_events
from referee.tournament.state import Tournament, is_tournament_id
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

CACHE_SIZE = 128  # folded tournaments kept per process
MOST_FOLLOWED = 4096  # matches of tournaments that a process keeps in mind


class UnknownTournament(LookupError):
    """There is no such tournament."""


@dataclass(frozen=True, slots=True)
class LoadedTournament:
    """A tournament at one version, with the head of its log when it was read."""

    state: Tournament
    version: int
    head: Head
    read_result: ReadResult

    @property
    def now_ms(self) -> int:
        """The time by the store's clock when it was read."""
        return self.read_result.now_ms


class FollowedMatches:
    """Which matches already stand as their tournaments want.

    Other processes look for themselves.
    """

    def __init__(self) -> None:
        self._kept: LRUCache[str, Hashable] = LRUCache(MOST_FOLLOWED)
        self._lock = Lock()

    def is_settled(self, match: str, wanted: Hashable) -> bool:
        """Tell whether a match was last settled for just this."""
        with self._lock:
            return self._kept.get(match) == wanted

    def note(self, match: str, wanted: Hashable) -> None:
        """Note that a match stands as wanted."""
        with self._lock:
            self._kept[match] = wanted


class TournamentRepository:
    """Fold tournaments from their logs; what is cached is checked with each read."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log
        self._kept: LRUCache[str, LoadedTournament] = LRUCache(CACHE_SIZE)
        self._lock = Lock()

    def load_entries(self, tournament: str, after: int = 0, limit: int = 100) -> list[LogEntry]:
        """Return a page of the entries of a tournament after a version."""
        return [decode_entry(each) for each in self.log.read_entries(tournament, after, limit)]

    def read(self, tournament: str, key: str = "", grant: str = "") -> LoadedTournament:
        """Return a tournament as its log has it.

        `key` and `grant` are looked up in the same read. Raises UnknownTournament, StoreUnavailable.
        """
        if not is_tournament_id(tournament):
            raise UnknownTournament(tournament)
        with self._lock:
            kept = self._kept.get(tournament)
        before = 0 if kept is None else kept.version
        root = kept.head.root if kept is not None and kept.head.status == "open" else b""  # else it may be open again
        reading = self.log.read(tournament, after=before, key=key, grant=grant, root=root)
        if kept is not None and reading.is_unchanged:
            return LoadedTournament(kept.state, kept.version, kept.head, reading)
        head = reading.head
        if head is None:
            raise UnknownTournament(tournament)
        state, entries = Tournament(), reading.entries
        if kept is not None and _continues(kept, head, reading):
            state = kept.state
        elif before:  # the history is another than this process has seen
            entries = self.log.read(tournament, limit=head.version).entries
        state = replay_tournament(state, (decode_entry(each) for each in entries))
        found = LoadedTournament(state, head.version, head, reading)
        with self._lock:
            self._kept[tournament] = found
        return found


def _continues(kept: LoadedTournament, head: Head, reading: ReadResult) -> bool:
    """Tell whether what was read goes on from what was kept."""
    if head.version < kept.version:
        return False
    frontier = kept.head.frontier
    for version, entry in enumerate(reading.entries, kept.version):
        frontier = extend_frontier(frontier, version, leaf_hash(entry.envelope))
    return compute_root(frontier, head.version) == head.root


def replay_tournament(state: Tournament, entries: Iterable[LogEntry]) -> Tournament:
    """Return the tournament after these entries."""
    for entry in entries:
        state = fold_events(state, entry.events)
    return state
