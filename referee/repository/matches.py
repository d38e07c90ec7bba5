"""Reading matches: the log folded to its course, with what was folded before kept in this process."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from threading import Lock

import orjson

import referee
from referee.engine.codec import Unreadable, canonical, decode, encode
from referee.eventstore.contract import Head, MatchLog, Reading, Snapshot, StoreAway
from referee.match.aggregate import Match, happened, turned
from referee.match.entries import Logged, course, folded, rewinds, until
from referee.match.errors import Away, UnknownMatch
from referee.match.loaded import Loaded
from referee.repository.card_books import Library

CACHED = 512  # folded matches kept per process
STRIDE = 100  # entries after which what some eyes saw is kept, to go on from
SNAPSHOT_EVERY = 200  # entries: to fold as many takes longer than to read a snapshot
SNAPSHOT_RULES = f"{referee.__version__}/9"  # of the program, whose next version may fold otherwise, and of `packed`
Kept = tuple[int, bytes, Match]
NOTHING: Kept = (0, b"", Match())


class Reader:
    """Folds matches from a log. What it keeps is checked against the head that each read brings along."""

    def __init__(self, log: MatchLog) -> None:
        self.log = log
        self.library = Library(log)
        self._cache: OrderedDict[str, Kept] = OrderedDict()
        self._seen: OrderedDict[tuple[str, int, int], Kept] = OrderedDict()  # by match, eyes, and stride of versions
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
        limit = SNAPSHOT_EVERY if kept is None else None
        reading = self.log.read(match, after=kept[0] if kept else 0, limit=limit, key=key, grant=grant)
        if kept is None:
            kept = NOTHING
            if reading.head is not None and reading.head.version > SNAPSHOT_EVERY:
                kept = self._believed(match, reading.snapshot)
                reading = self.log.read(match, after=kept[0], key=key, grant=grant)
        head = reading.head
        if head is None:
            raise UnknownMatch(match)
        try:
            return self._folded(match, kept, reading, head)
        except (StoreAway, Away):
            raise
        except Exception as wrong:  # whatever a damaged entry breaks; a start has found it, and said so
            if head.status == "frozen":
                raise Away("frozen", match) from wrong
            raise

    def _folded(self, match: str, kept: Kept, reading: Reading, head: Head) -> Loaded:
        """The match as of a read, from what was kept of it."""
        version, root, state = kept
        fresh = self.library.unpacked(reading.entries)
        lost = head.version < version or (head.version == version and head.root != root)
        if version and (lost or rewinds(fresh)):
            fresh, state = self._all(match, head.version), Match()
        elif rewinds(fresh):
            fresh = course(fresh)
        state = folded(state, fresh)
        self._keep(match, head.version, head.root, state)
        if len(fresh) >= SNAPSHOT_EVERY:
            self._keep_snapshot(match, head.version, head.root, state)
        return Loaded(state, head.version, head, reading)

    def _believed(self, match: str, kept: Snapshot | None) -> Kept:
        """What a snapshot tells, where the log still has its entry, with its root: history may have been lost since."""
        if kept is None or kept.rules != SNAPSHOT_RULES:
            return NOTHING
        try:
            root, state = restored(kept.body, self.library)
        except (Unreadable, KeyError):  # of a program that never was released: the log tells it all again
            return NOTHING
        there = self.log.entries(match, kept.version - 1, 1)
        return (kept.version, root, state) if there and there[0].root == root else NOTHING

    def _keep_snapshot(self, match: str, version: int, root: bytes, state: Match) -> None:
        """Keeps what was folded for those who do not know the match. Whether it was kept changes no answer."""
        with contextlib.suppress(StoreAway):
            self.log.snapshot(match, Snapshot(version, SNAPSHOT_RULES, packed(root, state)))

    def seen(self, match: str, eyes: int, upto: int) -> Match:
        """The match after its first `upto` entries, folded from what these eyes were shown of them, and nothing else.

        What was folded before is gone on with, where the log still has its last entry.
        """
        version, root, state = self._seen_before(match, eyes, upto)
        fresh = self.entries(match, max(0, version - 1), upto) if upto else []
        if version and fresh[:1] and fresh[0].root == root:
            fresh = fresh[1:]
        elif version:
            fresh, state = self.entries(match, 0, upto), Match()
        if back := rewinds(fresh):
            fresh, state = course(fresh) if fresh[0].version == 1 else self._all(match, upto), Match()
        for entry in fresh:
            state = _shown(state, [entry], eyes)
            if entry.version % STRIDE == 0 and not back:
                self._keep_seen((match, eyes, entry.version // STRIDE), (entry.version, entry.root, state))
        if fresh:
            self._keep_seen((match, eyes, upto // STRIDE), (fresh[-1].version, fresh[-1].root, state))
        return state

    def seen_within(self, entry: Logged, at: int, eyes: int) -> Match:
        """The match after fact `at` of an entry, which goes back in its middle, as these eyes were shown it."""
        told = course([*self.entries(entry.match, 0, entry.version - 1), until(entry, at)])
        return _shown(Match(), told, eyes)

    def _seen_before(self, match: str, eyes: int, upto: int) -> Kept:
        """What is kept of a match as these eyes see it that is nearest to a version, and not beyond it."""
        with self._lock:
            for stride in range(upto // STRIDE, -1, -1):
                kept = self._seen.get((match, eyes, stride))
                if kept is not None and kept[0] <= upto:
                    self._seen.move_to_end((match, eyes, stride))
                    return kept
        return NOTHING

    def _keep_seen(self, where: tuple[str, int, int], kept: Kept) -> None:
        with self._lock:
            self._seen[where] = kept
            self._seen.move_to_end(where)
            while len(self._seen) > CACHED:
                self._seen.popitem(last=False)

    def _all(self, match: str, upto: int) -> list[Logged]:
        return course(self.entries(match, 0, upto))

    def entries(self, match: str, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Logged]:
        """The entries with versions in (after, upto], at most `limit`, whether or not they still count."""
        found: list[Logged] = []
        while upto is None or after < upto:
            batch = self.log.entries(match, after, 200 if limit is None else min(200, limit - len(found)))
            found += self.library.unpacked(entry for entry in batch if upto is None or entry.version <= upto)
            if not batch or (limit is not None and len(found) >= limit):
                break
            after = batch[-1].version
        return found


def _shown(match: Match, entries: Iterable[Logged], eyes: int) -> Match:
    """The match after these entries of its course, folded from what these eyes are shown of them."""
    for entry in entries:
        before = match
        for at, fact in enumerate(entry.seen_by(eyes)[1]):
            match = happened(match, fact, f"{entry.version}.{at}")
        match = turned(before, match, entry.seat, entry.actor)
    return match


def packed(root: bytes, match: Match) -> bytes:
    """A folded match as a snapshot keeps it, with the root of the log at its version."""
    state = None if match.state is None else encode(match.state)
    return canonical({"root": root.hex(), "match": encode(replace(match, state=None)), "state": state})


def restored(body: bytes, library: Library | None = None) -> tuple[bytes, Match]:
    """The root and the match that `packed` kept, after the library has installed its card book."""
    data = orjson.loads(body)
    match: Match = decode(Match, data["match"])
    if library is not None:
        library.needed(match.game, match.edition)
    state = None if data["state"] is None else decode(match.rules.state, data["state"])
    return bytes.fromhex(data["root"]), replace(match, state=state)
