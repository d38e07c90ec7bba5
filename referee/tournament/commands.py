"""Commands of a tournament: what host, officials, players and the clock may want."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.engine.seats import FULL_VIEWER
from referee.tournament.state import Format


@named("tournament.open")
@dataclass(frozen=True)
class OpenTournament(Move):
    """Open a tournament; `head` is the host as its head official, if they do not play."""

    format: Format
    head: str = field(default="", metadata=OMIT_IF_EMPTY)


# -- people ------------------------------------------------------------------------------------------------------------


@named("tournament.appoint")
@dataclass(frozen=True)
class AppointOfficer(Move):
    """Give a person an office."""

    person: str
    office: str


@named("tournament.accept_officer")
@dataclass(frozen=True)
class AcceptOfficer(Move):
    """Accept an official, as a player."""

    player: int
    officer: int


@named("tournament.resign")
@dataclass(frozen=True)
class ResignOffice(Move):
    """Give an office back, or take it from an official as the host."""

    officer: int


@named("tournament.enter")
@dataclass(frozen=True)
class Enter(Move):
    """Enter a person, or a bot of a level."""

    person: str
    level: int | None = None


@named("tournament.leave")
@dataclass(frozen=True)
class Leave(Move):
    """Leave the tournament."""

    player: int


@named("tournament.deposit_deck")
@dataclass(frozen=True)
class DepositDeck(Move):
    """Deposit a deck; only its commitment is in the log."""

    player: int
    commitment: str


@named("tournament.check_deck")
@dataclass(frozen=True)
class CheckDeck(Move):
    """Record how a player's cards compare with the deposited deck."""

    player: int
    officer: int
    missing: dict[str, int]
    foreign: dict[str, int]

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat in (FULL_VIEWER, self.player) else None


@named("tournament.withdraw_invitation")
@dataclass(frozen=True)
class WithdrawInvitation(Move):
    """Withdraw an invitation: nobody comes in by its code any more."""

    invitation: str


# -- rounds ------------------------------------------------------------------------------------------------------------


@named("tournament.start")
@dataclass(frozen=True)
class StartTournament(Move):
    """Close the registration and draw the lots."""


@named("tournament.pair")
@dataclass(frozen=True)
class PairRound(Move):
    """Pair the next round and start it.

    `tables` are those of the host, if the system is `manual`.
    """

    tables: tuple[tuple[int, ...], ...] = field(default=(), metadata=OMIT_IF_EMPTY)


@named("tournament.seat_table")
@dataclass(frozen=True)
class SeatTable(Move):
    """Name the match that was opened for a table."""

    round: int
    table: int
    match: str


@named("tournament.report_lapse")
@dataclass(frozen=True)
class ReportLapse(Move):
    """Report that the match of a table ended without a result, by the match."""

    round: int
    table: int
    match: str


@named("tournament.report_wait")
@dataclass(frozen=True)
class ReportWait(Move):
    """Report how long a call stopped the match of a table, by the match."""

    round: int
    table: int
    match: str
    call: int
    waited_ms: int


@named("tournament.reopen_table")
@dataclass(frozen=True)
class ReopenTable(Move):
    """Have a new match opened for a table whose match ended without a result."""

    round: int
    table: int
    officer: int
    because: str


@named("tournament.record_result")
@dataclass(frozen=True)
class RecordResult(Move):
    """Record how a table ended at which only bots sit; officer 0 is the host."""

    round: int
    table: int
    placement: tuple[tuple[int, ...], ...]
    officer: int = 0


@named("tournament.report")
@dataclass(frozen=True)
class ReportResult(Move):
    """Report how a table ended: as one of its players, or (by -1) from its match.

    From its match it names the last entry of the match and the root up to there, to which the bundle of the match is
    held.
    """

    round: int
    table: int
    placement: tuple[tuple[int, ...], ...]
    by: int = -1
    match_version: int = field(default=0, metadata=OMIT_IF_EMPTY)
    match_root: str = field(default="", metadata=OMIT_IF_EMPTY)


@named("tournament.answer_result")
@dataclass(frozen=True)
class AnswerResult(Move):
    """Sign a reported result as a player of the table, or object to it."""

    round: int
    table: int
    player: int
    agree: bool


@named("tournament.rule_result")
@dataclass(frozen=True)
class RuleResult(Move):
    """Rule as an official how a table ended, and say why."""

    round: int
    table: int
    officer: int
    placement: tuple[tuple[int, ...], ...]
    forfeits: tuple[int, ...]
    because: str


@named("tournament.concede")
@dataclass(frozen=True)
class Concede(Move):
    """Give up a table at which a player sits, without a round the latest that is open."""

    player: int
    round: int = field(default=0, metadata=OMIT_IF_EMPTY)
    table: int = field(default=0, metadata=OMIT_IF_EMPTY)


@named("tournament.add_time")
@dataclass(frozen=True)
class AddTime(Move):
    """Give a table more time, as an official."""

    round: int
    table: int
    officer: int
    extra_ms: int


@named("tournament.time_is_up")
@dataclass(frozen=True)
class TimeIsUp(Move):
    """Go on with a result or an appeal whose time is up, by the clock."""

    item: str


@named("tournament.end")
@dataclass(frozen=True)
class EndTournament(Move):
    """End the tournament after its last round, or withdraw it before its start."""


# -- officials at work -------------------------------------------------------------------------------------------------


@named("tournament.call")
@dataclass(frozen=True)
class CallOfficer(Move):
    """Call an official to one's table."""

    player: int
    reason: str


@named("tournament.end_call")
@dataclass(frozen=True)
class EndCall(Move):
    """Answer a call as an official, or withdraw it as who called (`officer` is None)."""

    call: int
    officer: int | None = None


@named("tournament.claim")
@dataclass(frozen=True)
class ClaimItem(Move):
    """Look after an item of the queue, or (`release`) leave it to others again."""

    item: str
    officer: int
    release: bool = field(default=False, metadata=OMIT_IF_EMPTY)


@named("tournament.penalize")
@dataclass(frozen=True)
class Penalize(Move):
    """Give a player a penalty; `because` says why another grade than the proposed one."""

    player: int
    infraction: str
    grade: str
    officer: int
    fix: str = ""
    because: str = ""

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat in (FULL_VIEWER, self.player) else None


@named("tournament.expunge")
@dataclass(frozen=True)
class Expunge(Move):
    """Take a penalty back, as an official."""

    penalty: int
    officer: int
    because: str

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == FULL_VIEWER else None


@named("tournament.appeal")
@dataclass(frozen=True)
class OpenAppeal(Move):
    """Appeal to the committee against a penalty or a ruling on a table."""

    player: int
    about: int
    reason: str

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat in (FULL_VIEWER, self.player) else None


@named("tournament.vote")
@dataclass(frozen=True)
class VoteOnAppeal(Move):
    """Vote on an appeal as a member of its committee."""

    appeal: int
    officer: int
    overturn: bool

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == FULL_VIEWER else None
