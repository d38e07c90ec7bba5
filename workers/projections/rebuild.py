"""Rebuilds projections: another build beside the live one.

The two are compared, and the new one takes the live one's place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.eventstore.contract import PARTITIONS, MatchLog, ProjectionWrite
from workers.projections.base import Projection
from workers.projections.public_match import PublicMatches
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

LOCK_MS = 10 * 60_000  # after this, a rebuild counts as dead


def rebuild_projection(log: MatchLog, name: str, build: int, note_progress: Callable[[int], None] | None = None) -> int:
    """Compute a projection from the first entry on, as the given build.

    `note_progress` is told how many partitions are done. Return how many feed positions were read. The build's earlier
    rows are dropped.

    Raises ValueError for the live build or an unknown projection, ExceptionGroup if an entry cannot be read,
    StoreUnavailable.
    """
    view = _build_projection(name, build)
    if build == _find_live_projection(name).build:
        raise ValueError(f"{name}:{build} is live; rebuild it under another number")
    read = 0
    for partition in range(PARTITIONS):
        log.drop_projection(partition, name, build)
        if log.read_partition_info(partition).position:
            catch_up(log, partition, PublicMatches(log), (view,)).raise_failures()
            read += log.read_cursor(partition, name, build)
        if note_progress is not None:
            note_progress(partition + 1)
    return read


@contextlib.contextmanager
def lock_rebuild(log: MatchLog, name: str) -> Iterator[None]:
    """Lock a projection, so that nobody else rebuilds it at the same time.

    Two rebuilds would write the same build and mistake each other's rows for their own. The lock of a process that was
    killed expires after `LOCK_MS`. Raises RebuildInProgressError.
    """
    mark, now = f"rebuilding-{name}", log.now()
    seen = log.read_cursor(0, mark, 1)
    if seen > now - LOCK_MS or not log.apply_projection(0, mark, 1, seen, now, ()):
        raise RebuildInProgressError(f"{name} is being rebuilt; try again in some minutes")
    try:
        yield
    finally:
        log.apply_projection(0, mark, 1, now, 1, ())


class RebuildInProgressError(Exception):
    """Another process is rebuilding the same projection."""


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row in which two builds differ; None where a build has no such row."""

    partition: int
    suffix: str
    field: str
    first: bytes | None
    second: bytes | None


def compare_builds(log: MatchLog, name: str, a: int, b: int) -> tuple[RowDifference, ...]:
    """Return the rows in which two builds differ, both at the end of the feed.

    Raises ValueError, StoreUnavailable, ExceptionGroup.
    """
    found: list[RowDifference] = []
    views = (_build_projection(name, a), _build_projection(name, b))
    for partition in range(PARTITIONS):
        if not log.read_partition_info(partition).position:
            continue
        courses = PublicMatches(log)
        first, second = _read_at_same_position(log, partition, views, courses)
        for suffix, field in sorted(first.keys() | second.keys()):
            one, other = first.get((suffix, field)), second.get((suffix, field))
            if one != other:
                found.append(RowDifference(partition, suffix, field, one, other))
    return tuple(found)


def switch_to_build(log: MatchLog, name: str, rebuilt: int) -> int:
    """Replace the live projection by a rebuilt one.

    Return how many partitions were written. Each is replaced in one act, so readers find either old or new rows. Raises
    ValueError, StoreUnavailable, ExceptionGroup.
    """
    live, view = _find_live_projection(name), _build_projection(name, rebuilt)
    changed = 0
    for partition in range(PARTITIONS):
        if not log.read_partition_info(partition).position:
            continue
        written = False
        while not written:
            catch_up(log, partition, PublicMatches(log), (view,)).raise_failures()
            seen = log.read_cursor(partition, name, live.build)
            cursor = log.read_cursor(partition, name, rebuilt)
            rows = _read_rows(log, partition, view)
            if cursor != log.read_cursor(partition, name, rebuilt):
                continue  # another process moved it on while its rows were read
            writes = [ProjectionWrite("del", suffix) for suffix in live.suffixes]
            for (suffix, field), value in rows.items():
                writes.append(
                    ProjectionWrite("hset" if view.suffixes[suffix] == "hash" else "zadd", suffix, field, value)
                )
            written = log.apply_projection(partition, name, live.build, seen, cursor, writes)
        changed += 1
    return changed


RowsByKey = dict[tuple[str, str], bytes]  # suffix and field -> value


def _read_at_same_position(
    log: MatchLog, partition: int, views: tuple[Projection, Projection], courses: PublicMatches
) -> tuple[RowsByKey, RowsByKey]:
    """Return the rows of two builds, read while both were at the same position.

    Meanwhile drains may move the live one on, so this may take several tries.
    """

    def stand() -> tuple[int, ...]:
        return tuple(log.read_cursor(partition, view.name, view.build) for view in views)

    while True:
        for view in views:
            catch_up(log, partition, courses, (view,)).raise_failures()
        before = stand()
        first, second = (_read_rows(log, partition, view) for view in views)
        if before == stand() and len(set(before)) == 1:
            return first, second


def _read_rows(log: MatchLog, partition: int, view: Projection) -> RowsByKey:
    rows: RowsByKey = {}
    for suffix, kind in view.suffixes.items():
        if kind == "hash":
            found = log.read_projection(partition, view.name, view.build, suffix)
            rows |= {(suffix, field): value for field, value in found.items()}
            continue
        start = 0
        while page := log.read_ranking(partition, view.name, view.build, suffix, start, 1000):
            rows |= {(suffix, member): str(score).encode() for member, score in page}
            start += len(page)
    return rows


def _find_live_projection(name: str) -> Projection:
    for view in LIVE_PROJECTIONS:
        if view.name == name:
            return view
    raise ValueError(f"there is no projection {name!r}; there are {', '.join(view.name for view in LIVE_PROJECTIONS)}")


def _build_projection(name: str, build: int) -> Projection:
    if build < 1:
        raise ValueError("builds are numbered from 1")
    view: Any = type(_find_live_projection(name))()
    view.build = build
    return view  # type: ignore[no-any-return]
