"""The queues: how jobs get into them, and the workers that take them out.

One worker serves one queue. On several, it would take jobs by BLPOP without the intermediate queue, and a job could get
lost. `unique=True` is never used: it also rejects a job while one with its id runs, and the wake-up would get lost. The
wake flag in the store keeps jobs few; it expires by itself. For bots, a mark on the queue server does, which names the
job.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import orjson
from rq import Queue, Retry, SimpleWorker, Worker
from rq.job import Job
from rq.worker import BaseWorker
from rq.worker_registration import REDIS_WORKER_KEYS

from referee.infrastructure.composition import (
    CHANGED_PARTITIONS_KEY,
    DRAIN_JOB,
    DRAIN_PENDING_KEY,
    DRAIN_PENDING_MS,
    HINT_KEPT_MS,
    THINKER_QUEUE,
    VERDICT_QUEUE,
    name_hint,
)
from referee.infrastructure.telemetry.tracing import trace_job

DRAIN, BOTS, THINKERS, WEBHOOKS, BUNDLES = "drain", "bots", THINKER_QUEUE, "webhooks", VERDICT_QUEUE
WORKER_TTL = 30  # seconds until a silent worker counts as dead
MAINTENANCE = 5  # seconds between searches for the jobs of dead workers
JOB_TIMEOUT = 120  # seconds; no job should take that long
FAILURE_TTL = 24 * 3600  # seconds that a failed job is kept for inspection
MARK_MS = 3_600_000  # how long a mark names the job that was enqueued
TRUSTED_MS = 5000  # how long a mark holds although its job is not in the queue: a worker may be taking it
PLAYING_MS = 5000  # how long the bots of a match count as playing after their job began
PAUSE_MS = 60_000  # how long they are paused after a failure
PLAYING_MARK, PAUSED_MARK = b"held", b"rest"  # marks that name no job


class ReregisteringWorker(BaseWorker):
    """A worker that registers again on a server that has lost its data.

    Otherwise it would go on working, but readiness and metrics would not count it.
    """

    def run_maintenance_tasks(self) -> None:
        """Register again if needed; called every few seconds, even when idle."""
        if not self.connection.sismember(REDIS_WORKER_KEYS, self.key):
            self.connection.delete(self.key)  # a heartbeat may have written a part of it since
            self.register_birth()  # type: ignore[no-untyped-call]  # the library has no types
        super().run_maintenance_tasks()  # type: ignore[no-untyped-call]  # the library has no types

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Perform a job, and record it as a span where traces are on."""
        with trace_job(queue.name, job.func_name or ""):
            return bool(super().perform_job(job, queue))


class InProcessWorker(ReregisteringWorker, SimpleWorker):
    """A worker whose jobs run in its own process."""


class ForkingWorker(ReregisteringWorker, Worker):
    """A worker whose jobs each run in a fork."""


# Bots compute for long, and a stranger's bundle may do worse: their jobs fork. Bots that search stop by themselves, and
# keep in their process what they remember. The threads that send webhooks outlive their job, so that worker must not
# fork.
WORKER_CLASSES: dict[str, type[BaseWorker]] = {
    DRAIN: InProcessWorker,
    BOTS: ForkingWorker,
    THINKERS: InProcessWorker,
    WEBHOOKS: InProcessWorker,
    BUNDLES: ForkingWorker,
}


class RedisJobQueue:
    """Enqueues jobs in the queues of one server."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._queues = {name: Queue(name, connection=connection) for name in WORKER_CLASSES}

    def request_drain(self, partition: int) -> None:
        """Enqueue a drain of this partition."""
        self._enqueue_job(DRAIN, "workers.queue.drain_partition", partition)

    def mark_drain_running(self) -> None:
        """Record that a drain is running.

        A commit that changes a partition in the next moments enqueues no job.
        """
        self._connection.set(DRAIN_PENDING_KEY, "1", px=DRAIN_PENDING_MS)

    def clear_drain_mark(self) -> None:
        """Record that a changed partition needs a new job from now on."""
        self._connection.delete(DRAIN_PENDING_KEY)

    def take_waiting_partitions(self, most: int) -> list[int]:
        """Take up to `most` of the partitions that wait for a drain."""
        return sorted(map(int, self._connection.spop(CHANGED_PARTITIONS_KEY, most)))

    def put_back_partitions(self, partitions: Sequence[int]) -> None:
        """Let these partitions wait for a drain again."""
        self._connection.sadd(CHANGED_PARTITIONS_KEY, *partitions)

    def request_waiting_drains(self) -> None:
        """Enqueue a job that drains the partitions still waiting."""
        self._enqueue_job(DRAIN, DRAIN_JOB)

    def request_bots(self, match: str, *, again: bool = False, search: bool = False) -> bool:
        """Enqueue a job for the bots of this match, unless one was just enqueued.

        With `again` one is enqueued in any case. Return whether one was. `search`: in the queue of bots that search.
        """
        job, mark = uuid4().hex, self._bots_mark_key(match)
        if not self._connection.set(mark, job, nx=not again, px=MARK_MS):
            if self._is_mark_trusted(mark):
                return False
            self._connection.set(mark, job, px=MARK_MS)
        if search:
            self._enqueue_job(THINKERS, "workers.queue.play_searching_bots", match, job=job)
        else:
            self._enqueue_job(BOTS, "workers.queue.play_match_bots", match, job=job)
        return True

    def count_waiting_thinkers(self) -> int:
        """Return how many jobs wait for bots that search."""
        return int(self._connection.llen(self._queues[THINKERS].key))

    def _is_mark_trusted(self, mark: str) -> bool:
        """Whether a mark holds: its job waits in a queue or may just have been taken.

        Repeated requests must not make a long queue longer, and nobody may wait for a lost job.
        """
        named, left = self._connection.get(mark), self._connection.pttl(mark)
        if named is None:
            return False
        if named in (PLAYING_MARK, PAUSED_MARK) or MARK_MS - left < TRUSTED_MS:
            return True
        return any(self._connection.lpos(self._queues[name].key, named) is not None for name in (BOTS, THINKERS))

    def mark_bots_playing(self, match: str) -> None:
        """Mark the match as being played by its bots."""
        self._connection.set(self._bots_mark_key(match), PLAYING_MARK, px=PLAYING_MS)

    def clear_bots_mark(self, match: str) -> None:
        """Remove the mark of the match."""
        self._connection.delete(self._bots_mark_key(match))

    def record_declined_version(self, match: str, version: int) -> None:
        """Record that all bots invited at this version declined to move."""
        self._connection.set(self._declined_version_key(match), version, px=MARK_MS)

    def get_declined_version(self, match: str) -> int:
        """Return the last version recorded as declined, or 0."""
        return int(self._connection.get(self._declined_version_key(match)) or 0)

    def pause_bots(self, match: str) -> None:
        """Mark the match so that its bots are not asked for a minute."""
        self._connection.set(self._bots_mark_key(match), PAUSED_MARK, px=PAUSE_MS)

    def keep_hint(self, match: str, seat: int, at: int, hint: dict[str, Any]) -> None:
        """Keep a hint for a while, for the player who waits for it."""
        self._connection.set(name_hint(match, seat, at), orjson.dumps(hint), px=HINT_KEPT_MS)

    def request_webhooks(self, partition: int) -> None:
        """Enqueue a job that sends webhooks of this partition.

        Nothing happens if one was just enqueued.
        """
        if self._connection.set(self._webhooks_mark_key(partition), b"asked", nx=True, px=TRUSTED_MS):
            self._enqueue_job(WEBHOOKS, "workers.webhooks.jobs.deliver_due", partition)

    def clear_webhooks_mark(self, partition: int) -> None:
        """Remove the mark of the partition. The job does this first."""
        self._connection.delete(self._webhooks_mark_key(partition))

    @staticmethod
    def _webhooks_mark_key(partition: int) -> str:
        return f"referee:webhooks:{partition}"

    @staticmethod
    def _declined_version_key(match: str) -> str:
        return f"referee:left:{match}"

    @staticmethod
    def _bots_mark_key(match: str) -> str:
        return f"referee:bots:{match}"

    def _enqueue_job(self, name: str, path: str, *arguments: int | str, job: str | None = None) -> None:
        self._queues[name].enqueue_call(
            path,
            args=arguments,
            job_id=job,
            retry=Retry(max=3),
            result_ttl=0,
            failure_ttl=FAILURE_TTL,
            timeout=JOB_TIMEOUT,
        )


def build_worker(name: str, connection: Any) -> BaseWorker:
    """Build the worker of one queue. Raises KeyError if there is none."""
    return WORKER_CLASSES[name](
        [Queue(name, connection=connection)],
        connection=connection,
        default_result_ttl=0,  # also for jobs that were enqueued without it
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE,
    )
