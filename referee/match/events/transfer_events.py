"""Transfers of a match to another server: commands and public events."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.match.aggregate import LastingTableEvent, Match
from referee.match.events.dispute_state import Dispute, Relocation, TransferProposal


@named("table.propose_transfer")
@dataclass(frozen=True)
class ProposeTransfer(Move):
    """Ask the table whether the match may move; the fields are as in `TransferMatch`."""

    new_home: str = ""
    to: str = ""


@named("table.answer_transfer")
@dataclass(frozen=True)
class AnswerTransfer(Move):
    """Say yes or no to a proposed move of the match; `by` are the seats that answer."""

    transfer: int
    grant: bool
    by: tuple[int, ...]


@named("table.leave_home")
@dataclass(frozen=True)
class TransferMatch(Move):
    """Let a match leave this server (`store`)."""

    store: str
    luggage: str  # the hash of what it takes along outside its log
    new_home: str = ""  # where it goes on, if that is known
    to: str = ""  # the public key (hex) of the only server that may import it
    # even if not everybody agreed, because the server will not last until they can be asked
    without_consent: bool = field(default=False, metadata=OMIT_IF_EMPTY)


@named("table.arrive")
@dataclass(frozen=True)
class ImportMatch(Move):
    """Import a match to this server (`store`, which signs with `key`).

    `came_from` is the store that it left, `their_keys` the keys that signed there, oldest first. `root` covers all
    entries.
    """

    store: str
    key: str
    came_from: str
    their_keys: tuple[str, ...]
    root: str


def _update_proposal(match: Match, number: int, **changes: Any) -> Match:
    after = (replace(each, **changes) if each.number == number else each for each in match.transfers)
    return replace(match, transfers=tuple(after))


@named("table.TransferProposed")
@dataclass(frozen=True)
class TransferProposed(LastingTableEvent):
    """The table is asked whether the match may move; an earlier question is closed."""

    transfer: int
    new_home: str
    to: str
    clauses = ("TABLE-HOME-3",)

    def apply(self, state: Match) -> Match:
        asked = TransferProposal(self.transfer, self.new_home, self.to)
        return replace(state, transfers=(*(each.overtake() for each in state.transfers), asked))


@named("table.TransferConsented")
@dataclass(frozen=True)
class TransferConsented(LastingTableEvent):
    """Seats agreed to the proposed move of the match."""

    transfer: int
    by: tuple[int, ...]
    clauses = ("TABLE-HOME-3",)

    def apply(self, state: Match) -> Match:
        (asked,) = (each for each in state.transfers if each.number == self.transfer)
        return _update_proposal(state, self.transfer, granted=tuple(sorted({*asked.granted, *self.by})))


@named("table.TransferRefused")
@dataclass(frozen=True)
class TransferRefused(LastingTableEvent):
    """Seats refused the proposed move; the match stays."""

    transfer: int
    by: tuple[int, ...]
    clauses = ("TABLE-HOME-3",)

    def apply(self, state: Match) -> Match:
        return _update_proposal(state, self.transfer, stage="refused", against=self.by)


@named("table.TransferUnagreed")
@dataclass(frozen=True)
class TransferUnagreed(LastingTableEvent):
    """The match moves although these seats have not agreed."""

    seats: tuple[int, ...]
    clauses = ("TABLE-HOME-3",)

    def apply(self, state: Match) -> Match:
        return state


@named("table.MatchMoved")
@dataclass(frozen=True)
class MatchTransferred(LastingTableEvent):
    """The match has left its server; only its arrival can follow.

    `left_ms` is what was left of the open question's time.

    TABLE-HOME-1: Before its end a match may leave its server for another. By that entry its time stands still, and
    nobody changes anything until it has arrived somewhere.
    """

    store: str
    luggage: str
    new_home: str
    to: str
    left_ms: int | None
    clauses = ("TABLE-HOME-1",)

    def apply(self, state: Match) -> Match:
        left = state.left_ms if state.is_halted else self.left_ms
        closed = tuple(each.overtake() for each in state.transfers)  # the next move is a question of its own
        return replace(state, gone=Relocation(self.store, self.new_home, self.to), left_ms=left, transfers=closed)


@named("table.MatchArrived")
@dataclass(frozen=True)
class MatchImported(LastingTableEvent):
    """The match has come to a server and goes on there.

    It was on its way for `away_ms`; the deadlines of courts are put off by as much.

    TABLE-HOME-2: A match that has left its server arrives at another one by its next entry. That names where it came
    from, and draws come from a new secret.
    """

    store: str
    key: str
    came_from: str
    their_keys: tuple[str, ...]
    root: str
    away_ms: int
    clauses = ("TABLE-HOME-2",)

    def apply(self, state: Match) -> Match:
        disputes = tuple(map(self._postpone_deadline, state.disputes))
        waits = state.witnessing
        if waits is not None:
            waits = replace(waits, until_ms=waits.until_ms + self.away_ms)
        return replace(state, gone=None, disputes=disputes, witnessing=waits)

    def _postpone_deadline(self, dispute: Dispute) -> Dispute:
        if not dispute.is_open or dispute.until_ms is None:
            return dispute
        return replace(dispute, until_ms=dispute.until_ms + self.away_ms)
