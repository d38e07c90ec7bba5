"""What the jobs of one worker process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from referee.eventstore.contract import MatchLog
from referee.infrastructure.root_publisher import RootPublisher
from referee.repository.proofs import Prover
from referee.service.match_service import MatchService
from workers.projections.public_match import PublicMatches


class JobQueue(Protocol):
    """Where work is put for whoever is free; `workers.queues.Queues` in earnest."""

    def request_drain(self, partition: int) -> None:
        """Asks for a drain of this partition. The caller has found the wake flag unset, and has set it."""

    def request_waiting_drains(self) -> None:
        """Ask for a drain of the partitions that still wait."""

    def mark_drain_running(self) -> None:
        """Note that partitions stirred in the next moments are seen to without another job."""

    def clear_drain_mark(self) -> None:
        """Note that from now on a stirred partition needs a new job."""

    def take_waiting_partitions(self, most: int) -> list[int]:
        """Take up to `most` of the partitions that wait for a drain."""
        ...

    def request_bots(self, match: str, *, again: bool = False) -> bool:
        """Asks for the bots of this match, unless that was done just now; whether it did. `again` asks all the same."""
        ...

    def mark_bots_playing(self, match: str) -> None:
        """A job plays this match's bots now; nobody else need be asked."""

    def clear_bots_mark(self, match: str) -> None:
        """The job is done; whoever finds a bot awaited from now on is to ask."""

    def record_declined_version(self, match: str, version: int) -> None:
        """The bots that are invited at this version were asked and leave things as they are; it may be forgotten."""

    def get_declined_version(self, match: str) -> int:
        """The last version of which that is known; 0 if none is."""
        ...

    def pause_bots(self, match: str) -> None:
        """The bots of this match cannot go on; nobody need ask again for a while."""

    def request_webhooks(self, partition: int) -> None:
        """Asks for webhooks to be sent from this partition, unless that was done just now."""

    def clear_webhooks_mark(self, partition: int) -> None:
        """A job is at it; whoever finds more to send from now on is to ask."""


@dataclass(frozen=True)
class WorkerContext:
    """What the jobs of one process share. `run_id` names the running store server; it changes when that restarts.
    Without a `publisher` no root is published."""

    service: MatchService
    log: MatchLog
    queues: JobQueue
    run_id: Callable[[], str]
    publisher: RootPublisher | None = None
    public_matches: PublicMatches = field(init=False)
    prover: Prover = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "public_matches", PublicMatches(self.log))
        object.__setattr__(self, "prover", Prover(self.log, kept=0))  # each match is looked at once
