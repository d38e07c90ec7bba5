"""Ready-made steps that ask one seat, several at once, or one after the other.

Whom a step asks follows from public knowledge alone. A player without a shield is asked too, because otherwise the
question itself would tell who holds one.
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
    """Return the kind of window that a step opens, or an empty string.

    It is the kind of reaction, or `sealed` for answers that nobody sees before all have answered.
    """
    return step.window_kind or step.reaction_kind or ("sealed" if step.seals_answers else "")


@dataclass(frozen=True)
class SeatPrompt(Step):
    """A question to one seat.

    Subclasses define the candidate moves, their check and effect.
    """

    seat: int

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return frozenset({Seat(self.seat)})


@dataclass(frozen=True)
class SharedPrompt(Step):
    """A question to several seats at once.

    A seat that has answered is removed from `waiting` (`without_seat`).
    """

    waiting: tuple[int, ...]

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        seats = frozenset(map(Seat, self.waiting))
        return seats | {CLOCK} if seats and self.time_limit(state) is not None else seats

    def without_seat(self, seat: int) -> Any:
        """Return the step without this seat in `waiting`, to yield as `StepReplaced`."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepReplaced(self.without_seat(seat))

    def resolve(self, state: Any) -> Iterator[Event]:
        yield StepPopped()


@dataclass(frozen=True)
class RoundPrompt(Step):
    """A question to one seat after the other, in `order`. The first is awaited."""

    order: tuple[int, ...]

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return frozenset(map(Seat, self.order[:1]))

    def with_next_seat(self) -> Any:
        """Return the step waiting for the next seat, to yield as `StepReplaced`.

        The step resolves once nobody is left.
        """
        return replace(self, order=self.order[1:])
