"""Moments: the questions during which anybody may cut in with a play of any time.

Who may do what in a moment is asked of the handlers, each of which judges one kind of move from the state alone: so the
same predicate answers whoever is on turn and whoever interferes. While a play is being carried out there is no moment,
and no other play is taken. Clauses: MK-3.6, MK-3.7, MK-6.1, MK-6.2, MK-14.1, MK-26.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.questions import CardPrompt
from referee.engine.events import Event, Move
from referee.engine.seats import Seat
from referee.engine.steps import StepPushed
from referee.games.munchkin.rules import state_based_checks
from referee.games.munchkin.state import Table


@dataclass(frozen=True)
class MoveHandler:
    """How one kind of move of any time is listed (of a seat's view, near misses too), judged and carried out.

    `promising_moves` lists the same legal moves with fewer near misses; None: no fewer than `candidate_moves`.
    """

    candidates: Callable[[Table, int], Iterable[Move]]
    check: Callable[[Table, int, Any], None]
    decide: Callable[[Table, int, Any], Iterator[Event]]
    patterns: Callable[[Table, int], tuple[dict[str, Any], ...]] = lambda _table, _seat: ()
    promising: Callable[[Table, int], Iterable[Move]] | None = None


HANDLERS: dict[type[Move], MoveHandler] = {}  # in the order in which their moves are listed


class Moment(CardPrompt):
    """A question of this game beside which plays of any time are taken, and which stays open meanwhile (MK-24.11).

    Subclasses say whom it asks (`find_pending_seats`).
    """

    __slots__ = ()
    moment: ClassVar[str] = ""

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        """The seats that this moment waits for; nobody: it settles itself (`settle_moment`)."""
        raise NotImplementedError

    def settle_moment(self, state: Table) -> Iterator[Event]:
        """The facts of a moment that waits for nobody."""
        raise NotImplementedError

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return () if state_based_checks.find_correction_step(state) is not None else self.find_pending_seats(state)

    def resolve(self, state: Table) -> Iterator[Event]:
        amiss = state_based_checks.find_correction_step(state)
        if amiss is not None:
            yield StepPushed(amiss)  # a limit has shrunk: that is put right first (MK-7.11)
        else:
            yield from self.settle_moment(state)

    def admitted_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset(map(Seat, state.living_seats))

    def invited_seats(self, state: Table) -> frozenset[Seat]:
        """Whoever a trade is offered to that could be taken now (MK-7.9, MK-26.1)."""
        offered = (
            trade for trade in state.trades if not state.is_in_combat(trade.by) and not state.is_in_combat(trade.to)
        )
        return frozenset(Seat(trade.to) for trade in offered)

    def list_unprompted_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        """What a seat may say of the question though it is not asked, and near misses."""
        return ()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat in self.prompted_seats(state):
            yield from self.possible_answers(state, seat)
        if seat >= 0:  # the clock and chance play no cards
            for handler in HANDLERS.values():
                yield from handler.candidates(state, int(seat))
        yield from self.list_unprompted_moves(state, seat)

    def promising_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat in self.prompted_seats(state):
            yield from self.possible_answers(state, seat)
        if seat >= 0:
            for handler in HANDLERS.values():
                yield from (handler.promising or handler.candidates)(state, int(seat))
        yield from self.list_unprompted_moves(state, seat)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        handler = HANDLERS.get(type(move))
        if handler is not None and seat >= 0:
            handler.check(state, int(seat), move)
        else:
            super().check_move(state, seat, move)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        handler = HANDLERS.get(type(move))
        if handler is not None:
            yield from handler.decide(state, int(seat), move)
        else:
            yield from super().decide_move(state, seat, move)

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat < 0:
            return ()
        return tuple(each for handler in HANDLERS.values() for each in handler.patterns(state, int(seat)))
