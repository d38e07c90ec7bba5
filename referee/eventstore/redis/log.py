"""A log of matches on a stream server: it speaks to whatever client it is handed, and imports none.

Every act is one script on one hash slot (`{pNN}`): log, head, key, feed, deadline and wake flag, all or nothing.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from referee.eventstore.contract import (
    HASH,
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
    StoreAway,
    Tide,
    Write,
    checked,
    fitting,
    partition_of,
)
from referee.eventstore.redis import scripts
from referee.eventstore.redis.accounts import Players
from referee.eventstore.redis.transfer import StreamMoves

FORMAT = 1
UNWRITABLE = (
    "MISCONF"  # how the answer of a server begins that lives and cannot write to its disk; no client has a class
)
BATCH = 500  # rows of a stream that are read at a time
T = TypeVar("T")


def tag(partition: int) -> str:
    """The hash tag of a partition; all its keys begin with it."""
    return f"{{p{partition:02d}}}"


class StreamLog(StreamMoves, Players):
    """See `base.MatchLog`. `client` is a Redis or Valkey client that answers in bytes; `away` are the exceptions that
    mean that the store does not answer, turned into StoreAway; `spread`: the partitions lie on several servers."""

    def __init__(
        self, client: Any, away: tuple[type[Exception], ...] = (), store: str = "", *, spread: bool = False
    ) -> None:
        self.client, self._away, self._store, self._spread = client, away, store, spread
        self._scripts = {name: client.register_script(text) for name, text in scripts.ALL.items()}

    def _run(self, name: str, keys: Sequence[str], *args: Any) -> Any:
        return self._ask(lambda: self._scripts[name](keys=list(keys), args=list(args)))

    def _ask(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except self._away as error:
            raise StoreAway(str(error)) from error
        except Exception as error:
            if str(error).startswith(UNWRITABLE):
                raise StoreAway(str(error)) from error
            raise

    @staticmethod
    @functools.lru_cache(maxsize=4096)
    def _keys(match: str) -> tuple[str, ...]:
        part = tag(partition_of(match))
        of = f"{part}:m:{match}"
        names = (f"{of}:log", f"{of}:head", f"{of}:keys", f"{part}:due", f"{part}:about", f"{of}:snap", f"{of}:grants")
        return (*names, f"{of}:passes", f"{part}:feed", f"{part}:wake")

    # -- the log ---------------------------------------------------------------------------------------------------

    def read(self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = "") -> Reading:
        keys = self._keys(match)[:8]
        found = self._run("read", keys, after, -1 if limit is None else limit, key, grant, match)
        head, entries, known, due, time, epoch, snap, granted, passes = found
        fields = dict(zip(head[::2], head[1::2], strict=True))
        return Reading(
            _head(fields) if fields else None,
            tuple(map(_entry, entries)),
            None if known is None else _known(known),
            None if due is None else Due(int(due), fields[b"asked"].decode()),
            _ms(time),
            int(epoch or 0),
            Snapshot(int(snap[0]), snap[1].decode(), snap[2]) if snap[0] else None,
            granted,
            {int(seat): record for seat, record in zip(passes[::2], passes[1::2], strict=True)},
        )

    def append(self, commit: Commit) -> Appended:
        log, head, known, due, about, _, _, _, feed, wake = self._keys(commit.match)
        keys = (log, head, known, due, feed, wake, about)
        answer, version, position, woke = self._run("append", keys, *self._told(commit))
        return Appended(Answer(answer.decode()), version, position, woke == 1)

    def _told(self, commit: Commit) -> tuple[Any, ...]:
        """A commit as the script reads it."""
        return (
            commit.match,
            commit.version,
            commit.envelope,
            commit.sealed,
            commit.root,
            b"".join(commit.frontier),
            commit.was_root,
            commit.key,
            commit.ask,
            commit.status,
            "1" if commit.asked_anew else "0",
            commit.question,
            commit.edition,
            "" if commit.thinking_ms is None else commit.thinking_ms,
            "" if commit.epoch is None else commit.epoch,
            LARGEST,
            FORMAT,
            PARTITIONS,
            self._store,
        )

    def entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[Entry, ...]:
        log = self._keys(match)[0]
        if limit < 1:
            return ()
        return tuple(map(_entry, self._ask(lambda: self.client.xrange(log, f"({after}-0", "+", count=limit))))

    def now(self) -> int:
        return _ms(self._ask(self.client.time))

    def ping(self) -> None:
        self._ask(self.client.ping)

    def snapshot(self, match: str, snapshot: Snapshot) -> bool:
        keys = (self._keys(match)[5], self._keys(match)[1])
        return cast(int, self._run("snapshot", keys, snapshot.version, snapshot.rules, snapshot.body)) == 1

    def freeze(self, match: str) -> None:
        self._run("freeze", (self._keys(match)[1],))

    def archive(self, match: str, version: int, root: bytes) -> Answer:
        log, head, known, due, _, snap, _, passes, _, _ = self._keys(match)
        keys = (log, head, known, due, snap, passes, self._of(match, "visits"), self._tombstones(partition_of(match)))
        return Answer(cast(bytes, self._run("archive", keys, match, version, root)).decode())

    def entomb(self, match: str, head: Head) -> bool:
        if head.version < 1:
            raise ValueError(f"{match} has no entry")
        keys = (self._keys(match)[1], self._tombstones(partition_of(match)))
        fields = (head.version, head.root, b"".join(head.frontier), head.asked, head.question, head.edition)
        return cast(int, self._run("entomb", keys, match, *fields)) == 1

    def archived(self, partition: int, after: int = 0, limit: int = 100) -> tuple[tuple[str, int], ...]:
        if limit < 1:
            return ()
        name = self._tombstones(partition)
        found = self._ask(lambda: self.client.zrange(name, after, after + limit - 1, withscores=True))
        return tuple((match.decode(), int(version)) for match, version in found)

    @staticmethod
    def _tombstones(partition: int) -> str:
        return f"{tag(partition)}:archived"

    # -- what stirs ------------------------------------------------------------------------------------------------

    def tide(self, partition: int) -> Tide:
        name = f"{tag(partition)}:about"
        position, notes = self._ask(lambda: self.client.hmget(name, "position", "notes"))
        return Tide(int(position or 0), int(notes or 0))

    def stirred(self, since: Mapping[int, Tide], within_ms: int) -> dict[int, tuple[Tide, frozenset[str]]]:
        from_: dict[str, str] = {}
        for partition, tide in since.items():
            from_[f"{tag(partition)}:feed"] = f"{tide.position}-0"
            from_[f"{tag(partition)}:notes"] = f"{tide.notes}-0"
        if self._spread:  # no command may name keys of several slots, and none may wait for several servers
            found = [read for name in from_ for read in self._ask(functools.partial(self._read_one, name, from_[name]))]
        else:
            found = self._ask(lambda: self.client.xread(from_, count=BATCH, block=within_ms)) if from_ else []
        stirs: dict[int, tuple[Tide, frozenset[str]]] = {}
        for name, entries in found:
            partition, kind = int(name[2:4]), name.rpartition(b":")[2]
            tide, matches = stirs.get(partition, (since[partition], frozenset()))
            last = _number(entries[-1][0])
            tide = replace(tide, position=last) if kind == b"feed" else replace(tide, notes=last)
            stirs[partition] = tide, matches | {fields[b"m"].decode() for _, fields in entries}
        return stirs

    def _read_one(self, name: str, after: str) -> list[tuple[bytes, Any]]:
        entries = self.client.xrange(name, f"({after}", "+", count=BATCH)
        return [(name.encode(), entries)] if entries else []

    # -- feed and deadlines ----------------------------------------------------------------------------------------

    def feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]:
        if limit < 1:
            return ()
        found = self._ask(lambda: self.client.xrange(f"{tag(partition)}:feed", f"({after}-0", "+", count=limit))
        return tuple((_number(name), fields[b"m"].decode(), int(fields[b"v"])) for name, fields in found)

    def about(self, partition: int) -> About:
        name = f"{tag(partition)}:about"
        kept = self._ask(lambda: self.client.hmget(name, "position", "epoch", "format", "store"))
        store = self._store if kept[3] is None else kept[3].decode()
        return About(int(kept[0] or 0), int(kept[1] or 0), int(kept[2] or FORMAT), store)

    def due(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]:
        name = f"{tag(partition)}:due"
        found = self._ask(lambda: self.client.zrangebyscore(name, "-inf", upto_ms, 0, limit, withscores=True))
        split = ((int(at), *member.decode().rpartition(":")[::2]) for member, at in found)
        return tuple((at, match, which) for at, match, which in split)

    def next_due(self) -> int | None:
        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for partition in range(PARTITIONS):
                pipe.zrange(f"{tag(partition)}:due", 0, 0, withscores=True)
            return cast(list[Any], pipe.execute())

        return min((int(found[0][1]) for found in self._ask(ask) if found), default=None)

    def drop_due(self, match: str, tag: str) -> None:
        self._ask(lambda: self.client.zrem(self._keys(match)[3], f"{match}:{tag}"))

    def wake(self, partition: int) -> bool:
        return bool(self._ask(lambda: self.client.set(f"{tag(partition)}:wake", "1", nx=True, px=WAKE_MS)))

    def clear_wake(self, partition: int) -> None:
        self._ask(lambda: self.client.delete(f"{tag(partition)}:wake"))

    def raise_epochs(self) -> None:
        for partition in range(PARTITIONS):
            name = f"{tag(partition)}:about"
            self._ask(functools.partial(self.client.hincrby, name, "epoch", 1))

    def graceful(self, run_id: str, grace_ms: int) -> int:
        parts = map(tag, range(PARTITIONS))
        return sum(cast(int, self._run("grace", (f"{part}:due", f"{part}:about"), run_id, grace_ms)) for part in parts)

    # -- projections -----------------------------------------------------------------------------------------------

    @staticmethod
    def _view(partition: int, name: str, build: int, suffix: str) -> str:
        return f"{tag(partition)}:v:{name}:{build}:{suffix}"

    def cursor(self, partition: int, name: str, build: int) -> int:
        return int(self._ask(lambda: self.client.get(self._view(partition, name, build, "cursor"))) or 0)

    def read_upto(self, partition: int, views: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        names = [self._view(partition, name, build, "cursor") for name, build in views]
        return tuple(int(at or 0) for at in self._ask(lambda: self.client.mget(names))) if names else ()

    def project(self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[Write]) -> bool:
        (done,) = self.lead(partition, [Lead(name, build, seen, cursor, writes)])
        return fitting(done, name, build)

    def lead(self, partition: int, views: Sequence[Lead]) -> tuple[bool | None, ...]:
        keys: list[str] = []
        args: list[Any] = []
        for view in views:
            own, written = self._written(partition, view.name, view.build, "cursor", len(keys), checked(view.writes))
            args += [len(keys) + 1, view.seen, view.cursor, len(view.writes), *written]
            keys += own
        done = cast(list[int], self._run("lead", keys, len(views), *args)) if views else []
        return tuple(None if each < 0 else each == 1 for each in done)

    def amend(self, partition: int, name: str, build: int, guard: Guard, writes: Sequence[Write]) -> bool:
        held = b"" if guard.held is None else b"=" + guard.held
        keys, args = self._written(partition, name, build, guard.suffix, 0, checked(writes))
        done = cast(int, self._run("amend", keys, guard.field, held, len(writes), *args))
        return fitting(None if done < 0 else done == 1, name, build)

    def _written(
        self, partition: int, name: str, build: int, first: str, before: int, writes: Sequence[Write]
    ) -> tuple[list[str], list[Any]]:
        """The keys of a view's writes, a first one ahead of them, and the writes as the scripts read them, where so
        many other keys come `before`."""
        suffixes = list(dict.fromkeys(write.suffix for write in writes))
        at = {suffix: index for index, suffix in enumerate(suffixes, before + 2)}
        keys = [self._view(partition, name, build, suffix) for suffix in (first, *suffixes)]
        return keys, [part for write in writes for part in (write.op, at[write.suffix], write.field, write.value)]

    def projected(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> dict[str, bytes]:
        if fields is not None and not fields:
            return {}
        view = self._view(partition, name, build, suffix)
        return _fields(self._ask(lambda: _looked_up(self.client, view, fields)), fields)

    def cursors(self, name: str, build: int) -> tuple[int, ...]:
        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for partition in range(PARTITIONS):
                pipe.get(self._view(partition, name, build, "cursor"))
            return cast(list[Any], pipe.execute())

        return tuple(int(at or 0) for at in self._ask(ask))

    def across(
        self, name: str, build: int, suffix: str, fields: Sequence[str] | None = None, only: Sequence[int] | None = None
    ) -> dict[int, tuple[int, dict[str, bytes]]]:
        partitions = range(PARTITIONS) if only is None else only
        rows = fields is None or len(fields) > 0

        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for partition in partitions:
                pipe.get(self._view(partition, name, build, "cursor"))  # first: the rows are no older then
                if rows:
                    _looked_up(pipe, self._view(partition, name, build, suffix), fields)
            return cast(list[Any], pipe.execute())

        found = self._ask(ask) if partitions else []
        step = 2 if rows else 1
        return {
            partition: (int(found[at * step] or 0), _fields(found[at * step + 1], fields) if rows else {})
            for at, partition in enumerate(partitions)
        }

    def ranked(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]:
        if limit < 1:
            return ()
        view = self._view(partition, name, build, suffix)
        found = self._ask(lambda: self.client.zrange(view, after, after + limit - 1, withscores=True))
        return tuple((member.decode(), int(score)) for member, score in found)

    def drop_projection(self, partition: int, name: str, build: int) -> None:
        pattern = self._view(partition, name, build, "*").replace("{", "\\{").replace("}", "\\}")
        for key in self._ask(lambda: list(self.client.scan_iter(match=pattern, count=1000))):
            self._ask(functools.partial(self.client.delete, key))


def fingerprint(text: str) -> str:
    """The SHA-1 of a script, as the server knows it."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def _looked_up(client: Any, key: str, fields: Sequence[str] | None) -> Any:
    return client.hgetall(key) if fields is None else client.hmget(key, list(fields))


def _fields(found: Any, fields: Sequence[str] | None) -> dict[str, bytes]:
    """What a server gave of a hash: of all its fields, or of those that were named."""
    if fields is None:
        return {field.decode(): value for field, value in found.items()}
    return {field: value for field, value in zip(fields, found, strict=True) if value is not None}


def _ms(time: Sequence[Any]) -> int:
    return int(time[0]) * 1000 + int(time[1]) // 1000


def _number(name: bytes) -> int:
    return int(name.partition(b"-")[0])


def _entry(found: Any) -> Entry:
    name, fields = found
    if isinstance(fields, list):
        fields = dict(zip(fields[::2], fields[1::2], strict=True))
    return Entry(_number(name), fields[b"e"], fields[b"x"], fields[b"r"])


def _head(fields: dict[bytes, bytes]) -> Head:
    joined = fields[b"frontier"]
    return Head(
        int(fields[b"v"]),
        fields[b"root"],
        tuple(joined[at : at + HASH] for at in range(0, len(joined), HASH)),
        fields[b"status"].decode(),
        int(fields.get(b"asked", 0)),
        fields.get(b"question", b"").decode(),
        fields.get(b"edition", b"").decode(),
    )


def _known(found: bytes) -> Known:
    version, _, ask = found.partition(b":")
    return Known(int(version), ask)
