"""Roll start dice again by an effect (CC-PAY-2, CC-AMB-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from referee.cardscript.moves import Decline
from referee.cardscript.questions import PlayerPrompt
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, require_move
from referee.games.creature_crush.events.course import DiceRerolled
from referee.games.creature_crush.moves import Reroll
from referee.games.creature_crush.rules.actions.paying import build_missing_die_refusal
from referee.games.creature_crush.state import Table


@named("cc.Rerolling")
@dataclass(frozen=True)
class Rerolling(PlayerPrompt):
    """A player may roll up to `count` of the unburned start dice again."""

    seat: int
    card: str
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-9",)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Decline()
        for size in range(1, min(self.count + 1, len(state.dice)) + 1):
            yield from map(Reroll, dict.fromkeys(combinations(state.dice, size)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Decline):
            return
        move = require_move(move, Reroll)
        if not 1 <= len(move.dice) <= self.count:
            raise IllegalMove("reroll_so_many", "CC-AMB-9", count=self.count)
        for pips in move.dice:
            if move.dice.count(pips) > state.dice.count(pips):
                raise build_missing_die_refusal(state, pips)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, Reroll):
            before = tuple(sorted(move.dice))
            yield StepPushed(RollAgain(dice=len(before), seat=self.seat, before=before))


@named("cc.RollAgain")
@dataclass(frozen=True, kw_only=True)
class RollAgain(Roll):
    """Start dice are rolled again.

    CC-AMB-9: Dice rolled again later bring no bonus.
    """

    seat: int
    before: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-9",)

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield DiceRerolled(self.seat, self.before, values)
