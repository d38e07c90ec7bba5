"""Ending a match without a fight: offering a draw, answering it, giving up (CC-END-2, CC-END-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Closed, Opened
from referee.games.creature_crush.events.course import Conceded, DrawDeclined, DrawOffered
from referee.games.creature_crush.moves import AcceptDraw, DeclineDraw
from referee.games.creature_crush.rules.ending import end
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY


def check_offer(table: Table, seat: int) -> None:
    """Raises Refused if this player has offered a draw in this turn already."""
    if table.offered == seat:
        raise Refused("offered_already", "CC-END-3")


def offered(seat: int) -> Iterator[Event]:
    """The facts of offering a draw."""
    yield DrawOffered(seat)
    yield Opened(DrawAnswer(1 - seat))


@named("cc.DrawAnswer")
@dataclass(frozen=True)
class DrawAnswer(Asking):
    """A player agrees to a draw or plays on."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)
    reaction: ClassVar[str] = "draw"

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield DeclineDraw()
        yield AcceptDraw()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, AcceptDraw | DeclineDraw):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, AcceptDraw):
            yield from end(NOBODY, "agreed")
        else:
            yield Closed()
            yield DrawDeclined(self.seat)

    def by_default(self, state: Table, seat: Seat) -> Move:
        return DeclineDraw()


def conceded(seat: int) -> Iterator[Event]:
    """The facts of giving up: the other player wins."""
    yield Conceded(seat)
    yield from end(1 - seat, "conceded")
