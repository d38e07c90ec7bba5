"""Frames: one matter carried out to its end, followed by what it has triggered.

Clauses: HTS-TERM-6, HTS-TRIG-1, HTS-TRIG-2, HTS-TRIG-3, HTS-TRIG-4, HTS-TRIG-5, HTS-AMB-53.
HTS-TERM-6: A frame inside another is finished before the outer one goes on.
HTS-TRIG-1: What is triggered is noted and follows when the step under way is complete, before the one around it
    resumes.
HTS-AMB-53: Triggers wait until the text under way is done. So Wildshot discards before Orthus is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.moves import ChooseCard
from referee.cardscript.questions import PlayerPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Frame, StepPopped, StepPushed, StepReplaced
from referee.games.here_to_slay.state import Table


@named("hts.Carried")
@dataclass(frozen=True)
class EffectFrame(Frame):
    """A frame whose triggers run owner by owner, in an order that each owner chooses.

    HTS-TRIG-3: Several at once go clockwise by owner, the active player first. Owners decide the order of their own.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-TRIG-1", "HTS-TRIG-3", "HTS-TRIG-4")

    def resolve(self, state: Table) -> Iterator[Event]:
        if not self.noted:
            yield StepPopped()
            return
        owner = next(seat for seat in state.seats_clockwise_from(state.active) if self._list_texts_of(seat))
        mine = self._list_texts_of(owner)
        if len({step.card for step in mine}) > 1:
            yield StepPushed(OrderTriggers(owner, tuple(dict.fromkeys(step.card for step in mine))))
        else:
            yield from self.start_text(mine[0])

    def _list_texts_of(self, seat: int) -> list[Execution]:
        return [step for step in self.noted if isinstance(step, Execution) and step.by == seat]

    def start_text(self, step: Execution) -> Iterator[Event]:
        """Yield the events that begin one of the queued texts, in a frame of its own.

        HTS-TRIG-4: What a trigger sets off in its turn comes before those still waiting.
        """
        left = list(self.noted)
        left.remove(step)
        yield StepReplaced(replace_fields(self, noted=tuple(left)))
        yield StepPushed(EffectFrame())
        yield StepPushed(step)

    def find_text(self, seat: int, card: str) -> Execution:
        """Return the first queued text of a player's card.

        Raises StopIteration if there is none.
        """
        return next(step for step in self._list_texts_of(seat) if step.card == card)


@named("hts.OrderTriggers")
@dataclass(frozen=True)
class OrderTriggers(PlayerPrompt):
    """Several abilities of one player wait. The player says which comes next.

    HTS-TRIG-3: Several at once go clockwise by owner, the active player first. Owners decide the order of their own.
    """

    seat: int
    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TRIG-3",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseCard, self.cards)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCard) or move.card not in self.cards:
            raise NotAsked("which_comes_next", "HTS-TRIG-3", cards=self.cards)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCard)
        frame = state.agenda[-2]
        assert isinstance(frame, EffectFrame)
        yield StepPopped()
        yield from frame.start_text(frame.find_text(self.seat, move.card))
