"""Reading matches: the log folded to its course, with what was folded before kept in this process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from threading import Lock

import orjson
from cachetools import LRUCache

import referee
from referee.engine.codec import DecodeError, decode, encode, encode_canonical
from referee.eventstore.contract import Head, MatchLog, ReadResult, Snapshot, StoreUnavailable
from referee.match.aggregate import Match, apply_event, finish_entry
from referee.match.entries import LogEntry, effective_entries, has_rewind, replay_entries, up_to_event
from referee.match.errors import MatchUnavailable, UnknownMatch
from referee.match.loaded import LoadedMatch
from referee.repository.card_books import CardBookRepository

CACHE_SIZE = 512  # folded matches kept per process
VIEW_STRIDE = 100  # entries after which what some eyes saw is kept, to go on from
SNAPSHOT_EVERY = 200  # entries: to fold as many takes longer than to read a snapshot
SNAPSHOT_RULES = (
    f"{referee.__version__}/9"  # of the program, whose next version may fold otherwise, and of `encode_snapshot`
)
CachedMatch = tuple[int, bytes, Match]
EMPTY_MATCH: CachedMatch = (0, b"", Match())


class MatchRepository:
    """Folds matches from a log. What it keeps is checked against the head that each read brings along."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log
        self.library = CardBookRepository(log)
        self._cache: LRUCache[str, CachedMatch] = LRUCache(CACHE_SIZE)
        self._views: LRUCache[tuple[str, int, int], CachedMatch] = LRUCache(CACHE_SIZE)  # by match, viewer, stride
        self._lock = Lock()

    def cache_match(self, match: str, version: int, root: bytes, state: Match) -> None:
        with self._lock:
            self._cache[match] = (version, root, state)

    def read_match(self, match: str, key: str = "", grant: str = "") -> LoadedMatch:
        with self._lock:
            kept = self._cache.get(match)
        limit = SNAPSHOT_EVERY if kept is None else None
        reading = self.log.read(match, after=kept[0] if kept else 0, limit=limit, key=key, grant=grant)
        if kept is None:
            kept = EMPTY_MATCH
            if reading.head is not None and reading.head.version > SNAPSHOT_EVERY:
                kept = self._restore_snapshot(match, reading.snapshot)
                reading = self.log.read(match, after=kept[0], key=key, grant=grant)
        head = reading.head
        if head is None:
            raise UnknownMatch(match)
        try:
            return self._replay_read_result(match, kept, reading, head)
        except (StoreUnavailable, MatchUnavailable):
            raise
        except Exception as wrong:  # whatever a damaged entry breaks; a start has found it, and said so
            if head.status == "frozen":
                raise MatchUnavailable("frozen", match) from wrong
            raise

    def _replay_read_result(self, match: str, kept: CachedMatch, reading: ReadResult, head: Head) -> LoadedMatch:
        """The match as of a read, from what was kept of it."""
        version, root, state = kept
        fresh = self.library.decode_entries(reading.entries)
        lost = head.version < version or (head.version == version and head.root != root)
        if version and (lost or has_rewind(fresh)):
            fresh, state = self.load_effective_entries(match, head.version), Match()
        elif has_rewind(fresh):
            fresh = effective_entries(fresh)
        state = replay_entries(state, fresh)
        self.cache_match(match, head.version, head.root, state)
        if len(fresh) >= SNAPSHOT_EVERY:
            self.save_snapshot(match, head.version, head.root, state)
        return LoadedMatch(state, head.version, head, reading)

    def _restore_snapshot(self, match: str, kept: Snapshot | None) -> CachedMatch:
        """What a snapshot tells, where the log still has its entry, with its root: history may have been lost since."""
        if kept is None or kept.rules != SNAPSHOT_RULES:
            return EMPTY_MATCH
        try:
            root, state = decode_snapshot(kept.body, self.library)
        except (DecodeError, KeyError):  # of a program that never was released: the log tells it all again
            return EMPTY_MATCH
        there = self.log.read_entries(match, kept.version - 1, 1)
        return (kept.version, root, state) if there and there[0].root == root else EMPTY_MATCH

    def save_snapshot(self, match: str, version: int, root: bytes, state: Match) -> None:
        """Keeps what was folded for those who do not know the match. Whether it was kept changes no answer."""
        with contextlib.suppress(StoreUnavailable):
            self.log.save_snapshot(match, Snapshot(version, SNAPSHOT_RULES, encode_snapshot(root, state)))

    def replay_for_viewer(self, match: str, viewer: int, upto: int) -> Match:
        """The match after its first `upto` entries, folded from what these eyes were shown of them, and nothing else.

        What was folded before is gone on with, where the log still has its last entry.
        """
        version, root, state = self._find_cached_view(match, viewer, upto)
        fresh = self.load_entries(match, max(0, version - 1), upto) if upto else []
        if version and fresh[:1] and fresh[0].root == root:
            fresh = fresh[1:]
        elif version:
            fresh, state = self.load_entries(match, 0, upto), Match()
        if back := has_rewind(fresh):
            fresh, state = (
                effective_entries(fresh) if fresh[0].version == 1 else self.load_effective_entries(match, upto),
                Match(),
            )
        for entry in fresh:
            state = _replay_visible(state, [entry], viewer)
            if entry.version % VIEW_STRIDE == 0 and not back:
                self._cache_view((match, viewer, entry.version // VIEW_STRIDE), (entry.version, entry.root, state))
        if fresh:
            self._cache_view((match, viewer, upto // VIEW_STRIDE), (fresh[-1].version, fresh[-1].root, state))
        return state

    def replay_within_entry(self, entry: LogEntry, at: int, viewer: int) -> Match:
        """The match after fact `at` of an entry, which goes back in its middle, as these eyes were shown it."""
        told = effective_entries([*self.load_entries(entry.match, 0, entry.version - 1), up_to_event(entry, at)])
        return _replay_visible(Match(), told, viewer)

    def _find_cached_view(self, match: str, viewer: int, upto: int) -> CachedMatch:
        """What is kept of a match as these eyes see it that is nearest to a version, and not beyond it."""
        with self._lock:
            for stride in range(upto // VIEW_STRIDE, -1, -1):
                kept = self._views.get((match, viewer, stride))
                if kept is not None and kept[0] <= upto:
                    return kept
        return EMPTY_MATCH

    def _cache_view(self, where: tuple[str, int, int], kept: CachedMatch) -> None:
        with self._lock:
            self._views[where] = kept

    def load_effective_entries(self, match: str, upto: int) -> list[LogEntry]:
        return effective_entries(self.load_entries(match, 0, upto))

    def load_entries(
        self, match: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[LogEntry]:
        """The entries with versions in (after, upto], at most `limit`, whether or not they still count."""
        found: list[LogEntry] = []
        while upto is None or after < upto:
            batch = self.log.read_entries(match, after, 200 if limit is None else min(200, limit - len(found)))
            found += self.library.decode_entries(entry for entry in batch if upto is None or entry.version <= upto)
            if not batch or (limit is not None and len(found) >= limit):
                break
            after = batch[-1].version
        return found


def _replay_visible(match: Match, entries: Iterable[LogEntry], viewer: int) -> Match:
    """The match after these entries of its course, folded from what these eyes are shown of them."""
    for entry in entries:
        before = match
        for at, event in enumerate(entry.view_for(viewer)[1]):
            match = apply_event(match, event, f"{entry.version}.{at}")
        match = finish_entry(before, match, entry.seat, entry.actor)
    return match


def encode_snapshot(root: bytes, match: Match) -> bytes:
    """A folded match as a snapshot keeps it, with the root of the log at its version."""
    state = None if match.state is None else encode(match.state)
    return encode_canonical({"root": root.hex(), "match": encode(replace(match, state=None)), "state": state})


def decode_snapshot(body: bytes, library: CardBookRepository | None = None) -> tuple[bytes, Match]:
    """The root and the match that `encode_snapshot` kept, after the library has installed its card book."""
    data = orjson.loads(body)
    match: Match = decode(Match, data["match"])
    if library is not None:
        library.install_edition(match.game, match.edition)
    state = None if data["state"] is None else decode(match.rules.state_type, data["state"])
    return bytes.fromhex(data["root"]), replace(match, state=state)
