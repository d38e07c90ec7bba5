"""Offer a draw and answer it (CC-END-3).

Conceding is possible at every question and is handled by the table itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.questions import PlayerPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, require_move
from referee.games.creature_crush.events.course import DrawDeclined, DrawOffered, end_match
from referee.games.creature_crush.moves import AcceptDraw, DeclineDraw
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY


def check_draw_offer(table: Table, seat: int) -> None:
    """Check that a player has not offered a draw in this turn already.

    Raises IllegalMove if so.

    CC-AMB-33: The active player may offer a draw, at most once in a turn.
    """
    if table.offered == seat:
        raise IllegalMove("offered_already", "CC-END-3", "CC-AMB-33")


def offer_draw(seat: int) -> Iterator[Event]:
    """Yield the events of offering a draw."""
    yield DrawOffered(seat)
    yield StepPushed(DrawAnswer(1 - seat))


@named("cc.DrawAnswer")
@dataclass(frozen=True)
class DrawAnswer(PlayerPrompt):
    """A player agrees to a draw or plays on.

    CC-END-3: A match is drawn if both players agree on it.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)
    reaction_kind: ClassVar[str] = "draw"

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield DeclineDraw()
        yield AcceptDraw()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        require_move(move, AcceptDraw, DeclineDraw)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, AcceptDraw):
            yield from end_match(NOBODY, "agreed")
        else:
            yield StepPopped()
            yield DrawDeclined(self.seat)

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return DeclineDraw()
