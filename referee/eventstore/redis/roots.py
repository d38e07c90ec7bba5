"""The root log on a stream server: leaves in a stream, the rest in hashes.

All of it lies in one hash slot, so that a script can write it in one act.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from referee.eventstore.access import RedisAccess, hash_tag_for
from referee.eventstore.contract import HASH_BYTES
from referee.transparency.merkle import EMPTY_TREE_ROOT, Hash, SubtreeId
from referee.transparency.root_log import LeafPosition, RootAppend, RootAppendResult, RootLogHead, RootWriteStatus

_TAG = hash_tag_for("roots")
HEAD, LEAVES, NODES, RANKS = (f"{_TAG}:roots:{what}" for what in ("head", "leaves", "nodes", "ranks"))


class RedisRootLog(RedisAccess):
    """The part of a log on a stream server that keeps the root log; see `RootLog`."""

    def read_roots_head(self) -> RootLogHead:
        """Return the head of the root log."""
        size, root, joined = self._call_store(lambda: self.client.hmget(HEAD, "size", "root", "frontier"))
        if size is None:
            return RootLogHead(0, EMPTY_TREE_ROOT, ())
        return RootLogHead(
            int(size), root, tuple(joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES))
        )

    def add_root(self, adding: RootAppend) -> RootAppendResult:
        """Add a leaf, or answer why not."""
        nodes = [part for place, node in adding.nodes for part in (_node_field(place), node)]
        was, head = adding.head_before, adding.head_after
        answer, index = self._run_script(
            "add_root", (HEAD, LEAVES, NODES, RANKS), adding.group, adding.rank, adding.data, was.size, was.root,
            head.size, head.root, b"".join(head.frontier), *nodes,
        )  # fmt: skip
        return RootAppendResult(RootWriteStatus(answer.decode()), index)

    def find_root_leaf(self, group: str, rank: int | None = None) -> LeafPosition | None:
        """Return the leaf of a group with that rank, or with the highest, or None."""
        name = group if rank is None else f"{group}#{rank}"
        found = cast("bytes | None", self._call_store(lambda: self.client.hget(RANKS, name)))
        if found is None:
            return None
        if rank is not None:
            return LeafPosition(rank, int(found))
        highest, _, index = found.partition(b":")
        return LeafPosition(int(highest), int(index))

    def read_root_leaves(self, after: int, limit: int = 100) -> tuple[bytes, ...]:
        """Return the data of the leaves after the first `after`."""
        if limit < 1:
            return ()
        found = self._call_store(lambda: self.client.xrange(LEAVES, f"({after}-0", "+", count=limit))
        return tuple(fields[b"d"] for _, fields in found)

    def read_root_nodes(self, places: Sequence[SubtreeId]) -> dict[SubtreeId, Hash]:
        """Return the hashes of those of these perfect subtrees that are kept."""
        if not places:
            return {}
        found = self._call_store(lambda: self.client.hmget(NODES, [_node_field(place) for place in places]))
        return {place: node for place, node in zip(places, found, strict=True) if node is not None}


def _node_field(place: SubtreeId) -> str:
    level, index = place
    return f"{level}:{index}"
