"""Brings projections of many partitions up to date with few calls of the store.

A projection's rows and its cursor are written in one act that checks the cursor first. So an entry counts exactly once,
even if a process dies or several run at a time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.eventstore.contract import MatchLog, ProjectionBatch, StoreUnavailable
from referee.eventstore.projection_store import StoreCall
from referee.eventstore.projection_writes import require_matching_key_kinds, require_valid_writes
from workers.projections.base import (
    FeedItem,
    MatchProjection,
    OwnRowsReader,
    Projection,
    Sources,
    latest_versions,
    select_matches,
)
from workers.projections.public_match import PublicMatches

LOGGER = logging.getLogger("referee.workers.projections")
BATCH = 100  # feed positions of a partition that are read at a time
ROUND = 400  # feed positions of all partitions, about


@dataclass(frozen=True, slots=True)
class CatchUpResult:
    """What was done in a partition.

    - `latest_seen`: the matches in the batches read, each with its last version there.
    - `tournaments`: the tournaments in those batches.
    - `reached_end`: whether the end of the feed was reached in time.
    - `failures`: the errors of projections that are stuck.
    """

    latest_seen: Mapping[str, int]
    reached_end: bool
    failures: tuple[Exception, ...]
    tournaments: frozenset[str] = frozenset()

    def join(self, later: CatchUpResult) -> CatchUpResult:
        """Return this result with what was done after it."""
        return CatchUpResult(
            {**self.latest_seen, **later.latest_seen}, later.reached_end, (*self.failures, *later.failures),
            self.tournaments | later.tournaments,
        )  # fmt: skip

    def raise_failures(self) -> CatchUpResult:
        """Return this result. Raises ExceptionGroup if a projection is stuck."""
        if self.failures:
            raise ExceptionGroup("projections are stuck", self.failures)
        return self


@dataclass(frozen=True, slots=True)
class Round:
    """What one round has done.

    `results` has the partitions with new commits. `answers` are those to the calls that were made with the writes.
    """

    results: Mapping[int, CatchUpResult]
    answers: Mapping[StoreCall, Any] = field(default_factory=dict)


@dataclass
class PartitionWork:
    """The commits of one partition in a round, and what they come to.

    - `low`: the cursor of the projections in `views`; the commits follow it.
    - `is_last`: all projections are at `low`, and the commits reach the end of the feed.
    """

    partition: int
    low: int
    commits: Sequence[FeedItem]
    views: Sequence[Projection]
    is_last: bool
    ready: list[ProjectionBatch] = field(default_factory=list)
    failed: list[tuple[Projection, Exception]] = field(default_factory=list)

    @cached_property
    def matches(self) -> list[FeedItem]:
        """The commits that are of matches; the others only move the cursor."""
        return select_matches(self.commits)

    def to_result(self, was_written: bool) -> CatchUpResult:
        """Return what was done as the result of the partition."""
        failures = tuple(failure for _, failure in self.failed)
        matches = latest_versions(self.matches)
        tournaments = frozenset(latest_versions(self.commits).keys() - matches.keys())
        return CatchUpResult(matches, was_written and self.is_last, failures, tournaments)


class FeedFollower:
    """Follows the feeds of some partitions for some projections.

    The projections furthest behind go first, up to where the next ones are, so that a match is folded once for all of
    them. One that fails stays where it is, and is left out in its partition from then on.
    """

    def __init__(self, log: MatchLog, public_matches: PublicMatches, projections: Sequence[Projection]) -> None:
        self._log, self._public_matches, self._projections = log, public_matches, projections
        self._cursors: dict[int, dict[Projection, int]] = {}  # as this process last saw or wrote them
        self._unread: set[int] = set()  # partitions whose cursors have to be read first

    @property
    def partitions(self) -> list[int]:
        """The partitions that are followed."""
        return sorted(self._unread | self._cursors.keys())

    def add_partitions(self, partitions: Iterable[int]) -> None:
        """Follow these partitions as well."""
        self._unread.update(partition for partition in partitions if partition not in self._cursors)

    def advance(
        self,
        until: float = float("inf"),
        plan: Callable[[Mapping[int, CatchUpResult]], Sequence[StoreCall]] = lambda _: (),
    ) -> Round:
        """Project a batch of what is new in each partition.

        That takes one read of all feeds, one of all entries, and one write. After `until` nothing is projected, and the
        results say only where there was something. `plan` returns the calls that are made with the writes. Raises
        StoreUnavailable.
        """
        self._read_cursors()
        lows = {partition: min(cursors.values()) for partition, cursors in self._cursors.items() if cursors}
        limit = min(BATCH, max(1, ROUND // max(1, len(lows))))
        feeds = self._log.read_feeds(lows, limit)
        if feeds and time.monotonic() > until:
            return Round({partition: CatchUpResult({}, False, ()) for partition in feeds})
        work = [self._cut_batch(partition, lows[partition], feed, limit) for partition, feed in feeds.items()]
        self._compute_writes(work)
        planned = plan({each.partition: each.to_result(True) for each in work}) if work else ()
        return self._write(work, planned)

    def _read_cursors(self) -> None:
        """Read the cursors of partitions that are new, or that another process moved on."""
        if not self._unread:
            return
        names = [(view.name, view.build) for view in self._projections]
        partitions = sorted(self._unread)
        found = self._log.call_together([StoreCall("read_view_cursors", (each, names)) for each in partitions])
        for partition, cursors in zip(partitions, found, strict=True):
            going = self._cursors.get(partition, self._projections)
            self._cursors[partition] = {
                view: cursor for view, cursor in zip(self._projections, cursors, strict=True) if view in going
            }
        self._unread.clear()

    def _cut_batch(self, partition: int, low: int, feed: Sequence[FeedItem], limit: int) -> PartitionWork:
        cursors = self._cursors[partition]
        views = [view for view, cursor in cursors.items() if cursor == low]
        following = min((cursor for cursor in cursors.values() if cursor > low), default=None)
        commits = feed if following is None else [commit for commit in feed if commit[0] <= following]
        return PartitionWork(partition, low, commits, views, following is None and len(feed) < limit)

    def _compute_writes(self, work: Sequence[PartitionWork]) -> None:
        """Compute the rows of all projections.

        The entries and rows that they need are read together.
        """
        versions: dict[str, int] = {}
        rows: list[StoreCall] = []
        for each in work:
            for view in each.views:
                if isinstance(view, MatchProjection) and each.matches:
                    versions |= latest_versions(each.matches)
                    rows += [
                        StoreCall("read_projection", (each.partition, view.name, view.build, suffix, fields))
                        for suffix, fields in view.plan_row_reads(each.matches)
                    ]
        entries = self._public_matches.plan_reads(versions)
        try:
            found = self._log.call_together([*entries, *rows])
        except StoreUnavailable:
            raise
        except Exception:  # a match whose archive is lost, say: read alone, it fails those projections that need it
            entries, rows, found = [], [], []
        kept = dict(zip((call.args for call in rows), found[len(entries) :], strict=True))
        with self._public_matches.use_entries(entries, found[: len(entries)]):
            for each in work:
                for view in each.views:
                    self._compute_view(each, view, kept)

    def _compute_view(self, work: PartitionWork, view: Projection, kept: Mapping[Any, dict[str, bytes]]) -> None:
        sources = Sources(self._public_matches, build_row_reader(self._log, work.partition, view, kept))
        try:
            writes = require_valid_writes(list(view.compute_writes(work.matches, sources)) if work.matches else [])
        except StoreUnavailable:
            raise
        except Exception as failure:
            work.failed.append((view, failure))
        else:
            work.ready.append(ProjectionBatch(view.name, view.build, work.low, work.commits[-1][0], writes))

    def _write(self, work: Sequence[PartitionWork], planned: Sequence[StoreCall]) -> Round:
        """Write what is ready, make the planned calls, and note the new cursors."""
        writing = [each for each in work if each.ready]
        calls = [StoreCall("apply_projections", (each.partition, each.ready)) for each in writing]
        found = self._log.call_together([*calls, *planned])
        written = dict(zip((each.partition for each in writing), found, strict=False))
        results: dict[int, CatchUpResult] = {}
        for each in work:
            done = written.get(each.partition, ())
            cursors, by_name = self._cursors[each.partition], {(view.name, view.build): view for view in each.views}
            for batch, was_done in zip(each.ready, done, strict=True):
                view = by_name[batch.name, batch.build]
                try:
                    if require_matching_key_kinds(was_done, batch.name, batch.build):
                        cursors[view] = batch.cursor
                    else:  # another process was faster
                        self._unread.add(each.partition)
                except ValueError as failure:
                    each.failed.append((view, failure))
            for view, reason in each.failed:
                self._leave_out(each, view, reason)
            results[each.partition] = each.to_result(False not in done)
        return Round(results, dict(zip(planned, found[len(calls) :], strict=True)))

    def _leave_out(self, work: PartitionWork, view: Projection, failure: Exception) -> None:
        LOGGER.error(
            "projection %s:%d is stuck at %d of partition %d",
            view.name,
            view.build,
            work.low,
            work.partition,
            exc_info=failure,
        )
        del self._cursors[work.partition][view]


def build_row_reader(
    log: MatchLog, partition: int, view: Projection, kept: Mapping[Any, dict[str, bytes]]
) -> OwnRowsReader:
    """Return a reader of a projection's rows; `kept` are those read already."""

    def own(suffix: str, fields: Sequence[str] | None = None) -> dict[str, bytes]:
        asked = (partition, view.name, view.build, suffix, None if fields is None else tuple(fields))
        found = kept.get(asked)
        return log.read_projection(*asked) if found is None else found

    return own
