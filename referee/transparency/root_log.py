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

from referee.transparency.merkle import EMPTY, Hash, Place, completed, extended, leaf_hash, root_of

LARGEST_LEAF = 16 * 1024  # bytes
TRIES = 100  # publishers that are faster, in a row


class RootAnswer(StrEnum):
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
class RootsHead:
    """Where the log of roots stands: how many leaves, the root over them, the roots of the perfect subtrees."""

    size: int = 0
    root: Hash = EMPTY
    frontier: tuple[Hash, ...] = ()


@dataclass(frozen=True, slots=True)
class Adding:
    """A leaf to add, and the tree before and after it; `nodes` are the perfect subtrees that it completes."""

    group: str
    rank: int
    data: bytes
    was: RootsHead
    head: RootsHead
    nodes: tuple[tuple[Place, Hash], ...]


@dataclass(frozen=True, slots=True)
class Added:
    """The answer, and the index of the leaf: of the new one, or of that which stands in its place (-1: none)."""

    answer: RootAnswer
    index: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """The place of a leaf: its rank in its group, its index in the tree."""

    rank: int
    index: int


class Roots(Protocol):
    """The contract of a log of roots. Any call may raise StoreAway, and may then be made again."""

    def roots_head(self) -> RootsHead:
        """Where it stands."""

    def add_root(self, adding: Adding) -> Added:
        """Adds a leaf with all that belongs to it, in one act, or writes nothing and answers why."""

    def ranked_root(self, group: str, rank: int | None = None) -> Ranked | None:
        """The leaf of a group with that rank (None: the highest there is); None if there is none."""

    def root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        """The data of leaves in their order, after so many."""

    def root_nodes(self, places: Sequence[Place]) -> dict[Place, Hash]:
        """The hashes of those of these perfect subtrees that are there."""


def adding(head: RootsHead, group: str, rank: int, data: bytes) -> Adding:
    """What adds a leaf to the tree that stands so. Raises ValueError: a name or a rank that no leaf can have, or too
    much data."""
    if not group or "#" in group or rank < 1 or len(data) > LARGEST_LEAF:
        raise ValueError(f"no leaf: {group!r} {rank}, {len(data)} bytes")
    leaf = leaf_hash(data)
    frontier, size = extended(head.frontier, head.size, leaf), head.size + 1
    after = RootsHead(size, root_of(frontier, size), frontier)
    return Adding(group, rank, data, head, after, completed(head.frontier, head.size, leaf))


def published(log: Roots, group: str, rank: int, data: bytes) -> Added:
    """Adds a leaf wherever the tree stands by then: OK, DUP, TAKEN, STALE or FORK. However often it is asked for, and
    by however many, there is one such leaf. Raises StoreAway; RuntimeError if all the others are always faster."""
    for _ in range(TRIES):
        added = log.add_root(adding(log.roots_head(), group, rank, data))
        if added.answer is not RootAnswer.CONFLICT:
            return added
    raise RuntimeError(f"{TRIES} others were faster to publish than {group} {rank}")


class MemoryRoots:
    """The part of a log in memory that keeps the log of roots; the log brings the lock."""

    _lock: AbstractContextManager[object]

    def __init__(self) -> None:
        self._roots = RootsHead()
        self._root_data: list[bytes] = []
        self._root_nodes: dict[Place, Hash] = {}
        self._root_ranks: dict[str, dict[int, int]] = {}

    def roots_head(self) -> RootsHead:
        with self._lock:
            return self._roots

    def add_root(self, adding: Adding) -> Added:
        with self._lock:
            ranks = self._root_ranks.get(adding.group, {})
            if adding.rank in ranks:
                index = ranks[adding.rank]
                same = self._root_data[index] == adding.data
                return Added(RootAnswer.DUP if same else RootAnswer.TAKEN, index)
            if ranks and max(ranks) > adding.rank:
                return Added(RootAnswer.STALE, ranks[max(ranks)])
            if (adding.was.size, adding.was.root) != (self._roots.size, self._roots.root):
                return Added(RootAnswer.CONFLICT, -1)
            index = adding.was.size
            self._root_data.append(adding.data)
            self._root_nodes |= dict(adding.nodes)
            self._root_ranks.setdefault(adding.group, {})[adding.rank] = index
            self._roots = adding.head
            return Added(RootAnswer.OK, index)

    def ranked_root(self, group: str, rank: int | None = None) -> Ranked | None:
        with self._lock:
            ranks = self._root_ranks.get(group, {})
            found = max(ranks, default=0) if rank is None else rank
            return Ranked(found, ranks[found]) if found in ranks else None

    def root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        with self._lock:
            return tuple(self._root_data[after : after + max(0, limit)])

    def root_nodes(self, places: Sequence[Place]) -> dict[Place, Hash]:
        with self._lock:
            return {place: self._root_nodes[place] for place in places if place in self._root_nodes}
