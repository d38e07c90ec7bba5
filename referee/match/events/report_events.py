"""Reports of real dice and cards: what is asked about them (corrections, witnesses), and the facts of it.

Of a correction the log holds the corrected move itself, made as the first one was; so `CorrectReport` stands in no
entry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.match.aggregate import LastingTableEvent, Match, MatchRewound, TableEvent
from referee.match.events.dispute_state import PendingWitness
from referee.match.table.rekey import SecretRenewed


@named("table.correct")
@dataclass(frozen=True)
class CorrectReport(Move):
    """Correct the report of entry `about`: `move`, as JSON data, is how it should read. `seats` are those of whoever
    asks, `host` whether he is the host."""

    about: int
    seats: tuple[int, ...]
    host: bool
    move: Any


@named("table.witness")
@dataclass(frozen=True)
class WitnessReport(Move):
    """Say whether a report holds: as `seat`, by somebody who has `seats`, perhaps as the host.

    `saw`: what was seen instead, as JSON data; `move`: how the report should have read, likewise.
    """

    report: int
    seat: int
    seats: tuple[int, ...]
    host: bool
    holds: bool
    saw: Any = None
    move: Any = None


@named("table.witness_late")
@dataclass(frozen=True)
class WitnessDeadline(Move):
    """The time to confirm a report is up."""

    report: int


@named("table.ReportCorrected")
@dataclass(frozen=True)
class ReportCorrected(LastingTableEvent):
    """Whoever made report `about` corrected it; `first` is the report that it was before any correction."""

    about: int
    first: int
    rests: tuple[str, ...]

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rests


def find_first_report(version: int, events: tuple[Event, ...]) -> int:
    """The version of the report that an entry corrects, through all corrections; its own if it corrects none."""
    return next((event.first for event in events if isinstance(event, ReportCorrected)), version)


def split_play_events(events: tuple[Event, ...]) -> tuple[tuple[Event, ...], tuple[Event, ...], tuple[Event, ...]]:
    """The facts of an entry of play: what says that it corrects a report, those of the game, and what it waits for;
    without what is said of a new secret of chance."""
    if events and isinstance(events[-1], SecretRenewed):
        events = events[:-1]
    first = events[0] if events else None
    back = events[1] if len(events) > 1 else None
    corrects = isinstance(first, ReportCorrected) and isinstance(back, MatchRewound) and back.to == first.first - 1
    begins = 2 if corrects else 0
    ends = len(events) - 1 if events and isinstance(events[-1], WitnessAwaited) else len(events)
    return events[:begins], events[begins:ends], events[ends:]


@named("table.WitnessAwaited")
@dataclass(frozen=True)
class WitnessAwaited(TableEvent):
    """Play waits until one of these seats confirms the report, or the time is up."""

    report: int
    asks: tuple[int, ...]
    until_ms: int
    clauses = ("TABLE-REPORT-2",)

    def apply(self, state: Match) -> Match:
        return replace(state, witnessing=PendingWitness(self.report, self.asks, self.until_ms))


@dataclass(frozen=True)
class WitnessSettled(LastingTableEvent):
    """A fact after which a report does not wait to be confirmed any more."""

    report: int

    def apply(self, state: Match) -> Match:
        waits = state.witnessing is not None and state.witnessing.report == self.report
        return replace(state, witnessing=None) if waits else state


@named("table.Witnessed")
@dataclass(frozen=True)
class ReportWitnessed(WitnessSettled):
    """A seat said whether a report holds."""

    seat: int
    holds: bool
    saw: Any = None
    clauses = ("TABLE-REPORT-2",)


@named("table.WitnessWaived")
@dataclass(frozen=True)
class WitnessWaived(WitnessSettled):
    """Nobody contradicted a report in time (`late`), or nobody is there who could (`nobody`): so it stands."""

    why: str
    clauses = ("TABLE-REPORT-2",)
