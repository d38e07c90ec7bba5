"""One look at the same key of many partitions.

On one server that is one script, which costs a tenth of as many commands. In a cluster it is one script for each server
that has some of them. Such a script may not declare keys of several slots, so it gets their names as arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.eventstore.access import RedisAccess
from referee.eventstore.redis import scripts
from referee.eventstore.redis.replication import PrimaryNodes

MOVED_WORDS = "access a non local key"  # of a server that has lost a partition; such a script is not redirected


class RedisOverview(RedisAccess):
    """The part of a log on a stream server that looks at many partitions at once."""

    _spread: bool

    def _read_first_scores(self, keys: Sequence[str]) -> tuple[int | None, ...]:
        """Return the lowest score of each sorted set, None where one is empty."""
        scores = self._look("first_scores", keys)
        return tuple(None if score is None else int(float(score)) for score in scores)

    def _read_positions(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the field `position` of each hash, 0 where there is none."""
        return tuple(int(position or 0) for position in self._look("positions", keys))

    def _look(self, name: str, keys: Sequence[str], *args: str, whole: bool = True) -> list[Any]:
        """Run a script that only reads, and answers for each key.

        `args`: those of the first key, then those of the next. Unless the look has to be `whole`, the answer is None
        for keys at servers that are away, as long as one answers. Raises StoreUnavailable.
        """
        if not self._spread:
            found: list[Any] = self._run_script(name, keys, *args)
            return found
        return self._call_store(lambda: self._look_at_nodes(name, keys, args, tries=2, whole=whole))

    def _look_at_nodes(
        self, name: str, keys: Sequence[str], args: Sequence[str], *, tries: int, whole: bool
    ) -> list[Any]:
        nodes, width = PrimaryNodes(self.client), len(args) // len(keys) if keys else 0
        shares: dict[str, tuple[Any, Any, list[int]]] = {}
        for at, key in enumerate(keys):
            node, client = nodes.find(key)
            shares.setdefault(node.name, (node, client, []))[2].append(at)
        found: list[Any] = [None] * len(keys)
        failures = 0
        for node, client, places in shares.values():
            own = [arg for at in places for arg in args[at * width : (at + 1) * width]]
            try:
                replies = client.eval(scripts.FOR_NODES[name], 0, len(places), *(keys[at] for at in places), *own)
            except Exception as wrong:  # of whatever kind: it may have lost its place, or these partitions
                nodes.refresh(node)
                if tries > 1 and MOVED_WORDS in str(wrong):
                    return self._look_at_nodes(name, keys, args, tries=tries - 1, whole=whole)
                failures += 1
                if whole or failures == len(shares):
                    raise
                continue
            for at, reply in zip(places, replies, strict=True):
                found[at] = reply
        return found
