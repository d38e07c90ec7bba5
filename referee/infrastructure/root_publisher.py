"""The root log as a server keeps it, under checkpoints of its own.

It holds the roots of matches and the signing keys. Its origin is `<store id>/roots`. Its first leaf is the first key:
publishing a root ensures that. Leaves are bytes made by key_chain.py. The tree is in the store (`root_log`). Everything
here may be done twice, by two processes at once, or be interrupted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from referee.eventstore.contract import MatchLog
from referee.infrastructure.errors import HostError
from referee.transparency.key_chain import ChainKey, RootLeaf, decode_leaf, encode_key_leaf, encode_root_leaf
from referee.transparency.merkle import (
    Hash,
    SubtreeId,
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

LOGGER = logging.getLogger(__name__)
KEYS_GROUP = "keys"  # the group of the key chain; each match is a group too
ORIGIN_SUFFIX = "roots"


class CheckpointSigner(Protocol):
    """What signs checkpoints: a Signer or a Keyring."""

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""

    def sign_receipt(self, origin: str, size: int, root: bytes) -> str:
        """Return the signed checkpoint."""

    def sign_note(self, name: str, text: str) -> str:
        """Return the text as a note signed under a name."""


class CosignedCheckpoint(Protocol):
    """What keeps the cosignatures of witnesses."""

    def add_lines(self, note: str) -> str:
        """Return the note with the lines of those who cosigned its text."""

    def read_size(self) -> int:
        """Return the size of the log at the newest cosigned checkpoint; 0: none."""


@dataclass(frozen=True, slots=True)
class StampedNote:
    """A checkpoint as it was stamped, byte by byte, and the authority's answer."""

    note: str
    size: int
    root: Hash
    response: bytes


class StampedCheckpoints(Protocol):
    """What keeps the timestamps over checkpoints."""

    def find_first(self, origin: str, index: int) -> StampedNote | None:
        """Return the oldest one of a log that has this leaf, or None."""


class RootLogError(HostError):
    """The root log contradicts itself, a match's own log, or what was signed of it."""


# Of a size and root that are to be signed, and what gives the root at any size; raises RootLogError.
RequireContinued = Callable[[int, Hash, Callable[[int], Hash | None]], None]


class LeafNotFoundError(LookupError):
    """The root log has no such leaf, or was never that large."""


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """A leaf, its place, and the path to the root of the first `size` leaves.

    `note` is the checkpoint of that root, and `stamp` the answer of a timestamp authority over that note, if any.
    """

    data: bytes
    index: int
    size: int
    root: Hash
    path: tuple[Hash, ...]
    note: str
    stamp: bytes = b""


class RootPublisher:
    """Publishes roots and keys, and proves that they are published."""

    def __init__(
        self, log: MatchLog, signs: CheckpointSigner, store: str, cosigned: CosignedCheckpoint | None = None,
        stamped: StampedCheckpoints | None = None, require_continued: RequireContinued = lambda *_: None,
    ) -> None:  # fmt: skip
        self._log, self.signer, self.store, self._cosigned, self._stamped = log, signs, store, cosigned, stamped
        self._require_continued = require_continued
        self._chain: tuple[ChainKey, ...] = ()  # replaced as a whole, because threads share it

    @property
    def origin(self) -> str:
        """The origin of this log's checkpoints."""
        return f"{self.store}/{ORIGIN_SUFFIX}"

    # -- keys ----------------------------------------------------------------------------------------------------------

    def load_chain(self) -> tuple[ChainKey, ...]:
        """Return the published keys, oldest first. Raises StoreUnavailable, RootLogError."""
        highest = self._log.find_root_leaf(KEYS_GROUP)
        count = 0 if highest is None else highest.rank
        known = self._chain if len(self._chain) <= count else ()  # otherwise the store has lost its history
        found = self._chain = (*known, *(self._load_key(rank) for rank in range(len(known) + 1, count + 1)))
        return found

    def _load_key(self, rank: int) -> ChainKey:
        place = self._log.find_root_leaf(KEYS_GROUP, rank)
        found = () if place is None else self._log.read_root_leaves(place.index, 1)
        leaf = decode_leaf(found[0]) if found else None
        if not isinstance(leaf, ChainKey):
            raise RootLogError(f"the root log has no key {rank}")
        return leaf

    def ensure_key_published(self) -> tuple[ChainKey, ...]:
        """Publish the key that signs now if it is new, and return the published keys.

        A key that replaced another without being named by it is published too, with no statement. Everybody can see the
        break, and each verifier decides whether to trust the key. Raises StoreUnavailable, RootLogError.
        """
        while True:
            chain, public = self.load_chain(), self.signer.public
            if any(key.public == public for key in chain):
                return chain
            previous = chain[-1].public if chain else b""
            leaf = encode_key_leaf(ChainKey(public, self._log.now()), previous)
            self._require_accepted(publish_leaf(self._log, KEYS_GROUP, len(chain) + 1, leaf), but=RootWriteStatus.TAKEN)

    def publish_successor(self, key: ChainKey, previous: bytes) -> ChainKey:
        """Publish a key that one before it has named, and return it as published.

        If it was published before, the first statement stays. Raises StoreUnavailable, RootLogError.
        """
        while True:
            chain = self.load_chain()
            for known in chain:
                if known.public == key.public:
                    return known
            leaf = encode_key_leaf(key, previous)
            self._require_accepted(publish_leaf(self._log, KEYS_GROUP, len(chain) + 1, leaf), but=RootWriteStatus.TAKEN)

    # -- roots ---------------------------------------------------------------------------------------------------------

    def publish_root(self, leaf: RootLeaf) -> RootAppendResult:
        """Publish the root of a match: OK, DUP, or STALE if a later root was published.

        Raises StoreUnavailable; RootLogError if another root of the same size is published.
        """
        self.ensure_key_published()
        return self._require_accepted(publish_leaf(self._log, leaf.match, leaf.size, encode_root_leaf(leaf)))

    @staticmethod
    def _require_accepted(added: RootAppendResult, but: RootWriteStatus | None = None) -> RootAppendResult:
        if added.status in (RootWriteStatus.TAKEN, RootWriteStatus.FORK) and added.status is not but:
            raise RootLogError(f"the root log says {added.status} (leaf {added.index}): history was changed or lost")
        return added

    # -- proofs --------------------------------------------------------------------------------------------------------

    def count_leaves(self) -> int:
        """Return the number of leaves, those of keys included.

        Raises StoreUnavailable, RootLogError.
        """
        self.ensure_key_published()
        return self._log.read_roots_head().size

    def load_root(self, size: int) -> Hash:
        """Return the root over the first `size` leaves.

        Raises LeafNotFoundError, StoreUnavailable, RootLogError.
        """
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
            raise RootLogError(f"the root log lacks the subtree {missing}") from missing

    def sign_checkpoint(self, size: int | None = None) -> tuple[int, Hash, str]:
        """Return a number of leaves (None: all), the root over them, and the signed note.

        The note has the lines of witnesses, if they have cosigned this very checkpoint. Raises as `load_root`, and
        RootLogError if the log no longer has what was signed of it.
        """
        size = self.count_leaves() if size is None else size
        root = self.load_root(size)
        self._require_continued(size, root, self._find_root)
        note = self.signer.sign_receipt(self.origin, size, root)
        return size, root, note if self._cosigned is None else self._cosigned.add_lines(note)

    def _find_root(self, size: int) -> Hash | None:
        """Return the root over the first `size` leaves, or None if they are not all there."""
        try:
            return self.load_root(size)
        except (LeafNotFoundError, RootLogError):
            return None

    def read_leaf_hashes(self, after: int, limit: int) -> tuple[Hash, ...]:
        """Return the hashes of the leaves after the first `after`, in order.

        They do not show which matches the leaves belong to.
        """
        size = self.count_leaves()
        return self.read_subtrees([(0, index) for index in range(after, min(size, after + limit))])

    def read_subtrees(self, places: Sequence[SubtreeId]) -> tuple[Hash, ...]:
        """Return the hashes of perfect subtrees.

        Raises RootLogError if one is missing, StoreUnavailable.
        """
        nodes = self._log.read_root_nodes(places)
        try:
            return tuple(nodes[place] for place in places)
        except KeyError as missing:
            raise RootLogError(f"the root log lacks the subtree {missing}") from missing

    def read_leaves(self, after: int, count: int) -> tuple[bytes, ...]:
        """Return the data of that many leaves after the first `after`.

        It names every match. Raises RootLogError if one is missing, StoreUnavailable.
        """
        found = self._log.read_root_leaves(after, count)
        if len(found) != count:
            raise RootLogError("the root log lacks leaves")
        return found

    def prove_inclusion(self, match: str, size: int | None = None) -> InclusionProof:
        """Return the latest published root of a match, with the proof that the log has it.

        The proof is for the log of that size (None: all of it). Raises LeafNotFoundError, StoreUnavailable,
        RootLogError.
        """
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
            raise RootLogError(f"the root log lacks the subtree {missing}") from missing
        if not found or not verify_inclusion(leaf_hash(found[0]), place.index, size, path, root):
            raise RootLogError(f"leaf {place.index} of the root log is not under its root")
        return InclusionProof(found[0], place.index, size, root, path, note)

    def prove_publication(self, match: str) -> tuple[InclusionProof, ...]:
        """Return proofs that the log has a match, for checkpoints that others vouch for.

        The first is for the newest checkpoint that witnesses cosigned, or for the newest one if that does not have the
        match. The second is for the oldest one with a timestamp. Raises as `prove_inclusion`.
        """
        newest = self.prove_inclusion(match)
        cosigned = 0 if self._cosigned is None else self._cosigned.read_size()
        found = [self.prove_inclusion(match, cosigned) if newest.index < cosigned < newest.size else newest]
        stamped = None if self._stamped is None else self._stamped.find_first(self.origin, newest.index)
        if stamped is not None and stamped.size <= newest.size:
            proof = self.prove_inclusion(match, stamped.size)
            if proof.root == stamped.root:
                found.append(replace(proof, note=stamped.note, stamp=stamped.response))
            else:
                LOGGER.error("a checkpoint of %d leaves was stamped, and the root log has others", stamped.size)
        return tuple(found)

    def prove_consistency(self, first: int, second: int) -> tuple[Hash, ...]:
        """Return the path that shows the first `first` leaves to begin the first `second`.

        Raises ValueError, LeafNotFoundError, StoreUnavailable, RootLogError.
        """
        if second > self.count_leaves():
            raise LeafNotFoundError(second)
        spans = find_consistency_ranges(first, second)
        try:
            return compute_proof_hashes(spans, self._log.read_root_nodes(collect_subtrees(spans)))
        except KeyError as missing:
            raise RootLogError(f"the root log lacks the subtree {missing}") from missing
