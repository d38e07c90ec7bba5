"""Moments: questions during which every living player may make a play.

Each kind of move has a handler that judges it from the state alone. So one predicate serves the player on turn and all
others. While a play is being carried out no moment is open, and no other play is taken. Clauses: MK-3.6, MK-3.7,
MK-6.1,
MK-6.2, MK-14.1, MK-26.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.language.delayed import DelayedTextsDue
from referee.cardscript.questions import CardPrompt
from referee.engine.events import Event, Move
from referee.engine.seats import Seat
from referee.engine.steps import StepPushed
from referee.games.munchkin.events.triggers import NOW
from referee.games.munchkin.rules import state_based_checks
from referee.games.munchkin.state import Table


@dataclass(frozen=True)
class MoveHandler:
    """How one kind of move is listed, judged and carried out at any moment.

    `candidates` lists moves from a seat's view, near misses among them. `promising` lists the same legal moves with
    fewer
    near misses. If it is None, `candidates` is used.
    """

    candidates: Callable[[Table, int], Iterable[Move]]
    check: Callable[[Table, int, Any], None]
    decide: Callable[[Table, int, Any], Iterator[Event]]
    patterns: Callable[[Table, int], tuple[dict[str, Any], ...]] = lambda _table, _seat: ()
    promising: Callable[[Table, int], Iterable[Move]] | None = None


HANDLERS: dict[type[Move], MoveHandler] = {}  # in the order in which their moves are listed


class Moment(CardPrompt):
    """A question that stays open while any player makes plays (MK-24.11).

    Subclasses name the seats that it waits for (`find_pending_seats`).
    """

    __slots__ = ()
    moment: ClassVar[str] = ""

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        """Return the seats that this moment waits for.

        If it waits for nobody, it settles itself (`settle_moment`).
        """
        raise NotImplementedError

    def settle_moment(self, state: Table) -> Iterator[Event]:
        """Yield the events of a moment that waits for nobody."""
        raise NotImplementedError

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        if state.find_waiting_texts() or state_based_checks.find_correction_step(state) is not None:
            return ()
        return self.find_pending_seats(state)

    def resolve(self, state: Table) -> Iterator[Event]:
        if waiting := state.find_waiting_texts():
            yield DelayedTextsDue(state.turn, NOW)
            for text in reversed(waiting):  # MK-27.1: the first one comes first
                yield from () if text.by in state.dead else (StepPushed(text),)
            return
        correction = state_based_checks.find_correction_step(state)
        if correction is not None:
            yield StepPushed(correction)  # MK-7.11: when a limit shrinks, the owner has to keep it at once
        else:
            yield from self.settle_moment(state)

    def admitted_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset(map(Seat, state.living_seats)) | state.seats_that_may_interject()

    def invited_seats(self, state: Table) -> frozenset[Seat]:
        """Return the seats that could take a trade offered to them now (MK-7.9, MK-26.1)."""
        offered = (
            trade for trade in state.trades if not state.is_in_combat(trade.by) and not state.is_in_combat(trade.to)
        )
        return frozenset(Seat(trade.to) for trade in offered)

    def list_unprompted_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        """Return moves that a seat may make though it is not prompted, and near misses."""
        return ()

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat in self._list_prompted_seats(state):
            yield from self.possible_answers(state, seat)
        if seat >= 0:  # the clock and chance play no cards
            for handler in HANDLERS.values():
                yield from handler.candidates(state, int(seat))
        yield from self.list_unprompted_moves(state, seat)
        yield from state.possible_interjections(seat)

    def promising_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat in self._list_prompted_seats(state):
            yield from self.possible_answers(state, seat)
        if seat >= 0:
            for handler in HANDLERS.values():
                yield from (handler.promising or handler.candidates)(state, int(seat))
        yield from self.list_unprompted_moves(state, seat)
        yield from state.possible_interjections(seat)

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
