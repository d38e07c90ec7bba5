"""The jobs of matches.

A client enqueues them by their dotted path and imports nothing:

    drain_waiting_partitions()   on "drain": drain every partition that a commit has marked
    drain_partition(partition)   on "drain": bring the projections of a partition up to date, recover its matches
    play_match_bots(match)       on "bots": play the bots of a match as long as they are awaited or invited
    play_searching_bots(match)   on "thinkers": the same where a bot searches

The API enqueues a drain if a commit found the wake flag unset
(`referee.infrastructure.composition.build_drain_requester`). The other jobs are `workers.webhooks.jobs.deliver_due` and
`workers.jobs.bundle_check.check_bundle`.
"""

from __future__ import annotations

import logging
import time

from referee.eventstore.contract import StoreUnavailable
from workers.bots import player as players
from workers.bots.player import ThinkingTime
from workers.composition import current_context
from workers.jobs.drain import DrainRun, follow_up, plan_lookups
from workers.projections import runner

LOGGER = logging.getLogger("referee.workers.queue")
DRAIN_SECONDS = 2.0  # then a new job goes on, because a worker finishes its job before it stops
LINGER_SECONDS = 0.05  # how long an idle drain waits for more to do
GATHER_SECONDS = 0.015  # between its looks, to gather commits: each look that finds some is a write to the disk


def drain_partition(partition: int) -> None:
    """Bring the projections of a partition up to date, and recover its matches.

    The wake flag is cleared first, so that a commit during the job asks for another one. Raises ExceptionGroup if a
    projection is stuck, after everything else is done.
    """
    context = current_context()
    context.log.clear_wake_flag(partition)
    caught = runner.catch_up(context.log, partition, context.public_matches, seconds=DRAIN_SECONDS)
    lookups = plan_lookups(context, {partition: caught})
    answers = context.log.call_together(lookups)
    follow_up(context, {partition: caught}, dict(zip(lookups, answers, strict=True)))
    if not caught.reached_end and not caught.failures and context.log.set_wake_flag(partition):
        context.queues.request_drain(partition)
    caught.raise_failures()


def drain_waiting_partitions() -> None:
    """Drain the partitions that commits have marked, for some seconds.

    Starting a job takes longer than a drain. So the job stays for a moment and drains what is marked meanwhile. When
    its time is up, it leaves the rest to a new job. The mark that a drain is running is cleared before the last look,
    so that a commit after that look enqueues another job. A partition that was taken but not drained, because this
    process died, is found by the sweeper.

    Raises ExceptionGroup if projections are stuck, after everything else is done, and StoreUnavailable.
    """
    context, until = current_context(), time.monotonic() + DRAIN_SECONDS
    queues, run = context.queues, DrainRun(context)
    queues.mark_drain_running()
    quiet = time.monotonic() + LINGER_SECONDS
    try:
        while time.monotonic() < min(quiet, until):
            if run.drain_waiting():
                quiet = time.monotonic() + LINGER_SECONDS
            time.sleep(GATHER_SECONDS)
        queues.clear_drain_mark()
    finally:  # also if the queue is away: commits are to ask again
        run.end()
    while run.drain_waiting():
        if time.monotonic() > until:
            run.hand_over()
            break
    if run.failures:
        raise ExceptionGroup("projections are stuck", run.failures)


def play_match_bots(match: str) -> None:
    """Play the bots of a match until one has to search, as `play_bots_or_pause`.

    Bots that answer at once never wait behind those that search.
    """
    play_bots_or_pause(match, ThinkingTime(), may_search=False)


def play_searching_bots(match: str) -> None:
    """Play the bots of a match, also those that search, as `play_bots_or_pause`.

    The more jobs wait, the shorter they think, and the fewer moves they make before it is the others' turn.
    """
    context = current_context()
    waiting = context.queues.count_waiting_thinkers()
    thinking = ThinkingTime(players.share_thinking_time(waiting), context.recalls)
    play_bots_or_pause(match, thinking, may_search=True, seconds=players.share_job_time(waiting))


def play_bots_or_pause(
    match: str, thinking: ThinkingTime, *, may_search: bool, seconds: float = players.SECONDS
) -> None:
    """Play the bots of a match as long as they are awaited or invited.

    If the bounds of one job are reached, or a bot has to search and may not, a new job goes on.

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
            seconds=seconds,
            left=queues.get_declined_version(match),
            leave=lambda version: queues.record_declined_version(match, version),
            thinking=thinking,
            may_search=may_search,
        )
    except StoreUnavailable:
        queues.clear_bots_mark(match)
        raise
    except Exception:
        LOGGER.exception("the bots of %s cannot go on", match)
        queues.pause_bots(match)
        raise
    if more:
        queues.request_bots(
            match, again=True, search=players.has_searching_bot(context.service.load_match(match).match)
        )
        return
    queues.clear_bots_mark(match)
    # a move since the last look may need them
    if players.needs_bots(context.service.load_match(match), queues.get_declined_version(match)):
        queues.request_bots(match)


# The paths that jobs had before 0.2, for jobs that may be waiting in a queue.
drain, drain_stirred, bots = drain_partition, drain_waiting_partitions, play_match_bots
