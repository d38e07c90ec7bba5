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
from referee.transparency.key_chain import ChainKey, RootLeaf, key_leaf, read_leaf, root_leaf
from referee.transparency.merkle import (
    Hash,
    consistency_spans,
    hashes_of,
    included,
    inclusion_spans,
    leaf_hash,
    perfect,
    places_of,
    root_of,
)
from referee.transparency.root_log import Added, RootAnswer, published

KEYS = "keys"  # the group of the chain; a match is a group of its own
ORIGIN = "roots"


class Signs(Protocol):
    """Whoever signs checkpoints: a Signer, or a Keyring."""

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""

    def receipt(self, origin: str, size: int, root: bytes) -> str:
        """The signed checkpoint."""


class RootsDamaged(HostError):
    """The log of roots does not fit itself, or tells another story of a match than the match's own log."""


class NoSuchLeaf(LookupError):
    """The log of roots has no such leaf, or was never so large."""


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A leaf, its place, and the path from it to the root of the first `size` leaves, with the checkpoint of that."""

    data: bytes
    index: int
    size: int
    root: Hash
    path: tuple[Hash, ...]
    note: str


class Publisher:
    """Publishes roots and keys, and shows that they are there."""

    def __init__(self, log: MatchLog, signs: Signs, store: str) -> None:
        self._log, self.signs, self.store = log, signs, store
        self._chain: tuple[ChainKey, ...] = ()  # put in its place whole: threads share it

    @property
    def origin(self) -> str:
        """The origin of this log's checkpoints."""
        return f"{self.store}/{ORIGIN}"

    # -- keys ----------------------------------------------------------------------------------------------------------

    def chain(self) -> tuple[ChainKey, ...]:
        """The keys that were published, oldest first. Raises StoreAway, RootsDamaged."""
        highest = self._log.ranked_root(KEYS)
        count = 0 if highest is None else highest.rank
        known = self._chain if len(self._chain) <= count else ()  # else of a store that has lost its history
        found = self._chain = (*known, *(self._key(rank) for rank in range(len(known) + 1, count + 1)))
        return found

    def _key(self, rank: int) -> ChainKey:
        place = self._log.ranked_root(KEYS, rank)
        found = () if place is None else self._log.root_leaves(place.index, 1)
        leaf = read_leaf(found[0]) if found else None
        if not isinstance(leaf, ChainKey):
            raise RootsDamaged(f"the log of roots has no key {rank}")
        return leaf

    def keys(self) -> tuple[ChainKey, ...]:
        """The keys that were published, after seeing that the one which signs now is among them.

        One that took the place of another without its word is published all the same, with no statement: the break is
        for everybody to see, and whoever verifies trusts it or not. Raises StoreAway, RootsDamaged.
        """
        while True:
            chain, public = self.chain(), self.signs.public
            if any(key.public == public for key in chain):
                return chain
            previous = chain[-1].public if chain else b""
            leaf = key_leaf(ChainKey(public, self._log.now()), previous)
            self._refused(published(self._log, KEYS, len(chain) + 1, leaf), but=RootAnswer.TAKEN)

    def succeed(self, key: ChainKey, previous: bytes) -> ChainKey:
        """Publishes a key that one before it has named; as it stands then, for if that was done before, the first
        statement stays. Raises StoreAway, RootsDamaged."""
        while True:
            chain = self.chain()
            for known in chain:
                if known.public == key.public:
                    return known
            leaf = key_leaf(key, previous)
            self._refused(published(self._log, KEYS, len(chain) + 1, leaf), but=RootAnswer.TAKEN)

    # -- roots ---------------------------------------------------------------------------------------------------------

    def publish(self, leaf: RootLeaf) -> Added:
        """Publishes what a match came to: OK, DUP, or STALE if more of it was published before. Raises StoreAway;
        RootsDamaged where another root of as many entries stands there."""
        self.keys()
        return self._refused(published(self._log, leaf.match, leaf.size, root_leaf(leaf)))

    @staticmethod
    def _refused(added: Added, but: RootAnswer | None = None) -> Added:
        if added.answer in (RootAnswer.TAKEN, RootAnswer.FORK) and added.answer is not but:
            raise RootsDamaged(
                f"the log of roots says {added.answer} (leaf {added.index}): history was changed or lost"
            )
        return added

    # -- showing -------------------------------------------------------------------------------------------------------

    def size(self) -> int:
        """How many leaves there are, the keys among them. Raises StoreAway, RootsDamaged."""
        self.keys()
        return self._log.roots_head().size

    def root(self, size: int) -> Hash:
        """The root over the first leaves. Raises NoSuchLeaf, StoreAway, RootsDamaged."""
        head = self._log.roots_head()
        if size == head.size:
            return head.root
        if not 0 <= size < head.size:
            raise NoSuchLeaf(size)
        places = perfect((0, size))
        nodes = self._log.root_nodes(places)
        try:
            return root_of([nodes[place] for place in places], size)
        except KeyError as missing:
            raise RootsDamaged(f"the log of roots lacks the subtree {missing}") from missing

    def checkpoint(self, size: int | None = None) -> tuple[int, Hash, str]:
        """How many leaves (None: all), the root over them, the signed note that says so. Raises as `root`."""
        size = self.size() if size is None else size
        root = self.root(size)
        return size, root, self.signs.receipt(self.origin, size, root)

    def leaf_hashes(self, after: int, limit: int) -> tuple[Hash, ...]:
        """The hashes of leaves in their order, after so many: what matches they are of is not told."""
        size = self.size()
        places = [(0, index) for index in range(after, min(size, after + limit))]
        nodes = self._log.root_nodes(places)
        if len(nodes) != len(places):
            raise RootsDamaged("the log of roots lacks leaves")
        return tuple(nodes[place] for place in places)

    def inclusion(self, match: str, size: int | None = None) -> Inclusion:
        """The latest root that was published of a match, and that it stands in the log as of so many leaves (None:
        all). Raises NoSuchLeaf, StoreAway, RootsDamaged."""
        place = self._log.ranked_root(match)
        if place is None:
            raise NoSuchLeaf(match)
        size, root, note = self.checkpoint(size)
        if place.index >= size:
            raise NoSuchLeaf(match)
        spans = inclusion_spans(place.index, size)
        nodes, found = self._log.root_nodes(places_of(spans)), self._log.root_leaves(place.index, 1)
        try:
            path = hashes_of(spans, nodes)
        except KeyError as missing:
            raise RootsDamaged(f"the log of roots lacks the subtree {missing}") from missing
        if not found or not included(leaf_hash(found[0]), place.index, size, path, root):
            raise RootsDamaged(f"leaf {place.index} of the log of roots is not under its root")
        return Inclusion(found[0], place.index, size, root, path, note)

    def consistency(self, first: int, second: int) -> tuple[Hash, ...]:
        """The path that shows the first so many leaves to be the beginning of the first so many. Raises ValueError,
        NoSuchLeaf, StoreAway, RootsDamaged."""
        if second > self.size():
            raise NoSuchLeaf(second)
        spans = consistency_spans(first, second)
        try:
            return hashes_of(spans, self._log.root_nodes(places_of(spans)))
        except KeyError as missing:
            raise RootsDamaged(f"the log of roots lacks the subtree {missing}") from missing
