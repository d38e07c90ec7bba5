"""What is asked and what happens where a match goes from one server to another: facts of the table, open to all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.engine.codec import named
from referee.engine.events import Move
from referee.match.aggregate import LastingTableEvent, Match, Relocation
from referee.match.events.dispute_state import Dispute


@named("table.leave_home")
@dataclass(frozen=True)
class TransferMatch(Move):
    """Let a match go from this server (`store`). `luggage`: the hash of what it takes along beside its log; `new_home`:
    where it goes on, if that is known; `to`: the public key of the one server that may take it in, in hex."""

    store: str
    luggage: str
    new_home: str = ""
    to: str = ""


@named("table.arrive")
@dataclass(frozen=True)
class ImportMatch(Move):
    """Take a match in on this server (`store`, which signs with `key`). `came_from`: the store it left, with the keys
    that signed there, oldest first; `root`: over all its entries."""

    store: str
    key: str
    came_from: str
    their_keys: tuple[str, ...]
    root: str


@named("table.MatchMoved")
@dataclass(frozen=True)
class MatchTransferred(LastingTableEvent):
    """The match has left its server. Nothing follows but its arrival, wherever that is. `left_ms`: what was left of the
    time for the open question."""

    store: str
    luggage: str
    new_home: str
    to: str
    left_ms: int | None
    clauses = ("TABLE-HOME-1",)

    def apply(self, state: Match) -> Match:
        left = state.left_ms if state.is_halted else self.left_ms
        return replace(state, gone=Relocation(self.store, self.new_home, self.to), left_ms=left)


@named("table.MatchArrived")
@dataclass(frozen=True)
class MatchImported(LastingTableEvent):
    """The match has come to a server and goes on there. It was on its way for so long; what a court has set a time for
    waits so much longer."""

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
