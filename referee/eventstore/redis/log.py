"""A log of matches on a stream server, through the client that it is given.

Every act is one script on one hash slot (`{pNN}`): log, head, key, feed, deadline and wake flag, all or nothing.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from referee.eventstore.contract import (
    MAX_CLOCK_DIFFERENCE_MS,
    MAX_ENTRY_BYTES,
    PARTITIONS,
    WAKE_FLAG_MS,
    AppendResult,
    Commit,
    Deadline,
    Head,
    LogWriteStatus,
    PartitionChanges,
    PartitionInfo,
    PartitionProgress,
    ReadResult,
    Snapshot,
    StoredEntry,
    StoreFull,
    StoreUnavailable,
    partition_for_match,
)
from referee.eventstore.redis import scripts
from referee.eventstore.redis.overview import MOVED_WORDS
from referee.eventstore.redis.projections import RedisProjectionStore
from referee.eventstore.redis.replication import Replication
from referee.eventstore.redis.replies import (
    parse_entry,
    parse_feed,
    parse_head,
    parse_idempotency_record,
    parse_passes,
    parse_people,
    parse_raw_entry,
    parse_stream_number,
    parse_time_ms,
    partition_tag,
)
from referee.eventstore.redis.roots import HEAD as ROOTS_HEAD
from referee.eventstore.redis.transfer import RedisTransferStore

STORE_FORMAT = 1
# in the answers of a server whose disk or memory has no room, also where a script met them; clients have no class
FULL_WORDS = ("MISCONF", "used memory > 'maxmemory'")
# replicas that a server insists on; a partition that it has no more; a script that met a cluster without it; and a wait
# (for replicas, or for changes) at a server that has become a replica meanwhile
AWAY_WORDS = ("NOREPLICAS", MOVED_WORDS, "while the cluster is down", "UNBLOCKED")
STREAM_BATCH_ROWS = 500  # rows read from a stream at a time
T = TypeVar("T")


class RedisLog(RedisTransferStore, RedisProjectionStore):
    """A log of matches on a Redis or Valkey server; see `MatchLog`.

    `client` is a client that answers in bytes. `away` are its exceptions that mean that the store does not answer. They
    become StoreUnavailable. `spread` says that the partitions lie on several servers. A write is answered when as many
    `replicas` have it; after `replicas_within_ms` without them it raises StoreUnavailable.
    """

    def __init__(
        self, client: Any, away: tuple[type[Exception], ...] = (), store: str = "", *, spread: bool = False,
        replicas: int = 0, replicas_within_ms: int = 1000,
    ) -> None:  # fmt: skip
        self.client, self._away, self._store, self._spread = client, away, store, spread
        self._scripts = {name: client.register_script(text) for name, text in scripts.ALL.items()}
        self._replication = Replication(client, replicas, replicas_within_ms)

    def _run_script(self, name: str, keys: Sequence[str], *args: Any) -> Any:
        if self._replication.waits_for(name):
            return self._call_store(lambda: self._replication.run_script(self._scripts[name], keys, args))
        return self._call_store(lambda: self._scripts[name](keys=list(keys), args=list(args)))

    def _write_store(self, key: str, call: Callable[[], T]) -> T:
        answer = self._call_store(call)
        self._call_store(lambda: self._replication.wait(key))
        return answer

    def _call_store(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except Exception as error:
            if any(word in str(error) for word in FULL_WORDS):
                raise StoreFull(str(error)) from error
            if isinstance(error, self._away) or any(word in str(error) for word in AWAY_WORDS):
                raise StoreUnavailable(str(error)) from error
            raise

    @staticmethod
    @functools.lru_cache(maxsize=4096)
    def _match_keys(match: str) -> tuple[str, ...]:
        part = partition_tag(partition_for_match(match))
        of = f"{part}:m:{match}"
        names = (f"{of}:log", f"{of}:head", f"{of}:keys", f"{part}:due", f"{part}:about", f"{of}:snap", f"{of}:grants")
        return (*names, f"{of}:passes", f"{of}:names", f"{of}:visits", f"{part}:feed", f"{part}:wake")

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
        keys = self._match_keys(match)[:10]
        found = self._run_script("read", keys, after, -1 if limit is None else limit, key, grant, match, root)
        head, entries, known, due, time, epoch, snap, granted, passes, *people = found
        is_unchanged = isinstance(head, bytes)
        fields = {b"asked": head} if is_unchanged else dict(zip(head[::2], head[1::2], strict=True))
        return ReadResult(
            parse_head(fields) if fields and not is_unchanged else None,
            tuple(map(parse_entry, entries)),
            None if known is None else parse_idempotency_record(known),
            None if due is None else Deadline(int(due), fields[b"asked"].decode()),
            parse_time_ms(time),
            int(epoch or 0),
            Snapshot(int(snap[0]), snap[1].decode(), snap[2]) if snap[0] else None,
            granted,
            parse_passes(passes),
            is_unchanged,
            parse_people(*people),
        )

    def append(self, commit: Commit) -> AppendResult:
        decided = "" if commit.at_ms is None else commit.at_ms
        checks = (commit.token_hash, commit.grant, decided, MAX_CLOCK_DIFFERENCE_MS)
        keys = self._append_keys(commit.match)
        return self._parse_append(self._run_script("append", keys, *self._build_script_args(commit), *checks))

    def append_together(self, commits: Sequence[Commit]) -> AppendResult:
        args = [arg for commit in commits for arg in self._build_script_args(commit)]
        *keys, _, passes, names, visits = self._append_keys(commits[0].match)
        together = (*keys, passes, names, visits)
        return self._parse_append(self._run_script("append_together", together, len(commits), *args))

    def _append_keys(self, match: str) -> tuple[str, ...]:
        log, head, key_records, due, about, _, grants, passes, names, visits, feed, wake = self._match_keys(match)
        return (log, head, key_records, due, feed, wake, about, grants, passes, names, visits)

    @staticmethod
    def _parse_append(found: Any) -> AppendResult:
        answer, version, position, woke, time, due_ms, standing, *people = found
        return AppendResult(
            LogWriteStatus(answer.decode()),
            version,
            position,
            woke == 1,
            parse_time_ms(time),
            None if due_ms is None else int(due_ms),
            parse_passes(standing),
            parse_people(*people),
        )

    def _build_script_args(self, commit: Commit) -> tuple[Any, ...]:
        """Return a commit as the arguments of the script that appends."""
        return (
            commit.match,
            commit.version,
            commit.envelope,
            commit.sealed,
            commit.root,
            b"".join(commit.frontier),
            commit.previous_root,
            commit.key,
            commit.fingerprint,
            commit.status,
            "1" if commit.reopens_question else "0",
            commit.question,
            commit.edition,
            "" if commit.thinking_ms is None else commit.thinking_ms,
            "" if commit.epoch is None else commit.epoch,
            MAX_ENTRY_BYTES,
            STORE_FORMAT,
            PARTITIONS,
            self._store,
        )

    def now(self) -> int:
        return parse_time_ms(self._call_store(self.client.time))

    def ping(self) -> None:
        self._call_store(self.client.ping)

    def check_room(self) -> None:
        # a write that changes nothing: a server without room refuses it like any other
        self._call_store(lambda: self.client.setrange(f"{partition_tag(0)}:room", 0, b""))

    def save_snapshot(self, match: str, snapshot: Snapshot) -> bool:
        keys = (self._match_keys(match)[5], self._match_keys(match)[1])
        return cast(int, self._run_script("snapshot", keys, snapshot.version, snapshot.rules, snapshot.body)) == 1

    def freeze_match(self, match: str) -> None:
        self._run_script("freeze", (self._match_keys(match)[1],))

    def unfreeze_match(self, match: str) -> bool:
        return cast(int, self._run_script("unfreeze", (self._match_keys(match)[1],))) == 1

    def wait_for_replicas(self, match: str = "") -> None:
        key = self._match_keys(match)[1] if match else ROOTS_HEAD
        self._call_store(lambda: self._replication.wait(key))

    def archive_match(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        log, head, key_records, due, _, snap, _, passes, *_ = self._match_keys(match)
        keys = (
            log,
            head,
            key_records,
            due,
            snap,
            passes,
            self._match_key(match, "visits"),
            self._tombstones_key(partition_for_match(match)),
        )
        return LogWriteStatus(cast(bytes, self._run_script("archive", keys, match, version, root)).decode())

    def put_to_sleep(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        log, head, _, _, _, snap, *_ = self._match_keys(match)
        keys = (log, head, snap, self._tombstones_key(partition_for_match(match)))
        return LogWriteStatus(cast(bytes, self._run_script("sleep", keys, match, version, root)).decode())

    def wake_match(self, match: str, version: int, root: bytes, entries: Sequence[StoredEntry]) -> LogWriteStatus:
        log, head, *_ = self._match_keys(match)
        keys = (log, head, self._tombstones_key(partition_for_match(match)))
        args = [part for each in entries for part in (each.version, each.envelope, each.sealed, each.root)]
        return LogWriteStatus(cast(bytes, self._run_script("wake", keys, match, version, root, *args)).decode())

    def add_tombstone(self, match: str, head: Head) -> bool:
        if head.version < 1:
            raise ValueError(f"{match} has no entry")
        keys = (self._match_keys(match)[1], self._tombstones_key(partition_for_match(match)))
        fields = (head.version, head.root, b"".join(head.frontier), head.question_version, head.question, head.edition)
        return cast(int, self._run_script("entomb", keys, match, *fields)) == 1

    def list_archived(self, partition: int, after: int = 0, limit: int = 100) -> tuple[tuple[str, int], ...]:
        if limit < 1:
            return ()
        name = self._tombstones_key(partition)
        found = self._call_store(lambda: self.client.zrange(name, after, after + limit - 1, withscores=True))
        return tuple((match.decode(), int(version)) for match, version in found)

    @staticmethod
    def _tombstones_key(partition: int) -> str:
        return f"{partition_tag(partition)}:archived"

    # -- changes ---------------------------------------------------------------------------------------------------

    def read_progress(self, partition: int) -> PartitionProgress:
        name = f"{partition_tag(partition)}:about"
        position, notes = self._call_store(lambda: self.client.hmget(name, "position", "notes"))
        return PartitionProgress(int(position or 0), int(notes or 0))

    def wait_for_changes(self, since: Mapping[int, PartitionProgress], within_ms: int) -> dict[int, PartitionChanges]:
        from_: dict[str, str] = {}
        for partition, progress in since.items():
            from_[f"{partition_tag(partition)}:feed"] = f"{progress.position}-0"
            from_[f"{partition_tag(partition)}:notes"] = f"{progress.notes}-0"
        found = self._read_streams(from_, STREAM_BATCH_ROWS, within_ms, whole=False)
        changes: dict[int, PartitionChanges] = {}
        for name, entries in found:
            partition, is_feed = int(name[2:4]), name.endswith(b":feed")
            before = changes.get(partition, PartitionChanges(since[partition], {}, frozenset()))
            last = parse_stream_number(entries[-1][0])
            if is_feed:
                versions = {match: version for _, match, version in parse_feed(entries)}
                changes[partition] = replace(
                    before, progress=replace(before.progress, position=last), versions=versions
                )
            else:
                visited = frozenset(fields[b"m"].decode() for _, fields in entries)
                changes[partition] = replace(before, progress=replace(before.progress, notes=last), visited=visited)
        return changes

    def _read_streams(
        self, from_: Mapping[str, str], limit: int, within_ms: int | None = None, *, whole: bool = True
    ) -> list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]:
        """Return what the streams have after those ids; without `within_ms`, at once.

        A command may not name keys of several slots, nor wait for several servers: a cluster answers at once too. If
        the look need not be `whole`, streams at servers that are away have nothing new, as long as one answers.
        """
        if not from_ or limit < 1:
            return []
        if not self._spread:
            read = functools.partial(self.client.xread, dict(from_), count=limit, block=within_ms)
            return cast(list[tuple[bytes, Any]], self._call_store(read))
        args = [arg for after in from_.values() for arg in (after, str(limit))]
        looked = zip(from_, self._look("changes", list(from_), *args, whole=whole), strict=True)
        return [(name.encode(), list(map(parse_raw_entry, entries))) for name, entries in looked if entries]

    # -- feed and deadlines ----------------------------------------------------------------------------------------

    def read_feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]:
        if limit < 1:
            return ()
        found = self._call_store(
            lambda: self.client.xrange(f"{partition_tag(partition)}:feed", f"({after}-0", "+", count=limit)
        )
        return parse_feed(found)

    def read_feeds(self, since: Mapping[int, int], limit: int = 100) -> dict[int, tuple[tuple[int, str, int], ...]]:
        from_ = {f"{partition_tag(partition)}:feed": f"{after}-0" for partition, after in since.items()}
        return {int(name[2:4]): parse_feed(found) for name, found in self._read_streams(from_, limit)}

    def read_partition_info(self, partition: int) -> PartitionInfo:
        name = f"{partition_tag(partition)}:about"
        kept = self._call_store(lambda: self.client.hmget(name, "position", "epoch", "format", "store"))
        store = self._store if kept[3] is None else kept[3].decode()
        return PartitionInfo(int(kept[0] or 0), int(kept[1] or 0), int(kept[2] or STORE_FORMAT), store)

    def read_positions(self) -> tuple[int, ...]:
        return self._read_positions([f"{partition_tag(partition)}:about" for partition in range(PARTITIONS)])

    def find_due_deadlines(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]:
        name = f"{partition_tag(partition)}:due"
        found = self._call_store(lambda: self.client.zrangebyscore(name, "-inf", upto_ms, 0, limit, withscores=True))
        split = ((int(at), *member.decode().rpartition(":")[::2]) for member, at in found)
        return tuple((at, match, which) for at, match, which in split)

    def find_next_deadline(self) -> int | None:
        first = self._read_first_scores([f"{partition_tag(partition)}:due" for partition in range(PARTITIONS)])
        return min((at for at in first if at is not None), default=None)

    def move_deadline(self, match: str, tag: str, at_ms: int) -> None:
        self._call_store(lambda: self.client.zadd(self._match_keys(match)[3], {f"{match}:{tag}": at_ms}, xx=True))

    def drop_deadline(self, match: str, tag: str) -> None:
        self._call_store(lambda: self.client.zrem(self._match_keys(match)[3], f"{match}:{tag}"))

    def set_wake_flag(self, partition: int) -> bool:
        return bool(
            self._call_store(lambda: self.client.set(f"{partition_tag(partition)}:wake", "1", nx=True, px=WAKE_FLAG_MS))
        )

    def raise_epochs(self) -> None:
        for partition in range(PARTITIONS):
            name = f"{partition_tag(partition)}:about"
            self._call_store(functools.partial(self.client.hincrby, name, "epoch", 1))

    def extend_overdue_deadlines(self, run_id: str, grace_ms: int) -> int:
        parts = map(partition_tag, range(PARTITIONS))
        return sum(
            cast(int, self._run_script("extend_overdue_deadlines", (f"{part}:due", f"{part}:about"), run_id, grace_ms))
            for part in parts
        )


def compute_script_sha(text: str) -> str:
    """Return the SHA-1 of a script, by which the server names it."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
