"""Commands to the courts: open a dispute, attest, vote, rule, appeal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.engine.seats import FULL_VIEWER
from referee.match.events.dispute_state import redact_corrections


@named("table.dispute")
@dataclass(frozen=True)
class OpenDispute(Move):
    """Dispute entry `about`, or the refusal of `move` at version `about`.

    The latter is the claim `wrong_refusal`. The server adds `refusal`: whether such a request was refused upon that
    version (`found`), with the `version` and the time of the request that is known; None in entries written before
    requests were kept.
    """

    by: str  # a seat's number as text, `host` or `arbiter`
    about: int
    claim: str
    clause: str = ""
    move: Any = None  # JSON data: the move that was refused, or how a report should have read
    saw: Any = None  # JSON data: what was seen instead
    statement: str = ""
    refusal: Any = field(default=None, metadata=OMIT_IF_EMPTY)
    official: int | None = field(default=None, metadata=OMIT_IF_EMPTY)  # the number of the official who opens it

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the command without a refused move, except for the seat that tried it.

        A refused move may name cards of a hand.
        """
        if self.claim != "wrong_refusal" or seat == FULL_VIEWER or str(int(seat)) == self.by:
            return self
        return replace(self, move=None, saw=None, clause="", refusal=None)


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
    """Vote for a remedy: for one of the offered ones, or to propose or accept another.

    `fix` is a list of corrections by hand. `agrees_to` is the entry of a proposal that the seat accepts as it stands;
    then `fix` is empty.
    """

    dispute: int
    seat: int
    remedy: str
    fix: tuple[Any, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    agrees_to: int = field(default=0, metadata=OMIT_IF_EMPTY)

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the command with its corrections as the viewer may know them."""
        return replace(self, fix=redact_corrections(self.fix, seat))


@named("table.rule")
@dataclass(frozen=True)
class IssueRuling(Move):
    """Rule on a dispute as `host` or `arbiter`, who holds `seats`.

    `fix` is a list of corrections by hand. With `keep` the table keeps the ruling as a precedent. With `binds`, which
    older entries do not have, that is a house ruling: it may choose `readings` by clause, and says which type of move
    it `allows`.
    """

    dispute: int
    by: str
    seats: tuple[int, ...]
    upheld: bool
    remedy: str
    cites: tuple[str, ...]
    reason: str
    fix: tuple[Any, ...] = ()
    keep: bool = False
    confirmed: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # that the match is to be voided
    official: int | None = field(default=None, metadata=OMIT_IF_EMPTY)  # the number of the official who rules
    binds: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    allows: str = field(default="", metadata=OMIT_IF_EMPTY)

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the command with its corrections as the viewer may know them.

        Their result shows in the table, as each viewer may see it.
        """
        return replace(self, fix=redact_corrections(self.fix, seat))


@named("table.appeal")
@dataclass(frozen=True)
class AppealRuling(Move):
    """Appeal against the last ruling on a dispute."""

    dispute: int
    seat: int
    clause: str
    grounds: str


@named("table.withdraw_dispute")
@dataclass(frozen=True)
class WithdrawDispute(Move):
    """Withdraw a dispute."""

    dispute: int
    by: str


@named("table.look")
@dataclass(frozen=True)
class InspectCards(Move):
    """Look at all cards, as an arbiter without a seat, to judge an open dispute."""

    dispute: int
    official: int | None = field(default=None, metadata=OMIT_IF_EMPTY)  # the number of the official who looks


@named("table.court_late")
@dataclass(frozen=True)
class DecisionDeadline(Move):
    """End a stage of a dispute because its time is up."""

    dispute: int
