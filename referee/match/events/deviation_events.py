"""Commands and events of deviations: moves against the rules that happened anyway."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, decode_named, encode, named
from referee.engine.events import Event, Move
from referee.engine.seats import FULL_VIEWER
from referee.match.aggregate import LastingTableEvent, Match, TableEvent
from referee.match.events.dispute_state import Deviation, redact_corrections


@named("table.deviate")
@dataclass(frozen=True)
class RecordDeviation(Move):
    """Record that a seat made a move although the rules forbid it."""

    by: str  # `host` or `arbiter`
    seats: tuple[int, ...]  # the seats that the caller holds
    seat: int
    move: Any  # JSON data
    cites: tuple[str, ...]  # the clauses that it broke
    reason: str
    fix: tuple[Any, ...] = ()  # the result of the move, as corrections by hand
    official: int | None = field(default=None, metadata=OMIT_IF_EMPTY)  # the number of the official who records it
    house: int = field(default=0, metadata=OMIT_IF_EMPTY)  # the entry of the house ruling that allows it; 0: none

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the command with the move as the viewer may know it.

        Corrections by hand are left out; their result shows in the table.
        """
        if seat == FULL_VIEWER or seat in self.seats:
            return self
        return replace(self, move=redact_move(self.move, seat, self.seat), fix=())


@named("table.consent_deviation")
@dataclass(frozen=True)
class AnswerDeviation(Move):
    """Say yes or no to a deviation; `by` are the seats that answer."""

    deviation: int
    grant: bool
    by: tuple[int, ...]


def redact_move(data: Any, viewer: int, seat: int) -> Any:
    """Return a move (JSON data) as the viewer may know it; None if nothing of it."""
    if data is None or viewer == FULL_VIEWER:
        return data
    seen = decode_named(data, Move).view_for(viewer, seat)
    return None if seen is None else encode(seen)


def update_deviation(match: Match, number: int, change: Callable[[Deviation], Deviation]) -> Match:
    """Return the match with one deviation changed."""
    changed = tuple(change(each) if each.number == number else each for each in match.deviations)
    return replace(match, deviations=changed)


@named("table.DeviationAsked")
@dataclass(frozen=True)
class DeviationRequested(LastingTableEvent):
    """The table is asked to let a move against the rules stand."""

    deviation: int
    by: str
    seat: int
    move: Any
    cites: tuple[str, ...]
    reason: str
    fix: tuple[Any, ...]
    asks: tuple[int, ...]
    granted: tuple[int, ...]
    house: int = field(default=0, metadata=OMIT_IF_EMPTY)
    shown: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # the corrections that everybody is shown
    attended: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # a house ruling allows it, and others were there
    # Everybody sees the corrections as far as they see the cards; else only if `shown` names some.
    unfolded: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses = ("TABLE-DEVIATION-2",)

    def apply(self, state: Match) -> Match:
        deviation = Deviation(
            self.deviation, self.by, self.seat, self.move, self.cites, self.reason, self.fix, self.asks, self.granted,
            house=self.house, shown=self.shown, attended=self.attended,
        )  # fmt: skip
        return replace(state, deviations=(*state.deviations, deviation))

    def view_for(self, seat: int) -> Event:
        if seat == FULL_VIEWER or seat in self.granted:
            return self
        fix = redact_corrections(self.fix, seat, self.shown) if self.shown or self.unfolded else ()
        return replace(self, move=redact_move(self.move, seat, self.seat), fix=fix)


@named("table.DeviationGranted")
@dataclass(frozen=True)
class DeviationGranted(LastingTableEvent):
    """Seats agreed to a deviation."""

    deviation: int
    by: tuple[int, ...]
    clauses = ("TABLE-DEVIATION-2",)

    def apply(self, state: Match) -> Match:
        def granted(deviation: Deviation) -> Deviation:
            return replace(deviation, granted=tuple(sorted({*deviation.granted, *self.by})))

        return update_deviation(state, self.deviation, granted)


@named("table.DeviationRefused")
@dataclass(frozen=True)
class DeviationRefused(LastingTableEvent):
    """A seat did not agree, so the move counts as not made."""

    deviation: int
    by: tuple[int, ...]
    clauses = ("TABLE-DEVIATION-2",)

    def apply(self, state: Match) -> Match:
        return update_deviation(state, self.deviation, lambda deviation: replace(deviation, stage="refused"))


@named("table.Deviated")
@dataclass(frozen=True)
class DeviationRecorded(TableEvent):
    """A seat made a move against the rules, and it stands.

    A rewind undoes the move; its entry stays readable.

    TABLE-DEVIATION-1: A move against the rules that happened all the same can be recorded, with the clauses that it
    broke; it then stands.
    """

    deviation: int
    by: str
    seat: int
    move: Any
    cites: tuple[str, ...]  # the clauses that it broke, as `by` says
    against: tuple[str, ...]  # the clauses that the referee names, judging by the public view
    reason: str
    clauses = ("TABLE-DEVIATION-1",)

    def without_refusal(self) -> DeviationRecorded:
        return replace(self, against=())

    def apply(self, state: Match) -> Match:
        return update_deviation(state, self.deviation, lambda deviation: replace(deviation, stage="recorded"))

    def view_for(self, seat: int) -> Event:
        return replace(self, move=redact_move(self.move, seat, self.seat))
