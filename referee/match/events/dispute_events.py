"""Events of disputes and their remedies; a rewind undoes only the remedies."""

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
from referee.match.events.dispute_state import Dispute, Precedent, Testimony, Verdict, Vote, redact_corrections


def update_dispute(match: Match, number: int, change: Callable[[Dispute], Dispute]) -> Match:
    """Return the match with one dispute changed."""
    return replace(match, disputes=tuple(change(each) if each.number == number else each for each in match.disputes))


@named("table.DisputeOpened")
@dataclass(frozen=True)
class DisputeOpened(LastingTableEvent):
    """Somebody disputes an entry or a refusal.

    With `secret` only the seat that opened the dispute sees `move`. `left_ms` is what was left of the open question's
    time.

    TABLE-DISPUTE-1: A seat, the host or the arbiter may dispute an entry of play that still counts, or a refusal that
    the seat got, while the match runs and for a set time after its end.
    """

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
    """A dispute goes to a court.

    The seats attest or vote until `until_ms`, or the arbiter is awaited.

    TABLE-DISPUTE-2: While a court has a dispute, moves wait, unless the match is set to play on.
    """

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
    """A seat attested whether the claim holds."""

    dispute: int
    seat: int
    holds: bool
    saw: Any = None
    clauses = ("TABLE-DISPUTE-3",)

    def apply(self, state: Match) -> Match:
        testimony = Testimony(self.seat, self.holds, self.saw)

        def attested(dispute: Dispute) -> Dispute:
            others = tuple(each for each in dispute.testimony if each.seat != self.seat)
            return replace(dispute, testimony=(*others, testimony))

        return update_dispute(state, self.dispute, attested)


@named("table.Voted")
@dataclass(frozen=True)
class Voted(LastingTableEvent):
    """A seat voted for a remedy, with corrections by hand.

    Entry `number` proposed it first.
    """

    dispute: int
    seat: int
    remedy: str
    fix: tuple[Any, ...] = field(default=(), metadata=codec.OMIT_IF_EMPTY)
    number: int = field(default=0, metadata=codec.OMIT_IF_EMPTY)
    shown: tuple[int, ...] = field(default=(), metadata=codec.OMIT_IF_EMPTY)
    cast: int = field(default=0, metadata=codec.OMIT_IF_EMPTY)  # its own entry; 0: from before votes could lapse
    clauses = ("TABLE-DISPUTE-4",)

    def view_for(self, seat: int) -> Event:
        return replace(self, fix=redact_corrections(self.fix, seat, self.shown))

    def apply(self, state: Match) -> Match:
        def voted(dispute: Dispute) -> Dispute:
            others = tuple(each for each in dispute.votes if each.seat != self.seat)
            vote = Vote(self.seat, self.remedy, self.fix, self.number, self.shown, self.cast)
            return replace(dispute, votes=(*others, vote))

        return update_dispute(state, self.dispute, voted)

    def applied_clauses(self) -> tuple[str, ...]:
        return ("TABLE-DISPUTE-9",) if self.number else self.clauses


@named("table.RulingIssued")
@dataclass(frozen=True)
class RulingIssued(LastingTableEvent):
    """A court ruled on a dispute.

    `remedy` is empty if it is still to be chosen. `knowing` are the seats that may know the reason and its clauses;
    None: everybody. `departing` says the same of the clauses that the ruling departs from.

    TABLE-RULING-1: A ruling names its court, the clauses it rests on and the remedy, and stays in the log. If it rests
    on hidden cards, only those who may know the cards learn the reason.
    """

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

    def without_refusal(self) -> RulingIssued:
        if self.court != "referee" or self.reason.startswith("court."):
            return self
        return replace(self, reason="", params={}, cites=(), knowing=None)

    def apply(self, state: Match) -> Match:
        def ruled(dispute: Dispute) -> Dispute:
            verdict = Verdict(
                self.court, self.by, self.verdict, self.remedy, self.reason, self.params, self.cites, self.statement,
                self.departs_from, self.knowing, self.departing,
            )  # fmt: skip
            return replace(
                dispute, court=self.court, stage="ruled", until_ms=None, verdicts=(*dispute.verdicts, verdict)
            )

        kept = () if self.keep is None else (self.keep,)
        return replace(update_dispute(state, self.dispute, ruled), precedents=(*state.precedents, *kept))

    def view_for(self, seat: int) -> Event:
        seen = self
        if not _may_know(self.knowing, seat):
            seen = replace(seen, reason="court.rests_on_hidden", params={}, cites=())
        return seen if _may_know(self.departing, seat) else replace(seen, departs_from=())


def _may_know(seats: tuple[int, ...] | None, seat: int) -> bool:
    return seats is None or seat == FULL_VIEWER or int(seat) in seats


@named("table.Appealed")
@dataclass(frozen=True)
class Appealed(LastingTableEvent):
    """A seat appealed against a ruling, with the clause that it finds misapplied.

    `left_ms` is what was left of the open question's time, which stops again.
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
    """The claimant withdrew a dispute; what was played stands."""

    dispute: int
    clauses = ("TABLE-DISPUTE-5",)

    def apply(self, state: Match) -> Match:
        return update_dispute(state, self.dispute, lambda dispute: replace(dispute, stage="withdrawn", until_ms=None))


@named("table.DisputeMoot")
@dataclass(frozen=True)
class DisputeMoot(TableEvent):
    """An open dispute closed, because what it is about no longer counts.

    TABLE-DISPUTE-10: If play goes back behind what is disputed, the dispute closes by itself. If that counts again, so
    does the dispute.
    """

    dispute: int
    clauses = ("TABLE-DISPUTE-10",)

    def apply(self, state: Match) -> Match:
        return update_dispute(state, self.dispute, lambda dispute: replace(dispute, stage="moot", until_ms=None))


@named("table.Looked")
@dataclass(frozen=True)
class CardsInspected(LastingTableEvent):
    """An arbiter looks at all cards while the dispute is open."""

    dispute: int
    official: int | None = field(default=None, metadata=codec.OMIT_IF_EMPTY)
    clauses = ("TABLE-RULING-5",)

    def apply(self, state: Match) -> Match:
        seen = (replace(each, looked=each.looked or each.number == self.official) for each in state.officials)
        state = replace(state, offices=replace(state.offices, named=tuple(seen)))
        return update_dispute(state, self.dispute, lambda dispute: replace(dispute, looked=True))


@named("table.Corrected")
@dataclass(frozen=True)
class TableCorrected(TableEvent):
    """The table was corrected by hand: its new state, as data.

    Each viewer sees what it may see of the state. `places` names what was changed in words of the fix, without
    contents.
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
    """A struck move counts after all, judged again upon the corrected table.

    What follows from it was judged again too.
    """

    entry: int  # the entry that made the move first
    seat: int  # the seat of that entry
    # The dispute that says how the move should have read, if it is not the one that this ruling is about.
    right: int = field(default=0, metadata=codec.OMIT_IF_EMPTY)
    clauses = ("TABLE-REMEDY-2",)


@named("table.MadeAfterAll")
@dataclass(frozen=True)
class RefusedMoveMade(TableEvent):
    """A wrongly refused move is made after all by `seat`; what follows is judged then.

    `right` is the dispute about it, if it is not the one that this ruling is about.
    """

    seat: int
    right: int = field(default=0, metadata=codec.OMIT_IF_EMPTY)
    clauses = ("TABLE-REMEDY-2",)


@named("table.Voided")
@dataclass(frozen=True)
class MatchVoided(TableEvent):
    """A ruling voided the match; all other disputes about it are closed.

    If what stood before is restored, this is undone with all that it did.
    """

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
    """The history that stood just before entry `entry`, a remedy, counts again.

    TABLE-REMEDY-5: What a court has carried out, a higher one may undo; then what stood before it stands again, and
    what was played since is struck and stays readable.
    """

    entry: int
    clauses = ("TABLE-REMEDY-5",)
