"""The jobs of matches.

A client enqueues them by their dotted path and imports nothing:

    drain_waiting_partitions()   on "drain": drain every partition that a commit has marked
    drain_partition(partition)   on "drain": bring the projections of a partition up to date, recover its matches
    play_match_bots(match)       on "bots": play the bots of a match as long as they are awaited or invited

The API enqueues a drain if a commit found the wake flag unset
(`referee.infrastructure.composition.build_drain_requester`). The other jobs are `workers.webhooks.jobs.deliver_due` and
`workers.jobs.bundle_check.check_bundle`.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor

from referee.eventstore.contract import StoreUnavailable
from workers.bots import player as players
from workers.composition import current_context
from workers.context import JobQueue
from workers.jobs import publishing, recovery
from workers.projections import runner
from workers.webhooks import dispatcher

LOGGER = logging.getLogger("referee.workers.queue")
DRAIN_SECONDS = 2.0  # then a new job goes on, because a worker finishes its job before it stops
LINGER_SECONDS = 0.05  # how long an idle drain waits for more to do
GATHER_SECONDS = 0.015  # between its looks, to gather commits: each drain is two writes to the disk
PARALLEL_DRAINS = 8  # partitions drained in parallel


def drain_partition(partition: int) -> None:
    """Bring the projections of a partition up to date, and recover its matches.

    The wake flag is cleared first, so that a commit during the job asks for another one. Raises ExceptionGroup if a
    projection is stuck, after everything else is done.
    """
    context = current_context()
    context.log.clear_wake_flag(partition)
    caught = runner.catch_up(context.log, partition, context.public_matches, seconds=DRAIN_SECONDS)
    ended = False
    for match, version in caught.latest_seen.items():
        public = None if caught.failures else context.public_matches.load_match(match, version)
        ended = ended or public is None or publishing.is_publishable(public.match)
        if public is None or public.needs_worker or public.has_invited_bots or public.has_passable_window:
            recovery.recover_match(context, match)
    if ended:
        publishing.publish_partition(context, partition)
    if dispatcher.has_listeners(context, partition):
        context.queues.request_webhooks(partition)
    if not caught.reached_end and not caught.failures and context.log.set_wake_flag(partition):
        context.queues.request_drain(partition)
    caught.raise_failures()


def drain_waiting_partitions() -> None:
    """Drain the partitions that commits have marked, for some seconds.

    Starting a job takes longer than a drain. So the job stays for a moment and drains what is marked meanwhile. When
    its time is up, it enqueues a new job. The mark that a drain is running is cleared before the last look, so that a
    commit after that look enqueues another job. A partition that was taken but not drained, because this process died,
    is found by the sweeper.

    Raises ExceptionGroup if projections are stuck, after everything else is done, and StoreUnavailable.
    """
    queues, until = current_context().queues, time.monotonic() + DRAIN_SECONDS
    failures: list[ExceptionGroup[Exception]] = []
    queues.mark_drain_running()
    quiet = time.monotonic() + LINGER_SECONDS
    with ThreadPoolExecutor(PARALLEL_DRAINS, "drain") as threads:
        while time.monotonic() < min(quiet, until):
            if drain_next_partitions(queues, threads, failures):
                quiet = time.monotonic() + LINGER_SECONDS
            time.sleep(GATHER_SECONDS)
        queues.clear_drain_mark()
        while drain_next_partitions(queues, threads, failures):
            if time.monotonic() > until:
                queues.request_waiting_drains()
                break
    if failures:
        raise ExceptionGroup("projections are stuck", failures)


def drain_next_partitions(
    queues: JobQueue, threads: ThreadPoolExecutor, failures: list[ExceptionGroup[Exception]]
) -> bool:
    """Drain some of the waiting partitions in parallel; return False if none waits.

    If a projection is stuck, its error is added to `failures`. In parallel, because a store that writes to disk before
    it answers does so once for all who write at that moment.
    """
    partitions = queues.take_waiting_partitions(PARALLEL_DRAINS)
    for done in [threads.submit(drain_partition, partition) for partition in partitions]:
        try:
            done.result()
        except ExceptionGroup as stuck:
            failures.append(stuck)
    return bool(partitions)


def play_match_bots(match: str) -> None:
    """Play the bots of a match as long as they are awaited or invited.

    If the bounds of one job are reached, a new job goes on.

    Raises what a bot did wrong: an illegal move, or no move at all. The bots of the match are then paused for a minute.
    Raises StoreUnavailable too. Then the next drain or the sweeper enqueues a job once the store is back.
    """
    context = current_context()
    queues = context.queues
    queues.mark_bots_playing(match)
    try:
        more = players.play_bots(
            context.service,
            match,
            left=queues.get_declined_version(match),
            leave=lambda version: queues.record_declined_version(match, version),
        )
    except StoreUnavailable:
        queues.clear_bots_mark(match)
        raise
    except Exception:
        LOGGER.exception("the bots of %s cannot go on", match)
        queues.pause_bots(match)
        raise
    if more:
        queues.request_bots(match, again=True)
        return
    queues.clear_bots_mark(match)
    # a move since the last look may need them
    if players.needs_bots(context.service.load_match(match), queues.get_declined_version(match)):
        queues.request_bots(match)


# The paths that jobs had before 0.2, for jobs that may be waiting in a queue.
drain, drain_stirred, bots = drain_partition, drain_waiting_partitions, play_match_bots
