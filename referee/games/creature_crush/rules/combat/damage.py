"""Resolve a declared attack: damage of both sides at once, or a direct hit.

Clauses: CC-ATTACK-5, CC-DIRECT-1, CC-DIRECT-2, CC-CHAIN-7, CC-AMB-22, CC-AMB-25.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.steps import Frame, StepPopped, StepPushed
from referee.games.creature_crush.events.field import AttackDeclared, AttackEnded
from referee.games.creature_crush.events.pending import PendingAttack
from referee.games.creature_crush.rules.activating import activate_texts
from referee.games.creature_crush.rules.chain import queue_trigger
from referee.games.creature_crush.rules.combat.losing import DirectHit
from referee.games.creature_crush.rules.triggers import deal_damage
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import TriggerEvent


@named("cc.Strike")
@dataclass(frozen=True)
class Strike(PendingAttack):
    """A declared attack is carried out.

    CC-ATTACK-5: The attacked creature takes damage equal to the attack points of the attacker.
    CC-AMB-22: Block damage is dealt at the same time as the damage of the attack, even if the defender dies of that.
    CC-CHAIN-7: If the attack is cancelled, or attacker or target is gone, it ends without damage. Dice and action stay
        spent.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-7",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        why = self.find_miss_reason(state)
        if why:
            yield AttackEnded(self.creature, self.target, why)
            return
        yield StepPushed(Frame())
        if not self.target:
            yield StepPushed(DirectHit(self.seat, self.creature))
            return
        # attack damage and block damage are dealt at the same time (CC-AMB-22)
        points = {self.target: state.attack_damage(self.creature, self.target)}
        if state.has_keyword(self.target, "vengeful"):
            points[self.creature] = state.attack_points(self.target)
        yield from deal_damage(state, points, "attack", {self.creature: self.target, self.target: self.creature})

    def find_miss_reason(self, table: Table) -> str:
        """Return why the attack ends without damage as things stand, or ""."""
        if self.cancelled:
            return "cancelled"
        if table.card_at(self.place) != self.creature:
            return "attacker_gone"
        return "target_gone" if self.target and table.card_at(self.target_place) != self.target else ""


def declare_attack(table: Table, seat: int, creature: str, target: str) -> Iterator[Event]:
    """Yield the events of declaring an attack that was paid for.

    It is carried out when everything that the declaration sets off is over.
    """
    yield StepPushed(
        Strike(seat, creature, table.places_by_creature[creature], target, table.places_by_creature.get(target, ""))
    )
    yield StepPushed(Frame())
    yield AttackDeclared(seat, creature, target)
    if target:
        cards = ((creature, "attacks", seat), (target, "attacked", 1 - seat))
        refs = {"attacker": creature, "defender": target}
        happening = TriggerEvent(
            "attack", seat, {name: (card,) for name, card in refs.items()}, activate_texts(table, cards, **refs)
        )
    else:
        happening = TriggerEvent("direct_attack", seat, {"attacker": (creature,)})
    yield queue_trigger(happening)
