"""Events of a tournament: people, rounds and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event
from referee.tournament.results import TableResult
from referee.tournament.state import Entrant, Format, Officer, Round, RulingOnTable, Table, Tournament


@named("tournament.Opened")
@dataclass(frozen=True)
class TournamentOpened(Event):
    """A tournament was opened.

    `commitment` binds the server to the secret behind its lots.
    """

    tournament: str
    commitment: str
    format: Format
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-OPEN-1",)

    def apply(self, state: Tournament) -> Tournament:
        return Tournament(self.tournament, self.commitment, self.format)


# -- people ------------------------------------------------------------------------------------------------------------


@named("tournament.OfficerAppointed")
@dataclass(frozen=True)
class OfficerAppointed(Event):
    """A person who does not play was given an office."""

    officer: int
    person: str
    office: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-OFFICE-1",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, officers=(*state.officers, Officer(self.officer, self.person, self.office)))


@named("tournament.OfficerAccepted")
@dataclass(frozen=True)
class OfficerAccepted(Event):
    """A player accepted officials."""

    player: int
    officers: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-OFFICE-2",)

    def apply(self, state: Tournament) -> Tournament:
        officers = (
            replace(each, accepted=tuple(sorted({*each.accepted, self.player})))
            if each.number in self.officers
            else each
            for each in state.officers
        )
        return replace(state, officers=tuple(officers))


@named("tournament.OfficerLeft")
@dataclass(frozen=True)
class OfficerLeft(Event):
    """An official gave the office back or lost it; appeals go on with the others."""

    officer: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-OFFICE-4",)

    def apply(self, state: Tournament) -> Tournament:
        officers = (replace(each, left=True) if each.number == self.officer else each for each in state.officers)
        claims = tuple(each for each in state.claims if each.officer != self.officer)
        return replace(state, officers=tuple(officers), claims=claims)


@named("tournament.Entered")
@dataclass(frozen=True)
class Entered(Event):
    """Somebody entered, or a bot of a level."""

    player: int
    person: str
    level: int | None = None
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ENTRY-1",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, entrants=(*state.entrants, Entrant(self.player, self.person, self.level)))


@named("tournament.PlayerLeft")
@dataclass(frozen=True)
class PlayerLeft(Event):
    """A player left, or was disqualified (`status`), and is paired no more."""

    player: int
    status: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ENTRY-2",)

    def apply(self, state: Tournament) -> Tournament:
        losses = tuple(each for each in state.losses if each.player != self.player)
        return replace(state.with_entrant(self.player, status=self.status), losses=losses)


@named("tournament.PlayerReturned")
@dataclass(frozen=True)
class PlayerReturned(Event):
    """A player whose disqualification was taken back is in the tournament again."""

    player: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PENALTY-5",)

    def apply(self, state: Tournament) -> Tournament:
        lots = state.lots
        if state.status == "running" and self.player not in lots:  # who was out at the start comes last
            lots = (*lots, self.player)
        return replace(state.with_entrant(self.player, status="playing"), lots=lots)


@named("tournament.DeckDeposited")
@dataclass(frozen=True)
class DeckDeposited(Event):
    """A player deposited a deck."""

    player: int
    commitment: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-DECK-1",)

    def apply(self, state: Tournament) -> Tournament:
        return state.with_entrant(self.player, deck=self.commitment)


@named("tournament.InvitationWithdrawn")
@dataclass(frozen=True)
class InvitationWithdrawn(Event):
    """The host withdrew an invitation."""

    invitation: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ENTRY-3",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, withdrawn=(*state.withdrawn, self.invitation))


# -- rounds ------------------------------------------------------------------------------------------------------------


@named("tournament.Started")
@dataclass(frozen=True)
class TournamentStarted(Event):
    """The registration was closed and the lots were drawn."""

    lots: tuple[int, ...]
    rounds: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-START-1", "TOURNAMENT-PAIR-1")

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, status="running", lots=self.lots, planned=self.rounds)


@named("tournament.RoundPaired")
@dataclass(frozen=True)
class RoundPaired(Event):
    """A round was paired and begins; entrants at no table have a bye."""

    round: int
    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    at_ms: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-PAIR-1",)

    def apply(self, state: Tournament) -> Tournament:
        limit = state.format.round_ms
        tables = tuple(Table(number, players) for number, players in enumerate(self.tables, 1))
        ends = None if limit is None else self.at_ms + limit
        return replace(state, rounds=(*state.rounds, Round(self.round, tables, self.byes, self.at_ms, ends)))


@named("tournament.TableSeated")
@dataclass(frozen=True)
class TableSeated(Event):
    """The match of a table was opened."""

    round: int
    table: int
    match: str
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ROUND-1",)

    def apply(self, state: Tournament) -> Tournament:
        return state.with_table(self.round, replace(find_table(state, self.round, self.table), match=self.match))


@named("tournament.MatchLapsed")
@dataclass(frozen=True)
class MatchLapsed(Event):
    """The match of a table ended without a result; an official has to look at it."""

    round: int
    table: int
    match: str
    entry: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ROUND-3",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        return state.with_table(self.round, replace(table, lapsed=True, entry=self.entry))


@named("tournament.TableReopened")
@dataclass(frozen=True)
class TableReopened(Event):
    """An official had a new match opened for a table."""

    round: int
    table: int
    officer: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ROUND-3",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        former = (*table.former, table.match)
        return state.with_table(self.round, replace(table, match="", former=former, lapsed=False, entry=0, waits=()))


@named("tournament.ResultReported")
@dataclass(frozen=True)
class ResultReported(Event):
    """A player or the match reported how a table ended.

    The others can object until `until_ms`. What a match reports names the match by its last entry and the root up to
    there, in hex.
    """

    round: int
    table: int
    placement: tuple[tuple[int, ...], ...]
    by: str
    entry: int
    signed: tuple[int, ...]
    until_ms: int
    match_version: int = field(default=0, metadata=OMIT_IF_EMPTY)
    match_root: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-RESULT-1",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        result = TableResult(self.round, self.table, table.players, self.placement)
        return state.with_table(
            self.round,
            replace(
                table, result=result, by=self.by, entry=self.entry, signed=self.signed, until_ms=self.until_ms,
                disputed=(), lapsed=False,
            ),
        )  # fmt: skip


@named("tournament.ResultSigned")
@dataclass(frozen=True)
class ResultSigned(Event):
    """A player of a table agreed to its result."""

    round: int
    table: int
    player: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-RESULT-2",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        signed = tuple(sorted({*table.signed, self.player}))
        return state.with_table(self.round, replace(table, signed=signed))


@named("tournament.ResultDisputed")
@dataclass(frozen=True)
class ResultDisputed(Event):
    """A player of a table objected to its result, which waits for an official."""

    round: int
    table: int
    player: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-RESULT-3",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        disputed = tuple(sorted({*table.disputed, self.player}))
        return state.with_table(self.round, replace(table, disputed=disputed, until_ms=None))


@named("tournament.ResultFinal")
@dataclass(frozen=True)
class ResultFinal(Event):
    """The result of a table is final.

    All have signed it, or nobody objected in time (`by_silence`).
    """

    round: int
    table: int
    by_silence: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-RESULT-2",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        return state.with_table(self.round, replace(table, final=True, until_ms=None))


@named("tournament.ResultRuled")
@dataclass(frozen=True)
class ResultRuled(Event):
    """How a table ended was ruled: by an official, a penalty, or a concession.

    `officer` is 0 where nobody ruled: a player conceded, or left.
    """

    round: int
    table: int
    placement: tuple[tuple[int, ...], ...]
    forfeits: tuple[int, ...]
    officer: int
    entry: int
    at_ms: int
    penalty: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-RESULT-4",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        result = TableResult(self.round, self.table, table.players, self.placement, self.forfeits)
        by = f"official:{self.officer}" if self.officer else f"player:{self.forfeits[0]}"
        after = replace(
            table, result=result, by=by, entry=self.entry, signed=(), until_ms=None, disputed=(), final=True,
            lapsed=False,
        )  # fmt: skip
        state = state.with_table(self.round, after)
        if not self.officer:
            return state
        ruling = RulingOnTable(self.entry, self.round, self.officer, table, self.at_ms, self.penalty)
        return replace(state, rulings=(*state.rulings, ruling))


@named("tournament.ResultRestored")
@dataclass(frozen=True)
class ResultRestored(Event):
    """A ruling on a table was overturned: what was there before counts again."""

    ruling: int
    table: int
    round: int = field(default=0, metadata=OMIT_IF_EMPTY)  # 0: by the first rules, which rule on one table at once
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-APPEAL-3",)

    def apply(self, state: Tournament) -> Tournament:
        named = [each for each in state.rulings if (each.entry, each.before.number) == (self.ruling, self.table)]
        ruled = next(each for each in named if self.round in (0, each.round))
        now = find_table(state, ruled.round, ruled.before.number)
        before = replace(
            ruled.before, match=now.match, former=now.former, extra_ms=now.extra_ms, waits=now.waits, until_ms=None,
            lapsed=False,
        )  # fmt: skip
        return state.with_table(ruled.round, before)


@named("tournament.TimeAdded")
@dataclass(frozen=True)
class TimeAdded(Event):
    """A table got more time."""

    round: int
    table: int
    officer: int
    extra_ms: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-TIME-1",)

    def apply(self, state: Tournament) -> Tournament:
        table = find_table(state, self.round, self.table)
        return state.with_table(self.round, replace(table, extra_ms=table.extra_ms + self.extra_ms))


@named("tournament.RoundClosed")
@dataclass(frozen=True)
class RoundClosed(Event):
    """All tables of a round have a final result."""

    round: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ROUND-2",)

    def apply(self, state: Tournament) -> Tournament:
        rounds = (replace(each, closed=True) if each.number == self.round else each for each in state.rounds)
        return replace(state, rounds=tuple(rounds))


@named("tournament.RoundReopened")
@dataclass(frozen=True)
class RoundReopened(Event):
    """A table of a closed round is open again, and so is the round."""

    round: int
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-ROUND-2",)

    def apply(self, state: Tournament) -> Tournament:
        rounds = (replace(each, closed=False) if each.number == self.round else each for each in state.rounds)
        return replace(state, rounds=tuple(rounds))


@named("tournament.Ended")
@dataclass(frozen=True)
class TournamentEnded(Event):
    """The tournament is over: `finished`, with its ranks, or `withdrawn` before."""

    status: str
    ranks: tuple[tuple[int, int], ...]
    clauses: ClassVar[tuple[str, ...]] = ("TOURNAMENT-END-1",)

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, status=self.status, ranks=self.ranks)


def find_table(state: Tournament, round_number: int, number: int) -> Table:
    """Return a table of a round. Raises LookupError if there is none."""
    if not 1 <= round_number <= len(state.rounds):
        raise LookupError(f"round {round_number}")
    table = state.rounds[round_number - 1].find_table(number)
    if table is None:
        raise LookupError(f"table {number}")
    return table


def fold_events(state: Tournament, events: Iterable[Event]) -> Tournament:
    """Return the tournament after these events, in order."""
    for event in events:
        state = event.apply(state)
    return state
