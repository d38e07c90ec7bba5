"""What is asked of a court: disputes opened, testimony, votes, rulings, appeals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Move
from referee.engine.seats import FULL_VIEWER
from referee.engine.zones import back_of, is_open_to


@named("table.dispute")
@dataclass(frozen=True)
class OpenDispute(Move):
    """Dispute entry `about`, or (claim `wrong_refusal`) the refusal of `move` at version `about`.

    `by`: a seat's number as text, `host` or `arbiter`. `move` is that of a refusal, or how a report should have read,
    as JSON data; `saw`: what was seen instead, as JSON data.
    """

    by: str
    about: int
    claim: str
    clause: str = ""
    move: Any = None
    saw: Any = None
    statement: str = ""

    def view_for(self, seat: int, by: int) -> Move | None:
        """What was refused is told to nobody but whoever asked it: it may name cards of a hand."""
        if self.claim != "wrong_refusal" or seat == FULL_VIEWER or str(int(seat)) == self.by:
            return self
        return replace(self, move=None, saw=None, clause="")


@named("table.attest")
@dataclass(frozen=True)
class Attest(Move):
    """Attest for or against the claim of a dispute."""

    dispute: int
    seat: int
    holds: bool
    saw: Any = None


@named("table.vote")
@dataclass(frozen=True)
class CastVote(Move):
    """Vote for one of the remedies that are offered."""

    dispute: int
    seat: int
    remedy: str


@named("table.rule")
@dataclass(frozen=True)
class IssueRuling(Move):
    """Rule on a dispute, as `host` or `arbiter`, who holds `seats`. `fix` is a list of corrections by hand; `keep`:
    the table keeps the ruling for the next time."""

    dispute: int
    by: str
    seats: tuple[int, ...]
    upheld: bool
    remedy: str
    cites: tuple[str, ...]
    reason: str
    fix: tuple[Any, ...] = ()
    keep: bool = False

    def view_for(self, seat: int, by: int) -> Move | None:
        """Of what was put right by hand everybody is told what it is about; the table itself is shown as it is seen."""
        return (
            self
            if seat == FULL_VIEWER
            else replace(self, fix=tuple(_redact_correction(each, seat) for each in self.fix))
        )


def _redact_correction(each: Any, seat: int) -> Any:
    """A correction as a seat may know it: no card that lies open to it neither here nor there, and no value; the table
    shows that to those who may see it."""
    if not isinstance(each, dict):
        return None
    if "set" in each:
        return {"set": each["set"]}
    if "move" not in each or any(is_open_to(str(each.get(end, ":")), seat) for end in ("from", "to")):
        return each
    return {**each, "move": back_of(str(each["move"]))}


@named("table.appeal")
@dataclass(frozen=True)
class AppealRuling(Move):
    """Appeal against the last ruling of a dispute."""

    dispute: int
    seat: int
    clause: str
    grounds: str


@named("table.withdraw_dispute")
@dataclass(frozen=True)
class WithdrawDispute(Move):
    """Take a dispute back."""

    dispute: int
    by: str


@named("table.look")
@dataclass(frozen=True)
class InspectCards(Move):
    """Look at all cards, as an arbiter without a seat, to judge an open dispute."""

    dispute: int


@named("table.court_late")
@dataclass(frozen=True)
class DecisionDeadline(Move):
    """The time of the table to attest or to vote is up."""

    dispute: int
