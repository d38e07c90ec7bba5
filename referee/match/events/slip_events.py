"""Slips that a reporter admits and another seat confirms: command and events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Move
from referee.match.aggregate import LastingTableEvent, Match
from referee.match.events.dispute_state import Slip
from referee.match.table.auto_pass import turn_of


@named("table.answer_slip")
@dataclass(frozen=True)
class AnswerSlip(Move):
    """Confirm or deny a slip that somebody has admitted."""

    slip: int
    grant: bool
    seats: tuple[int, ...]  # the seats of the caller


@named("table.retract")
@dataclass(frozen=True)
class RetractReport(Move):
    """Take back the report of entry `about` without saying how it should read."""

    about: int
    seats: tuple[int, ...]  # the seats of the caller
    host: bool  # whether the caller is the host


@named("table.ReportRetracted")
@dataclass(frozen=True)
class ReportRetracted(LastingTableEvent):
    """The reporter took a report back, and the question is open again.

    TABLE-TAP-4: Until the end of the turn that is possible as long as nobody has learned anything by it.
    """

    about: int
    clauses = ("TABLE-TAP-4",)

    def apply(self, state: Match) -> Match:
        return state


@named("table.SlipAdmitted")
@dataclass(frozen=True)
class SlipAdmitted(LastingTableEvent):
    """A reporter said that a report was wrong, and how it should read.

    TABLE-TAP-4: Until the end of the turn a reporter may correct a slip if one other seat confirms it.
    """

    slip: int
    about: int
    first: int  # the report as it was before any correction
    by: int
    move: Any  # JSON data: how the report should read
    asks: tuple[int, ...]
    clauses = ("TABLE-TAP-4",)

    def apply(self, state: Match) -> Match:
        slip = Slip(self.slip, self.about, self.first, self.by, self.move, self.asks, turn=turn_of(state))
        return replace(state, slips=(*state.slips, slip))


@named("table.SlipAnswered")
@dataclass(frozen=True)
class SlipAnswered(LastingTableEvent):
    """Another seat confirmed or denied a slip."""

    slip: int
    seat: int
    grant: bool
    clauses = ("TABLE-TAP-4",)

    def apply(self, state: Match) -> Match:
        stage = "confirmed" if self.grant else "denied"
        slips = tuple(replace(each, stage=stage) if each.number == self.slip else each for each in state.slips)
        return replace(state, slips=slips)
