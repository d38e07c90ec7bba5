"""Commands and events of takebacks, requests to go back; a rewind undoes none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.engine.codec import named
from referee.engine.events import Move
from referee.match.aggregate import LastingTableEvent, Match
from referee.match.events.dispute_state import Takeback, TakebackBan


@named("table.take_back")
@dataclass(frozen=True)
class RequestTakeback(Move):
    """Ask to go back to just after entry `to`."""

    seat: int
    to: int


@named("table.consent")
@dataclass(frozen=True)
class AnswerTakeback(Move):
    """Say yes or no to a request; with a no, `bar` bars further requests of that seat."""

    takeback: int
    seat: int
    grant: bool
    bar: bool = False


def _update_takeback(match: Match, number: int, **changes: object) -> Match:
    after = (replace(each, **changes) if each.number == number else each for each in match.takebacks)  # type: ignore[arg-type]
    return replace(match, takebacks=tuple(after))


@named("table.TakebackAsked")
@dataclass(frozen=True)
class TakebackRequested(LastingTableEvent):
    """A seat asks to go back to just after entry `to`.

    `waives` are the takeback rules that this breaks, `asks` the seats whose consent it needs.

    TABLE-TAKEBACK-1: A seat may ask to go back to just after an entry since which it has moved. It is granted at once
    if four rules hold.
    """

    takeback: int
    seat: int
    to: int
    waives: tuple[str, ...]
    asks: tuple[int, ...]
    clauses = ("TABLE-TAKEBACK-1",)

    def apply(self, state: Match) -> Match:
        return replace(state, takebacks=(*state.takebacks, Takeback(self.takeback, self.seat, self.to, self.waives)))


@named("table.TakebackConsented")
@dataclass(frozen=True)
class TakebackConsented(LastingTableEvent):
    """A seat consented to a request.

    TABLE-TAKEBACK-2: Anything beyond the four rules needs the consent of all other seats that people hold; one no ends
    it.
    """

    takeback: int
    seat: int
    clauses = ("TABLE-TAKEBACK-2",)

    def apply(self, state: Match) -> Match:
        (request,) = (each for each in state.takebacks if each.number == self.takeback)
        return _update_takeback(state, self.takeback, by=(*request.by, self.seat))


@named("table.TakebackGranted")
@dataclass(frozen=True)
class TakebackGranted(LastingTableEvent):
    """Play has gone back as requested."""

    takeback: int
    left_ms: int | None  # what is left of the reopened question's time; None: all of it
    piles: tuple[str, ...]  # shuffled again, because cards in them became known
    rests: tuple[str, ...]

    def apply(self, state: Match) -> Match:
        return replace(_update_takeback(state, self.takeback, stage="granted"), left_ms=self.left_ms)

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rests


@named("table.TakebackRefused")
@dataclass(frozen=True)
class TakebackRefused(LastingTableEvent):
    """A seat refused a request; play stands as it is."""

    takeback: int
    seat: int
    clauses = ("TABLE-TAKEBACK-2",)

    def apply(self, state: Match) -> Match:
        return _update_takeback(state, self.takeback, stage="refused", against=self.seat)


@named("table.RequestsBarred")
@dataclass(frozen=True)
class TakebackBanned(LastingTableEvent):
    """A seat does not want to be asked again by another.

    TABLE-TAKEBACK-4: With its second no to requests of the same seat a seat may bar further ones.
    """

    seat: int
    asker: int
    clauses = ("TABLE-TAKEBACK-4",)

    def apply(self, state: Match) -> Match:
        return replace(state, bars=(*state.bars, TakebackBan(self.seat, self.asker)))
