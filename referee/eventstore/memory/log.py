"""A log of matches in memory, under one lock: for tests, with the same answers as the one on a stream server.

Its clock is handed in (`now`, ms), or stands still until `advance` moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Condition, RLock

from referee.eventstore.contract import (
    LARGEST,
    PARTITIONS,
    WAKE_MS,
    About,
    Answer,
    Appended,
    Commit,
    Due,
    Entry,
    Guard,
    Head,
    Known,
    Lead,
    Reading,
    Snapshot,
    Tide,
    Write,
    checked,
    fitting,
    kind_of,
    partition_of,
)
from referee.eventstore.memory.transfer import MemoryMoves


@dataclass
class _Match:
    head: Head
    log: list[Entry] = field(default_factory=list)
    keys: dict[str, Known] = field(default_factory=dict)
    snapshot: Snapshot | None = None


@dataclass
class _Partition:
    feed: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    due: dict[tuple[str, str], int] = field(default_factory=dict)
    wake_until: int = 0
    epoch: int = 0
    views: dict[str, dict[str, bytes]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    cursors: dict[str, int] = field(default_factory=dict)
    archived: dict[str, int] = field(default_factory=dict)


class MemoryLog(MemoryMoves):
    """Keeps everything in this process; see `base.MatchLog`."""

    def __init__(self, now: Callable[[], int] | None = None) -> None:
        super().__init__()
        self._lock, self._given, self._still = RLock(), now, 1_000_000
        self._stirring = Condition(self._lock)
        self._matches: dict[str, _Match] = {}
        self._partitions = [_Partition() for _ in range(PARTITIONS)]
        self._run = ""

    def advance(self, ms: int) -> None:
        """Moves a clock that stands still."""
        self._still += ms

    def now(self) -> int:
        return self._given() if self._given is not None else self._still

    def ping(self) -> None:
        """Memory always answers."""

    # -- the log ---------------------------------------------------------------------------------------------------

    def read(self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = "") -> Reading:
        with self._lock:
            kept = self._matches.get(match)
            partition = self._partitions[partition_of(match)]
            granted = self._grants.get(match, {}).get(grant) if grant else None
            if kept is None:
                return Reading(None, (), None, None, self.now(), partition.epoch, None, granted, self.passes(match))
            upto = None if limit is None else after + limit
            return Reading(
                kept.head,
                tuple(kept.log[after:upto]),
                kept.keys.get(key) if key else None,
                self._due_of(partition, match, kept.head.asked),
                self.now(),
                partition.epoch,
                None if after else kept.snapshot,
                granted,
                self.passes(match),
            )

    @staticmethod
    def _due_of(partition: _Partition, match: str, asked: int) -> Due | None:
        at = partition.due.get((match, str(asked)))
        return None if at is None else Due(at, str(asked))

    def append(self, commit: Commit) -> Appended:
        with self._lock:
            partition = self._partitions[partition_of(commit.match)]
            kept = self._matches.get(commit.match)
            head = kept.head if kept else Head(0, b"", (), "open", 0, "", "")
            known = kept.keys.get(commit.key) if kept else None
            refusal = self._refusal(commit, head, known, partition)
            if refusal is not None:
                if refusal is Answer.FORK and kept is not None:
                    kept.head = replace(head, status="frozen")
                version = known.version if known and refusal is Answer.DUP else head.version
                return Appended(refusal, version, len(partition.feed), False)
            if kept is None:
                kept = self._matches[commit.match] = _Match(head)
            kept.log.append(Entry(commit.version, commit.envelope, commit.sealed, commit.root))
            kept.keys[commit.key] = Known(commit.version, commit.ask)
            asked = head.asked
            if commit.asked_anew:
                partition.due.pop((commit.match, str(head.asked)), None)
                asked = commit.version
                if commit.thinking_ms is not None:
                    partition.due[commit.match, str(asked)] = self.now() + commit.thinking_ms
            question = commit.question if commit.asked_anew else head.question
            kept.head = Head(
                commit.version, commit.root, commit.frontier, commit.status, asked, question, commit.edition
            )
            partition.feed.append((commit.match, commit.version))
            self._stirring.notify_all()
            return Appended(Answer.OK, commit.version, len(partition.feed), self._wake(partition))

    def _begun(self, match: str, entries: Sequence[Entry], root: bytes) -> _Match:
        head = Head(0, b"", (), "open", 0, "", "")
        kept = self._matches.setdefault(match, _Match(head))
        kept.log += entries
        kept.head = replace(kept.head, version=len(kept.log), root=root, status="open")
        return kept

    @staticmethod
    def _refusal(commit: Commit, head: Head, known: Known | None, partition: _Partition) -> Answer | None:
        if known is not None:
            return Answer.DUP if known.ask == commit.ask else Answer.REUSED
        if head.status in ("over", "archived"):
            return Answer.GONE
        if head.status == "moved":
            return Answer.MOVED
        if head.status == "frozen":
            return Answer.FROZEN
        if commit.version <= head.version:
            return Answer.CONFLICT
        if commit.version > head.version + 1 or commit.was_root != head.root:
            return Answer.FORK
        if commit.epoch is not None and commit.epoch != partition.epoch:
            return Answer.FENCED
        if len(commit.envelope) + len(commit.sealed) > LARGEST:
            return Answer.TOOBIG
        return None

    def entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[Entry, ...]:
        with self._lock:
            kept = self._matches.get(match)
            return tuple(kept.log[after : after + limit]) if kept else ()

    def snapshot(self, match: str, snapshot: Snapshot) -> bool:
        with self._lock:
            kept = self._matches.get(match)
            if kept is None or kept.head.status == "archived" or not 1 <= snapshot.version <= kept.head.version:
                return False
            before = kept.snapshot
            if before is not None and before.rules == snapshot.rules and snapshot.version <= before.version:
                return False
            kept.snapshot = snapshot
            return True

    def freeze(self, match: str) -> None:
        with self._lock:
            kept = self._matches.get(match)
            if kept is not None and kept.head.status != "archived":
                kept.head = replace(kept.head, status="frozen")

    def archive(self, match: str, version: int, root: bytes) -> Answer:
        with self._lock:
            partition, kept = self._partitions[partition_of(match)], self._matches.get(match)
            if kept is None:
                return Answer.CONFLICT
            head = kept.head
            if head.status == "archived":
                return Answer.DUP if (head.version, head.root) == (version, root) else Answer.GONE
            if head.status == "frozen":
                return Answer.FROZEN
            if head.version != version or head.status == "moved":
                return Answer.CONFLICT
            if head.root != root or len(kept.log) != version:
                return Answer.FORK
            self._matches[match] = _Match(replace(head, status="archived"))
            partition.due.pop((match, str(head.asked)), None)
            partition.archived[match] = version
            self._passes.pop(match, None)
            self._visits.pop(match, None)
            return Answer.OK

    def entomb(self, match: str, head: Head) -> bool:
        if head.version < 1:
            raise ValueError(f"{match} has no entry")
        with self._lock:
            partition = self._partitions[partition_of(match)]
            if match in self._matches:
                return False
            self._matches[match] = _Match(replace(head, status="archived"))
            partition.archived[match] = head.version
            return True

    def archived(self, partition: int, after: int = 0, limit: int = 100) -> tuple[tuple[str, int], ...]:
        with self._lock:
            found = sorted(self._partitions[partition].archived.items(), key=lambda each: (each[1], each[0]))
            return tuple(found[after : after + limit])

    # -- what stirs ------------------------------------------------------------------------------------------------

    def tide(self, partition: int) -> Tide:
        with self._lock:
            kept = self._partitions[partition]
            return Tide(len(kept.feed), len(kept.notes))

    def stirred(self, since: Mapping[int, Tide], within_ms: int) -> dict[int, tuple[Tide, frozenset[str]]]:
        with self._lock:
            found = self._stirred(since)
            if not found and self._stirring.wait(within_ms / 1000):
                found = self._stirred(since)
            return found

    def _stirred(self, since: Mapping[int, Tide]) -> dict[int, tuple[Tide, frozenset[str]]]:
        found = {}
        for partition, tide in since.items():
            kept = self._partitions[partition]
            matches = {match for match, _ in kept.feed[tide.position :]} | set(kept.notes[tide.notes :])
            if matches:
                found[partition] = self.tide(partition), frozenset(matches)
        return found

    def _noted(self, match: str) -> None:
        self._partitions[partition_of(match)].notes.append(match)
        self._stirring.notify_all()

    # -- feed, deadlines, projections ------------------------------------------------------------------------------

    def feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]:
        with self._lock:
            found = self._partitions[partition].feed[after : after + limit]
            return tuple((after + at, match, version) for at, (match, version) in enumerate(found, 1))

    def about(self, partition: int) -> About:
        with self._lock:
            kept = self._partitions[partition]
            return About(len(kept.feed), kept.epoch, 1, "memory")

    def due(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]:
        with self._lock:
            items = self._partitions[partition].due.items()
            found = [(at, match, tag) for (match, tag), at in items if at <= upto_ms]
            found.sort(key=lambda due: (due[0], f"{due[1]}:{due[2]}"))
            return tuple(found[:limit])

    def next_due(self) -> int | None:
        with self._lock:
            return min((at for kept in self._partitions for at in kept.due.values()), default=None)

    def drop_due(self, match: str, tag: str) -> None:
        with self._lock:
            self._partitions[partition_of(match)].due.pop((match, tag), None)

    def _wake(self, partition: _Partition) -> bool:
        if partition.wake_until > self.now():
            return False
        partition.wake_until = self.now() + WAKE_MS
        return True

    def wake(self, partition: int) -> bool:
        with self._lock:
            return self._wake(self._partitions[partition])

    def clear_wake(self, partition: int) -> None:
        with self._lock:
            self._partitions[partition].wake_until = 0

    def raise_epochs(self) -> None:
        with self._lock:
            for partition in self._partitions:
                partition.epoch += 1

    def graceful(self, run_id: str, grace_ms: int) -> int:
        with self._lock:
            if run_id == self._run:
                return 0
            self._run = run_id
            now, moved = self.now(), 0
            for partition in self._partitions:
                for due, at in partition.due.items():
                    if at <= now:
                        partition.due[due] = now + grace_ms
                        moved += 1
            return moved

    def cursor(self, partition: int, name: str, build: int) -> int:
        with self._lock:
            return self._partitions[partition].cursors.get(f"{name}:{build}", 0)

    def read_upto(self, partition: int, views: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        return tuple(self.cursor(partition, name, build) for name, build in views)

    def project(self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[Write]) -> bool:
        (done,) = self.lead(partition, [Lead(name, build, seen, cursor, writes)])
        return fitting(done, name, build)

    def lead(self, partition: int, views: Sequence[Lead]) -> tuple[bool | None, ...]:
        for each in views:
            checked(each.writes)
        with self._lock:
            return tuple(self._led(self._partitions[partition], each) for each in views)

    def _led(self, kept: _Partition, given: Lead) -> bool | None:
        view = f"{given.name}:{given.build}"
        if kept.cursors.get(view, 0) != given.seen:
            return False
        try:
            self._write(kept, view, given.writes)
        except ValueError:
            return None
        kept.cursors[view] = given.cursor
        return True

    def amend(self, partition: int, name: str, build: int, guard: Guard, writes: Sequence[Write]) -> bool:
        checked(writes)
        with self._lock:
            kept, view = self._partitions[partition], f"{name}:{build}"
            key = f"{view}:{guard.suffix}"
            if kept.views.get(key) and kept.kinds.get(key) == "zset":
                raise ValueError(f"{view} writes ranks where fields are kept, or fields where ranks are")
            if kept.views.get(key, {}).get(guard.field) != guard.held:
                return False
            self._write(kept, view, writes)
            return True

    def _write(self, kept: _Partition, view: str, writes: Sequence[Write]) -> None:
        kept.kinds |= self._kinds(kept, view, writes)
        for write in writes:
            fields = kept.views.setdefault(f"{view}:{write.suffix}", {})
            if write.op in ("hset", "zadd"):
                fields[write.field] = write.value
            elif write.op in ("hdel", "zrem"):
                fields.pop(write.field, None)
            else:
                fields.clear()

    @staticmethod
    def _kinds(kept: _Partition, view: str, writes: Sequence[Write]) -> dict[str, str]:
        """What kind each written key is afterwards. Raises ValueError if a write does not fit."""
        kinds: dict[str, str] = {}
        for write in writes:
            key, need = f"{view}:{write.suffix}", kind_of(write.op)
            has = kinds.get(key, kept.kinds.get(key, "none") if kept.views.get(key) else "none")
            if "none" not in (need, has) and has != need:
                raise ValueError(f"{view} writes ranks where fields are kept, or fields where ranks are")
            kinds[key] = need
        return kinds

    def projected(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> dict[str, bytes]:
        with self._lock:
            found = self._partitions[partition].views.get(f"{name}:{build}:{suffix}", {})
            return dict(found) if fields is None else {field: found[field] for field in fields if field in found}

    def cursors(self, name: str, build: int) -> tuple[int, ...]:
        with self._lock:
            return tuple(kept.cursors.get(f"{name}:{build}", 0) for kept in self._partitions)

    def across(
        self, name: str, build: int, suffix: str, fields: Sequence[str] | None = None, only: Sequence[int] | None = None
    ) -> dict[int, tuple[int, dict[str, bytes]]]:
        with self._lock:
            return {
                partition: (
                    self.cursor(partition, name, build),
                    self.projected(partition, name, build, suffix, fields),
                )
                for partition in (range(PARTITIONS) if only is None else only)
            }

    def ranked(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]:
        with self._lock:
            fields = self._partitions[partition].views.get(f"{name}:{build}:{suffix}", {})
            order = sorted((int(value), member) for member, value in fields.items())
            return tuple((member, score) for score, member in order[after : after + limit])

    def drop_projection(self, partition: int, name: str, build: int) -> None:
        with self._lock:
            kept, view = self._partitions[partition], f"{name}:{build}"
            kept.cursors.pop(view, None)
            for suffix in [key for key in kept.views if key.startswith(view + ":")]:
                del kept.views[suffix]
                kept.kinds.pop(suffix, None)
