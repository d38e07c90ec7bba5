"""A log of matches in memory, under one lock. It answers like the one on Redis.

Its clock is a function (`now`, in ms), or stands still until `advance_clock` moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Condition, RLock

from referee.eventstore.contract import (
    MAX_CLOCK_DIFFERENCE_MS,
    MAX_ENTRY_BYTES,
    PARTITIONS,
    WAKE_FLAG_MS,
    AppendResult,
    Commit,
    Deadline,
    Head,
    IdempotencyRecord,
    LogWriteStatus,
    PartitionChanges,
    PartitionInfo,
    PartitionProgress,
    People,
    ReadResult,
    Snapshot,
    StoredEntry,
    partition_for_match,
)
from referee.eventstore.memory.projections import MemoryProjectionStore
from referee.eventstore.memory.records import MatchRecord, PartitionRecord


class MemoryLog(MemoryProjectionStore):
    """A log of matches in this process; see `MatchLog`."""

    def __init__(self, now: Callable[[], int] | None = None) -> None:
        super().__init__()
        self._lock, self._given, self._still = RLock(), now, 1_000_000
        self._stirring = Condition(self._lock)
        self._matches: dict[str, MatchRecord] = {}
        self._partitions = [PartitionRecord() for _ in range(PARTITIONS)]
        self._run = ""

    def advance_clock(self, ms: int) -> None:
        """Move on a clock that stands still."""
        self._still += ms

    def now(self) -> int:
        return self._given() if self._given is not None else self._still

    def ping(self) -> None:
        """Do nothing: memory always answers."""

    def check_room(self) -> None:
        """Do nothing: memory takes writes as long as it answers."""

    # -- the log ---------------------------------------------------------------------------------------------------

    def read(
        self,
        match: str,
        *,
        after: int = 0,
        limit: int | None = None,
        key: str = "",
        grant: str = "",
        root: bytes = b"",
    ) -> ReadResult:
        with self._lock:
            kept = self._matches.get(match)
            partition = self._partitions[partition_for_match(match)]
            granted = self._grants.get(match, {}).get(grant) if grant else None
            if kept is None:
                return ReadResult(
                    None,
                    (),
                    None,
                    None,
                    self.now(),
                    partition.epoch,
                    None,
                    granted,
                    self.read_passes(match),
                    people=self._read_people(match),
                )
            head = kept.head
            same = bool(root) and (head.version, head.root, head.status) == (after, root, "open") and not head.asleep
            upto = None if limit is None else after + limit
            return ReadResult(
                None if same else head,
                () if same else tuple(kept.log[after:upto]),
                kept.keys.get(key) if key else None,
                self._find_deadline(partition, match, kept.head.question_version),
                self.now(),
                partition.epoch,
                None if after else kept.snapshot,
                granted,
                self.read_passes(match),
                same,
                self._read_people(match),
            )

    def _read_people(self, match: str) -> People:
        return People(self.read_seat_names(match), self.read_present_seats(match))

    @staticmethod
    def _find_deadline(partition: PartitionRecord, match: str, question_version: int) -> Deadline | None:
        at = partition.due.get((match, str(question_version)))
        return None if at is None else Deadline(at, str(question_version))

    def append(self, commit: Commit) -> AppendResult:
        with self._lock:
            return self._complete_result(commit.match, self._append_checked(commit))

    def append_together(self, commits: Sequence[Commit]) -> AppendResult:
        with self._lock:
            first, *others = commits
            kept = self._matches.get(first.match)
            if kept is not None and first.key not in kept.keys:  # else the first commit says what is wrong
                for commit in others:
                    if commit.key in kept.keys:
                        return self._refuse(kept, LogWriteStatus.CONFLICT, first.match)
                    if len(commit.envelope) + len(commit.sealed) > MAX_ENTRY_BYTES:
                        return self._refuse(kept, LogWriteStatus.TOOBIG, first.match)
            wake = False
            for commit in commits:
                done = self._append(commit)
                wake = wake or done.wake
                if done.status is not LogWriteStatus.OK:
                    break
            return self._complete_result(first.match, replace(done, wake=wake))

    def _refuse(self, kept: MatchRecord, status: LogWriteStatus, match: str) -> AppendResult:
        return self._complete_result(match, AppendResult(status, kept.head.version, 0, False))

    def _complete_result(self, match: str, done: AppendResult) -> AppendResult:
        """Return an answer with time, deadline and standing passes after the write."""
        kept = self._matches.get(match)
        partition = self._partitions[partition_for_match(match)]
        due = None if kept is None else self._find_deadline(partition, match, kept.head.question_version)
        return replace(
            done,
            now_ms=self.now(),
            due_ms=None if due is None else due.at_ms,
            passes=self.read_passes(match),
            people=self._read_people(match),
        )

    def _append_checked(self, commit: Commit) -> AppendResult:
        """Append, unless token, time or history are other than the writer assumed."""
        held = self._grants.get(commit.match, {}).get(commit.token_hash)
        late = commit.at_ms is not None and abs(self.now() - commit.at_ms) > MAX_CLOCK_DIFFERENCE_MS
        kept = self._matches.get(commit.match)
        at, root = (kept.head.version, kept.head.root) if kept else (0, b"")
        lost = commit.at_ms is not None and (
            commit.version > at + 1 or (commit.version == at + 1 and commit.previous_root != root)
        )
        if late or lost or (commit.token_hash and held != commit.grant):
            return AppendResult(LogWriteStatus.STALE, at, 0, False)
        return self._append(commit)

    def _append(self, commit: Commit) -> AppendResult:
        with self._lock:
            partition = self._partitions[partition_for_match(commit.match)]
            kept = self._matches.get(commit.match)
            head = kept.head if kept else Head(0, b"", (), "open", 0, "", "")
            record = kept.keys.get(commit.key) if kept else None
            refusal = self._find_refusal(commit, head, record, partition)
            if refusal is not None:
                if refusal is LogWriteStatus.FORK and kept is not None:
                    kept.head = replace(head, status="frozen")
                version = record.version if record and refusal is LogWriteStatus.DUP else head.version
                return AppendResult(refusal, version, len(partition.feed), False)
            if kept is None:
                kept = self._matches[commit.match] = MatchRecord(head)
            kept.log.append(StoredEntry(commit.version, commit.envelope, commit.sealed, commit.root))
            kept.keys[commit.key] = IdempotencyRecord(commit.version, commit.fingerprint)
            question_version = head.question_version
            if commit.reopens_question:
                partition.due.pop((commit.match, str(head.question_version)), None)
                question_version = commit.version
                if commit.thinking_ms is not None:
                    partition.due[commit.match, str(question_version)] = self.now() + commit.thinking_ms
            question = commit.question if commit.reopens_question else head.question
            kept.head = Head(
                commit.version, commit.root, commit.frontier, commit.status, question_version, question, commit.edition
            )
            partition.feed.append((commit.match, commit.version))
            self._stirring.notify_all()
            return AppendResult(
                LogWriteStatus.OK, commit.version, len(partition.feed), self._raise_wake_flag(partition)
            )

    def _reopen_with_entries(self, match: str, entries: Sequence[StoredEntry], root: bytes) -> MatchRecord:
        head = Head(0, b"", (), "open", 0, "", "")
        kept = self._matches.setdefault(match, MatchRecord(head))
        kept.log += entries
        kept.head = replace(kept.head, version=len(kept.log), root=root, status="open")
        return kept

    @staticmethod
    def _find_refusal(
        commit: Commit, head: Head, record: IdempotencyRecord | None, partition: PartitionRecord
    ) -> LogWriteStatus | None:
        if record is not None:
            return LogWriteStatus.DUP if record.fingerprint == commit.fingerprint else LogWriteStatus.REUSED
        if head.status in ("over", "archived"):
            return LogWriteStatus.GONE
        if head.status == "moved":
            return LogWriteStatus.MOVED
        if head.status == "frozen":
            return LogWriteStatus.FROZEN
        if commit.version <= head.version:
            return LogWriteStatus.CONFLICT
        if head.asleep:
            return LogWriteStatus.ASLEEP
        if commit.version > head.version + 1 or commit.previous_root != head.root:
            return LogWriteStatus.FORK
        if commit.epoch is not None and commit.epoch != partition.epoch:
            return LogWriteStatus.FENCED
        if len(commit.envelope) + len(commit.sealed) > MAX_ENTRY_BYTES:
            return LogWriteStatus.TOOBIG
        return None

    def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
        with self._lock:
            kept = self._matches.get(match)
            return tuple(kept.log[after : after + limit]) if kept else ()

    def save_snapshot(self, match: str, snapshot: Snapshot) -> bool:
        with self._lock:
            kept = self._matches.get(match)
            if (
                kept is None
                or kept.head.status == "archived"
                or kept.head.asleep
                or not 1 <= snapshot.version <= kept.head.version
            ):
                return False
            before = kept.snapshot
            if before is not None and before.rules == snapshot.rules and snapshot.version <= before.version:
                return False
            kept.snapshot = snapshot
            return True

    def freeze_match(self, match: str) -> None:
        with self._lock:
            kept = self._matches.get(match)
            if kept is not None and kept.head.status not in ("archived", "frozen"):
                kept.status_before, kept.head = kept.head.status, replace(kept.head, status="frozen")

    def unfreeze_match(self, match: str) -> bool:
        with self._lock:
            kept = self._matches.get(match)
            if kept is None or kept.head.status != "frozen":
                return False
            kept.head, kept.status_before = replace(kept.head, status=kept.status_before), "open"
            return True

    def wait_for_replicas(self, match: str = "") -> None:
        """Return at once: there are no replicas."""

    def archive_match(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        with self._lock:
            partition, kept = self._partitions[partition_for_match(match)], self._matches.get(match)
            if kept is None:
                return LogWriteStatus.CONFLICT
            head = kept.head
            if head.status == "archived":
                return LogWriteStatus.DUP if (head.version, head.root) == (version, root) else LogWriteStatus.GONE
            if head.status == "frozen":
                return LogWriteStatus.FROZEN
            if head.version != version or head.status == "moved" or head.asleep:
                return LogWriteStatus.CONFLICT
            if head.root != root or len(kept.log) != version:
                return LogWriteStatus.FORK
            self._matches[match] = MatchRecord(replace(head, status="archived"))
            partition.due.pop((match, str(head.question_version)), None)
            partition.archived[match] = version
            self._passes.pop(match, None)
            self._visits.pop(match, None)
            return LogWriteStatus.OK

    def put_to_sleep(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        with self._lock:
            kept = self._matches.get(match)
            if kept is not None and kept.head.status == "frozen":
                return LogWriteStatus.FROZEN
            if kept is None or kept.head.version != version or kept.head.status != "open":
                return LogWriteStatus.CONFLICT
            if kept.head.root != root or len(kept.log) != (0 if kept.head.asleep else version):
                return LogWriteStatus.FORK
            if kept.head.asleep:
                return LogWriteStatus.DUP
            kept.head, kept.log, kept.snapshot = replace(kept.head, asleep=True), [], None
            self._partitions[partition_for_match(match)].archived[match] = version
            return LogWriteStatus.OK

    def wake_match(self, match: str, version: int, root: bytes, entries: Sequence[StoredEntry]) -> LogWriteStatus:
        with self._lock:
            kept = self._matches.get(match)
            if kept is None:
                return LogWriteStatus.CONFLICT
            if not kept.head.asleep:
                return LogWriteStatus.DUP
            if (kept.head.version, kept.head.root) != (version, root):
                return LogWriteStatus.CONFLICT
            kept.head, kept.log = replace(kept.head, asleep=False), list(entries)
            self._partitions[partition_for_match(match)].archived.pop(match)
            return LogWriteStatus.OK

    def add_tombstone(self, match: str, head: Head) -> bool:
        if head.version < 1:
            raise ValueError(f"{match} has no entry")
        with self._lock:
            partition = self._partitions[partition_for_match(match)]
            if match in self._matches:
                return False
            self._matches[match] = MatchRecord(replace(head, status="archived"))
            partition.archived[match] = head.version
            return True

    def list_archived(self, partition: int, after: int = 0, limit: int = 100) -> tuple[tuple[str, int], ...]:
        with self._lock:
            found = sorted(self._partitions[partition].archived.items(), key=lambda each: (each[1], each[0]))
            return tuple(found[after : after + limit])

    # -- changes ---------------------------------------------------------------------------------------------------

    def read_progress(self, partition: int) -> PartitionProgress:
        with self._lock:
            kept = self._partitions[partition]
            return PartitionProgress(len(kept.feed), len(kept.notes))

    def wait_for_changes(self, since: Mapping[int, PartitionProgress], within_ms: int) -> dict[int, PartitionChanges]:
        with self._lock:
            found = self._collect_changes(since)
            if not found and self._stirring.wait(within_ms / 1000):
                found = self._collect_changes(since)
            return found

    def _collect_changes(self, since: Mapping[int, PartitionProgress]) -> dict[int, PartitionChanges]:
        found = {}
        for partition, progress in since.items():
            kept = self._partitions[partition]
            versions, visited = dict(kept.feed[progress.position :]), frozenset(kept.notes[progress.notes :])
            if versions or visited:
                found[partition] = PartitionChanges(self.read_progress(partition), versions, visited)
        return found

    def _note_presence_change(self, match: str) -> None:
        self._partitions[partition_for_match(match)].notes.append(match)
        self._stirring.notify_all()

    # -- feed, deadlines, projections ------------------------------------------------------------------------------

    def read_feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]:
        with self._lock:
            found = self._partitions[partition].feed[after : after + limit]
            return tuple((after + at, match, version) for at, (match, version) in enumerate(found, 1))

    def read_feeds(self, since: Mapping[int, int], limit: int = 100) -> dict[int, tuple[tuple[int, str, int], ...]]:
        with self._lock:
            found = {partition: self.read_feed(partition, after, limit) for partition, after in since.items()}
            return {partition: commits for partition, commits in found.items() if commits}

    def read_partition_info(self, partition: int) -> PartitionInfo:
        with self._lock:
            kept = self._partitions[partition]
            return PartitionInfo(len(kept.feed), kept.epoch, 1, "memory")

    def find_due_deadlines(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]:
        with self._lock:
            items = self._partitions[partition].due.items()
            found = [(at, match, tag) for (match, tag), at in items if at <= upto_ms]
            found.sort(key=lambda due: (due[0], f"{due[1]}:{due[2]}"))
            return tuple(found if limit < 0 else found[:limit])

    def read_positions(self) -> tuple[int, ...]:
        return tuple(self.read_partition_info(partition).position for partition in range(PARTITIONS))

    def find_next_deadline(self) -> int | None:
        with self._lock:
            return min((at for kept in self._partitions for at in kept.due.values()), default=None)

    def move_deadline(self, match: str, tag: str, at_ms: int) -> None:
        with self._lock:
            due = self._partitions[partition_for_match(match)].due
            if (match, tag) in due:
                due[match, tag] = at_ms

    def drop_deadline(self, match: str, tag: str) -> None:
        with self._lock:
            self._partitions[partition_for_match(match)].due.pop((match, tag), None)

    def _raise_wake_flag(self, partition: PartitionRecord) -> bool:
        if partition.wake_until > self.now():
            return False
        partition.wake_until = self.now() + WAKE_FLAG_MS
        return True

    def set_wake_flag(self, partition: int) -> bool:
        with self._lock:
            return self._raise_wake_flag(self._partitions[partition])

    def clear_wake_flag(self, partition: int) -> None:
        with self._lock:
            self._partitions[partition].wake_until = 0

    def raise_epochs(self) -> None:
        with self._lock:
            for partition in self._partitions:
                partition.epoch += 1

    def extend_overdue_deadlines(self, run_id: str, grace_ms: int) -> int:
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
