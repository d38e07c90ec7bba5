"""Hints: taking one, for all to see: command, event, and who may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.referee import may_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.match.aggregate import LastingTableEvent, Match
from referee.match.events.dispute_state import TakenHint
from referee.match.game_moves import require_playable

ALLOWED, FORBIDDEN = "allowed", "forbidden"


@named("table.take_hint")
@dataclass(frozen=True)
class TakeHint(Move):
    """Take a hint as `seat` on the position at version `at`."""

    seat: int
    at: int


@named("table.HintTaken")
@dataclass(frozen=True)
class HintTaken(LastingTableEvent):
    """A seat took a hint on the position at version `at`, which it alone gets.

    TABLE-HINT-1: Where the match allows it, a player who is asked may take a hint, and everybody sees that.
    """

    seat: int
    at: int
    clauses = ("TABLE-HINT-1",)

    def apply(self, state: Match) -> Match:
        others = tuple(each for each in state.hinted if each.seat != self.seat)
        return replace(state, hinted=(*others, TakenHint(self.seat, self.at)))


def find_taken_hint(match: Match, seat: int) -> TakenHint | None:
    """Return the last hint that a seat took, or None if it has taken none."""
    return next((each for each in match.hinted if each.seat == seat), None)


def require_hint(match: Match, seat: int) -> None:
    """Raise IllegalMove unless this seat may take a hint now.

    TABLE-HINT-1: Where the match allows it, a player who is asked may take a hint.
    """
    if not match.hints:
        raise IllegalMove("hints_not_allowed", "TABLE-HINT-1")
    require_playable(match)
    assert match.state is not None
    if not may_act(match.state.view_for(seat), Seat(seat)):
        raise IllegalMove("no_hint_now", "TABLE-HINT-1", seat=seat)


def _handle_hint(match: Match, command: TakeHint) -> tuple[Event, ...]:
    """Write down that a seat takes a hint.

    TABLE-HINT-2: A hint on one position is taken once; asking again gives the same hint.
    """
    require_hint(match, command.seat)
    if find_taken_hint(match, command.seat) == TakenHint(command.seat, command.at):
        raise IllegalMove("hint_taken", "TABLE-HINT-2", seat=command.seat)
    return (HintTaken(command.seat, command.at),)


COMMAND_HANDLERS: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {TakeHint: _handle_hint}
