"""The log of roots as a server keeps it: what matches came to, and the keys that sign, under checkpoints of its own.

Its origin is `<store id>/roots`. Its first leaf is the first key: who publishes a root sees to that. Leaves are bytes
that key_chain.py makes; the tree lies in the store (`root_log`), and everything here may be done twice, by two
at once, or be killed in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.eventstore.contract import MatchLog
from referee.infrastructure.errors import HostError
from referee.transparency.key_chain import ChainKey, RootLeaf, decode_leaf, encode_key_leaf, encode_root_leaf
from referee.transparency.merkle import (
    Hash,
    collect_subtrees,
    compute_proof_hashes,
    compute_root,
    find_consistency_ranges,
    find_inclusion_ranges,
    leaf_hash,
    split_into_subtrees,
    verify_inclusion,
)
from referee.transparency.root_log import RootAppendResult, RootWriteStatus, publish_leaf

KEYS_GROUP = "keys"  # the group of the chain; a match is a group of its own
ORIGIN_SUFFIX = "roots"


class CheckpointSigner(Protocol):
    """Whoever signs checkpoints: a Signer, or a Keyring."""

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""

    def sign_receipt(self, origin: str, size: int, root: bytes) -> str:
        """The signed checkpoint."""


class RootLogError(HostError):
    """The log of roots does not fit itself, or tells another story of a match than the match's own log."""


class LeafNotFoundError(LookupError):
    """The log of roots has no such leaf, or was never so large."""


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """A leaf, its place, and the path from it to the root of the first `count_leaves` leaves, with the checkpoint of
    that."""

    data: bytes
    index: int
    size: int
    root: Hash
    path: tuple[Hash, ...]
    note: str


class RootPublisher:
    """Publishes roots and keys, and shows that they are there."""

    def __init__(self, log: MatchLog, signs: CheckpointSigner, store: str) -> None:
        self._log, self.signer, self.store = log, signs, store
        self._chain: tuple[ChainKey, ...] = ()  # put in its place whole: threads share it

    @property
    def origin(self) -> str:
        """The origin of this log's checkpoints."""
        return f"{self.store}/{ORIGIN_SUFFIX}"

    # -- keys ----------------------------------------------------------------------------------------------------------

    def load_chain(self) -> tuple[ChainKey, ...]:
        """The keys that were published, oldest first. Raises StoreUnavailable, RootLogError."""
        highest = self._log.find_root_leaf(KEYS_GROUP)
        count = 0 if highest is None else highest.rank
        known = self._chain if len(self._chain) <= count else ()  # else of a store that has lost its history
        found = self._chain = (*known, *(self._load_key(rank) for rank in range(len(known) + 1, count + 1)))
        return found

    def _load_key(self, rank: int) -> ChainKey:
        place = self._log.find_root_leaf(KEYS_GROUP, rank)
        found = () if place is None else self._log.read_root_leaves(place.index, 1)
        leaf = decode_leaf(found[0]) if found else None
        if not isinstance(leaf, ChainKey):
            raise RootLogError(f"the log of roots has no key {rank}")
        return leaf

    def ensure_key_published(self) -> tuple[ChainKey, ...]:
        """The keys that were published, after seeing that the one which signs now is among them.

        One that took the place of another without its word is published all the same, with no statement: the break is
        for everybody to see, and whoever verifies trusts it or not. Raises StoreUnavailable, RootLogError.
        """
        while True:
            chain, public = self.load_chain(), self.signer.public
            if any(key.public == public for key in chain):
                return chain
            previous = chain[-1].public if chain else b""
            leaf = encode_key_leaf(ChainKey(public, self._log.now()), previous)
            self._require_accepted(publish_leaf(self._log, KEYS_GROUP, len(chain) + 1, leaf), but=RootWriteStatus.TAKEN)

    def publish_successor(self, key: ChainKey, previous: bytes) -> ChainKey:
        """Publishes a key that one before it has named; as it stands then, for if that was done before, the first
        statement stays. Raises StoreUnavailable, RootLogError."""
        while True:
            chain = self.load_chain()
            for known in chain:
                if known.public == key.public:
                    return known
            leaf = encode_key_leaf(key, previous)
            self._require_accepted(publish_leaf(self._log, KEYS_GROUP, len(chain) + 1, leaf), but=RootWriteStatus.TAKEN)

    # -- roots ---------------------------------------------------------------------------------------------------------

    def publish_root(self, leaf: RootLeaf) -> RootAppendResult:
        """Publishes what a match came to: OK, DUP, or STALE if more of it was published before. Raises
        StoreUnavailable; RootLogError where another root of as many entries stands there."""
        self.ensure_key_published()
        return self._require_accepted(publish_leaf(self._log, leaf.match, leaf.size, encode_root_leaf(leaf)))

    @staticmethod
    def _require_accepted(added: RootAppendResult, but: RootWriteStatus | None = None) -> RootAppendResult:
        if added.status in (RootWriteStatus.TAKEN, RootWriteStatus.FORK) and added.status is not but:
            raise RootLogError(
                f"the log of roots says {added.status} (leaf {added.index}): history was changed or lost"
            )
        return added

    # -- showing -------------------------------------------------------------------------------------------------------

    def count_leaves(self) -> int:
        """How many leaves there are, the keys among them. Raises StoreUnavailable, RootLogError."""
        self.ensure_key_published()
        return self._log.read_roots_head().size

    def load_root(self, size: int) -> Hash:
        """The root over the first leaves. Raises LeafNotFoundError, StoreUnavailable, RootLogError."""
        head = self._log.read_roots_head()
        if size == head.size:
            return head.root
        if not 0 <= size < head.size:
            raise LeafNotFoundError(size)
        places = split_into_subtrees((0, size))
        nodes = self._log.read_root_nodes(places)
        try:
            return compute_root([nodes[place] for place in places], size)
        except KeyError as missing:
            raise RootLogError(f"the log of roots lacks the subtree {missing}") from missing

    def sign_checkpoint(self, size: int | None = None) -> tuple[int, Hash, str]:
        """How many leaves (None: all), the root over them, the signed note that says so. Raises as `load_root`."""
        size = self.count_leaves() if size is None else size
        root = self.load_root(size)
        return size, root, self.signer.sign_receipt(self.origin, size, root)

    def read_leaf_hashes(self, after: int, limit: int) -> tuple[Hash, ...]:
        """The hashes of leaves in their order, after so many: what matches they are of is not told."""
        size = self.count_leaves()
        places = [(0, index) for index in range(after, min(size, after + limit))]
        nodes = self._log.read_root_nodes(places)
        if len(nodes) != len(places):
            raise RootLogError("the log of roots lacks leaves")
        return tuple(nodes[place] for place in places)

    def prove_inclusion(self, match: str, size: int | None = None) -> InclusionProof:
        """The latest root that was published of a match, and that it stands in the log as of so many leaves (None:
        all). Raises LeafNotFoundError, StoreUnavailable, RootLogError."""
        place = self._log.find_root_leaf(match)
        if place is None:
            raise LeafNotFoundError(match)
        size, root, note = self.sign_checkpoint(size)
        if place.index >= size:
            raise LeafNotFoundError(match)
        spans = find_inclusion_ranges(place.index, size)
        nodes, found = self._log.read_root_nodes(collect_subtrees(spans)), self._log.read_root_leaves(place.index, 1)
        try:
            path = compute_proof_hashes(spans, nodes)
        except KeyError as missing:
            raise RootLogError(f"the log of roots lacks the subtree {missing}") from missing
        if not found or not verify_inclusion(leaf_hash(found[0]), place.index, size, path, root):
            raise RootLogError(f"leaf {place.index} of the log of roots is not under its root")
        return InclusionProof(found[0], place.index, size, root, path, note)

    def prove_consistency(self, first: int, second: int) -> tuple[Hash, ...]:
        """The path that shows the first so many leaves to be the beginning of the first so many. Raises ValueError,
        LeafNotFoundError, StoreUnavailable, RootLogError."""
        if second > self.count_leaves():
            raise LeafNotFoundError(second)
        spans = find_consistency_ranges(first, second)
        try:
            return compute_proof_hashes(spans, self._log.read_root_nodes(collect_subtrees(spans)))
        except KeyError as missing:
            raise RootLogError(f"the log of roots lacks the subtree {missing}") from missing
