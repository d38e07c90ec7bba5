"""The log of roots: one tree over all matches of a store, to which what a match came to is added, and the keys that
sign (key_chain.py says what a leaf holds; here it is bytes).

A leaf belongs to a group (a match, or the keys) and has a rank in it (how many entries the match had; the how-manieth
key). Of a group and rank there is one leaf for ever, and within a group ranks only rise. The perfect subtrees are kept
beside the leaves, so that a proof takes a handful of reads, however long the log is.
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
MAX_ATTEMPTS = 100  # publishers that are faster, in a row


class RootWriteStatus(StrEnum):
    """What the log of roots says to a leaf. Only OK wrote.

    DUP: this very leaf is there. TAKEN: another one of that group and rank is, so one of both tells what is not so.
    STALE: the group has a leaf of a higher rank. CONFLICT: somebody was faster. FORK: head and leaves do not fit each
    other, so the log was lost or changed.
    """

    OK = "OK"
    DUP = "DUP"
    TAKEN = "TAKEN"
    STALE = "STALE"
    CONFLICT = "CONFLICT"
    FORK = "FORK"


@dataclass(frozen=True, slots=True)
class RootLogHead:
    """Where the log of roots stands: how many leaves, the root over them, the roots of the perfect subtrees."""

    size: int = 0
    root: Hash = EMPTY_TREE_ROOT
    frontier: tuple[Hash, ...] = ()


@dataclass(frozen=True, slots=True)
class RootAppend:
    """A leaf to add, and the tree before and after it; `nodes` are the perfect subtrees that it completes."""

    group: str
    rank: int
    data: bytes
    head_before: RootLogHead
    head_after: RootLogHead
    nodes: tuple[tuple[SubtreeId, Hash], ...]


@dataclass(frozen=True, slots=True)
class RootAppendResult:
    """The answer, and the index of the leaf: of the new one, or of that which stands in its place (-1: none)."""

    status: RootWriteStatus
    index: int


@dataclass(frozen=True, slots=True)
class LeafPosition:
    """The place of a leaf: its rank in its group, its index in the tree."""

    rank: int
    index: int


class RootLog(Protocol):
    """The contract of a log of roots. Any call may raise StoreAway, and may then be made again."""

    def read_roots_head(self) -> RootLogHead:
        """Where it stands."""

    def add_root(self, adding: RootAppend) -> RootAppendResult:
        """Adds a leaf with all that belongs to it, in one act, or writes nothing and answers why."""

    def find_root_leaf(self, group: str, rank: int | None = None) -> LeafPosition | None:
        """The leaf of a group with that rank (None: the highest there is); None if there is none."""

    def read_root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        """The data of leaves in their order, after so many."""

    def read_root_nodes(self, places: Sequence[SubtreeId]) -> dict[SubtreeId, Hash]:
        """The hashes of those of these perfect subtrees that are there."""


def build_root_append(head: RootLogHead, group: str, rank: int, data: bytes) -> RootAppend:
    """What adds a leaf to the tree that stands so. Raises ValueError: a name or a rank that no leaf can have, or too
    much data."""
    if not group or "#" in group or rank < 1 or len(data) > MAX_LEAF_BYTES:
        raise ValueError(f"no leaf: {group!r} {rank}, {len(data)} bytes")
    leaf = leaf_hash(data)
    frontier, size = extend_frontier(head.frontier, head.size, leaf), head.size + 1
    after = RootLogHead(size, compute_root(frontier, size), frontier)
    return RootAppend(group, rank, data, head, after, find_completed_subtrees(head.frontier, head.size, leaf))


def publish_leaf(log: RootLog, group: str, rank: int, data: bytes) -> RootAppendResult:
    """Adds a leaf wherever the tree stands by then: OK, DUP, TAKEN, STALE or FORK. However often it is asked for, and
    by however many, there is one such leaf. Raises StoreUnavailable; RuntimeError if all the others are always
    faster."""
    for _ in range(MAX_ATTEMPTS):
        added = log.add_root(build_root_append(log.read_roots_head(), group, rank, data))
        if added.status is not RootWriteStatus.CONFLICT:
            return added
    raise RuntimeError(f"{MAX_ATTEMPTS} others were faster to publish than {group} {rank}")


class MemoryRootLog:
    """The part of a log in memory that keeps the log of roots; the log brings the lock."""

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
