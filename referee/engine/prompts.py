"""Ready-made questions: of one seat, of several at once, of one after the other.

Who is asked follows from public knowledge alone: also ask the player who holds no shield, or the question tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import Became, Closed, Step


@named("clock.timed_out")
@dataclass(frozen=True)
class TimedOut(Move):
    """The time of the open question is up."""


def kind_of(step: Step) -> str:
    """The kind of window that a step is: a reaction, or answers that are sealed (`sealed`); empty for all else."""
    return step.window or step.reaction or ("sealed" if step.sealed else "")


@dataclass(frozen=True)
class Ask(Step):
    """A question to one seat. Subclasses give `candidates`, `check` and `decide`."""

    seat: int

    def awaits(self, state: Any) -> frozenset[Seat]:
        return frozenset({Seat(self.seat)})


@dataclass(frozen=True)
class AskAll(Step):
    """A question to several seats at once; whoever has answered is taken from `waiting` (`answered`)."""

    waiting: tuple[int, ...]

    def awaits(self, state: Any) -> frozenset[Seat]:
        seats = frozenset(map(Seat, self.waiting))
        return seats | {CLOCK} if seats and self.thinking(state) is not None else seats

    def answered(self, seat: int) -> Any:
        """This step with one answer less to wait for; yield it as `Became`."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def decide(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield Became(self.answered(seat))

    def resolve(self, state: Any) -> Iterator[Event]:
        yield Closed()


@dataclass(frozen=True)
class AskRound(Step):
    """A question to one seat after the other, in `order`; the first is awaited."""

    order: tuple[int, ...]

    def awaits(self, state: Any) -> frozenset[Seat]:
        return frozenset(map(Seat, self.order[:1]))

    def next(self) -> Any:
        """This step with the next seat to answer; yield it as `Became`. Resolves once nobody is left."""
        return replace(self, order=self.order[1:])
