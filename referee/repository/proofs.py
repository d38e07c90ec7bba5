"""Proofs from a match's log: a root, that an entry is under it, that the log grew.

Leaf hashes of requested matches are cached, so that a proof reads new entries only. A proof is given only if the tree
of the entries has the root that was written with them. So nobody gets a proof of a log that was changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache

from referee.eventstore.contract import MatchLog
from referee.match.errors import MatchUnavailable, UnknownVersion
from referee.transparency.merkle import (
    Hash,
    build_consistency_proof,
    build_inclusion_proof,
    compute_root_of_leaves,
    leaf_hash,
)

MAX_CACHED_MATCHES = 256  # whose leaf hashes are kept per process
PAGE_SIZE = 200


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """An entry's bytes as hashed, and the path to the root of `size` entries."""

    version: int
    size: int
    envelope: bytes
    path: tuple[Hash, ...]
    root: Hash


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """The path that shows that the log of `first` entries begins that of `second`."""

    first: int
    second: int
    path: tuple[Hash, ...]
    first_root: Hash
    second_root: Hash


class Prover:
    """Builds proofs of what a log holds. Versions and sizes count from 1."""

    def __init__(self, log: MatchLog, kept: int = MAX_CACHED_MATCHES) -> None:
        """Set up the prover; `kept` matches at most have their leaf hashes cached."""
        self._log = log
        self._cached_leaves: LRUCache[str, tuple[Hash, ...]] = LRUCache(kept)
        self._lock = Lock()

    def load_root(self, match: str, size: int) -> Hash:
        """Return the root that was written with that entry. Raises UnknownVersion."""
        found = self._log.read_entries(match, size - 1, 1) if size >= 1 else ()
        if not found:
            raise UnknownVersion(size)
        return found[0].root

    def prove_inclusion(self, match: str, version: int, size: int) -> InclusionProof:
        """Return the proof that an entry is among the first `size`.

        Raises UnknownVersion, ValueError (a version beyond the size), MatchUnavailable (`frozen`: the entries are not
        those that were written).
        """
        leaves, root = self._load_tree(match, size)
        path = build_inclusion_proof(leaves, version - 1)
        (entry,) = self._log.read_entries(match, version - 1, 1)
        if leaf_hash(entry.envelope) != leaves[version - 1]:  # changed since its hash was cached
            raise MatchUnavailable("frozen")
        return InclusionProof(version, size, entry.envelope, path, root)

    def prove_consistency(self, match: str, first: int, second: int) -> ConsistencyProof:
        """Return the proof that the first `first` entries begin the first `second`.

        Raises as `prove_inclusion`.
        """
        leaves, root = self._load_tree(match, second)
        return ConsistencyProof(
            first, second, build_consistency_proof(leaves, first), self.load_root(match, first), root
        )

    def load_verified_root(self, match: str, size: int) -> Hash:
        """Return the root at a size, if the entries give it.

        Raises UnknownVersion, MatchUnavailable (`frozen`).
        """
        return self._load_tree(match, size)[1]

    def _load_tree(self, match: str, size: int) -> tuple[tuple[Hash, ...], Hash]:
        """Return the leaf hashes of the first entries, and the root written with the last.

        Raises MatchUnavailable (`frozen`) if they do not fit.
        """
        written = self.load_root(match, size)
        with self._lock:
            kept = self._cached_leaves.get(match, ())
        # The cache may be of a log that was lost. So read all again before calling the log damaged.
        for cached in dict.fromkeys((kept, ())):
            leaves = self._read_leaves(match, cached, size)
            if len(leaves) >= size and compute_root_of_leaves(leaves[:size]) == written:
                self._cache_leaves(match, leaves)
                return leaves[:size], written
        raise MatchUnavailable("frozen")

    def _read_leaves(self, match: str, cached: tuple[Hash, ...], size: int) -> tuple[Hash, ...]:
        leaves = list(cached)
        while len(leaves) < size:
            page = self._log.read_entries(match, len(leaves), min(PAGE_SIZE, size - len(leaves)))
            if not page:
                break
            leaves += (leaf_hash(entry.envelope) for entry in page)
        return tuple(leaves)

    def _cache_leaves(self, match: str, leaves: tuple[Hash, ...]) -> None:
        if not self._cached_leaves.maxsize:
            return
        with self._lock:
            if (
                len(leaves) >= len(self._cached_leaves.get(match, ()))
                or leaves != self._cached_leaves[match][: len(leaves)]
            ):
                self._cached_leaves[match] = leaves
