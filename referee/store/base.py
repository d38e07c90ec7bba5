"""What a log of matches promises: its entries, its commits, and its answers. Times are in ms by the store's clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

PARTITIONS = 64
LARGEST = 256 * 1024  # bytes of one entry, envelope and sealed part together
WAKE_MS = 5000  # how long a wake flag stands


class StoreAway(Exception):
    """The store does not answer."""


def partition_of(match: str) -> int:
    """The partition that a match id names (`07-…` is 7). Raises ValueError if it names none."""
    head, dash, _ = match.partition("-")
    if len(head) != 2 or not dash or not (head.isascii() and head.isdecimal()) or int(head) >= PARTITIONS:
        raise ValueError(f"{match!r} names no partition")
    return int(head)


@dataclass(frozen=True, slots=True)
class Entry:
    """One move and all its facts as stored: public canonical JSON, hidden part, and the root with this entry in it."""

    version: int
    envelope: bytes
    sealed: bytes
    root: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """Where a match's log stands. `status`: open, over, frozen, archived. `asked`: version that last asked anew."""

    version: int
    root: bytes
    frontier: tuple[bytes, ...]
    status: str
    asked: int
    question: str
    edition: str


@dataclass(frozen=True, slots=True)
class Known:
    """What an idempotency key became: the version, and the hash of what was asked."""

    version: int
    ask: bytes


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline: when (ms), and what it is of: str(asked), or `t<version>` for table business."""

    at_ms: int
    tag: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folded state at a version, under the rules that folded it."""

    version: int
    rules: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """What one read found, all of one instant. `head` is None if there is no such match."""

    head: Head | None
    entries: tuple[Entry, ...]
    known: Known | None
    due: Due | None
    now_ms: int
    epoch: int
    snapshot: Snapshot | None
    grant: bytes | None


@dataclass(frozen=True, slots=True)
class Commit:
    """An entry to add, with everything that is written in the same act. `version` is the new one.

    `was_root` is the root the writer started from (empty for the first); `key` is `<scope>:<key>`, `ask` the hash of
    what was asked; `thinking_ms` sets a deadline if the entry asked anew.
    """

    match: str
    version: int
    envelope: bytes
    sealed: bytes
    root: bytes
    frontier: tuple[bytes, ...]
    was_root: bytes
    key: str
    ask: bytes
    status: str = "open"
    asked_anew: bool = False
    question: str = ""
    edition: str = ""
    thinking_ms: int | None = None
    epoch: int | None = None


class Answer(StrEnum):
    """What the log says to a commit; only OK wrote (FORK froze the match, no more)."""

    OK = "OK"
    DUP = "DUP"
    REUSED = "REUSED"
    CONFLICT = "CONFLICT"
    GONE = "GONE"
    FROZEN = "FROZEN"
    FORK = "FORK"
    FENCED = "FENCED"
    TOOBIG = "TOOBIG"


@dataclass(frozen=True, slots=True)
class Appended:
    """The answer, the version (committed, or what the key became, or the head), the feed position, and whether the
    wake flag was unset (then the caller enqueues a drain)."""

    answer: Answer
    version: int
    position: int
    wake: bool


@dataclass(frozen=True, slots=True)
class About:
    """A partition: its feed position, its epoch, the format version, the id of the store."""

    position: int
    epoch: int
    format: int
    store: str


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a projection: `op` hset, hdel, zadd, zrem or del; `suffix` completes the key; zadd's value is a
    whole number in ASCII."""

    op: str
    suffix: str
    field: str = ""
    value: bytes = b""


def kind_of(op: str) -> str:
    """What kind of key a projection's write needs: hash, zset, or none (del takes any). Raises ValueError."""
    kinds = {"hset": "hash", "hdel": "hash", "zadd": "zset", "zrem": "zset", "del": "none"}
    if op not in kinds:
        raise ValueError(f"a projection writes by {', '.join(kinds)}, not by {op!r}")
    return kinds[op]


def checked(writes: Sequence[Write]) -> Sequence[Write]:
    """The writes, if each of them can be written: a batch is applied whole, so none may fail half way.

    Raises ValueError: unknown op, a suffix that is the cursor's, or a score that is no whole number.
    """
    for write in writes:
        kind_of(write.op)
        if write.suffix == "cursor":
            raise ValueError("the cursor is written by the log alone")
        score = write.value.removeprefix(b"-")
        if write.op == "zadd" and not (score.isdigit() and len(score) <= 15):
            raise ValueError(f"{write.value!r} is no score: a whole number in ASCII, of 15 digits at most")
    return writes


class MatchLog(Protocol):
    """The contract that every log keeps (store.md, section 5). Any call may raise StoreAway."""

    def read(
        self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = ""
    ) -> Reading: ...
    def append(self, commit: Commit) -> Appended: ...
    def entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[Entry, ...]: ...
    def now(self) -> int: ...
    def snapshot(self, match: str, snapshot: Snapshot) -> bool: ...
    def freeze(self, match: str) -> None: ...

    def feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]: ...
    def about(self, partition: int) -> About: ...
    def due(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]: ...
    def next_due(self) -> int | None: ...
    def drop_due(self, match: str, tag: str) -> None: ...
    def wake(self, partition: int) -> bool: ...
    def clear_wake(self, partition: int) -> None: ...
    def raise_epochs(self) -> None: ...
    def graceful(self, run_id: str, grace_ms: int) -> int: ...

    def cursor(self, partition: int, name: str, build: int) -> int: ...
    def project(
        self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[Write]
    ) -> bool: ...
    def projected(self, partition: int, name: str, build: int, suffix: str) -> dict[str, bytes]: ...
    def ranked(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]: ...
    def drop_projection(self, partition: int, name: str, build: int) -> None: ...

    def grant(self, match: str, token_hash: str, record: bytes) -> None: ...
    def grants(self, match: str) -> dict[str, bytes]: ...
    def revoke(self, match: str, token_hashes: Sequence[str]) -> None: ...
    def put_names(self, match: str, names: Mapping[str, str | None]) -> None: ...
    def names(self, match: str) -> dict[str, str]: ...
    def invite(self, code: str, record: bytes, uses: int, ttl_ms: int) -> bool: ...
    def invited(self, code: str) -> tuple[bytes, int] | None: ...
    def redeem(self, code: str, key: str) -> tuple[bytes, bool] | None: ...
    def revoke_invitation(self, code: str) -> None: ...
    def remember(self, scope: str, key: str, ask: bytes, answer: bytes, ttl_ms: int) -> tuple[bytes, bytes]: ...
    def recalled(self, scope: str, key: str) -> tuple[bytes, bytes] | None: ...
    def ping(self) -> None: ...
