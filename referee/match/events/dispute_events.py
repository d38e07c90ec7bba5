"""The facts of disputes and their remedies. All but the remedies themselves stay when play goes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine import codec
from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.game import Outcome
from referee.engine.seats import FULL_VIEWER
from referee.engine.steps import State
from referee.games import load_games
from referee.match.aggregate import LastingTableEvent, Match, RewindEvent, TableEvent
from referee.match.events.dispute_state import Dispute, Precedent, Testimony, Verdict, Vote


def update_dispute(match: Match, number: int, change: Callable[[Dispute], Dispute]) -> Match:
    """The match with one dispute changed, and halted or going on as its disputes now say."""
    return replace(match, disputes=tuple(change(each) if each.number == number else each for each in match.disputes))


@named("table.DisputeOpened")
@dataclass(frozen=True)
class DisputeOpened(LastingTableEvent):
    """Somebody disputes an entry, or a refusal. `move` is only for the eyes of the seat that opened it where `secret`;
    `left_ms`: what was left of the time for the open question, which waits."""

    dispute: int
    by: str
    about: int
    claim: str
    parties: tuple[int, ...]
    clause: str
    move: Any
    saw: Any
    statement: str
    secret: bool = False
    left_ms: int | None = None
    clauses = ("TABLE-DISPUTE-1",)

    def apply(self, state: Match) -> Match:
        opened = Dispute(
            self.dispute, self.by, self.about, self.claim, self.parties, self.clause, self.move, self.saw,
            self.statement, secret=self.secret,
        )  # fmt: skip
        left = state.left_ms if state.is_halted else self.left_ms
        return replace(state, disputes=(*state.disputes, opened), left_ms=left)

    def view_for(self, seat: int) -> Event:
        if not self.secret or seat == FULL_VIEWER or str(int(seat)) == self.by:
            return self
        return replace(self, move=None, saw=None, clause="")


@named("table.CourtCalled")
@dataclass(frozen=True)
class CourtCalled(LastingTableEvent):
    """A dispute goes before a court: the seats attest or vote until `until_ms`, or the arbiter is awaited."""

    dispute: int
    court: str
    stage: str
    until_ms: int | None = None
    clauses = ("TABLE-DISPUTE-2",)

    def apply(self, state: Match) -> Match:
        def called(dispute: Dispute) -> Dispute:
            return replace(dispute, court=self.court, stage=self.stage, until_ms=self.until_ms, votes=())

        return update_dispute(state, self.dispute, called)


@named("table.Attested")
@dataclass(frozen=True)
class Attested(LastingTableEvent):
    """A seat said what it saw: whether the claim holds."""

    dispute: int
    seat: int
    holds: bool
    saw: Any = None
    clauses = ("TABLE-DISPUTE-3",)

    def apply(self, state: Match) -> Match:
        said = Testimony(self.seat, self.holds, self.saw)

        def attested(dispute: Dispute) -> Dispute:
            others = tuple(each for each in dispute.testimony if each.seat != self.seat)
            return replace(dispute, testimony=(*others, said))

        return update_dispute(state, self.dispute, attested)


@named("table.Voted")
@dataclass(frozen=True)
class Voted(LastingTableEvent):
    """A seat voted for a remedy."""

    dispute: int
    seat: int
    remedy: str
    clauses = ("TABLE-DISPUTE-4",)

    def apply(self, state: Match) -> Match:
        def voted(dispute: Dispute) -> Dispute:
            others = tuple(each for each in dispute.votes if each.seat != self.seat)
            return replace(dispute, votes=(*others, Vote(self.seat, self.remedy)))

        return update_dispute(state, self.dispute, voted)


@named("table.RulingIssued")
@dataclass(frozen=True)
class RulingIssued(LastingTableEvent):
    """A court ruled. `remedy` is empty where it is still to be chosen. `knowing`: the seats that may know the reason
    and its clauses; None: everybody. `departing`: likewise those of the ruling that it departs from."""

    dispute: int
    court: str
    by: str
    verdict: str
    remedy: str
    reason: str
    params: dict[str, Any]
    cites: tuple[str, ...]
    statement: str = ""
    departs_from: tuple[str, ...] = ()
    keep: Precedent | None = None
    knowing: tuple[int, ...] | None = None
    departing: tuple[int, ...] | None = None
    clauses = ("TABLE-RULING-1",)

    def apply(self, state: Match) -> Match:
        def ruled(dispute: Dispute) -> Dispute:
            said = Verdict(
                self.court, self.by, self.verdict, self.remedy, self.reason, self.params, self.cites, self.statement,
                self.departs_from, self.knowing,
            )  # fmt: skip
            return replace(dispute, court=self.court, stage="ruled", until_ms=None, verdicts=(*dispute.verdicts, said))

        kept = () if self.keep is None else (self.keep,)
        return replace(update_dispute(state, self.dispute, ruled), precedents=(*state.precedents, *kept))

    def view_for(self, seat: int) -> Event:
        told = self
        if not _may_know(self.knowing, seat):
            told = replace(told, reason="court.rests_on_hidden", params={}, cites=())
        return told if _may_know(self.departing, seat) else replace(told, departs_from=())


def _may_know(seats: tuple[int, ...] | None, seat: int) -> bool:
    return seats is None or seat == FULL_VIEWER or int(seat) in seats


@named("table.Appealed")
@dataclass(frozen=True)
class Appealed(LastingTableEvent):
    """A seat appealed against a ruling: the clause it finds misapplied, and its grounds.

    `left_ms`: what was left of the time for the open question, which waits again.
    """

    dispute: int
    seat: int
    clause: str
    grounds: str
    left_ms: int | None = None
    clauses = ("TABLE-RULING-2",)

    def apply(self, state: Match) -> Match:
        return state if state.is_halted else replace(state, left_ms=self.left_ms)


@named("table.DisputeWithdrawn")
@dataclass(frozen=True)
class DisputeWithdrawn(LastingTableEvent):
    """Whoever opened a dispute took it back; what was played stands."""

    dispute: int
    clauses = ("TABLE-DISPUTE-5",)

    def apply(self, state: Match) -> Match:
        return update_dispute(state, self.dispute, lambda dispute: replace(dispute, stage="withdrawn", until_ms=None))


@named("table.Looked")
@dataclass(frozen=True)
class CardsInspected(LastingTableEvent):
    """An arbiter looks at all cards, as long as the dispute is open."""

    dispute: int
    clauses = ("TABLE-RULING-5",)

    def apply(self, state: Match) -> Match:
        return update_dispute(state, self.dispute, lambda dispute: replace(dispute, looked=True))


@named("table.Corrected")
@dataclass(frozen=True)
class TableCorrected(TableEvent):
    """The table was put right by hand: how it stands now, as data; every pair of eyes is told what it may see of it.

    `places` names what was changed, in words of the fix, without what lies there.
    """

    game: str
    table: dict[str, Any]
    places: tuple[str, ...]
    clauses = ("TABLE-REMEDY-2",)
    replaces_table = True

    def apply(self, state: Match) -> Match:
        return replace(state, state=self._decode_state())

    def _decode_state(self) -> State:
        stands: State = codec.decode(load_games()[self.game].state_type, self.table)
        return stands

    def view_for(self, seat: int) -> Event:
        return self if seat == FULL_VIEWER else replace(self, table=codec.encode(self._decode_state().view_for(seat)))


@named("table.MadeAgain")
@dataclass(frozen=True)
class MoveRemade(TableEvent):
    """A move of the course that was struck stands after all: what follows was judged again upon the table put right.

    `entry` made it, by `seat`; or by whoever was to report it, as it should have read. `right`: the dispute that says
    how, where it is not the one that this ruling is about.
    """

    entry: int
    seat: int
    right: int = field(default=0, metadata=codec.OMIT_IF_EMPTY)
    clauses = ("TABLE-REMEDY-2",)


@named("table.MadeAfterAll")
@dataclass(frozen=True)
class RefusedMoveMade(TableEvent):
    """A move that was refused wrongly is made after all, by `seat`; what follows was judged then. `right`: the dispute
    about it, where it is not the one that this ruling is about."""

    seat: int
    right: int = field(default=0, metadata=codec.OMIT_IF_EMPTY)
    clauses = ("TABLE-REMEDY-2",)


@named("table.Voided")
@dataclass(frozen=True)
class MatchVoided(TableEvent):
    """The match counts for nothing, by a ruling; no other dispute about it is open any more. Where what stood before is
    restored, it is undone with all it did."""

    dispute: int
    clauses = ("TABLE-REMEDY-4",)

    def apply(self, state: Match) -> Match:
        quiet = tuple(
            replace(each, stage="withdrawn", until_ms=None) if each.is_open else each for each in state.disputes
        )
        return replace(state, disputes=quiet, status="void", end=Outcome((), "end_void", ("TABLE-REMEDY-4",), ()))


@named("table.Restored")
@dataclass(frozen=True)
class HistoryRestored(RewindEvent):
    """The course is again the one that stood just before entry `entry`, which had carried a remedy out: what was struck
    by it stands again, and what was played since is struck."""

    entry: int
    clauses = ("TABLE-REMEDY-5",)
