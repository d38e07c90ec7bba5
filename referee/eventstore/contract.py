"""What a log of matches promises: its entries, its commits, and its answers.

Times are in ms by the store's clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from referee.eventstore.access_store import AccessStore
from referee.eventstore.accounts import AccountStore
from referee.eventstore.books import BookStore
from referee.eventstore.decks import DeckStore
from referee.eventstore.projection_store import ProjectionStore
from referee.eventstore.transfer import TransferStore
from referee.transparency.root_log import RootLog

PARTITIONS = 64
MAX_ENTRY_BYTES = 256 * 1024  # bytes of one entry, envelope and sealed part together
MAX_CLOCK_DIFFERENCE_MS = 2000  # between the store's clock and what a writer takes it to be
WAKE_FLAG_MS = 5000  # how long a wake flag stays set
HASH_BYTES = 32
MAX_PRESENCE_NOTES = 1000  # notes of who came and went that a partition keeps; followers read them within moments


class StoreUnavailable(Exception):
    """The store does not answer."""


class StoreFull(StoreUnavailable):
    """The store answers and takes no writes: it has no room left.

    Nothing was done, and everything can be read.
    """


def partition_for_match(match: str) -> int:
    """Return the partition that a match id names (`07-…` is 7).

    Raises ValueError if it names none.
    """
    head, dash, _ = match.partition("-")
    if len(head) != 2 or not dash or not (head.isascii() and head.isdecimal()) or int(head) >= PARTITIONS:
        raise ValueError(f"{match!r} names no partition")
    return int(head)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as stored: its envelope, its sealed part, and the root including it."""

    version: int
    envelope: bytes
    sealed: bytes
    root: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """Where a match's log stands.

    `status` is open, over, frozen, archived or moved. `question_version` is the version that last asked or reopened a
    question. While a match is `asleep`, its entries lie elsewhere; everything else is as before.
    """

    version: int
    root: bytes
    frontier: tuple[bytes, ...]
    status: str
    question_version: int
    question: str
    edition: str
    asleep: bool = False


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """What an idempotency key led to: a version, and the hash of the request."""

    version: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the time limit of a question passes.

    `tag` is the version that asked the question, as text.
    """

    at_ms: int
    tag: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folded state at a version, under the rules that folded it."""

    version: int
    rules: str
    body: bytes


@dataclass(frozen=True, slots=True)
class People:
    """Who sits at a match now, as far as it is kept outside the log.

    `names` are those of seats and officials (`AccessStore.read_seat_names`), `present` the seats as which a client
    watches (`AccessStore.read_present_seats`).
    """

    names: Mapping[str, str] = field(default_factory=dict)
    present: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What one read found, all at one instant.

    `head` is None if there is no such match. `known` is the record of the idempotency key, `grant` that of the token.
    `passes` are the standing passes by seat (`AccessStore.read_passes`). `is_unchanged` says that the match still is as
    the reader has it: then `head` is None as well.
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
    is_unchanged: bool = False
    people: People = field(default_factory=People)


@dataclass(frozen=True, slots=True)
class Commit:
    """An entry to add, with everything that is written in the same act.

    `version` is the new one. `previous_root` is the root that the writer started from (empty for the first). `key` is
    `<scope>:<key>`, `fingerprint` the hash of the request. `thinking_ms` sets a deadline if the entry reopens the
    question. Nothing is written if the record of the token `token_hash` is no longer `grant`, or `at_ms`, when the
    writer decided, is further from the store's clock than MAX_CLOCK_DIFFERENCE_MS. Raises ValueError unless `frontier`
    holds hashes of HASH_BYTES bytes.
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
    token_hash: str = ""
    grant: bytes = b""
    at_ms: int | None = None

    def __post_init__(self) -> None:
        if any(len(each) != HASH_BYTES for each in self.frontier):
            raise ValueError(f"a frontier is made of hashes of {HASH_BYTES} bytes")


class LogWriteStatus(StrEnum):
    """What the log answers to a commit. Only OK wrote.

    DUP: this request became a version before. REUSED: the key belongs to another request.
    CONFLICT: another writer was faster. GONE: the match is over or archived. MOVED: it went to another server.
    STALE: the token's record or the time is another than the writer assumed, or, if it named a time (`at_ms`), the
    history that it only recalled.
    FROZEN: nobody may add an entry. ASLEEP: the match has to be woken first. FENCED: the epoch was raised since.
    TOOBIG: larger than MAX_ENTRY_BYTES.
    FORK: writer, head, log or feed contradict each other, so history was lost or changed. Nothing is written, but
    the match is frozen, unless the contradiction is in the feed.
    """

    OK = "OK"
    DUP = "DUP"
    REUSED = "REUSED"
    CONFLICT = "CONFLICT"
    STALE = "STALE"
    GONE = "GONE"
    MOVED = "MOVED"
    FROZEN = "FROZEN"
    ASLEEP = "ASLEEP"
    FORK = "FORK"
    FENCED = "FENCED"
    TOOBIG = "TOOBIG"


@dataclass(frozen=True, slots=True)
class AppendResult:
    """The answer to a commit.

    `version` is the one committed, or the one that the key led to, or the head's. `position` is that in the feed.
    `wake` says that the wake flag was unset: then the caller enqueues a drain. `now_ms`, `due_ms` and `passes` are the
    time, the deadline of the open question and the standing passes after it, as `MatchLog.append` finds them, and
    `people` are those who sit there then.
    """

    status: LogWriteStatus
    version: int
    position: int
    wake: bool
    now_ms: int = 0
    due_ms: int | None = None
    passes: Mapping[int, bytes] = field(default_factory=dict)
    people: People = field(default_factory=People)


@dataclass(frozen=True, slots=True)
class PartitionInfo:
    """A partition: its feed position and epoch, and its first format and store id."""

    position: int
    epoch: int
    format: int
    store: str


@dataclass(frozen=True, slots=True)
class PartitionProgress:
    """How far a partition has been followed: its feed, and notes of who came and went."""

    position: int = 0
    notes: int = 0


@dataclass(frozen=True, slots=True)
class PartitionChanges:
    """What changed in a partition, and how far it has been followed then.

    `versions` are those of the last new commits by match; `visited` are the matches to which somebody came or went.
    """

    progress: PartitionProgress
    versions: Mapping[str, int]
    visited: frozenset[str]


@dataclass(frozen=True, slots=True)
class ProjectionWrite:
    """One write of a projection.

    `op` is hset, hdel, zadd, zrem or del. `suffix` completes the key. The value of zadd is a whole number in ASCII.
    """

    op: str
    suffix: str
    field: str = ""
    value: bytes = b""


@dataclass(frozen=True, slots=True)
class ProjectionBatch:
    """The writes that lead one view from the feed position `seen` to `cursor`."""

    name: str
    build: int
    seen: int
    cursor: int
    writes: Sequence[ProjectionWrite]


@dataclass(frozen=True, slots=True)
class Precondition:
    """What a field must hold before something is written (None: the field is missing).

    The field belongs to a key written by hset.
    """

    suffix: str
    field: str
    held: bytes | None

    def __post_init__(self) -> None:
        if self.suffix == "cursor":
            raise ValueError("the cursor guards by itself, in `apply_projection`")


class MatchLog(AccessStore, AccountStore, BookStore, DeckStore, ProjectionStore, TransferStore, RootLog, Protocol):
    """The contract that every log keeps.

    Any call that writes may raise StoreFull. Any call may raise StoreUnavailable: then nobody knows whether it was
    done, and it may be repeated. A call that names a match raises ValueError if the id names no partition. `limit` is a
    number of rows (none below 1). `after` is the version, position or rank after which to begin (0: from the start).
    """

    # -- the log: entries and the act of adding one -------------------------------------------------------------------

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
        """Read everything that a decision needs, all at one instant.

        That is the head, the entries after a version (all, unless limited), the record of the idempotency key, the
        deadline, the time, the epoch, the standing passes, the snapshot (only if `after` is 0), and the record of a
        token's hash. A reader that has the match at version `after` gives the `root` of that version. If the match is
        open and still stands there, the result is `is_unchanged`, without head.
        """

    def append(self, commit: Commit) -> AppendResult:
        """Add an entry with all that belongs to it, or write nothing and answer why."""

    def append_together(self, commits: Sequence[Commit]) -> AppendResult:
        """Add several entries of one match, all or none, and answer as `append`.

        Each is made upon the one before. Token and time are not checked. With OK the result is that of the last commit.
        """

    def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
        """Return a page of entries after a version; none if there is no such match."""

    def now(self) -> int:
        """Return the time by the store's clock."""

    def save_snapshot(self, match: str, snapshot: Snapshot) -> bool:
        """Keep a folded state, and return whether it was kept.

        It is kept if its version is within the log, and above that of the kept one if both have the same rules.
        """

    def freeze_match(self, match: str) -> None:
        """Let nobody add to this match any more, unless it is archived or does not exist."""

    def unfreeze_match(self, match: str) -> bool:
        """Make a frozen match what it was before, and return whether it was frozen."""

    def wait_for_replicas(self, match: str = "") -> None:
        """Return once the replicas have all that was written of a match.

        Without one it is about the root log. After an entry was added here it is not needed: `append` waits by itself.
        """

    def archive_match(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        """Drop the entries of a match with that version and root, and leave a tombstone.

        The caller has kept the entries elsewhere. OK: its head is left, archived, and so are tokens, names and links.
        Entries, keys, snapshot, deadline, standing passes and visits are gone. Any other answer changes nothing.

        DUP: this was done before, at this version and root. GONE: it was archived as something else.
        CONFLICT: it is at another version, or there is no such match. FROZEN: an operator has to look at it first.
        FORK: it does not have that many entries, or has another root.
        """

    def put_to_sleep(self, match: str, version: int, root: bytes) -> LogWriteStatus:
        """Drop the entries and the snapshot of an open match until it is woken.

        The caller has kept the entries elsewhere. All else is left, idempotency keys, deadline and standing passes too.
        The answers are those of `archive_match`.
        """

    def wake_match(self, match: str, version: int, root: bytes, entries: Sequence[StoredEntry]) -> LogWriteStatus:
        """Put the entries of a sleeping match back.

        DUP: it was not asleep. CONFLICT: it has another version or root, or there is no such match.
        """

    def add_tombstone(self, match: str, head: Head) -> bool:
        """Add the tombstone of a match played elsewhere; the caller has kept its entries.

        Return False and write nothing if there is a match of that id. The feed does not mention it. Raises ValueError
        if the head has no entry.
        """

    def list_archived(self, partition: int, after: int = 0, limit: int = 100) -> tuple[tuple[str, int], ...]:
        """Return a partition's archived and sleeping matches with their versions.

        The shortest come first.
        """

    # -- changes, for streams and long polls ---------------------------------------------------------------------------

    def read_progress(self, partition: int) -> PartitionProgress:
        """Return where a partition stands now; later changes come after that."""

    def wait_for_changes(self, since: Mapping[int, PartitionProgress], within_ms: int) -> dict[int, PartitionChanges]:
        """Return what changed in these partitions.

        A match changes by a commit, or when somebody comes or goes. Wait for the first change up to `within_ms`, if the
        store can wait. Partitions without changes are left out, and in a cluster those at servers that are away, as
        long as one answers.
        """

    # -- the feed, deadlines, epochs ----------------------------------------------------------------------------------

    def read_feed(self, partition: int, after: int, limit: int = 100) -> tuple[tuple[int, str, int], ...]:
        """Return a partition's commits in order: (position, match, version)."""

    def read_partition_info(self, partition: int) -> PartitionInfo:
        """Return where a partition stands."""

    def read_positions(self) -> tuple[int, ...]:
        """Return the position of the feed, by partition."""

    def find_due_deadlines(self, partition: int, upto_ms: int, limit: int = 100) -> tuple[tuple[int, str, str], ...]:
        """Return the first deadlines up to a time, -1: all: (at_ms, match, tag)."""

    def find_next_deadline(self) -> int | None:
        """Return when the earliest deadline of all partitions passes (ms), or None."""

    def move_deadline(self, match: str, tag: str, at_ms: int) -> None:
        """Set the time of a deadline, if it is there."""

    def drop_deadline(self, match: str, tag: str) -> None:
        """Delete a deadline, if it is there."""

    def set_wake_flag(self, partition: int) -> bool:
        """Set the wake flag for WAKE_FLAG_MS; True asks the caller to enqueue a drain."""

    def clear_wake_flag(self, partition: int) -> None:
        """Clear the wake flag, which is the first thing that a drain does."""

    def raise_epochs(self) -> None:
        """Fence off every writer that read an epoch before this call."""

    def extend_overdue_deadlines(self, run_id: str, grace_ms: int) -> int:
        """Move every deadline that has passed to `grace_ms` from now, and return how many.

        It does so once per run of the server.
        """

    def ping(self) -> None:
        """Do nothing if the store answers."""

    def check_room(self) -> None:
        """Do nothing if the store takes writes.

        Raises StoreFull if it has no room for them.
        """
