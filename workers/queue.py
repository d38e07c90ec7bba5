"""The jobs of matches. A client enqueues them by their dotted path, which never changes, and imports nothing:

    workers.queue.drain_stirred()     on "drain": drains every partition that a commit has stirred
    workers.queue.drain(partition)    on "drain": leads the projections of a partition on, and recovers its matches
    workers.queue.bots(match)         on "bots": plays the bots of a match as long as they are awaited or invited

The API enqueues when a commit found the wake flag unset (`referee.infrastructure.composition.waker`). The other jobs
are `workers.webhooks.jobs.deliver` and `workers.jobs.bundle_check.job`.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor

from referee.eventstore.contract import StoreAway
from workers.bots import player as players
from workers.composition import current_context
from workers.context import Hints
from workers.jobs import publishing, recovery
from workers.projections import runner
from workers.webhooks import dispatcher

LOGGER = logging.getLogger("referee.workers.queue")
DRAIN_SECONDS = 2.0  # then a new job goes on: a worker that is asked to stop finishes its job first
LINGERS = 0.05  # seconds that a drain waits for more to do
GATHERS = 0.015  # and between its looks, in which more comes together: each drain is two writes to the disk
AT_ONCE = 8  # partitions that are drained side by side


def drain(partition: int) -> None:
    """Job: leads all views of a partition to the end of its feed, and heals the matches it met there.

    The wake flag goes first, so that a commit during the job asks for another one. Raises ExceptionGroup if a view is
    stuck, after everything else was done.
    """
    context = current_context()
    context.log.clear_wake(partition)
    caught = runner.catch_up(context.log, partition, context.courses, seconds=DRAIN_SECONDS)
    ended = False
    for match, version in caught.met.items():
        told = None if caught.failures else context.courses.told(match, version)
        ended = ended or told is None or publishing.due(told.match)
        if told is None or told.awaits_us or told.invites_us or told.may_pass:
            recovery.heal(context, match)
    if ended:
        publishing.publish(context, partition)
    if dispatcher.heard(context, partition):
        context.queues.webhooks(partition)
    if not caught.whole and not caught.failures and context.log.wake(partition):
        context.queues.drain(partition)
    caught.or_raise()


def drain_stirred() -> None:
    """Job: drains the partitions that commits have stirred, and those that are stirred soon after; if time is up, a new
    job goes on.

    To begin a job takes longer than a drain, so it stays for a moment. The note that a job is on its way goes before
    the last look, so that whoever stirs after that look asks for another one. A partition that is taken and not
    drained, because this process dies, is found by the sweeper. Raises ExceptionGroup if views are stuck, after
    everything else was done; and StoreAway.
    """
    queues, until = current_context().queues, time.monotonic() + DRAIN_SECONDS
    failures: list[ExceptionGroup[Exception]] = []
    queues.drains_go_on()
    quiet = time.monotonic() + LINGERS
    with ThreadPoolExecutor(AT_ONCE, "drain") as threads:
        while time.monotonic() < min(quiet, until):
            if drained(queues, threads, failures):
                quiet = time.monotonic() + LINGERS
            time.sleep(GATHERS)
        queues.drains_end()
        while drained(queues, threads, failures):
            if time.monotonic() > until:
                queues.drain_stirred()
                break
    if failures:
        raise ExceptionGroup("views are stuck", failures)


def drained(queues: Hints, threads: ThreadPoolExecutor, failures: list[ExceptionGroup[Exception]]) -> bool:
    """Drains some of the partitions that wait, side by side, and notes if views are stuck; False if none waits.

    A store that writes to its disk before it answers does so once for all who write at that moment.
    """
    partitions = queues.stirred(AT_ONCE)
    for done in [threads.submit(drain, partition) for partition in partitions]:
        try:
            done.result()
        except ExceptionGroup as stuck:
            failures.append(stuck)
    return bool(partitions)


def bots(match: str) -> None:
    """Job: plays the bots of a match as long as they are awaited or invited, within bounds; then a new job goes on.

    Raises what a bot did wrong (an illegal move, no move at all); the match then rests for a minute. Raises StoreAway
    too, which is nobody's fault: then whoever finds the bots awaited once the store is back asks for them.
    """
    context = current_context()
    queues = context.queues
    queues.hold(match)
    try:
        more = players.play_on(
            context.desk, match, left=queues.left(match), leave=lambda version: queues.leave(match, version)
        )
    except StoreAway:
        queues.release(match)
        raise
    except Exception:
        LOGGER.exception("the bots of %s cannot go on", match)
        queues.rest(match)
        raise
    if more:
        queues.bots(match, again=True)
        return
    queues.release(match)
    if players.bots_asked(context.desk.load(match), queues.left(match)):  # by a move since the last look
        queues.bots(match)
