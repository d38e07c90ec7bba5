"""What the jobs of one worker process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from referee.eventstore.contract import MatchLog
from referee.infrastructure.root_publisher import Publisher
from referee.repository.proofs import Prover
from referee.service.match_service import Desk
from workers.projections.public_match import Courses


class Hints(Protocol):
    """Where work is put for whoever is free; `workers.queues.Queues` in earnest."""

    def drain(self, partition: int) -> None:
        """Asks for a drain of this partition. The caller has found the wake flag unset, and has set it."""

    def drain_stirred(self) -> None:
        """Ask for a drain of the partitions that still wait."""

    def drains_go_on(self) -> None:
        """Note that partitions stirred in the next moments are seen to without another job."""

    def drains_end(self) -> None:
        """Note that from now on a stirred partition needs a new job."""

    def stirred(self, most: int) -> list[int]:
        """Take up to `most` of the partitions that wait for a drain."""
        ...

    def bots(self, match: str, *, again: bool = False) -> bool:
        """Asks for the bots of this match, unless that was done just now; whether it did. `again` asks all the same."""
        ...

    def hold(self, match: str) -> None:
        """A job plays this match's bots now; nobody else need be asked."""

    def release(self, match: str) -> None:
        """The job is done; whoever finds a bot awaited from now on is to ask."""

    def leave(self, match: str, version: int) -> None:
        """The bots that are invited at this version were asked and leave things as they are; it may be forgotten."""

    def left(self, match: str) -> int:
        """The last version of which that is known; 0 if none is."""
        ...

    def rest(self, match: str) -> None:
        """The bots of this match cannot go on; nobody need ask again for a while."""

    def webhooks(self, partition: int) -> None:
        """Asks for webhooks to be sent from this partition, unless that was done just now."""

    def unmark_webhooks(self, partition: int) -> None:
        """A job is at it; whoever finds more to send from now on is to ask."""


@dataclass(frozen=True)
class Context:
    """What the jobs of one process share. `run_id` names the running store server; it changes when that restarts.
    Without a `publisher` no root is published."""

    desk: Desk
    log: MatchLog
    queues: Hints
    run_id: Callable[[], str]
    publisher: Publisher | None = None
    courses: Courses = field(init=False)
    prover: Prover = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "courses", Courses(self.log))
        object.__setattr__(self, "prover", Prover(self.log, kept=0))  # each match is looked at once
