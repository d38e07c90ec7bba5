"""Projections in memory; see `ProjectionStore`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.eventstore.contract import PARTITIONS, Precondition, ProjectionBatch, ProjectionWrite
from referee.eventstore.memory.records import PartitionRecord
from referee.eventstore.memory.transfer import MemoryTransferStore
from referee.eventstore.projection_store import StoreCall
from referee.eventstore.projection_writes import key_kind_for, require_matching_key_kinds, require_valid_writes


class MemoryProjectionStore(MemoryTransferStore):
    """The part of a log in memory that keeps projections.

    The log supplies lock and partitions.
    """

    _partitions: list[PartitionRecord]

    def call_together(self, calls: Sequence[StoreCall]) -> list[Any]:
        return [getattr(self, call.name)(*call.args) for call in calls]

    def read_cursor(self, partition: int, name: str, build: int) -> int:
        with self._lock:
            return self._partitions[partition].cursors.get(f"{name}:{build}", 0)

    def read_view_cursors(self, partition: int, views: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        return tuple(self.read_cursor(partition, name, build) for name, build in views)

    def apply_projection(
        self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[ProjectionWrite]
    ) -> bool:
        (done,) = self.apply_projections(partition, [ProjectionBatch(name, build, seen, cursor, writes)])
        return require_matching_key_kinds(done, name, build)

    def apply_projections(self, partition: int, views: Sequence[ProjectionBatch]) -> tuple[bool | None, ...]:
        for each in views:
            require_valid_writes(each.writes)
        with self._lock:
            return tuple(self._apply_batch(self._partitions[partition], each) for each in views)

    def _apply_batch(self, kept: PartitionRecord, given: ProjectionBatch) -> bool | None:
        view = f"{given.name}:{given.build}"
        if kept.cursors.get(view, 0) != given.seen:
            return False
        try:
            self._apply_writes(kept, view, given.writes)
        except ValueError:
            return None
        kept.cursors[view] = given.cursor
        return True

    def amend_projection(
        self, partition: int, name: str, build: int, guard: Precondition, writes: Sequence[ProjectionWrite]
    ) -> bool:
        require_valid_writes(writes)
        with self._lock:
            kept, view = self._partitions[partition], f"{name}:{build}"
            key = f"{view}:{guard.suffix}"
            if kept.views.get(key) and kept.kinds.get(key) == "zset":
                raise ValueError(f"{view} writes ranks where fields are kept, or fields where ranks are")
            if kept.views.get(key, {}).get(guard.field) != guard.held:
                return False
            self._apply_writes(kept, view, writes)
            return True

    def _apply_writes(self, kept: PartitionRecord, view: str, writes: Sequence[ProjectionWrite]) -> None:
        kept.kinds |= self._resolve_key_kinds(kept, view, writes)
        for write in writes:
            fields = kept.views.setdefault(f"{view}:{write.suffix}", {})
            if write.op in ("hset", "zadd"):
                fields[write.field] = write.value
            elif write.op in ("hdel", "zrem"):
                fields.pop(write.field, None)
            else:
                fields.clear()

    @staticmethod
    def _resolve_key_kinds(kept: PartitionRecord, view: str, writes: Sequence[ProjectionWrite]) -> dict[str, str]:
        """Return the kind that each written key has afterwards.

        Raises ValueError if a write does not fit its key.
        """
        kinds: dict[str, str] = {}
        for write in writes:
            key, need = f"{view}:{write.suffix}", key_kind_for(write.op)
            has = kinds.get(key, kept.kinds.get(key, "none") if kept.views.get(key) else "none")
            if "none" not in (need, has) and has != need:
                raise ValueError(f"{view} writes ranks where fields are kept, or fields where ranks are")
            kinds[key] = need
        return kinds

    def read_projection(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> dict[str, bytes]:
        with self._lock:
            found = self._partitions[partition].views.get(f"{name}:{build}:{suffix}", {})
            return dict(found) if fields is None else {field: found[field] for field in fields if field in found}

    def read_partition_cursors(self, name: str, build: int) -> tuple[int, ...]:
        with self._lock:
            return tuple(kept.cursors.get(f"{name}:{build}", 0) for kept in self._partitions)

    def read_across_partitions(
        self, name: str, build: int, suffix: str, fields: Sequence[str] | None = None, only: Sequence[int] | None = None
    ) -> dict[int, tuple[int, dict[str, bytes]]]:
        with self._lock:
            return {
                partition: (
                    self.read_cursor(partition, name, build),
                    self.read_projection(partition, name, build, suffix, fields),
                )
                for partition in (range(PARTITIONS) if only is None else only)
            }

    def read_ranking(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]:
        with self._lock:
            fields = self._partitions[partition].views.get(f"{name}:{build}:{suffix}", {})
            order = sorted((int(value), member) for member, value in fields.items())
            return tuple((member, score) for score, member in order[after : after + limit])

    def find_first_scores(self, name: str, build: int, suffix: str) -> tuple[int | None, ...]:
        first = [self.read_ranking(partition, name, build, suffix, 0, 1) for partition in range(PARTITIONS)]
        return tuple(found[0][1] if found else None for found in first)

    def drop_projection(self, partition: int, name: str, build: int) -> None:
        with self._lock:
            kept, view = self._partitions[partition], f"{name}:{build}"
            kept.cursors.pop(view, None)
            for suffix in [key for key in kept.views if key.startswith(view + ":")]:
                del kept.views[suffix]
                kept.kinds.pop(suffix, None)
