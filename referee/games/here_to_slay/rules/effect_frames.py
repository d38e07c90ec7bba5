"""Frames: one thing carried out to its end, and then what it has set off.

Clauses: HTS-TERM-6, HTS-TRIG-1, HTS-TRIG-2, HTS-TRIG-3, HTS-TRIG-4, HTS-TRIG-5, HTS-AMB-53.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Frame, Opened
from referee.games.here_to_slay.state import Table


@named("hts.Carried")
@dataclass(frozen=True)
class Carried(Frame):
    """A frame: owner by owner clockwise from the active player, each in the order of their own choice (HTS-TRIG-3)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-TRIG-1", "HTS-TRIG-3", "HTS-TRIG-4")

    def resolve(self, state: Table) -> Iterator[Event]:
        if not self.noted:
            yield Closed()
            return
        owner = next(seat for seat in state.clockwise(state.active) if self._of(seat))
        mine = self._of(owner)
        if len({step.card for step in mine}) > 1:
            yield Opened(OrderTriggers(owner, tuple(dict.fromkeys(step.card for step in mine))))
        else:
            yield from self.goes_on_with(mine[0])

    def _of(self, seat: int) -> list[CarryOut]:
        return [step for step in self.noted if isinstance(step, CarryOut) and step.by == seat]

    def goes_on_with(self, step: CarryOut) -> Iterator[Event]:
        """The facts with which one of the noted texts begins, in a frame of its own (HTS-TRIG-4)."""
        left = list(self.noted)
        left.remove(step)
        yield Became(changed(self, noted=tuple(left)))
        yield Opened(Carried())
        yield Opened(step)

    def by_card(self, seat: int, card: str) -> CarryOut:
        """The first noted text of a card of that player. Raises StopIteration."""
        return next(step for step in self._of(seat) if step.card == card)


@named("hts.OrderTriggers")
@dataclass(frozen=True)
class OrderTriggers(Asking):
    """Several abilities of one player wait; the player says which comes next (HTS-TRIG-3)."""

    seat: int
    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TRIG-3",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, self.cards)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard) or move.card not in self.cards:
            raise Refused("which_comes_next", "HTS-TRIG-3", cards=self.cards)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        frame = state.agenda[-2]
        assert isinstance(frame, Carried)
        yield Closed()
        yield from frame.goes_on_with(frame.by_card(self.seat, move.card))
