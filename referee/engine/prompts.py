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
from referee.engine.steps import Step, StepPopped, StepReplaced


@named("clock.timed_out")
@dataclass(frozen=True)
class TimedOut(Move):
    """The time of the open question is up."""


def window_kind_of(step: Step) -> str:
    """The kind of window that a step is: a reaction, or answers that are sealed (`sealed`); empty for all else."""
    return step.window_kind or step.reaction_kind or ("sealed" if step.seals_answers else "")


@dataclass(frozen=True)
class SeatPrompt(Step):
    """A question to one seat. Subclasses give `candidates`, `check` and `decide_move`."""

    seat: int

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return frozenset({Seat(self.seat)})


@dataclass(frozen=True)
class SharedPrompt(Step):
    """A question to several seats at once; whoever has answered is taken from `waiting` (`without_seat`)."""

    waiting: tuple[int, ...]

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        seats = frozenset(map(Seat, self.waiting))
        return seats | {CLOCK} if seats and self.time_limit(state) is not None else seats

    def without_seat(self, seat: int) -> Any:
        """This step with one answer less to wait for; yield it as `StepReplaced`."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepReplaced(self.without_seat(seat))

    def resolve(self, state: Any) -> Iterator[Event]:
        yield StepPopped()


@dataclass(frozen=True)
class RoundPrompt(Step):
    """A question to one seat after the other, in `order`; the first is awaited."""

    order: tuple[int, ...]

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return frozenset(map(Seat, self.order[:1]))

    def with_next_seat(self) -> Any:
        """This step with the next seat to answer; yield it as `StepReplaced`. Resolves once nobody is left."""
        return replace(self, order=self.order[1:])
