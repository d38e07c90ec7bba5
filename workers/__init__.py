"""The workers: what is done after a move was answered. Views of the logs, bots, deadlines, and healing what was lost.

Nothing here is ever the truth. Jobs take ids, may run twice, may get lost, and read what they need from the store.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from referee.desk.proving import Prover
from workers.courses import Courses

if TYPE_CHECKING:
    from referee.desk.desk import Desk
    from referee.hosting.publishing import Publisher
    from referee.store.base import MatchLog


class Hints(Protocol):
    """Where work is put for whoever is free; `workers.queue.Queues` in earnest."""

    def drain(self, partition: int) -> None:
        """Asks for a drain of this partition. The caller has found the wake flag unset, and has set it."""

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


_context: Context | None = None


def context() -> Context:
    """The context of this process, made from the environment when first asked for; a forked child keeps its parent's.

    Raises HostError where the settings name no store or no queue.
    """
    global _context
    if _context is None:
        from workers.wiring import wired

        _context = wired()
    return _context


def use(given: Context | None) -> None:
    """Puts another context in place: tests hand in their own, None forgets it."""
    global _context
    _context = given
