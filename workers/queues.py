"""The queues: putting jobs into them, and the workers that take them out.

One worker serves one queue: on several it would take jobs by BLPOP, without the intermediate queue, and a job could be
lost. `unique=True` is never used: it also rejects while the job runs, and the wake-up would be lost. What keeps jobs
few is the wake flag in the store, which passes by itself, and for bots a mark on the queue server that names the job.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from rq import Queue, Retry, SimpleWorker, Worker
from rq.worker import BaseWorker
from rq.worker_registration import REDIS_WORKER_KEYS

from referee.infrastructure.composition import (
    CHANGED_PARTITIONS_KEY,
    DRAIN_JOB,
    DRAIN_PENDING_KEY,
    DRAIN_PENDING_MS,
    VERDICT_QUEUE,
)

DRAIN, BOTS, WEBHOOKS, BUNDLES = "drain", "bots", "webhooks", VERDICT_QUEUE
WORKER_TTL = 30  # seconds until a worker that died counts as dead
MAINTENANCE = 5  # seconds between looks for jobs that dead workers left
JOB_TIMEOUT = 120  # seconds; no job means to take so long
FAILURE_TTL = 24 * 3600  # seconds that a failed job can be looked at
MARK_MS = 3_600_000  # how long a mark names the job that was asked for
TRUSTED_MS = 5000  # how long it is believed although the job is not in the queue: a worker may just be taking it
PLAYING_MS = 5000  # how long the bots of a match count as playing after their job began
PAUSE_MS = 60_000  # and how long they are left alone after a failure
PLAYING_MARK, PAUSED_MARK = b"held", b"rest"  # what a mark says that names no job


class ReregisteringWorker(BaseWorker):
    """A worker that enters its name anew on a server that has forgotten everything: else it would go on working, and
    readiness and metrics would tell of none."""

    def run_maintenance_tasks(self) -> None:
        """Every few seconds, also while there is nothing to do."""
        if not self.connection.sismember(REDIS_WORKER_KEYS, self.key):
            self.connection.delete(self.key)  # what a heartbeat has written there since is not the whole of it
            self.register_birth()  # type: ignore[no-untyped-call]  # the library has no types
        super().run_maintenance_tasks()  # type: ignore[no-untyped-call]  # the library has no types


class InProcessWorker(ReregisteringWorker, SimpleWorker):
    """A worker whose jobs run in its own process."""


class ForkingWorker(ReregisteringWorker, Worker):
    """A worker whose jobs run in a fork each."""


# bots think long, strangers' bundles may do worse: in a fork of their own; what sends webhooks are threads that outlive
# the job
WORKER_CLASSES: dict[str, type[BaseWorker]] = {
    DRAIN: InProcessWorker,
    BOTS: ForkingWorker,
    WEBHOOKS: InProcessWorker,
    BUNDLES: ForkingWorker,
}


class RedisJobQueue:
    """Puts jobs into the queues of one server."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._queues = {name: Queue(name, connection=connection) for name in WORKER_CLASSES}

    def request_drain(self, partition: int) -> None:
        """Asks for a drain of this partition."""
        self._enqueue_job(DRAIN, "workers.queue.drain_partition", partition)

    def mark_drain_running(self) -> None:
        """Whoever stirs a partition in the next moments is seen to, and need not ask for a job."""
        self._connection.set(DRAIN_PENDING_KEY, "1", px=DRAIN_PENDING_MS)

    def clear_drain_mark(self) -> None:
        """Whoever stirs a partition from now on asks for a new job."""
        self._connection.delete(DRAIN_PENDING_KEY)

    def take_waiting_partitions(self, most: int) -> list[int]:
        """Takes some of the partitions that wait for a drain."""
        return sorted(map(int, self._connection.spop(CHANGED_PARTITIONS_KEY, most)))

    def request_waiting_drains(self) -> None:
        """Asks for a drain of the partitions that still wait."""
        self._enqueue_job(DRAIN, DRAIN_JOB)

    def request_bots(self, match: str, *, again: bool = False) -> bool:
        """Asks for the bots of this match, unless that was done just now; whether it asked."""
        job, mark = uuid4().hex, self._bots_mark_key(match)
        if not self._connection.set(mark, job, nx=not again, px=MARK_MS):
            if self._is_mark_trusted(mark):
                return False
            self._connection.set(mark, job, px=MARK_MS)
        self._enqueue_job(BOTS, "workers.queue.play_match_bots", match, job=job)
        return True

    def _is_mark_trusted(self, mark: str) -> bool:
        """Whether a mark can be believed: its job waits in the queue, or may just have been taken from it.

        A long queue must not be made longer by those who ask again, nor may a lost job be waited for.
        """
        named, left = self._connection.get(mark), self._connection.pttl(mark)
        if named is None:
            return False
        if named in (PLAYING_MARK, PAUSED_MARK) or MARK_MS - left < TRUSTED_MS:
            return True
        return self._connection.lpos(self._queues[BOTS].key, named) is not None

    def mark_bots_playing(self, match: str) -> None:
        """Marks the match as being played by its bots."""
        self._connection.set(self._bots_mark_key(match), PLAYING_MARK, px=PLAYING_MS)

    def clear_bots_mark(self, match: str) -> None:
        """Takes the mark away."""
        self._connection.delete(self._bots_mark_key(match))

    def record_declined_version(self, match: str, version: int) -> None:
        """Notes that the bots which are invited at this version leave things as they are."""
        self._connection.set(self._declined_version_key(match), version, px=MARK_MS)

    def get_declined_version(self, match: str) -> int:
        """The last version at which they did so; 0 if none is known."""
        return int(self._connection.get(self._declined_version_key(match)) or 0)

    def pause_bots(self, match: str) -> None:
        """Marks the match so that its bots are left alone for a minute."""
        self._connection.set(self._bots_mark_key(match), PAUSED_MARK, px=PAUSE_MS)

    def request_webhooks(self, partition: int) -> None:
        """Asks for webhooks to be sent from this partition, unless that was done just now."""
        if self._connection.set(self._webhooks_mark_key(partition), b"asked", nx=True, px=TRUSTED_MS):
            self._enqueue_job(WEBHOOKS, "workers.webhooks.jobs.deliver_due", partition)

    def clear_webhooks_mark(self, partition: int) -> None:
        """Takes that mark away: the first thing that the job does."""
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
    """A worker for one queue. Raises KeyError if there is no such queue."""
    return WORKER_CLASSES[name](
        [Queue(name, connection=connection)],
        connection=connection,
        default_result_ttl=0,  # also for jobs that others enqueued without saying so
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE,
    )
