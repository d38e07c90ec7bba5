"""One look at the same key of many partitions.

On one server that is one script, which costs a tenth of as many commands. A cluster takes no script whose keys lie in
several slots; there it is one pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from referee.eventstore.access import RedisAccess


class RedisOverview(RedisAccess):
    """The part of a log on a stream server that looks at many partitions at once."""

    _spread: bool

    def _read_first_scores(self, keys: Sequence[str]) -> tuple[int | None, ...]:
        """Return the lowest score of each sorted set, None where one is empty."""
        if not self._spread:
            scores = self._run_script("first_scores", keys)
        else:
            found = self._run_pipeline(lambda pipe, key: pipe.zrange(key, 0, 0, withscores=True), keys)
            scores = [first[0][1] if first else None for first in found]
        return tuple(None if score is None else int(float(score)) for score in scores)

    def _read_positions(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the field `position` of each hash, 0 where there is none."""
        if not self._spread:
            found = self._run_script("positions", keys)
        else:
            found = self._run_pipeline(lambda pipe, key: pipe.hget(key, "position"), keys)
        return tuple(int(position or 0) for position in found)

    def _run_pipeline(self, add: Callable[[Any, str], Any], keys: Sequence[str]) -> list[Any]:
        def run() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for key in keys:
                add(pipe, key)
            return cast(list[Any], pipe.execute())

        return self._call_store(run)
