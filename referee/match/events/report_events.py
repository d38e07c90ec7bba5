"""Reports of real dice and cards: commands and events of corrections, witnesses.

The log holds a correction as the corrected move itself, made as the first one was. So no entry holds a `CorrectReport`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.match.aggregate import LastingTableEvent, Match, MatchRewound, TableEvent
from referee.match.events.dispute_state import PendingWitness
from referee.match.table.player_entropy import LinkRevealed
from referee.match.table.rekey import DrawsCounted, SecretRenewed
from referee.match.table.signed_moves import MoveSigned

PROOF_EVENTS = (LinkRevealed, MoveSigned, DrawsCounted, SecretRenewed)  # of any entry: about draws and signatures


@named("table.correct")
@dataclass(frozen=True)
class CorrectReport(Move):
    """Correct the report of entry `about`."""

    about: int
    seats: tuple[int, ...]  # the seats of the caller
    host: bool  # whether the caller is the host
    move: Any  # JSON data: how the report should read


@named("table.witness")
@dataclass(frozen=True)
class WitnessReport(Move):
    """Say as `seat` whether a report holds."""

    report: int
    seat: int
    seats: tuple[int, ...]  # the seats of the caller
    host: bool  # whether the caller is the host
    holds: bool
    saw: Any = None  # JSON data: what was seen instead
    move: Any = None  # JSON data: how the report should have read


@named("table.witness_late")
@dataclass(frozen=True)
class WitnessDeadline(Move):
    """Let a report stand because the time to confirm it is up."""

    report: int


@named("table.ReportCorrected")
@dataclass(frozen=True)
class ReportCorrected(LastingTableEvent):
    """The reporter corrected report `about`.

    `first` is the report as it was before any correction.
    """

    about: int
    first: int
    rests: tuple[str, ...]

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rests


def find_first_report(version: int, events: tuple[Event, ...]) -> int:
    """Return the version of the report that an entry corrects; its own if none.

    A report may have been corrected several times; this is the first.
    """
    return next((event.first for event in events if isinstance(event, ReportCorrected)), version)


def split_play_events(events: tuple[Event, ...]) -> tuple[tuple[Event, ...], tuple[Event, ...], tuple[Event, ...]]:
    """Split the events of an entry of play into three parts.

    They are the events of a correction, those of the game, and the awaited witness. Those about the server's draws are
    left out.
    """
    events = tuple(event for event in events if not isinstance(event, PROOF_EVENTS))
    first = events[0] if events else None
    back = events[1] if len(events) > 1 else None
    corrects = isinstance(first, ReportCorrected) and isinstance(back, MatchRewound) and back.to == first.first - 1
    begins = 2 if corrects else 0
    ends = len(events) - 1 if events and isinstance(events[-1], WitnessAwaited) else len(events)
    return events[:begins], events[begins:ends], events[ends:]


@named("table.WitnessAwaited")
@dataclass(frozen=True)
class WitnessAwaited(TableEvent):
    """Play waits until one of these seats confirms the report, or the time is up.

    TABLE-REPORT-2: Where a match asks for witnesses, play waits after a report until somebody else at the table
    confirms it or the time to answer is up.
    """

    report: int
    asks: tuple[int, ...]
    until_ms: int
    clauses = ("TABLE-REPORT-2",)

    def apply(self, state: Match) -> Match:
        return replace(state, witnessing=PendingWitness(self.report, self.asks, self.until_ms))


@dataclass(frozen=True)
class WitnessSettled(LastingTableEvent):
    """An event after which a report no longer waits for a witness."""

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
    """A report stands without a witness.

    `why`: nobody contradicted it in time (`late`), or nobody is there who could (`nobody`).
    """

    why: str
    clauses = ("TABLE-REPORT-2",)
