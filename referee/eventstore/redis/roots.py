"""The log of roots on a stream server: leaves in a stream, subtrees and ranks in hashes, all in one slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from referee.eventstore.access import Access, slot
from referee.eventstore.contract import HASH
from referee.transparency.merkle import EMPTY, Hash, Place
from referee.transparency.root_log import Added, Adding, Ranked, RootAnswer, RootsHead

_TAG = slot("roots")
HEAD, LEAVES, NODES, RANKS = (f"{_TAG}:roots:{what}" for what in ("head", "leaves", "nodes", "ranks"))


class StreamRoots(Access):
    """The part of a log on a stream server that keeps the log of roots; see `roots.Roots`."""

    def roots_head(self) -> RootsHead:
        """Where it stands."""
        size, root, joined = self._ask(lambda: self.client.hmget(HEAD, "size", "root", "frontier"))
        if size is None:
            return RootsHead(0, EMPTY, ())
        return RootsHead(int(size), root, tuple(joined[at : at + HASH] for at in range(0, len(joined), HASH)))

    def add_root(self, adding: Adding) -> Added:
        """Adds a leaf, or answers why not."""
        nodes = [part for place, node in adding.nodes for part in (_field(place), node)]
        was, head = adding.was, adding.head
        answer, index = self._run(
            "add_root", (HEAD, LEAVES, NODES, RANKS), adding.group, adding.rank, adding.data, was.size, was.root,
            head.size, head.root, b"".join(head.frontier), *nodes,
        )  # fmt: skip
        return Added(RootAnswer(answer.decode()), index)

    def ranked_root(self, group: str, rank: int | None = None) -> Ranked | None:
        """The leaf of a group with that rank, or the highest."""
        name = group if rank is None else f"{group}#{rank}"
        found = cast("bytes | None", self._ask(lambda: self.client.hget(RANKS, name)))
        if found is None:
            return None
        if rank is not None:
            return Ranked(rank, int(found))
        highest, _, index = found.partition(b":")
        return Ranked(int(highest), int(index))

    def root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        """The data of leaves, after so many."""
        if limit < 1:
            return ()
        found = self._ask(lambda: self.client.xrange(LEAVES, f"({after}-0", "+", count=limit))
        return tuple(fields[b"d"] for _, fields in found)

    def root_nodes(self, places: Sequence[Place]) -> dict[Place, Hash]:
        """The hashes of perfect subtrees."""
        if not places:
            return {}
        found = self._ask(lambda: self.client.hmget(NODES, [_field(place) for place in places]))
        return {place: node for place, node in zip(places, found, strict=True) if node is not None}


def _field(place: Place) -> str:
    level, index = place
    return f"{level}:{index}"
