"""The jobs of matches. A client enqueues them by their dotted path, and imports nothing:

    drain_waiting_partitions()   on "drain": drain every partition that a commit has marked
    drain_partition(partition)   on "drain": bring the projections of a partition up to date, recover its matches
    play_match_bots(match)       on "bots": play the bots of a match as long as they are awaited or invited

The API enqueues when a commit found the wake flag unset (`referee.infrastructure.composition.waker`). The other jobs
are `workers.webhooks.jobs.deliver` and `workers.jobs.bundle_check.job`.
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
DRAIN_SECONDS = 2.0  # then a new job goes on: a worker that is asked to stop finishes its job first
LINGER_SECONDS = 0.05  # seconds that a drain waits for more to do
GATHER_SECONDS = 0.015  # and between its looks, in which more comes together: each drain is two writes to the disk
PARALLEL_DRAINS = 8  # partitions that are drained side by side


def drain_partition(partition: int) -> None:
    """Job: leads all views of a partition to the end of its feed, and heals the matches it met there.

    The wake flag goes first, so that a commit during the job asks for another one. Raises ExceptionGroup if a view is
    stuck, after everything else was done.
    """
    context = current_context()
    context.log.clear_wake_flag(partition)
    caught = runner.catch_up(context.log, partition, context.public_matches, seconds=DRAIN_SECONDS)
    ended = False
    for match, version in caught.latest_seen.items():
        told = None if caught.failures else context.public_matches.load_match(match, version)
        ended = ended or told is None or publishing.is_publishable(told.match)
        if told is None or told.needs_worker or told.has_invited_bots or told.has_passable_window:
            recovery.recover_match(context, match)
    if ended:
        publishing.publish_partition(context, partition)
    if dispatcher.has_listeners(context, partition):
        context.queues.request_webhooks(partition)
    if not caught.reached_end and not caught.failures and context.log.set_wake_flag(partition):
        context.queues.request_drain(partition)
    caught.raise_failures()


def drain_waiting_partitions() -> None:
    """Job: drains the partitions that commits have stirred, and those that are stirred soon after; if time is up, a new
    job goes on.

    To begin a job takes longer than a drain, so it stays for a moment. The note that a job is on its way goes before
    the last look, so that whoever stirs after that look asks for another one. A partition that is taken and not
    drained, because this process dies, is found by the sweeper. Raises ExceptionGroup if views are stuck, after
    everything else was done; and StoreUnavailable.
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
        raise ExceptionGroup("views are stuck", failures)


def drain_next_partitions(
    queues: JobQueue, threads: ThreadPoolExecutor, failures: list[ExceptionGroup[Exception]]
) -> bool:
    """Drains some of the partitions that wait, side by side, and notes if views are stuck; False if none waits.

    A store that writes to its disk before it answers does so once for all who write at that moment.
    """
    partitions = queues.take_waiting_partitions(PARALLEL_DRAINS)
    for done in [threads.submit(drain_partition, partition) for partition in partitions]:
        try:
            done.result()
        except ExceptionGroup as stuck:
            failures.append(stuck)
    return bool(partitions)


def play_match_bots(match: str) -> None:
    """Job: plays the bots of a match as long as they are awaited or invited, within bounds; then a new job goes on.

    Raises what a bot did wrong (an illegal move, no move at all); the match then rests for a minute. Raises
    StoreUnavailable too, which is nobody's fault: then whoever finds the bots awaited once the store is back asks for
    them.
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
    if players.needs_bots(
        context.service.load_match(match), queues.get_declined_version(match)
    ):  # by a move since the last look
        queues.request_bots(match)


# The paths that jobs had before 0.2, for those that wait in a queue.
drain, drain_stirred, bots = drain_partition, drain_waiting_partitions, play_match_bots
