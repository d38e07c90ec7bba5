"""Reading matches: fold the log's effective history, and cache what was folded."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from threading import Lock
from typing import NamedTuple

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
from referee.repository.recent_reads import Elapsed, RecentReads
from referee.tournament.state import is_tournament_id
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

CACHE_SIZE = 2048  # folded matches kept per process: 5 to 12 kB each
VIEWS_KEPT = 512  # matches as a viewer saw them
VIEW_STRIDE = 100  # after this many entries a viewer's match is cached
SNAPSHOT_EVERY = 50  # entries; a snapshot costs as much to read as four entries to fold, and to write as one
# The next version of the program may fold otherwise; the number is that of the form of `encode_snapshot`.
SNAPSHOT_RULES = f"{referee.__version__}/10"


class CachedMatch(NamedTuple):
    """A folded match at a version, with its head if that is the latest."""

    version: int
    root: bytes
    match: Match
    head: Head | None = None


EMPTY_MATCH = CachedMatch(0, b"", Match())


class MatchRepository:
    """Fold matches from a log.

    What it caches is checked against the head that each read brings along.
    """

    def __init__(self, log: MatchLog, elapsed: Elapsed | None = None) -> None:
        """Read from `log`.

        Matches are recalled only with a clock: `elapsed` gives seconds and never goes back.
        """
        self.log, self.recent = log, RecentReads(elapsed, CACHE_SIZE)
        self.library = CardBookRepository(log)
        self._cache: LRUCache[str, CachedMatch] = LRUCache(CACHE_SIZE)
        self._views: LRUCache[tuple[str, int, int], CachedMatch] = LRUCache(VIEWS_KEPT)  # by match, viewer, stride
        self._lock = Lock()

    def cache_match(self, match: str, head: Head, state: Match) -> None:
        """Cache a folded match as of the head of its log."""
        with self._lock:
            self._cache[match] = CachedMatch(head.version, head.root, state, head)

    def recall_match(self, match: str, token_hash: str) -> LoadedMatch | None:
        """Return a match as this process last saw it, for the holder of a token.

        None if too little of it was seen. An entry that is decided upon it has to name the token and the time
        (`Commit`).
        """
        with self._lock:
            kept = self._cache.get(match)
        if kept is None or kept.head is None or kept.head.status != "open":
            return None
        reading = self.recent.recall(match, kept.head, token_hash)
        return None if reading is None else LoadedMatch(kept.match, kept.version, kept.head, reading)

    def read_match(self, match: str, key: str = "", grant: str = "") -> LoadedMatch:
        """Read the log of a match and fold what is new to this process.

        `key` and `grant` are looked up in the same read. Raises UnknownMatch, MatchUnavailable (`frozen`),
        StoreUnavailable.
        """
        if is_tournament_id(match):
            raise UnknownMatch(match)  # its entries are no events of a match
        with self._lock:
            kept = self._cache.get(match)
        if kept is None:
            reading = self.log.read(match, limit=SNAPSHOT_EVERY, key=key, grant=grant)
        else:
            root = (
                kept.root if kept.head is not None and kept.head.status == "open" else b""
            )  # else it may be open again
            reading = self.log.read(match, after=kept.version, key=key, grant=grant, root=root)
            if reading.is_unchanged and kept.head is not None:
                self.recent.note_read(match, kept.head, reading, grant)
                return LoadedMatch(kept.match, kept.version, kept.head, reading)
        if kept is None:
            kept = EMPTY_MATCH
            if reading.head is not None and reading.head.version > SNAPSHOT_EVERY:
                kept = self._restore_snapshot(match, reading.snapshot)
                reading = self.log.read(match, after=kept.version, key=key, grant=grant)
        head = reading.head
        if head is None:
            raise UnknownMatch(match)
        try:
            loaded = self._replay_read_result(match, kept, reading, head)
            self.recent.note_read(match, head, reading, grant)
            return loaded
        except (StoreUnavailable, MatchUnavailable):
            raise
        except Exception as wrong:  # a damaged entry may break anything; the check at the start has reported it
            if head.status == "frozen":
                raise MatchUnavailable("frozen", match) from wrong
            raise

    def _replay_read_result(self, match: str, kept: CachedMatch, reading: ReadResult, head: Head) -> LoadedMatch:
        """Return the match as of a read, folded on from what was cached."""
        version, root, state, _ = kept
        fresh = self.library.decode_entries(reading.entries)
        lost = (
            head.version < version or (head.version == version and head.root != root) or not _continues(kept, reading)
        )
        if version and (lost or has_rewind(fresh)):
            fresh, state = self.load_effective_entries(match, head.version), Match()
        elif has_rewind(fresh):
            fresh = effective_entries(fresh)
        state = replay_entries(state, fresh)
        self.cache_match(match, head, state)
        if len(fresh) >= SNAPSHOT_EVERY:
            self.save_snapshot(match, head.version, head.root, state)
        return LoadedMatch(state, head.version, head, reading)

    def _restore_snapshot(self, match: str, kept: Snapshot | None) -> CachedMatch:
        """Return the match of a snapshot, if the log still has its entry with its root.

        History may have been lost since.
        """
        if kept is None or kept.rules != SNAPSHOT_RULES:
            return EMPTY_MATCH
        try:
            root, state = decode_snapshot(kept.body, self.library)
        except (DecodeError, KeyError):  # written by a version that was never released
            return EMPTY_MATCH
        there = self.log.read_entries(match, kept.version - 1, 1)
        return CachedMatch(kept.version, root, state) if there and there[0].root == root else EMPTY_MATCH

    def save_snapshot(self, match: str, version: int, root: bytes, state: Match) -> None:
        """Save a folded match for processes that have not cached it.

        If the store is unavailable nothing is saved. No answer depends on it.
        """
        with contextlib.suppress(StoreUnavailable):
            self.log.save_snapshot(match, Snapshot(version, SNAPSHOT_RULES, encode_snapshot(root, state)))

    def replay_for_viewer(self, match: str, viewer: int, upto: int) -> Match:
        """Return the match after its first `upto` entries, folded from the viewer's views.

        Nothing else of the entries is used. A cached match is folded on, if the log still has its last entry.
        """
        version, root, state, _ = self._find_cached_view(match, viewer, upto)
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
            state = replay_visible(state, [entry], viewer)
            if entry.version % VIEW_STRIDE == 0 and not back:
                self._cache_view(
                    (match, viewer, entry.version // VIEW_STRIDE), CachedMatch(entry.version, entry.root, state)
                )
        if fresh:
            last = CachedMatch(fresh[-1].version, fresh[-1].root, state)
            self._cache_view((match, viewer, upto // VIEW_STRIDE), last)
        return state

    def load_visible_entries(
        self, match: str, viewer: int, after: int, upto: int, limit: int
    ) -> tuple[Match, list[LogEntry]]:
        """Return the match as a viewer saw it, and the entries after that.

        There are at most `limit`, after version `after`. They are read in one call if the match was kept at that
        version (`keep_view`).
        """
        found = self.load_entries(match, max(0, after - 1), upto, limit + bool(after))
        if not after or not found:
            return Match(), found
        last, *fresh = found
        version, root, state, _ = self._find_cached_view(match, viewer, after)
        if (version, root) != (after, last.root):
            state = self.replay_for_viewer(match, viewer, after)
        return state, fresh

    def replay_within_entry(self, entry: LogEntry, at: int, viewer: int) -> Match:
        """Return the match after event `at` of an entry, which goes back in its middle.

        It is folded from what the viewer was shown.
        """
        history = effective_entries([*self.load_entries(entry.match, 0, entry.version - 1), up_to_event(entry, at)])
        return replay_visible(Match(), history, viewer)

    def _find_cached_view(self, match: str, viewer: int, upto: int) -> CachedMatch:
        """Return the viewer's cached match that is nearest to a version, not beyond it."""
        with self._lock:
            for stride in range(upto // VIEW_STRIDE, -1, -1):
                kept = self._views.get((match, viewer, stride))
                if kept is not None and kept[0] <= upto:
                    return kept
        return EMPTY_MATCH

    def keep_view(self, entry: LogEntry, viewer: int, state: Match) -> None:
        """Cache a match as a viewer sees it after an entry."""
        self._cache_view(
            (entry.match, viewer, entry.version // VIEW_STRIDE), CachedMatch(entry.version, entry.root, state)
        )

    def _cache_view(self, where: tuple[str, int, int], kept: CachedMatch) -> None:
        with self._lock:
            self._views[where] = kept

    def load_effective_entries(self, match: str, upto: int) -> list[LogEntry]:
        """Return the entries up to version `upto` that still count at that version."""
        return effective_entries(self.load_entries(match, 0, upto))

    def load_entries(
        self, match: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[LogEntry]:
        """Return at most `limit` entries with versions in (after, upto].

        They are returned whether or not they still count.
        """
        found: list[LogEntry] = []
        while upto is None or after < upto:
            batch = self.log.read_entries(match, after, 200 if limit is None else min(200, limit - len(found)))
            found += self.library.decode_entries(entry for entry in batch if upto is None or entry.version <= upto)
            if not batch or (limit is not None and len(found) >= limit):
                break
            after = batch[-1].version
        return found


def _continues(kept: CachedMatch, reading: ReadResult) -> bool:
    """Return whether the entries that were read follow upon what was cached.

    They may be of another history, if the log has lost what was cached, and has grown again.
    """
    if kept.head is None or not reading.entries:
        return True
    entry = reading.entries[0]
    frontier = extend_frontier(kept.head.frontier, kept.version, leaf_hash(entry.envelope))
    return entry.version == kept.version + 1 and compute_root(frontier, entry.version) == entry.root


def replay_visible(match: Match, entries: Iterable[LogEntry], viewer: int) -> Match:
    """Return the match after these entries, folded from what the viewer sees of them."""
    for entry in entries:
        before = match
        for at, event in enumerate(entry.view_for(viewer)[1]):
            match = apply_event(match, event, f"{entry.version}.{at}")
        match = finish_entry(before, match, entry.seat, entry.actor)
    return match


def encode_snapshot(root: bytes, match: Match) -> bytes:
    """Return the bytes of a snapshot: a folded match and the root at its version."""
    state = None if match.state is None else encode(match.state)
    return encode_canonical({"root": root.hex(), "match": encode(replace(match, state=None)), "state": state})


def decode_snapshot(body: bytes, library: CardBookRepository | None = None) -> tuple[bytes, Match]:
    """Return the root and the match of a snapshot, its card book installed."""
    data = orjson.loads(body)
    match: Match = decode(Match, data["match"])
    if library is not None:
        library.install_edition(match.game, match.edition)
    state = None if data["state"] is None else decode(match.rules.state_type, data["state"])
    return bytes.fromhex(data["root"]), replace(match, state=state)
