"""Views reckoned anew: a build beside the live one, what they differ in, and the change from one to the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.eventstore.contract import PARTITIONS, MatchLog, Write
from workers.projections.public_match import Courses
from workers.projections.runner import LIVE, Projection, catch_up

RESTS_MS = 10 * 60_000  # how long a rebuild is taken to be under way


def rebuild(log: MatchLog, name: str, build: int) -> int:
    """Reckons a view anew as that build, from the first entry on, beside the live one; how many positions it read.

    What the build held before is dropped. Raises ValueError for the live build or an unknown view, StoreAway.
    """
    view = _as_build(name, build)
    if build == _live(name).build:
        raise ValueError(f"{name}:{build} is live; rebuild it under another number")
    read = 0
    for partition in range(PARTITIONS):
        log.drop_projection(partition, name, build)
        if log.about(partition).position:
            catch_up(log, partition, Courses(log), (view,)).or_raise()
            read += log.cursor(partition, name, build)
    return read


@contextlib.contextmanager
def alone(log: MatchLog, name: str) -> Iterator[None]:
    """Nobody else rebuilds this view meanwhile: two would write the same build and take each other's rows for right.

    Raises RebuildUnderWay. Who was killed stands in the way for RESTS_MS at most.
    """
    mark, now = f"rebuilding-{name}", log.now()
    seen = log.cursor(0, mark, 1)
    if seen > now - RESTS_MS or not log.project(0, mark, 1, seen, now, ()):
        raise RebuildUnderWay(f"{name} is being rebuilt; try again in some minutes")
    try:
        yield
    finally:
        log.project(0, mark, 1, now, 1, ())


class RebuildUnderWay(Exception):
    """Somebody else rebuilds the same view."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that two builds do not agree on; None where a build has no such row."""

    partition: int
    suffix: str
    field: str
    first: bytes | None
    second: bytes | None


def compare(log: MatchLog, name: str, a: int, b: int) -> tuple[Difference, ...]:
    """Where two builds of a view differ, both at the end of the feed. Raises ValueError, StoreAway, ExceptionGroup."""
    found: list[Difference] = []
    views = (_as_build(name, a), _as_build(name, b))
    for partition in range(PARTITIONS):
        if not log.about(partition).position:
            continue
        courses = Courses(log)
        first, second = _at_one_position(log, partition, views, courses)
        for suffix, field in sorted(first.keys() | second.keys()):
            one, other = first.get((suffix, field)), second.get((suffix, field))
            if one != other:
                found.append(Difference(partition, suffix, field, one, other))
    return tuple(found)


def switch(log: MatchLog, name: str, rebuilt: int) -> int:
    """Puts a rebuilt view in the place of the live one, each partition in one act; how many partitions it wrote.

    Readers find either the old rows or the new ones, never some of both. Raises ValueError, StoreAway, ExceptionGroup.
    """
    live, view = _live(name), _as_build(name, rebuilt)
    changed = 0
    for partition in range(PARTITIONS):
        if not log.about(partition).position:
            continue
        written = False
        while not written:
            catch_up(log, partition, Courses(log), (view,)).or_raise()
            seen = log.cursor(partition, name, live.build)
            cursor = log.cursor(partition, name, rebuilt)
            rows = _rows(log, partition, view)
            if cursor != log.cursor(partition, name, rebuilt):
                continue  # it was led on while its rows were read
            writes = [Write("del", suffix) for suffix in live.suffixes]
            for (suffix, field), value in rows.items():
                writes.append(Write("hset" if view.suffixes[suffix] == "hash" else "zadd", suffix, field, value))
            written = log.project(partition, name, live.build, seen, cursor, writes)
        changed += 1
    return changed


Found = dict[tuple[str, str], bytes]  # suffix and field -> value


def _at_one_position(
    log: MatchLog, partition: int, views: tuple[Projection, Projection], courses: Courses
) -> tuple[Found, Found]:
    """The rows of two views, read while both stood at the same position: drains lead the live one on meanwhile."""

    def stand() -> tuple[int, ...]:
        return tuple(log.cursor(partition, view.name, view.build) for view in views)

    while True:
        for view in views:
            catch_up(log, partition, courses, (view,)).or_raise()
        before = stand()
        first, second = (_rows(log, partition, view) for view in views)
        if before == stand() and len(set(before)) == 1:
            return first, second


def _rows(log: MatchLog, partition: int, view: Projection) -> Found:
    rows: Found = {}
    for suffix, kind in view.suffixes.items():
        if kind == "hash":
            found = log.projected(partition, view.name, view.build, suffix)
            rows |= {(suffix, field): value for field, value in found.items()}
            continue
        start = 0
        while page := log.ranked(partition, view.name, view.build, suffix, start, 1000):
            rows |= {(suffix, member): str(score).encode() for member, score in page}
            start += len(page)
    return rows


def _live(name: str) -> Projection:
    for view in LIVE:
        if view.name == name:
            return view
    raise ValueError(f"there is no view {name!r}; there are {', '.join(view.name for view in LIVE)}")


def _as_build(name: str, build: int) -> Projection:
    if build < 1:
        raise ValueError("builds are numbered from 1")
    view: Any = type(_live(name))()
    view.build = build
    return view  # type: ignore[no-any-return]
