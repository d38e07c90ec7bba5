"""The turn begins: effects of its start, a card is drawn, the start dice are rolled; then the combat phase.

Clauses: CC-TURN-1, CC-START-1 to CC-START-4, CC-AMB-8 to CC-AMB-10, CC-AMB-32.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, changed
from referee.engine.steps import Became, Closed, Frame, Opened, Step
from referee.games.creature_crush.components import MOST_START_DICE
from referee.games.creature_crush.events.course import PhaseBegan, StartDiceLost, StartDiceRolled, TurnBegan, TurnEnded
from referee.games.creature_crush.rules.chain import Happened
from referee.games.creature_crush.rules.combat.fighting import Combat
from referee.games.creature_crush.rules.drawing import Drawing
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.rules.triggers import effects_of
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, Happening

BASIC, OPENING = 3, 2  # start dice, and those of the first turn of all (CC-START-2, CC-START-3)
BONUS = {"basic": "triple", "triple": "quadruple"}  # what dice that are all alike give (CC-AMB-9)


@named("cc.TurnBegins")
@dataclass(frozen=True)
class TurnBegins(Step):
    """A player comes on turn, with the start phase."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        opening = state.opener == NOBODY
        yield Became(Combat(self.seat))
        yield TurnBegan(self.seat)
        yield Opened(StartDice(dice=OPENING if opening else BASIC, seat=self.seat, extra=state.extra[self.seat]))
        yield Opened(Drawing(self.seat, 1, True))
        allies = ((creature, "turn_starts", self.seat) for creature in state.creatures(self.seat))
        started = Happening("start", self.seat, {}, effects_of(state, allies))
        yield Opened(Frame((Happened(started),)))


def turn_given(table: Table, seat: int) -> Table:
    """The table as the turn of a player is about to begin, by a correction; what lasts for a turn is over."""
    ended: Table = TurnEnded(table.turn).apply(table)
    return changed(ended, agenda=(TurnBegins(seat),))


@named("cc.StartDice")
@dataclass(frozen=True)
class StartDice(Roll):
    """Start dice to roll: the basic ones, a bonus die, the additional ones.

    `extra` are the additional dice still to come, earned before this turn; `alike` is what the dice before have shown.
    """

    seat: int = 0
    which: str = "basic"
    extra: int = 0
    alike: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-2", "CC-START-3", "CC-START-4")

    def outcome(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield StartDiceRolled(self.seat, values, self.which)
        bonus = self._bonus(values)
        if bonus:
            yield Opened(StartDice(seat=self.seat, which=bonus, extra=self.extra, alike=values[0]))
            return
        coming = min(self.extra, MOST_START_DICE - len(state.dice) - len(values))
        if coming < self.extra:
            yield StartDiceLost(self.seat, self.extra - coming)
        if coming:
            yield Opened(StartDice(dice=coming, seat=self.seat, which="extra"))
        else:
            yield Opened(StartOver(self.seat))

    def _bonus(self, values: tuple[int, ...]) -> str:
        """The bonus die that these dice give: for three alike, and then for four (CC-AMB-9)."""
        alike = len({*values, self.alike or values[0]}) == 1
        opening = self.which == "basic" and self.dice < BASIC
        return BONUS.get(self.which, "") if alike and not opening else ""


@named("cc.StartOver")
@dataclass(frozen=True)
class StartOver(Step):
    """The start phase is over; the combat phase begins (CC-TURN-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        yield PhaseBegan(self.seat, "combat")
        yield Opened(Judging())
