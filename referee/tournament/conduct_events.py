"""Events of a tournament: calls, claims, deck checks, penalties and appeals.

What only officials and the player concerned may know is left out of what others see: such a field is None, and not
encoded. Such an event applies to what they know as well: they see that something was recorded, not of whom. Logs of
earlier versions have values there that say nothing (`former_views.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, OMIT_IF_HIDDEN, named
from referee.engine.events import Event
from referee.engine.seats import FULL_VIEWER
from referee.tournament.events import find_table
from referee.tournament.penalties import PRIVATE_GRADES
from referee.tournament.state import Appeal, Call, ClaimedItem, DeckCheck, Penalty, PendingLoss, Tournament

UNKNOWN_PLAYER = -1  # in the state, of what is hidden from a viewer


@named("tournament.OfficerCalled")
@dataclass(frozen=True)
class OfficerCalled(Event):
    """A table called an official.

    If that `stops` its time, then until `until_ms` at most.
    """

    call: int
    round: int
    table: int
    player: int
    reason: str
    at_ms: int
    until_ms: int
    stops: bool
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-CALL-1",)

    def apply(self, state: Tournament) -> Tournament:
        call = Call(self.call, self.round, self.table, self.player, self.reason, self.at_ms, self.until_ms, self.stops)
        return replace(state, calls=(*state.calls, call))


@named("tournament.CallEnded")
@dataclass(frozen=True)
class CallEnded(Event):
    """A call was answered or withdrawn."""

    call: int
    how: str
    officer: int | None = None
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-CALL-2",)

    def apply(self, state: Tournament) -> Tournament:
        calls = (
            replace(each, ended=self.how, answered_by=self.officer) if each.number == self.call else each
            for each in state.calls
        )
        return replace(state, calls=tuple(calls))


@named("tournament.WaitReturned")
@dataclass(frozen=True)
class WaitReturned(Event):
    """A table got the time back for which a call of an official stopped its match."""

    round: int
    table: int
    call: int
    extra_ms: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-CALL-3",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        waits, extra_ms = (*table.waits, self.call), table.extra_ms + self.extra_ms
        return state.with_table(self.round, replace(table, waits=waits, extra_ms=extra_ms))


@named("tournament.ItemClaimed")
@dataclass(frozen=True)
class ItemClaimed(Event):
    """An official looks after an item of the queue."""

    item: str
    officer: int
    until_ms: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-QUEUE-1",)

    def apply(self, state: Tournament) -> Tournament:
        others = tuple(each for each in state.claims if each.item != self.item)
        return replace(state, claims=(*others, ClaimedItem(self.item, self.officer, self.until_ms)))


@named("tournament.ItemReleased")
@dataclass(frozen=True)
class ItemReleased(Event):
    """An official leaves an item of the queue to others."""

    item: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-QUEUE-1",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, claims=tuple(each for each in state.claims if each.item != self.item))


@named("tournament.DeckChecked")
@dataclass(frozen=True)
class DeckChecked(Event):
    """An official compared a player's cards with the deposited deck."""

    check: int
    player: int | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    officer: int
    matches: bool | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    missing: dict[str, int] | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    foreign: dict[str, int] | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-DECK-2",)

    def apply(self, state: Tournament) -> Tournament:
        player = UNKNOWN_PLAYER if self.player is None else self.player
        made = DeckCheck(self.check, player, self.officer, self.matches, self.missing or {}, self.foreign or {})
        return replace(state, checks=(*state.checks, made))

    def view_for(self, seat: int) -> Event:
        if seat in (FULL_VIEWER, self.player):
            return self
        return replace(self, player=None, matches=None, missing=None, foreign=None)


@named("tournament.PenaltyGiven")
@dataclass(frozen=True)
class PenaltyGiven(Event):
    """An official gave a player a penalty."""

    penalty: int
    player: int | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    infraction: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    grade: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    proposed: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    officer: int
    at_ms: int
    round: int | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    table: int | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    fix: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    because: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-1",)

    def apply(self, state: Tournament) -> Tournament:
        given = Penalty(
            self.penalty, UNKNOWN_PLAYER if self.player is None else self.player, self.infraction or "",
            self.grade or "", self.proposed or "", self.officer, self.at_ms, self.round or 0, self.table or 0,
            self.fix or "", self.because or "",
        )  # fmt: skip
        return replace(state, penalties=(*state.penalties, given))

    def view_for(self, seat: int) -> Event:
        if seat in (FULL_VIEWER, self.player):
            return self
        shown = replace(self, infraction=None, proposed=None, fix=None, because=None)
        if self.grade in PRIVATE_GRADES:
            return replace(shown, player=None, grade=None, round=None, table=None)
        return shown


@named("tournament.PenaltyExpunged")
@dataclass(frozen=True)
class PenaltyExpunged(Event):
    """A penalty was taken back, by an official or (0) by a committee."""

    penalty: int
    officer: int
    because: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-5",)

    def apply(self, state: Tournament) -> Tournament:
        return set_penalty_stage(state, self.penalty, "expunged")

    def view_for(self, seat: int) -> Event:
        return self if seat == FULL_VIEWER else replace(self, because=None)


@named("tournament.LossSet")
@dataclass(frozen=True)
class LossSet(Event):
    """A loss by a penalty waits for the player's next table."""

    player: int
    penalty: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-4",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, losses=(*state.losses, PendingLoss(self.player, self.penalty)))


@named("tournament.LossTaken")
@dataclass(frozen=True)
class LossTaken(Event):
    """A loss that waited was carried out, or fell away with its penalty."""

    penalty: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-4",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, losses=tuple(each for each in state.losses if each.penalty != self.penalty))


@named("tournament.AppealOpened")
@dataclass(frozen=True)
class AppealOpened(Event):
    """A player appealed against a ruling; `committee` decides, without who ruled.

    `is_open`: everybody may know who appeals, because what it is about concerns nobody in secret.
    """

    appeal: int
    player: int | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    about: int
    kind: str
    ruled_by: int
    committee: tuple[int, ...]
    until_ms: int
    reason: str | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    is_open: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-APPEAL-1", "TOURNAMENT-APPEAL-2")

    def apply(self, state: Tournament) -> Tournament:
        opened = Appeal(
            self.appeal, UNKNOWN_PLAYER if self.player is None else self.player, self.about, self.kind, self.ruled_by,
            self.committee, self.until_ms, reason=self.reason or "", is_open=self.is_open,
        )  # fmt: skip
        state = replace(state, appeals=(*state.appeals, opened))
        return set_penalty_stage(state, self.about, "appealed") if self.kind == "penalty" else state

    def view_for(self, seat: int) -> Event:
        if seat in (FULL_VIEWER, self.player):
            return self
        return replace(self, player=self.player if self.is_open else None, reason=None)


@named("tournament.AppealVoted")
@dataclass(frozen=True)
class AppealVoted(Event):
    """A member of a committee voted; how, only officials learn."""

    appeal: int
    officer: int
    overturn: bool | None = field(default=None, metadata=OMIT_IF_HIDDEN, kw_only=True)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-APPEAL-3",)

    def apply(self, state: Tournament) -> Tournament:
        appeals = (
            replace(each, votes=(*each.votes, (self.officer, self.overturn))) if each.number == self.appeal else each
            for each in state.appeals
        )
        return replace(state, appeals=tuple(appeals))

    def view_for(self, seat: int) -> Event:
        return self if seat == FULL_VIEWER else replace(self, overturn=None)


@named("tournament.AppealDecided")
@dataclass(frozen=True)
class AppealDecided(Event):
    """A committee decided: the ruling is upheld, or overturned."""

    appeal: int
    overturned: bool
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-APPEAL-3",)

    def apply(self, state: Tournament) -> Tournament:
        (found,) = (each for each in state.appeals if each.number == self.appeal)
        stage = "overturned" if self.overturned else "upheld"
        appeals = tuple(replace(each, stage=stage) if each is found else each for each in state.appeals)
        state = replace(state, appeals=appeals)
        return set_penalty_stage(state, found.about, "given") if found.kind == "penalty" else state


def set_penalty_stage(state: Tournament, penalty: int, stage: str) -> Tournament:
    """Return the tournament with a penalty in another stage."""
    found = (replace(each, stage=stage) if each.number == penalty else each for each in state.penalties)
    return replace(state, penalties=tuple(found))
