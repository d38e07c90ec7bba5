"""Events of a tournament: calls, claims, deck checks, penalties and appeals.

What only officials and the player concerned may know is left out of what others see. Such an event applies to what
they know as well: they see that something was recorded, not of whom.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.seats import FULL_VIEWER
from referee.tournament.penalties import PRIVATE_GRADES
from referee.tournament.state import Appeal, Call, ClaimedItem, DeckCheck, Penalty, PendingLoss, Tournament

UNKNOWN_PLAYER = -1  # of what is hidden from a viewer


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
    player: int
    officer: int
    matches: bool
    missing: dict[str, int] = field(default_factory=dict)
    foreign: dict[str, int] = field(default_factory=dict)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-DECK-2",)

    def apply(self, state: Tournament) -> Tournament:
        made = DeckCheck(self.check, self.player, self.officer, self.matches, self.missing, self.foreign)
        return replace(state, checks=(*state.checks, made))

    def view_for(self, seat: int) -> Event:
        if seat in (FULL_VIEWER, self.player):
            return self
        return replace(self, player=UNKNOWN_PLAYER, matches=True, missing={}, foreign={})


@named("tournament.PenaltyGiven")
@dataclass(frozen=True)
class PenaltyGiven(Event):
    """An official gave a player a penalty."""

    penalty: int
    player: int
    infraction: str
    grade: str
    proposed: str
    officer: int
    at_ms: int
    round: int = 0
    table: int = 0
    fix: str = ""
    because: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-1",)

    def apply(self, state: Tournament) -> Tournament:
        given = Penalty(
            self.penalty, self.player, self.infraction, self.grade, self.proposed, self.officer, self.at_ms,
            self.round, self.table, self.fix, self.because,
        )  # fmt: skip
        return replace(state, penalties=(*state.penalties, given))

    def view_for(self, seat: int) -> Event:
        if seat in (FULL_VIEWER, self.player):
            return self
        shown = replace(self, infraction="", proposed="", fix="", because="")
        if self.grade in PRIVATE_GRADES:
            return replace(shown, player=UNKNOWN_PLAYER, grade="", round=0, table=0)
        return shown


@named("tournament.PenaltyExpunged")
@dataclass(frozen=True)
class PenaltyExpunged(Event):
    """A penalty was taken back, by an official or (0) by a committee."""

    penalty: int
    officer: int
    because: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-5",)

    def apply(self, state: Tournament) -> Tournament:
        return set_penalty_stage(state, self.penalty, "expunged")

    def view_for(self, seat: int) -> Event:
        return self if seat == FULL_VIEWER else replace(self, because="")


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
    """A player appealed against a ruling; `committee` decides, without who ruled."""

    appeal: int
    player: int
    about: int
    kind: str
    ruled_by: int
    committee: tuple[int, ...]
    until_ms: int
    reason: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-APPEAL-1", "TOURNAMENT-APPEAL-2")

    def apply(self, state: Tournament) -> Tournament:
        opened = Appeal(
            self.appeal, self.player, self.about, self.kind, self.ruled_by, self.committee, self.until_ms,
            reason=self.reason,
        )  # fmt: skip
        state = replace(state, appeals=(*state.appeals, opened))
        return set_penalty_stage(state, self.about, "appealed") if self.kind == "penalty" else state

    def view_for(self, seat: int) -> Event:
        if seat in (FULL_VIEWER, self.player):
            return self
        return replace(self, player=UNKNOWN_PLAYER, reason="")


@named("tournament.AppealVoted")
@dataclass(frozen=True)
class AppealVoted(Event):
    """A member of a committee voted; how, only officials learn."""

    appeal: int
    officer: int
    overturn: bool
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-APPEAL-3",)

    def apply(self, state: Tournament) -> Tournament:
        appeals = (
            replace(each, votes=(*each.votes, (self.officer, self.overturn))) if each.number == self.appeal else each
            for each in state.appeals
        )
        return replace(state, appeals=tuple(appeals))

    def view_for(self, seat: int) -> Event:
        return self if seat == FULL_VIEWER else replace(self, overturn=False)


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
