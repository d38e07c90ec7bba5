"""What a match's log can show of itself: the root at a version, that an entry is under it, that it only grew.

Leaf hashes of matches that were asked about are kept, so that a proof reads the entries that are new, and no others. A
proof is only given where the tree of the entries has the root that was written with them: nobody is handed one of a
log that was changed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from referee.eventstore.contract import MatchLog
from referee.match.errors import Away, UnknownVersion
from referee.transparency.merkle import Hash, consistency_proof, inclusion_proof, leaf_hash, root_of_leaves

KEPT = 256  # matches whose leaf hashes are kept per process
PAGE = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry's bytes as they were hashed, and the path from it to the root of the log's first `size` entries."""

    version: int
    size: int
    envelope: bytes
    path: tuple[Hash, ...]
    root: Hash


@dataclass(frozen=True, slots=True)
class Grown:
    """The path that shows the log of `first` entries to be the beginning of that of `second`, and both roots."""

    first: int
    second: int
    path: tuple[Hash, ...]
    first_root: Hash
    second_root: Hash


class Prover:
    """Shows what a log holds. Versions are counted from 1, sizes too."""

    def __init__(self, log: MatchLog, kept: int = KEPT) -> None:
        """`kept`: of how many matches at most leaf hashes are kept."""
        self._log, self._bound = log, kept
        self._kept: OrderedDict[str, tuple[Hash, ...]] = OrderedDict()
        self._lock = Lock()

    def root(self, match: str, size: int) -> Hash:
        """The root that was written with that entry. Raises UnknownVersion."""
        found = self._log.entries(match, size - 1, 1) if size >= 1 else ()
        if not found:
            raise UnknownVersion(size)
        return found[0].root

    def inclusion(self, match: str, version: int, size: int) -> Shown:
        """That an entry is among the first so many. Raises UnknownVersion, ValueError (a version beyond the size),
        Away (`frozen`: the entries are not those that were written)."""
        leaves, root = self._tree(match, size)
        path = inclusion_proof(leaves, version - 1)
        (entry,) = self._log.entries(match, version - 1, 1)
        if leaf_hash(entry.envelope) != leaves[version - 1]:  # it was changed since it was hashed here
            raise Away("frozen")
        return Shown(version, size, entry.envelope, path, root)

    def consistency(self, match: str, first: int, second: int) -> Grown:
        """That the first so many entries are the beginning of the first so many. Raises as `inclusion`."""
        leaves, root = self._tree(match, second)
        return Grown(first, second, consistency_proof(leaves, first), self.root(match, first), root)

    def checked_root(self, match: str, size: int) -> Hash:
        """The root at a size, if the entries give it. Raises UnknownVersion, Away (`frozen`)."""
        return self._tree(match, size)[1]

    def _tree(self, match: str, size: int) -> tuple[tuple[Hash, ...], Hash]:
        """The leaf hashes of the first entries, and their root, which is the one that was written with the last."""
        written = self.root(match, size)
        with self._lock:
            kept = self._kept.get(match, ())
        # what is known may be of a log that is no more: all is read again before the log itself is doubted
        for known in dict.fromkeys((kept, ())):
            leaves = self._read(match, known, size)
            if len(leaves) >= size and root_of_leaves(leaves[:size]) == written:
                self._keep(match, leaves)
                return leaves[:size], written
        raise Away("frozen")

    def _read(self, match: str, known: tuple[Hash, ...], size: int) -> tuple[Hash, ...]:
        leaves = list(known)
        while len(leaves) < size:
            page = self._log.entries(match, len(leaves), min(PAGE, size - len(leaves)))
            if not page:
                break
            leaves += (leaf_hash(entry.envelope) for entry in page)
        return tuple(leaves)

    def _keep(self, match: str, leaves: tuple[Hash, ...]) -> None:
        with self._lock:
            if len(leaves) >= len(self._kept.get(match, ())) or leaves != self._kept[match][: len(leaves)]:
                self._kept[match] = leaves
            self._kept.move_to_end(match)
            while len(self._kept) > self._bound:
                self._kept.popitem(last=False)
