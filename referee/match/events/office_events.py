"""Commands and events of officials: named, accepted, called, office lost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.match.aggregate import LastingTableEvent, Match
from referee.match.table.office_state import Official, OfficialCall


@named("table.name_official")
@dataclass(frozen=True)
class NameOfficial(Move):
    """Name a person as an official; `seats` are those that the person holds already."""

    role: str
    person: str
    seats: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    opened: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # it is the person who opened the match


@named("table.answer_official")
@dataclass(frozen=True)
class AnswerOfficial(Move):
    """Accept or refuse an official; `by` are the seats that answer."""

    official: int
    grant: bool
    by: tuple[int, ...]


@named("table.resign_office")
@dataclass(frozen=True)
class ResignOffice(Move):
    """Give an office back."""

    official: int


@named("table.call_official")
@dataclass(frozen=True)
class CallOfficial(Move):
    """Call an official to the table as seat `by`."""

    by: int
    reason: str


@named("table.answer_call")
@dataclass(frozen=True)
class AnswerCall(Move):
    """Answer a call as an official."""

    call: int
    official: int


@named("table.withdraw_call")
@dataclass(frozen=True)
class WithdrawCall(Move):
    """Withdraw a call as the seat that made it."""

    call: int
    by: int


@named("table.call_late")
@dataclass(frozen=True)
class CallDeadline(Move):
    """Close a call because its time is up."""

    call: int


def _update_official(match: Match, number: int, **changes: Any) -> Match:
    after = (replace(each, **changes) if each.number == number else each for each in match.officials)
    return replace(match, offices=replace(match.offices, named=tuple(after)))


@named("table.OfficialNamed")
@dataclass(frozen=True)
class OfficialNamed(LastingTableEvent):
    """Somebody who does not play was named as an official."""

    official: int
    role: str
    person: str
    clauses = ("TABLE-OFFICE-1",)

    def apply(self, state: Match) -> Match:
        named = (*state.officials, Official(self.official, self.role, self.person))
        return replace(state, offices=replace(state.offices, named=named))


@named("table.OfficialAccepted")
@dataclass(frozen=True)
class OfficialAccepted(LastingTableEvent):
    """Seats accepted an official."""

    official: int
    by: tuple[int, ...]
    clauses = ("TABLE-OFFICE-2",)

    def apply(self, state: Match) -> Match:
        (asked,) = (each for each in state.officials if each.number == self.official)
        accepted = tuple(sorted({*asked.accepted, *self.by}))
        refused = tuple(seat for seat in asked.refused if seat not in self.by)
        return _update_official(state, self.official, accepted=accepted, refused=refused)


@named("table.OfficialRefused")
@dataclass(frozen=True)
class OfficialRefused(LastingTableEvent):
    """Seats refused an official."""

    official: int
    by: tuple[int, ...]
    clauses = ("TABLE-OFFICE-2",)

    def apply(self, state: Match) -> Match:
        (asked,) = (each for each in state.officials if each.number == self.official)
        refused = tuple(sorted({*asked.refused, *self.by}))
        accepted = tuple(seat for seat in asked.accepted if seat not in self.by)
        return _update_official(state, self.official, accepted=accepted, refused=refused)


@named("table.OfficeLost")
@dataclass(frozen=True)
class OfficeLost(LastingTableEvent):
    """An official took a seat, and so is none any more."""

    official: int
    seat: int
    clauses = ("TABLE-OFFICE-3",)

    def apply(self, state: Match) -> Match:
        return _update_official(state, self.official, left=True)


@named("table.OfficeResigned")
@dataclass(frozen=True)
class OfficeResigned(LastingTableEvent):
    """An official gave the office back.

    The disputes in `waiting` waited for an official, and nobody else is one: their time is up at `at_ms`.
    """

    official: int
    at_ms: int
    waiting: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses = ("TABLE-OFFICE-5",)

    def apply(self, state: Match) -> Match:
        after = _update_official(state, self.official, left=True)
        disputes = (
            replace(each, until_ms=self.at_ms) if each.number in self.waiting else each for each in after.disputes
        )
        return replace(after, disputes=tuple(disputes))


def _close_call(match: Match, number: int, stage: str, official: int | None = None) -> Match:
    offices = match.offices
    closed = (
        replace(each, stage=stage, official=official) if each.number == number else each for each in offices.calls
    )
    return replace(match, offices=replace(offices, calls=tuple(closed)))


@named("table.OfficialCalled")
@dataclass(frozen=True)
class OfficialCalled(LastingTableEvent):
    """A seat called an official; play and its clock stop.

    `left_ms` is what was left of the open question's time.
    """

    call: int
    by: int
    reason: str
    at_ms: int
    until_ms: int
    left_ms: int | None = None
    clauses = ("TABLE-CALL-1",)

    def apply(self, state: Match) -> Match:
        left = state.left_ms if state.is_halted else self.left_ms
        made = OfficialCall(self.call, self.by, self.reason, self.at_ms, self.until_ms)
        calls = (*state.offices.calls, made)
        return replace(state, offices=replace(state.offices, calls=calls), left_ms=left)


@named("table.CallAnswered")
@dataclass(frozen=True)
class CallAnswered(LastingTableEvent):
    """An official answered a call."""

    call: int
    official: int
    clauses = ("TABLE-CALL-2",)

    def apply(self, state: Match) -> Match:
        return _close_call(state, self.call, "answered", self.official)


@named("table.CallWithdrawn")
@dataclass(frozen=True)
class CallWithdrawn(LastingTableEvent):
    """The seat that had called an official withdrew the call."""

    call: int
    clauses = ("TABLE-CALL-2",)

    def apply(self, state: Match) -> Match:
        return _close_call(state, self.call, "withdrawn")


@named("table.CallExpired")
@dataclass(frozen=True)
class CallExpired(LastingTableEvent):
    """No official answered a call in time."""

    call: int
    clauses = ("TABLE-CALL-2",)

    def apply(self, state: Match) -> Match:
        return _close_call(state, self.call, "expired")


@named("table.CallMoot")
@dataclass(frozen=True)
class CallMoot(LastingTableEvent):
    """A call closed by itself: the match ended, or nobody is left to answer."""

    call: int
    clauses = ("TABLE-CALL-4",)

    def apply(self, state: Match) -> Match:
        return _close_call(state, self.call, "moot")
