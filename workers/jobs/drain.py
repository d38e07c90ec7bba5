"""Projects what commits have changed, and enqueues what follows from it.

A drain follows each partition that it has taken once. As long as it does, the wake flag of the partition stays set, so
that a commit there wakes nobody and costs the API nothing. Before the drain ends, it clears the flags and looks a last
time. If its process is killed, the flags expire, and the sweeper finds what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.eventstore.contract import PARTITIONS
from referee.eventstore.projection_store import StoreCall
from referee.infrastructure.webhooks.models import BUILD, GLOBAL_PARTITION, HOOKS, NAME
from workers.jobs import publishing, recovery
from workers.projections import runner
from workers.projections.follower import CatchUpResult, FeedFollower
from workers.webhooks import dispatcher

if TYPE_CHECKING:
    from workers.context import WorkerContext


class DrainRun:
    """The looks of one job at the partitions that commits have changed.

    `failures` are the errors of projections that are stuck.
    """

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._follower = FeedFollower(context.log, context.public_matches, runner.LIVE_PROJECTIONS)
        self._is_ending = False
        self._unfinished: set[int] = set()
        self.failures: list[Exception] = []

    def drain_waiting(self) -> bool:
        """Drain what has changed since the last look; return False if nothing has.

        Raises StoreUnavailable, and RedisError if the queue is away.
        """
        context = self._context
        taken = context.queues.take_waiting_partitions(PARTITIONS)
        if self._is_ending:
            clear_wake_flags(context, taken)
        self._follower.add_partitions(taken)
        found = self._follower.advance(plan=lambda results: plan_lookups(context, results))
        self._unfinished = {
            partition for partition, result in found.results.items() if not (result.reached_end or result.failures)
        }
        follow_up(context, found.results, found.answers)
        self.failures += [failure for result in found.results.values() for failure in result.failures]
        return bool(found.results)

    def end(self) -> None:
        """Let commits wake a drain again; one more look is needed after it."""
        self._is_ending = True
        clear_wake_flags(self._context, self._follower.partitions)

    def hand_over(self) -> None:
        """Leave to a new job what the last look could not finish."""
        if self._unfinished:
            self._context.queues.put_back_partitions(sorted(self._unfinished))
            self._context.queues.request_waiting_drains()


def clear_wake_flags(context: WorkerContext, partitions: Sequence[int]) -> None:
    """Clear the wake flags of these partitions.

    From now on a commit there asks for a drain.
    """
    context.log.call_together([StoreCall("clear_wake_flag", (partition,)) for partition in partitions])


def plan_lookups(context: WorkerContext, results: Mapping[int, CatchUpResult]) -> list[StoreCall]:
    """Return the reads that `follow_up` needs.

    They are those of webhooks, and of standing passes where a window is open.
    """
    hooks = [plan_hooks_read(partition) for partition in {GLOBAL_PARTITION, *results}]
    return hooks + [
        plan_passes_read(match)
        for result in results.values()
        if not result.failures
        for match, version in result.latest_seen.items()
        if context.public_matches.load_match(match, version).has_passable_window
    ]


def plan_hooks_read(partition: int) -> StoreCall:
    """Return the read of a partition's webhooks."""
    return StoreCall("read_projection", (partition, NAME, BUILD, HOOKS))


def plan_passes_read(match: str) -> StoreCall:
    """Return the read of a match's standing passes."""
    return StoreCall("read_passes", (match,))


def follow_up(context: WorkerContext, results: Mapping[int, CatchUpResult], answers: Mapping[StoreCall, Any]) -> None:
    """Recover matches, publish roots, and enqueue bots and webhooks after commits.

    `answers` are those to `plan_lookups`. Of a partition in which a projection is stuck, each match is recovered,
    because its public state may be unreadable. Raises StoreUnavailable, and RedisError if the queue is away.
    """
    for partition, result in results.items():
        ended = any(publishing.is_tournament_over(context, each) for each in result.tournaments)
        for match, version in result.latest_seen.items():
            public = None if result.failures else context.public_matches.load_match(match, version)
            ended = ended or public is None or publishing.is_publishable(public.match)
            passes = answers.get(plan_passes_read(match))
            if public is None or public.needs_worker or public.has_invited_bots or passes:
                recovery.recover_match(context, match)
        if ended:
            publishing.publish_partition(context, partition)
        hooks = answers.get(plan_hooks_read(partition)) or answers.get(plan_hooks_read(GLOBAL_PARTITION))
        if hooks and dispatcher.has_listeners(context, partition):
            context.queues.request_webhooks(partition)
