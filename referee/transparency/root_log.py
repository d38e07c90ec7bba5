"""The root log: one tree over the final roots of all matches and the signing keys.

key_chain.py says what a leaf holds. Here a leaf is bytes. It belongs to a group (a match, or the keys) and has a rank
in it (the number of the match's entries, or the number of the key). A group has one leaf for each rank for ever, and
its ranks only rise. The perfect subtrees are kept next to the leaves, so that a proof takes a few reads, however long
the log is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from referee.transparency.merkle import (
    EMPTY_TREE_ROOT,
    Hash,
    SubtreeId,
    compute_root,
    extend_frontier,
    find_completed_subtrees,
    leaf_hash,
)

MAX_LEAF_BYTES = 16 * 1024  # bytes
MAX_ATTEMPTS = 100  # attempts to add a leaf while other publishers are faster


class RootWriteStatus(StrEnum):
    """What the root log answers to a new leaf. Only OK wrote.

    DUP: this very leaf is there. TAKEN: another leaf of that group and rank is, so one of the two is false.
    STALE: the group has a leaf of a higher rank. CONFLICT: another publisher was faster.
    FORK: head and leaves contradict each other, so the log was lost or changed.
    """

    OK = "OK"
    DUP = "DUP"
    TAKEN = "TAKEN"
    STALE = "STALE"
    CONFLICT = "CONFLICT"
    FORK = "FORK"


@dataclass(frozen=True, slots=True)
class RootLogHead:
    """Where the root log stands: its size, its root, and its frontier."""

    size: int = 0
    root: Hash = EMPTY_TREE_ROOT
    frontier: tuple[Hash, ...] = ()


@dataclass(frozen=True, slots=True)
class RootAppend:
    """A leaf to add, the tree before and after it, and the subtrees that it completes."""

    group: str
    rank: int
    data: bytes
    head_before: RootLogHead
    head_after: RootLogHead
    nodes: tuple[tuple[SubtreeId, Hash], ...]


@dataclass(frozen=True, slots=True)
class RootAppendResult:
    """The answer, and the index of the new leaf or of the one in its place (-1: none)."""

    status: RootWriteStatus
    index: int


@dataclass(frozen=True, slots=True)
class LeafPosition:
    """The place of a leaf: its rank in its group and its index in the tree."""

    rank: int
    index: int


class RootLog(Protocol):
    """The contract of a root log. Any call may raise StoreUnavailable and be repeated."""

    def read_roots_head(self) -> RootLogHead:
        """Return the head of the root log."""

    def add_root(self, adding: RootAppend) -> RootAppendResult:
        """Add a leaf with all that belongs to it in one act, or write nothing and say why."""

    def find_root_leaf(self, group: str, rank: int | None = None) -> LeafPosition | None:
        """Return the leaf of a group with that rank (None: the highest), or None."""

    def read_root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        """Return the data of the leaves after the first `after`, in order."""

    def read_root_nodes(self, places: Sequence[SubtreeId]) -> dict[SubtreeId, Hash]:
        """Return the hashes of those of these perfect subtrees that are kept."""


def build_root_append(head: RootLogHead, group: str, rank: int, data: bytes) -> RootAppend:
    """Return what adds a leaf to the tree with that head.

    Raises ValueError if no leaf can have that group, rank or length.
    """
    if not group or "#" in group or rank < 1 or len(data) > MAX_LEAF_BYTES:
        raise ValueError(f"no leaf: {group!r} {rank}, {len(data)} bytes")
    leaf = leaf_hash(data)
    frontier, size = extend_frontier(head.frontier, head.size, leaf), head.size + 1
    after = RootLogHead(size, compute_root(frontier, size), frontier)
    return RootAppend(group, rank, data, head, after, find_completed_subtrees(head.frontier, head.size, leaf))


def publish_leaf(log: RootLog, group: str, rank: int, data: bytes) -> RootAppendResult:
    """Add a leaf wherever the tree stands by then: OK, DUP, TAKEN, STALE or FORK.

    However often and by however many publishers this is called, the leaf is added once. Raises StoreUnavailable, or
    RuntimeError if other publishers are always faster.
    """
    for _ in range(MAX_ATTEMPTS):
        added = log.add_root(build_root_append(log.read_roots_head(), group, rank, data))
        if added.status is not RootWriteStatus.CONFLICT:
            return added
    raise RuntimeError(f"{MAX_ATTEMPTS} others were faster to publish than {group} {rank}")


class MemoryRootLog:
    """The part of a log in memory that keeps the root log; the log supplies the lock."""

    _lock: AbstractContextManager[object]

    def __init__(self) -> None:
        self._roots = RootLogHead()
        self._root_data: list[bytes] = []
        self._root_nodes: dict[SubtreeId, Hash] = {}
        self._root_ranks: dict[str, dict[int, int]] = {}

    def read_roots_head(self) -> RootLogHead:
        with self._lock:
            return self._roots

    def add_root(self, adding: RootAppend) -> RootAppendResult:
        with self._lock:
            ranks = self._root_ranks.get(adding.group, {})
            if adding.rank in ranks:
                index = ranks[adding.rank]
                same = self._root_data[index] == adding.data
                return RootAppendResult(RootWriteStatus.DUP if same else RootWriteStatus.TAKEN, index)
            if ranks and max(ranks) > adding.rank:
                return RootAppendResult(RootWriteStatus.STALE, ranks[max(ranks)])
            if (adding.head_before.size, adding.head_before.root) != (self._roots.size, self._roots.root):
                return RootAppendResult(RootWriteStatus.CONFLICT, -1)
            index = adding.head_before.size
            self._root_data.append(adding.data)
            self._root_nodes |= dict(adding.nodes)
            self._root_ranks.setdefault(adding.group, {})[adding.rank] = index
            self._roots = adding.head_after
            return RootAppendResult(RootWriteStatus.OK, index)

    def find_root_leaf(self, group: str, rank: int | None = None) -> LeafPosition | None:
        with self._lock:
            ranks = self._root_ranks.get(group, {})
            found = max(ranks, default=0) if rank is None else rank
            return LeafPosition(found, ranks[found]) if found in ranks else None

    def read_root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        with self._lock:
            return tuple(self._root_data[after : after + max(0, limit)])

    def read_root_nodes(self, places: Sequence[SubtreeId]) -> dict[SubtreeId, Hash]:
        with self._lock:
            return {place: self._root_nodes[place] for place in places if place in self._root_nodes}
