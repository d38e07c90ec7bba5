"""What a log promises of projections.

They are rows computed from its feed, with a cursor in each partition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from referee.eventstore.contract import Precondition, ProjectionBatch, ProjectionWrite


@dataclass(frozen=True, slots=True)
class StoreCall:
    """A call of the log, by name and arguments, to be made with others."""

    name: Literal[
        "apply_projections", "read_entries", "read_passes", "read_projection", "read_view_cursors", "clear_wake_flag"
    ]
    args: tuple[Any, ...]


class ProjectionStore(Protocol):
    """The part of a log that keeps projections, by `name` and `build`."""

    def call_together(self, calls: Sequence[StoreCall]) -> list[Any]:
        """Make these calls in order, in one round trip if the store can.

        Return what each returns. Each is an act of its own: others may write between two of them. Raises what they
        raise; those before and after the one that fails may be done.
        """

    def read_feeds(self, since: Mapping[int, int], limit: int = 100) -> dict[int, tuple[tuple[int, str, int], ...]]:
        """Return the commits of several partitions after a position, as `read_feed`.

        Partitions without new commits are left out.
        """

    def read_cursor(self, partition: int, name: str, build: int) -> int:
        """Return the feed position up to which a projection has read; 0 at first."""

    def read_view_cursors(self, partition: int, views: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        """Return the cursors of several projections, by name and build, in one call."""

    def apply_projection(
        self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[ProjectionWrite]
    ) -> bool:
        """Apply the writes in order and move the cursor, in one act.

        Return False and do nothing if the cursor is not at `seen`. Raises ValueError, and does nothing, if a write
        cannot be applied (`require_valid_writes`).
        """

    def apply_projections(self, partition: int, views: Sequence[ProjectionBatch]) -> tuple[bool | None, ...]:
        """Apply several views' writes in one call, each view in an act of its own.

        Return for each view whether it was done, or None if a write does not fit what its key holds. Raises ValueError,
        and does nothing, as `require_valid_writes`.
        """

    def amend_projection(
        self, partition: int, name: str, build: int, guard: Precondition, writes: Sequence[ProjectionWrite]
    ) -> bool:
        """Apply the writes in order, in one act, without moving the cursor.

        Return False and do nothing if the guard does not hold. Raises ValueError as `apply_projection`.
        """

    def read_projection(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> dict[str, bytes]:
        """Return the fields of a key written by hset: all, or those named that exist."""

    def read_partition_cursors(self, name: str, build: int) -> tuple[int, ...]:
        """Return the feed positions up to which a projection has read, by partition."""

    def read_across_partitions(
        self, name: str, build: int, suffix: str, fields: Sequence[str] | None = None, only: Sequence[int] | None = None
    ) -> dict[int, tuple[int, dict[str, bytes]]]:
        """Return a projection's cursor and its fields, as `read_projection`, by partition.

        `only` names some of the partitions. The fields cover the feed at least up to the cursor.
        """

    def read_ranking(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]:
        """Return the members of a key written by zadd with their scores, lowest first."""

    def find_first_scores(self, name: str, build: int, suffix: str) -> tuple[int | None, ...]:
        """Return the lowest score of a key written by zadd, by partition.

        It is None where the key is empty.
        """

    def drop_projection(self, partition: int, name: str, build: int) -> None:
        """Delete a build: its cursor and all it wrote.

        It looks at every key of the store, so it is for rebuilds only.
        """
