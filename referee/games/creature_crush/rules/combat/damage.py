"""An attack once it is declared: the window, then damage of both sides at once, or a card of the opponent destroyed.

Clauses: CC-ATTACK-5, CC-DIRECT-1, CC-DIRECT-2, CC-CHAIN-7, CC-AMB-22, CC-AMB-25.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.steps import Closed, Frame, Opened, Step
from referee.games.creature_crush.events.field import AttackDeclared, AttackEnded
from referee.games.creature_crush.rules.combat.losing import DirectHit
from referee.games.creature_crush.rules.triggers import damaged, effects_of, noted
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Happening


@named("cc.Strike")
@dataclass(frozen=True)
class Strike(Step):
    """A declared attack: of `creature` on `target` (empty: directly), each with its place when it was declared."""

    seat: int
    creature: str
    place: str
    target: str = ""
    target_place: str = ""
    cancelled: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-7",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        why = self._missed(state)
        if why:
            yield AttackEnded(self.creature, self.target, why)
            return
        yield Opened(Frame())
        if not self.target:
            yield Opened(DirectHit(self.seat, self.creature))
            return
        # attack damage and block damage are dealt at the same time (CC-AMB-22)
        points = {self.target: max(0, state.attack(self.creature) - state.armor(self.target))}
        if state.has(self.target, "vengeful"):
            points[self.creature] = state.attack(self.target)
        yield from damaged(state, points, "attack", {self.creature: self.target, self.target: self.creature})

    def _missed(self, table: Table) -> str:
        if self.cancelled:
            return "cancelled"
        if table.at(self.place) != self.creature:
            return "attacker_gone"
        return "target_gone" if self.target and table.at(self.target_place) != self.target else ""


def declared(table: Table, seat: int, creature: str, target: str) -> Iterator[Event]:
    """The facts of declaring an attack that was paid for; it is carried out once what it sets off is over."""
    yield Opened(Strike(seat, creature, table.spots[creature], target, table.spots.get(target, "")))
    yield Opened(Frame())
    yield AttackDeclared(seat, creature, target)
    if target:
        cards = ((creature, "attacks", seat), (target, "attacked", 1 - seat))
        refs = {"attacker": creature, "defender": target}
        happening = Happening(
            "attack", seat, {name: (card,) for name, card in refs.items()}, effects_of(table, cards, **refs)
        )
    else:
        happening = Happening("direct_attack", seat, {"attacker": (creature,)})
    yield noted(happening)
