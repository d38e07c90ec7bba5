"""Commands and events of the end by the word of the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.match.aggregate import LastingTableEvent, Match
from referee.match.events.dispute_state import EndProposal

BY_CLOCK = "clock"  # says in `EndMatch.by` that nobody ended it
# The terms of a tournament's match: it gives seats and offices and ends the match; and the match counts for no ratings.
BOUND, UNRATED = "bound", "unrated"
# The reasons of an end by the tournament: with its result, or with none because the tournament took that back.
END_FOR_TOURNAMENT, END_WITHOUT_RESULT = "end_tournament", "end_tournament_without_result"


@named("table.end")
@dataclass(frozen=True)
class EndMatch(Move):
    """End the match by the word of the table: agreed, abandoned, or withdrawn.

    `by` says who proposes it, `seats` are the seats that agree with that. By the clock a lobby is withdrawn in which
    nothing happened for long enough.
    """

    reason: str
    placement: tuple[tuple[int, ...], ...] = field(default=())
    by: str = field(default="", metadata=OMIT_IF_EMPTY)
    seats: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)


@named("table.answer_end")
@dataclass(frozen=True)
class AnswerEnd(Move):
    """Say yes or no to a proposed end; `by` are the seats that answer."""

    ending: int
    grant: bool
    by: tuple[int, ...]


@named("table.end_for_tournament")
@dataclass(frozen=True)
class EndForTournament(Move):
    """End the match as its tournament has decided; no placement: without result."""

    placement: tuple[tuple[int, ...], ...] = ()


def _update_ending(match: Match, number: int, **changes: Any) -> Match:
    after = (replace(each, **changes) if each.number == number else each for each in match.endings)
    return replace(match, endings=tuple(after))


@named("table.EndProposed")
@dataclass(frozen=True)
class EndProposed(LastingTableEvent):
    """The table is asked whether the match shall end; `seats` agree already."""

    ending: int
    by: str
    reason: str
    placement: tuple[tuple[int, ...], ...]
    seats: tuple[int, ...]
    clauses = ("TABLE-END-2",)

    def apply(self, state: Match) -> Match:
        asked = EndProposal(self.ending, self.by, self.reason, self.placement, self.seats)
        return replace(state, endings=(*state.endings, asked))


@named("table.EndConsented")
@dataclass(frozen=True)
class EndConsented(LastingTableEvent):
    """Seats agreed to the proposed end."""

    ending: int
    by: tuple[int, ...]
    clauses = ("TABLE-END-2",)

    def apply(self, state: Match) -> Match:
        (asked,) = (each for each in state.endings if each.number == self.ending)
        granted = tuple(sorted({*asked.granted, *self.by}))
        return _update_ending(state, self.ending, granted=granted)


@named("table.EndRefused")
@dataclass(frozen=True)
class EndRefused(LastingTableEvent):
    """Seats refused the proposed end; play goes on."""

    ending: int
    by: tuple[int, ...]
    clauses = ("TABLE-END-2",)

    def apply(self, state: Match) -> Match:
        return _update_ending(state, self.ending, stage="refused", against=self.by)


@named("table.EndAgreed")
@dataclass(frozen=True)
class EndAgreed(LastingTableEvent):
    """Everybody has agreed to the proposed end."""

    ending: int
    clauses = ("TABLE-END-2",)

    def apply(self, state: Match) -> Match:
        return _update_ending(state, self.ending, stage="agreed")


@named("table.DisputesClosed")
@dataclass(frozen=True)
class DisputesClosed(LastingTableEvent):
    """Open disputes closed, because the tournament has ended the match."""

    disputes: tuple[int, ...]
    clauses = ("TABLE-TOURNAMENT-2",)

    def apply(self, state: Match) -> Match:
        after = (
            replace(each, stage="moot", until_ms=None) if each.number in self.disputes else each
            for each in state.disputes
        )
        return replace(state, disputes=tuple(after))
