"""Commands and events of windows that one person passes for all at a real table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.match.aggregate import Match, TableEvent
from referee.match.events.dispute_state import SpokenWindow


@named("table.nobody_reacts")
@dataclass(frozen=True)
class DeclareNoReaction(Move):
    """Say for all people at the table that nobody reacts to a window.

    `goes_on`: what dice or cards have shown since is reported with it.
    """

    by: str  # the number of a seat of the caller, or `host`
    window: str
    goes_on: bool = field(default=False, metadata=OMIT_IF_EMPTY)


@named("table.object")
@dataclass(frozen=True)
class ObjectToSilence(Move):
    """Say as `seat` that it has not passed: it wants to react or to think."""

    seat: int
    window: str


class WindowTalk(TableEvent):
    """An event about who reacts in a window; it changes nothing on the table."""

    __slots__ = ()


@named("table.NobodyReacts")
@dataclass(frozen=True)
class NoReactionDeclared(WindowTalk):
    """Somebody said that nobody reacts to a window.

    TABLE-TAP-1: At a table with real dice or cards one person may say for all that nobody reacts.
    """

    entry: int  # the entry of this event
    window: str
    by: str
    seats: tuple[int, ...]
    until_ms: int | None
    clauses = ("TABLE-TAP-1",)

    def apply(self, state: Match) -> Match:
        kept = () if state.spoken is None or state.spoken.window != self.window else state.spoken.objecting
        return replace(state, spoken=SpokenWindow(self.window, self.by, self.seats, self.until_ms, self.entry, kept))


@named("table.Objected")
@dataclass(frozen=True)
class ObjectionRaised(WindowTalk):
    """A seat said that it has not passed in a window.

    TABLE-TAP-2: Who has not passed says so with one tap, and the window stays open for that seat.
    """

    window: str
    seat: int
    clauses = ("TABLE-TAP-2",)

    def apply(self, state: Match) -> Match:
        was = state.spoken
        if was is None or was.window != self.window:
            was = SpokenWindow(self.window)
        left = tuple(seat for seat in was.seats if seat != self.seat)
        objecting = tuple(sorted({*was.objecting, self.seat}))
        return replace(state, spoken=replace(was, seats=left, objecting=objecting))
