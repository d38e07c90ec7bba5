"""What a log of matches promises: its entries, its commits, and its answers. Times are in ms by the store's clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from referee.eventstore.accounts import AccountStore
from referee.eventstore.books import BookStore
from referee.eventstore.decks import DeckStore
from referee.eventstore.transfer import TransferStore
from referee.transparency.root_log import RootLog

PARTITIONS = 64
MAX_ENTRY_BYTES = 256 * 1024  # bytes of one entry, envelope and sealed part together
WAKE_FLAG_MS = 5000  # how long a wake flag stands
HASH_BYTES = 32  # bytes of a hash
MAX_PRESENCE_NOTES = (
    1000  # notes of who came and went that a partition keeps: whoever follows reads them within moments
)


class StoreUnavailable(Exception):
    """The store does not answer."""


def partition_for_match(match: str) -> int:
    """The partition that a match id names (`07-…` is 7). Raises ValueError if it names none."""
    head, dash, _ = match.partition("-")
    if len(head) != 2 or not dash or not (head.isascii() and head.isdecimal()) or int(head) >= PARTITIONS:
        raise ValueError(f"{match!r} names no partition")
    return int(head)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One move and all its facts as stored: public canonical JSON, hidden part, and the root with this entry in it."""

    version: int
    envelope: bytes
    sealed: bytes
    root: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """Where a match's log stands. `status`: open, over, frozen, archived, moved. `question_version`: the version that
    last asked anew."""

    version: int
    root: bytes
    frontier: tuple[bytes, ...]
    status: str
    question_version: int
    question: str
    edition: str


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """What an idempotency key became: the version, and the hash of what was asked."""

    version: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Deadline:
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
class ReadResult:
    """What one read found, all of one instant. `head` is None if there is no such match.

    `read_passes` are the records of the seats that let windows pass (`MatchLog.read_passes`).
    """

    head: Head | None
    entries: tuple[StoredEntry, ...]
    known: IdempotencyRecord | None
    due: Deadline | None
    now_ms: int
    epoch: int
    snapshot: Snapshot | None
    grant: bytes | None
    passes: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Commit:
    """An entry to add, with everything that is written in the same act. `version` is the new one.

    `frontier` holds hashes of HASH bytes, else ValueError.

    `previous_root` is the root the writer started from (empty for the first); `key` is `<scope>:<key>`, `fingerprint`
    the hash of what was asked; `thinking_ms` sets a deadline if the entry asked anew.
    """

    match: str
    version: int
    envelope: bytes
    sealed: bytes
    root: bytes
    frontier: tuple[bytes, ...]
    previous_root: bytes
    key: str
    fingerprint: bytes
    status: str = "open"
    reopens_question: bool = False
    question: str = ""
    edition: str = ""
    thinking_ms: int | None = None
    epoch: int | None = None

    def __post_init__(self) -> None:
        if any(len(known) != HASH_BYTES for known in self.frontier):
            raise ValueError(f"a frontier is made of hashes of {HASH_BYTES} bytes")


class LogWriteStatus(StrEnum):
    """What the log says to a commit. Only OK wrote.

    DUP: this ask became a version before. REUSED: the key became another ask's. CONFLICT: somebody was faster. GONE:
    over or archived. MOVED: it has gone to another server. FROZEN: nobody may add. FORK: the writer, the head, the log
    or the feed do not fit each other, so history was lost or changed; unless it is the feed, this freezes the match,
    and writes no more. FENCED: the epoch was raised since. TOOBIG: above LARGEST.
    """

    OK = "OK"
    DUP = "DUP"
    REUSED = "REUSED"
    CONFLICT = "CONFLICT"
    GONE = "GONE"
    MOVED = "MOVED"
    FROZEN = "FROZEN"
    FORK = "FORK"
    FENCED = "FENCED"
    TOOBIG = "TOOBIG"


@dataclass(frozen=True, slots=True)
class AppendResult:
    """The answer, the version (committed, or what the key became, or the head), the feed position, and whether the
    wake flag was unset (then the caller enqueues a drain)."""

    status: LogWriteStatus
    version: int
    position: int
    wake: bool


@dataclass(frozen=True, slots=True)
class PartitionInfo:
    """A partition: its feed position, its epoch, and the format version and store id it was begun with."""

    position: int
    epoch: int
    format: int
    store: str


@dataclass(frozen=True, slots=True)
class PartitionProgress:
    """How far a partition has been followed: its feed, and the notes of who came and went."""

    position: int = 0
    notes: int = 0


@dataclass(frozen=True, slots=True)
class ProjectionWrite:
    """One write of a projection: `op` hset, hdel, zadd, zrem or del; `suffix` completes the key; zadd's value is a
    whole number in ASCII."""

    op: str
    suffix: str
    field: str = ""
    value: bytes = b""


@dataclass(frozen=True, slots=True)
class ProjectionBatch:
    """One view's way on: from the feed position `seen` to `read_cursor`, by these writes."""

    name: str
    build: int
    seen: int
    cursor: int
    writes: Sequence[ProjectionWrite]


@dataclass(frozen=True, slots=True)
class Precondition:
    """What has to be so before something is written: the field of a key written by hset holds this (None: nothing)."""

    suffix: str
    field: str
    held: bytes | None

    def __post_init__(self) -> None:
        if self.suffix == "cursor":
            raise ValueError("the cursor guards by itself, in `project`")


def key_kind_for(op: str) -> str:
    """What kind of key a projection's write needs: hash, zset, or none (del takes any). Raises ValueError."""
    kinds = {"hset": "hash", "hdel": "hash", "zadd": "zset", "zrem": "zset", "del": "none"}
    if op not in kinds:
        raise ValueError(f"a projection writes by {', '.join(kinds)}, not by {op!r}")
    return kinds[op]


def require_valid_writes(writes: Sequence[ProjectionWrite]) -> Sequence[ProjectionWrite]:
    """The writes, if each of them can be written: a batch is applied whole, so none may fail half way.

    Raises ValueError: unknown op, a suffix that is the cursor's, or a score that is no whole number.
    """
    for write in writes:
        key_kind_for(write.op)
        if write.suffix == "cursor":
            raise ValueError("the cursor is written by the log alone")
        score = write.value.removeprefix(b"-")
        if write.op == "zadd" and not (score.isdigit() and len(score) <= 15):
            raise ValueError(f"{write.value!r} is no score: a whole number in ASCII, of 15 digits at most")
    return writes


def require_matching_key_kinds(done: bool | None, name: str, build: int) -> bool:
    """Whether a view was written. Raises ValueError where it could not be (None)."""
    if done is None:
        raise ValueError(f"{name}:{build} writes ranks where fields are kept, or fields where ranks are")
    return done


class MatchLog(AccountStore, BookStore, DeckStore, TransferStore, RootLog, Protocol):
    """The contract that every log keeps (store.md, section 5).

    Any call may raise StoreAway: then nobody knows whether it was done, and it may be made again. A call that names a
    match raises ValueError if the id names no partition. Times are ms by the store's own clock, `limit` is a number of
    rows (none below 1), `after` the version, position or rank after which to begin (0: from the start).
    """

    # -- the log: entries and the act of adding one -------------------------------------------------------------------

    def read(
        self, match: str, *, after: int = 0, limit: int | None = None, key: str = "", grant: str = ""
    ) -> ReadResult:
        """Everything a decision needs, of one instant: head, entries after a version (all, unless limited), what the
        idempotency key became, the deadline, the time, the epoch, the snapshot (only if `after` is
        0), and the record of a token's hash."""

    def append(self, commit: Commit) -> AppendResult:
        """Adds an entry with all that belongs to it, or writes nothing and answers why (store.md, section 4)."""

    def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
        """A page of entries after a version; none if there is no such match."""

    def now(self) -> int:
        """The time by the store's clock."""

    def save_snapshot(self, match: str, snapshot: Snapshot) -> bool:
        """Keeps a folded state; False unless its version is within the log, and above the kept one's if that is of the
        same rules."""

    def freeze_match(self, match: str) -> None:
        """Lets nobody add to this match any more; nothing happens if there is no such match, or if it is archived."""

    def archive_match(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        """Drops the entries of a match that stands exactly there, and leaves a tombstone; whoever asks has kept them.

        OK: its head is left, archived, and what people hold of it (tokens, names, links); entries, keys, snapshot,
        deadline, standing passes and visits are gone. DUP: that was done before, at this version and root. Else
        nothing is done. CONFLICT: it stands elsewhere, or there is no such match. FORK: it has not that many entries,
        or another root. FROZEN: somebody has to look at it first. GONE: it was archived as something else.
        """

    def add_tombstone(self, match: str, head: Head) -> bool:
        """Puts the tombstone of a match that was played elsewhere where there is none of that id; whoever asks has kept
        its entries. False, and nothing, if there is one. The feed does not tell of it. Raises ValueError without an
        entry."""

    def list_archived(self, partition: int, after: int = 0, limit: int = 100) -> tuple[tuple[str, int], ...]:
        """The archived matches of a partition with their versions, the shortest first, after so many of them."""

    # -- what stirs, for streams and long polls ------------------------------------------------------------------------

    def read_progress(self, partition: int) -> PartitionProgress:
        """Where a partition stands: what stirs in it from now on comes after this."""

    def wait_for_changes(
        self, since: Mapping[int, PartitionProgress], within_ms: int
    ) -> dict[int, tuple[PartitionProgress, frozenset[str]]]:
        """The matches in which something was committed, or somebody came or went, and where their partitions stand now.

        Waits for the first of them, up to `within_ms`, where the store can wait; else it tells at once. Partitions in
        which nothing stirred are left out.
        """

    # -- the feed, deadlines, epochs ----------------------------------------------------------------------------------

    def read_feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]:
        """The commits of a partition in their order: (position, match, version), after a position."""

    def read_partition_info(self, partition: int) -> PartitionInfo:
        """Where a partition stands."""

    def find_due_deadlines(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]:
        """The deadlines up to a time, the earliest first: (at_ms, match, tag)."""

    def find_next_deadline(self) -> int | None:
        """When the earliest deadline of all partitions is (ms); None if there is none."""

    def drop_deadline(self, match: str, tag: str) -> None:
        """Takes a deadline away, if it is there."""

    def set_wake_flag(self, partition: int) -> bool:
        """Sets the wake flag for WAKE_MS; False if it is set already. Who sets it enqueues a drain."""

    def clear_wake_flag(self, partition: int) -> None:
        """Takes the wake flag away: the first thing that a drain does."""

    def raise_epochs(self) -> None:
        """Fences off every writer that read an epoch before."""

    def extend_overdue_deadlines(self, run_id: str, grace_ms: int) -> int:
        """Moves every deadline that has passed to `grace_ms` from now, once per run of the server; how many."""

    # -- projections: `name` and its `build`, a cursor in each partition ----------------------------------------------

    def read_cursor(self, partition: int, name: str, build: int) -> int:
        """The feed position up to which a projection has counted; 0 at first."""

    def read_view_cursors(self, partition: int, views: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        """The same of several projections, by name and build, in one call."""

    def apply_projection(
        self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[ProjectionWrite]
    ) -> bool:
        """Applies the writes in order and moves the cursor, in one act; False, and nothing, if it is not at `seen`.

        Raises ValueError, and does nothing, if one of the writes cannot be applied (see `require_valid_writes`).
        """

    def apply_projections(self, partition: int, views: Sequence[ProjectionBatch]) -> tuple[bool | None, ...]:
        """The same for several views in one call, each in an act of its own: of each whether it was done; None where
        one of its writes does not fit what its key holds. Raises ValueError, and does nothing, as
        `require_valid_writes`."""

    def amend_projection(
        self, partition: int, name: str, build: int, guard: Precondition, writes: Sequence[ProjectionWrite]
    ) -> bool:
        """Applies the writes in order, in one act, and leaves the cursor where it is; False, and nothing, if the guard
        does not hold. Raises ValueError as `apply_projection`."""

    def read_projection(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> dict[str, bytes]:
        """The fields of a key that was written by hset; of those named (None: all) the ones that are there."""

    def read_partition_cursors(self, name: str, build: int) -> tuple[int, ...]:
        """The feed positions up to which a projection has counted, by partition."""

    def read_across_partitions(
        self, name: str, build: int, suffix: str, fields: Sequence[str] | None = None, only: Sequence[int] | None = None
    ) -> dict[int, tuple[int, dict[str, bytes]]]:
        """Of each partition (or those of `only`): the cursor of a projection, and fields as `read_projection` gives
        them, which tell of the feed at least as far as that."""

    def read_ranking(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]:
        """The members of a key that was written by zadd, with their scores, the lowest first, after so many ranks."""

    def drop_projection(self, partition: int, name: str, build: int) -> None:
        """Forgets a build: its cursor and all it wrote. It looks at every key of the store: for rebuilds only."""

    # -- access, outside the log --------------------------------------------------------------------------------------

    def put_grant(self, match: str, token_hash: str, record: bytes) -> None:
        """Keeps what the bearer of a token may do in a match; the match need not be there yet."""

    def read_grants(self, match: str) -> dict[str, bytes]:
        """The records of a match by token hash."""

    def revoke_grants(self, match: str, token_hashes: Sequence[str]) -> None:
        """Takes tokens back at once; unknown ones are no error."""

    def put_seat_names(self, match: str, names: Mapping[str, str | None]) -> None:
        """Sets names by seat; None forgets one."""

    def read_seat_names(self, match: str) -> dict[str, str]:
        """The names by seat."""

    def add_invitation(self, code: str, record: bytes, uses: int, ttl_ms: int) -> bool:
        """Keeps an invitation for a while, for so many uses; False if the code is taken."""

    def find_invitation(self, code: str) -> tuple[bytes, int] | None:
        """The record behind a code and how many uses are left; None if it is unknown or has expired."""

    def redeem_invitation(self, code: str, key: str) -> tuple[bytes, bool] | None:
        """Uses a code, once per key: the record, and whether it was this call that used it. None: unknown, expired or
        used up by other keys."""

    def revoke_invitation(self, code: str) -> None:
        """Makes a code unknown, and free."""

    def remember_answer(self, scope: str, key: str, ask: bytes, answer: bytes, ttl_ms: int) -> tuple[bytes, bytes]:
        """Keeps ask and answer of a write without a log, for a while; gives what is kept, for the first one stays."""

    def find_answer(self, scope: str, key: str) -> tuple[bytes, bytes] | None:
        """Ask and answer kept under a key; None if there are none any more."""

    def put_pass(self, match: str, seat: int, key: str, ask: bytes, record: bytes, ttl_ms: int) -> tuple[bytes, bytes]:
        """Keeps what a seat lets pass in advance, once per key: the ask and the record that are kept under the key,
        for a while, for the first ones stay. The record stands until it is dropped."""

    def find_pass_by_key(self, match: str, seat: int, key: str) -> tuple[bytes, bytes] | None:
        """Ask and record kept under a key of that seat; None if there are none any more."""

    def read_passes(self, match: str) -> dict[int, bytes]:
        """The records that stand, by seat."""

    def drop_pass(self, match: str, seat: int | None = None) -> None:
        """Lets the record of a seat stand no more, or of all seats; unknown ones are no error."""

    def record_visit(self, match: str, seat: int, visit: str, ttl_ms: int) -> None:
        """Notes that somebody looks through the eyes of a seat, for a while; with 0 that this visit has ended. It
        stirs the match if a seat came or went by it, or had gone since, because a visit was not noted again."""

    def read_present_seats(self, match: str) -> frozenset[int]:
        """The seats through whose eyes somebody looks now."""

    def ping(self) -> None:
        """Nothing, if the store answers."""
