"""What the jobs of one worker process share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.eventstore.contract import MatchLog
from referee.infrastructure.root_publisher import RootPublisher
from referee.repository.proofs import Prover
from referee.service.match_service import MatchService
from referee.service.tournament_service import TournamentService
from workers.bots.recall_cache import RecallCache
from workers.projections.public_match import PublicMatches


class JobQueue(Protocol):
    """The queue in which workers find jobs.

    The real one is `workers.queues.RedisJobQueue`.
    """

    def request_drain(self, partition: int) -> None:
        """Enqueue a drain of this partition.

        The caller has found the wake flag unset and has set it.
        """

    def request_waiting_drains(self) -> None:
        """Enqueue a job that drains the partitions still waiting."""

    def mark_drain_running(self) -> None:
        """Record that a drain is running.

        It serves partitions that change in the next moments, so they need no job of their own.
        """

    def clear_drain_mark(self) -> None:
        """Record that a changed partition needs a new job from now on."""

    def take_waiting_partitions(self, most: int) -> list[int]:
        """Take up to `most` of the partitions that wait for a drain."""
        ...

    def put_back_partitions(self, partitions: Sequence[int]) -> None:
        """Let these partitions wait for a drain again."""

    def request_bots(self, match: str, *, again: bool = False, search: bool = False) -> bool:
        """Enqueue a job for the bots of this match, unless one was just enqueued.

        With `again` one is enqueued in any case. Return whether one was. `search`: in the queue of bots that search.
        """
        ...

    def count_waiting_thinkers(self) -> int:
        """Return how many jobs wait for bots that search."""
        ...

    def mark_bots_playing(self, match: str) -> None:
        """Record that a job is playing the bots of this match.

        Nobody else has to enqueue one.
        """

    def clear_bots_mark(self, match: str) -> None:
        """Record that the job for the bots of this match is done.

        From now on, a caller that finds a bot awaited has to enqueue a new one.
        """

    def record_declined_version(self, match: str, version: int) -> None:
        """Record that all bots invited at this version declined to move.

        The record may get lost.
        """

    def get_declined_version(self, match: str) -> int:
        """Return the last version recorded as declined, or 0."""
        ...

    def pause_bots(self, match: str) -> None:
        """Record that the bots of this match cannot go on.

        No job is enqueued for them for a while.
        """

    def keep_hint(self, match: str, seat: int, at: int, hint: dict[str, Any]) -> None:
        """Keep a hint for a while, for the player who waits for it."""

    def request_webhooks(self, partition: int) -> None:
        """Enqueue a job that sends webhooks of this partition.

        Nothing happens if one was just enqueued.
        """

    def clear_webhooks_mark(self, partition: int) -> None:
        """Record that a job is sending webhooks of this partition.

        From now on, a caller that finds more to send has to enqueue a new one.
        """


@dataclass(frozen=True)
class WorkerContext:
    """What the jobs of one worker process share.

    - `run_id`: returns the id of the running store server, which changes when that restarts.
    - `publisher`: publishes final roots; without one, none are published.
    - `secret`: from which tokens are made; without it, matches follow their tournaments only when somebody looks.
    """

    service: MatchService
    log: MatchLog
    queues: JobQueue
    run_id: Callable[[], str]
    publisher: RootPublisher | None = None
    secret: bytes = b""
    tournaments: TournamentService = field(init=False)
    public_matches: PublicMatches = field(init=False)
    prover: Prover = field(init=False)
    recalls: RecallCache = field(init=False, default_factory=RecallCache)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tournaments", TournamentService(self.service))
        object.__setattr__(self, "public_matches", PublicMatches(self.log))
        object.__setattr__(self, "prover", Prover(self.log, kept=0))  # each match is read only once
