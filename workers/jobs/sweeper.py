"""The sweeper: plays deadlines on time, and repairs what the queue has lost.

It is a process of its own, and needs no queue for the deadlines. Two or more may run: a deadline is played under one
idempotency key, and a lost job may be enqueued twice. The store's clock decides what is due. The sweeper's own clock
only says when to look again.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from referee.engine.rulings import IllegalMove
from referee.eventstore.contract import PARTITIONS, ReadResult, StoreUnavailable
from referee.infrastructure.integrity_check import freeze_lost_matches
from referee.infrastructure.watermarks.guard import HistoryGuard
from referee.infrastructure.webhooks.registry import WebhookRegistry
from referee.match.clocks import find_deadline
from referee.match.errors import MatchUnavailable, MoveRejected, UnknownMatch
from referee.tournament.state import is_tournament_id
from workers.jobs import following, publishing, recovery
from workers.jobs.clock_jumps import ClockJumps
from workers.projections import runner
from workers.projections.runner import AwaitedProjection
from workers.webhooks import dispatcher

if TYPE_CHECKING:
    from workers.context import WorkerContext

LOGGER = logging.getLogger("referee.workers.deadlines")
LOOK_MS = 250  # the longest time between two looks at the deadlines
REPAIR_SECONDS = 1.0  # between two repairs
COURT_LOOKAHEAD_MS = 3000  # how far ahead a repair looks for courts, so that they are as punctual as deadlines
FULL_REPAIR_EVERY = 30  # repairs; a full one reads all cursors, not only those of partitions that have changed
FORGOTTEN_AFTER_MS = 5000  # a match that waits longer for a bot or for chance was forgotten
GRACE_MS = 30_000  # for deadlines that fell due while the store was away, or the clock jumped ahead
SET_BACK_MS = 300_000  # by more than this a clock was set back, and deadlines are brought closer
RETRY_SECONDS = 60.0  # until a deadline that cannot be played is tried again
LATEST_MS = 1 << 52  # after any deadline
PAGE = 100
LONGEST_PAUSE = 2.0  # seconds between tries while the store is away


class TournamentStuckError(RuntimeError):
    """What is due in a tournament could not be done."""


class Sweeper:
    """Plays due deadlines and repairs stalled work. Both may run at any time."""

    def __init__(self, context: WorkerContext, elapsed: Callable[[], float] = time.monotonic) -> None:
        """`elapsed` gives seconds by a clock that runs on evenly."""
        self._context, self._log = context, context.log
        self._run_id = ""
        self._repairs = 0
        self._completed: dict[int, int] = {}  # partition -> position that all projections have reached
        self._delivered: dict[int, int] = {}  # partition -> position up to which its webhooks were asked for
        self._last_positions: dict[int, tuple[int, ...]] = {}  # partition -> its cursors at the last look
        self._recovered: dict[str, int] = {}  # forgotten matches -> when they were recovered
        self._put_off: dict[tuple[str, str], float] = {}  # deadlines that failed -> when to try again
        self._courts: dict[str, int] = {}  # matches -> when a court is due that no deadline covers
        self._jumps, self._jump_ms = ClockJumps(elapsed), 0
        context.service.appender.plays_overdue_ms = math.inf

    def play_due_deadlines(self) -> float:
        """Play the deadlines that are due; return the seconds until the next look.

        Raises StoreUnavailable.
        """
        self._grant_grace()
        now = self._log.now()
        self._jump_ms += self._jumps.measure_jump(now)
        if self._jump_ms:
            self._follow_jump(self._jump_ms, now)
            self._jump_ms = 0  # only now: if the store went away, the next look does it
        due, done = self._find_next_due(), False
        if due is None:
            return LOOK_MS / 1000
        if due <= now:
            for partition in range(PARTITIONS):
                for _at, match, tag in self._log.find_due_deadlines(partition, now):
                    done = self._play_deadline(match, tag) or done
            for match, until in list(self._courts.items()):
                if until <= now:
                    done = self._play_deadline(match, f"court:{until}") or done
                    self._courts.pop(match, None)  # if it was not played, the next repair finds it again
            due, now = self._find_next_due() or now + LOOK_MS, self._log.now()
        if due > now:
            return min(due - now, LOOK_MS) / 1000
        # look again at once if something was played; a deadline that was put off must not keep the sweeper spinning
        return 0.0 if done else LOOK_MS / 1000

    def _find_next_due(self) -> int | None:
        """Return when the next deadline or court is due (ms), or None."""
        due = self._log.find_next_deadline()
        return min(self._courts.values(), default=due) if due is None else min([due, *self._courts.values()])

    def _grant_grace(self) -> None:
        """Extend overdue deadlines after the store was away.

        The players could not move meanwhile, so this comes before any deadline is played.
        """
        run = self._context.run_id()
        if run and run != self._run_id:
            self._freeze_lost_matches()
            moved = self._log.extend_overdue_deadlines(run, GRACE_MS)
            if moved:
                LOGGER.warning("the store was away: %d deadlines are extended by %d s", moved, GRACE_MS // 1000)
            self._bring_deadlines_closer(self._log.now())
            self._run_id = run

    def _follow_jump(self, jump_ms: int, now_ms: int) -> None:
        """Give time after the clock jumped ahead, take some after it jumped back.

        Nobody could move meanwhile, and nobody is to wait for hours. A laptop that was closed wakes up with a clock
        that is hours ahead.
        """
        if jump_ms > 0:
            moved = self._log.extend_overdue_deadlines(f"{self._run_id}@{now_ms}", GRACE_MS)
            LOGGER.warning(
                "the clock jumped %d s ahead: %d deadlines are extended by %d s",
                jump_ms // 1000, moved, GRACE_MS // 1000,
            )  # fmt: skip
        else:
            LOGGER.warning("the clock jumped %d s back", -jump_ms // 1000)
            if jump_ms < -SET_BACK_MS:
                self._bring_deadlines_closer(now_ms)

    def _bring_deadlines_closer(self, now_ms: int) -> None:
        """Give questions a new limit if the clock was set back from their deadline.

        It is one that is farther away than twice its limit and SET_BACK_MS. So entry times fall by more than an audit
        accepts anyway, and no clock seems to have moved too early in a match whose times are sound. The time of a
        court stands in the log and stays, and so do those of a tournament.
        """
        for partition in range(PARTITIONS):
            for at_ms, match, tag in self._log.find_due_deadlines(partition, LATEST_MS, limit=-1):
                if at_ms <= now_ms + SET_BACK_MS or is_tournament_id(match):
                    continue
                try:
                    loaded = self._context.service.load_match(match)
                except StoreUnavailable:
                    raise
                except Exception:  # one match must not delay the others
                    LOGGER.exception("the deadline %s of %s cannot be brought closer", tag, match)
                    continue
                due = None if loaded.match.is_halted else find_deadline(loaded)
                if due is not None and str(due.asked) == tag and due.left_ms > 2 * due.limit_ms + SET_BACK_MS:
                    self._log.move_deadline(match, tag, now_ms + due.limit_ms)
                    LOGGER.warning("a deadline was %d s away, and has its whole limit again", due.left_ms // 1000)

    def _freeze_lost_matches(self) -> None:
        """Freeze the matches that a store which has just come lacks entries of.

        It may be a replica that had missed some, or an older copy.
        """
        watch = self._context.service.appender.watch
        if isinstance(watch, HistoryGuard):
            for damage in freeze_lost_matches(self._log, watch.history):
                LOGGER.error("frozen: %s", damage)

    def _play_deadline(self, match: str, tag: str) -> bool:
        """Play a deadline; return whether it is gone. Raises StoreUnavailable."""
        if self._put_off.get((match, tag), 0.0) > time.monotonic():
            return False
        self._put_off.pop((match, tag), None)
        try:
            reading = self._load_current(match)
        except StoreUnavailable:
            raise
        except (UnknownMatch, IllegalMove, MoveRejected, MatchUnavailable) as void:
            LOGGER.warning("the deadline %s of %s is void: %r", tag, match, void)
        except Exception:
            # an unreadable entry, say: one match must not delay the others
            LOGGER.exception("the deadline %s of %s cannot be played", tag, match)
            self._put_off[match, tag] = time.monotonic() + RETRY_SECONDS
            return False
        else:
            due = reading.due
            if due is not None and due.tag == tag and due.at_ms > reading.now_ms:
                return True  # it was given more time meanwhile
        # a played deadline is gone already, and dropping it again is harmless; a void one must not come up again
        self._log.drop_deadline(match, tag)
        return True

    def _load_current(self, name: str) -> ReadResult:
        """Read a match or a tournament, once what is due there is played.

        Raises TournamentStuckError, and what loading a match raises.
        """
        if not is_tournament_id(name):
            return self._context.service.load_match(name).read_result
        if not following.let_tournament_go_on(self._context, name):
            raise TournamentStuckError(name)
        return self._log.read(name, limit=0)

    def repair_stalled_work(self) -> None:
        """Enqueue drains for stalled projections, and recover matches that wait too long.

        Raises StoreUnavailable, and RedisError if the queue is away.
        """
        everything = self._repairs % FULL_REPAIR_EVERY == 0
        self._repairs += 1
        now, positions = self._log.now(), self._log.read_positions()
        for partition, position in enumerate(positions):
            self._wake_stalled_partition(partition, position, everything)
            if everything:
                publishing.sweep_partition(self._context, partition, position)
        self._request_overdue_deliveries(now, positions, everything)
        courts: dict[str, int] = {}
        for partition in self._find_partitions("courts", now + COURT_LOOKAHEAD_MS):
            courts |= self._find_court_deadlines(partition, now + COURT_LOOKAHEAD_MS)
        self._courts = courts
        forgotten: set[str] = set()
        for partition in self._find_partitions("since", now - FORGOTTEN_AFTER_MS):
            for match in self._find_forgotten_matches(partition, now - FORGOTTEN_AFTER_MS):
                forgotten.add(match)
                if self._recovered.get(match, 0) <= now - FORGOTTEN_AFTER_MS:
                    self._recovered[match] = now
                    recovery.recover_match(self._context, match)
        self._recovered = {match: at for match, at in self._recovered.items() if match in forgotten}

    def _wake_stalled_partition(self, partition: int, position: int, everything: bool) -> None:
        if position == self._completed.get(partition, 0) and not everything:
            return
        stand = self._log.read_view_cursors(partition, [(view.name, view.build) for view in runner.LIVE_PROJECTIONS])
        if min(stand) >= position:
            self._completed[partition] = position
            self._last_positions.pop(partition, None)
        elif self._last_positions.get(partition) != stand:
            self._last_positions[partition] = stand  # a drain may be running; the next look shows whether it advances
        elif self._log.set_wake_flag(partition):
            LOGGER.info("partition %d is stalled at %d of %d", partition, min(stand), position)
            self._context.queues.request_drain(partition)

    def _request_overdue_deliveries(self, now: int, positions: Sequence[int], everything: bool) -> None:
        """Enqueue a job where a message is due or the outbox is behind the feed.

        Whether it is behind need not be asked again while the feed stands still.
        """
        register = WebhookRegistry(self._log)
        for partition, due in enumerate(register.find_next_due()):
            known = self._delivered.get(partition, 0) == positions[partition] and not everything
            if (due is not None and due <= now) or (not known and dispatcher.is_outbox_behind(register, partition)):
                self._context.queues.request_webhooks(partition)
            else:
                self._delivered[partition] = positions[partition]

    def _find_partitions(self, suffix: str, upto: int) -> list[int]:
        """Return the partitions with a rank up to that time.

        `suffix` names the ranks of the awaited projection.
        """
        first = self._log.find_first_scores(AwaitedProjection.name, AwaitedProjection.build, suffix)
        return [partition for partition, at in enumerate(first) if at is not None and at <= upto]

    def _find_court_deadlines(self, partition: int, upto: int) -> dict[str, int]:
        """Return the matches in which a court's time is up by `upto` (ms), with that time.

        No deadline of the store covers these courts, because play goes on meanwhile or is over.
        """
        found: dict[str, int] = {}
        while page := self._log.read_ranking(
            partition, AwaitedProjection.name, AwaitedProjection.build, "courts", len(found), PAGE
        ):
            found |= {match: until for match, until in page if until <= upto}
            if page[-1][1] > upto:
                break
        return found

    def _find_forgotten_matches(self, partition: int, long_ago: int) -> list[str]:
        found: list[str] = []
        while page := self._log.read_ranking(
            partition, AwaitedProjection.name, AwaitedProjection.build, "since", len(found), PAGE
        ):
            found += [match for match, since in page if since <= long_ago]
            if page[-1][1] > long_ago:
                break
        return found


def run_sweeper(context: WorkerContext) -> int:
    """Sweep until SIGTERM, SIGINT or the parent's death; return the exit code.

    REFEREE_PARENT is the parent's process id.
    """
    stop = threading.Event()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sweep_until_stopped(Sweeper(context), stop)
    return 0


def sweep_until_stopped(sweeper: Sweeper, stop: threading.Event) -> None:
    """Play deadlines and repair until `stop` is set or one of the two fails.

    Raises what it failed with. Repairs have a thread of their own, because a queue that is away must not delay a
    deadline.
    """
    failures: list[Exception] = []

    def repair() -> float:
        sweeper.repair_stalled_work()
        return REPAIR_SECONDS

    def guarded(act: Callable[[], float]) -> None:
        try:
            _repeat_until_stopped(act, stop)
        except Exception as failure:
            LOGGER.exception("the sweeper failed")
            failures.append(failure)
            stop.set()

    repairs = threading.Thread(target=guarded, args=(repair,), name="repairs", daemon=True)
    repairs.start()
    guarded(sweeper.play_due_deadlines)
    repairs.join(LONGEST_PAUSE)
    if failures:
        raise failures[0]


def _repeat_until_stopped(act: Callable[[], float], stop: threading.Event) -> None:
    """Repeat `act`, each time after the seconds it returned.

    While the store or the queue is away, the pauses grow.
    """
    pause = 0.0
    while not stop.is_set():
        try:
            wait = act()
            pause = 0.0
        except (StoreUnavailable, RedisError) as away:
            wait = pause = min(max(2 * pause, LOOK_MS / 1000), LONGEST_PAUSE)
            what = "store" if isinstance(away, StoreUnavailable) else "queue"
            LOGGER.warning("the %s is away, trying again in %g s: %s", what, pause, away)
        if is_orphaned():
            stop.set()
        stop.wait(wait)


def is_orphaned() -> bool:
    """Whether the process that started this one is gone.

    Return False if REFEREE_PARENT is not set.
    """
    parent = os.environ.get("REFEREE_PARENT", "")
    return parent.isdecimal() and os.getppid() != int(parent)
