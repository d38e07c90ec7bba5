"""Events of creatures on the field: damage, healing, changes, attacks.

Clauses: CC-DAMAGE-1, CC-ATTACK-1, CC-ATTACK-5, CC-KEY-SLUGGISH-1, CC-AMB-12, CC-AMB-22, CC-AMB-27.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import replace_innermost_step
from referee.games.creature_crush.components import face_of
from referee.games.creature_crush.events.pending import PendingAttack, PendingEffects
from referee.games.creature_crush.events.zone_changes import mark_acted
from referee.games.creature_crush.values import GROWTH, SHIELD, SPARED, LastingChange

SKIP_CLAUSES = {  # why a line of a card does nothing, if another clause says so than CC-AMB-18
    "condition": ("CC-EFF-COND-1",), "not_own_turn": ("CC-AMB-9",), "nothing_left": ("CC-DIRECT-2",),
}  # fmt: skip


@named("cc.Damaged")
@dataclass(frozen=True)
class CreaturesDamaged(Event):
    """Creatures took damage at the same time.

    `why` is attack, sluggish, or the card that did it. `sources` says in an attack which creature damaged which.

    CC-DAMAGE-1: A creature whose damage reaches its life points is destroyed. Until then its damage stays, unless it is
        healed.
    """

    points: dict[str, int]
    why: str
    sources: dict[str, str] = field(default_factory=dict)
    clauses: ClassVar[tuple[str, ...]] = ("CC-DAMAGE-1",)

    def apply(self, state: Any) -> Any:
        damage = dict(state.damage)
        for card, points in self.points.items():
            damage[card] = damage.get(card, 0) + points
        return replace_fields(state, damage=damage, stirred=True)

    def applied_clauses(self) -> tuple[str, ...]:
        more = {"attack": ("CC-ATTACK-5",), "sluggish": ("CC-KEY-SLUGGISH-1",)}.get(self.why, ())
        block = ("CC-KEY-VENGEFUL-1", "CC-AMB-22") if len(self.sources) > 1 else ()  # both sides hurt each other
        return (*more, *block, *self.clauses)


@named("cc.Prevented")
@dataclass(frozen=True)
class DamagePrevented(Event):
    """Shields took damage off before the rest is dealt, and are used up.

    CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
    """

    points: dict[str, int]
    clauses: ClassVar[tuple[str, ...]] = ("CC-DAMAGE-1",)

    def apply(self, state: Any) -> Any:
        lasting = state.lasting
        for card, points in self.points.items():
            lasting = use_up(lasting, card, SHIELD, points)
        return replace_fields(state, lasting=lasting, stirred=True)


@named("cc.Spared")
@dataclass(frozen=True)
class CreaturesSpared(Event):
    """Creatures that would have been destroyed are healed instead.

    CC-DAMAGE-1: Damage stays, unless it is healed.
    """

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-DAMAGE-1",)

    def apply(self, state: Any) -> Any:
        lasting = state.lasting
        for card in self.cards:
            lasting = use_up(lasting, card, SPARED, 1)
        damage = {card: points for card, points in state.damage.items() if card not in self.cards}
        return replace_fields(state, lasting=lasting, damage=damage, stirred=True)


@named("cc.GrowthTaken")
@dataclass(frozen=True)
class GrowthTaken(Event):
    """All growth counters were taken off these creatures."""

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-19",)

    def apply(self, state: Any) -> Any:
        lasting = state.lasting
        for card in self.cards:
            lasting = use_up(lasting, card, GROWTH, state.count_lasting(card, GROWTH))
        return replace_fields(state, lasting=lasting, stirred=True)


def use_up(
    lasting: dict[str, tuple[LastingChange, ...]], card: str, stat: str, amount: int
) -> dict[str, tuple[LastingChange, ...]]:
    """Return the lasting changes with so much less of one stat of a creature.

    The oldest change is used up first.
    """
    left: list[LastingChange] = []
    for change in lasting.get(card, ()):
        used = min(amount, change.amount) if change.stat == stat else 0
        amount -= used
        if used < change.amount or change.stat != stat:
            left.append(replace_fields(change, amount=change.amount - used))
    others = {other: changes for other, changes in lasting.items() if other != card}
    return {**others, card: tuple(left)} if left else others


@named("cc.Healed")
@dataclass(frozen=True)
class CreaturesHealed(Event):
    """Damage was taken off creatures.

    CC-DAMAGE-1: Damage stays, unless it is healed.
    """

    points: dict[str, int]
    why: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-DAMAGE-1",)

    def apply(self, state: Any) -> Any:
        damage = {card: points - self.points.get(card, 0) for card, points in state.damage.items()}
        return replace_fields(state, damage={card: points for card, points in damage.items() if points}, stirred=True)


@named("cc.Altered")
@dataclass(frozen=True)
class CreaturesAltered(Event):
    """An effect gave each of these creatures the same lasting change.

    CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
    """

    cards: tuple[str, ...]
    change: LastingChange
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-27",)

    def apply(self, state: Any) -> Any:
        lasting = dict(state.lasting)
        for card in self.cards:
            lasting[card] = (*lasting.get(card, ()), self.change)
        return replace_fields(state, lasting=lasting, stirred=True)


@named("cc.MadeReady")
@dataclass(frozen=True)
class CreaturesReadied(Event):
    """Creatures may take one more action each in this turn.

    CC-AMB-12: To attack twice takes an effect that says so.
    """

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-12",)

    def apply(self, state: Any) -> Any:
        ready = dict(state.ready)
        for card in self.cards:
            ready[card] = ready.get(card, 0) + 1
        return replace_fields(state, ready=ready)


@named("cc.AttackDeclared")
@dataclass(frozen=True)
class AttackDeclared(Event):
    """A creature attacks an enemy creature, or the player directly (empty `target`).

    CC-ATTACK-1: Each attack is paid for, with the cost of the attacking creature.
    CC-ATTACK-3: Only an A-creature attacks the player directly.
    """

    seat: int
    creature: str
    target: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-ATTACK-1",)

    def apply(self, state: Any) -> Any:
        return mark_acted(state, (self.creature,))

    def applied_clauses(self) -> tuple[str, ...]:
        return self.clauses if self.target else (*self.clauses, "CC-ATTACK-3")


@named("cc.AttackCancelled")
@dataclass(frozen=True)
class AttackCancelled(Event):
    """An effect cancelled the attack that was declared.

    CC-CHAIN-7: If an attack is cancelled, it ends without damage. Dice and action stay spent.
    """

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-7",)

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, PendingAttack, lambda attack: replace_fields(attack, cancelled=True))


@named("cc.AttackEnded")
@dataclass(frozen=True)
class AttackEnded(Event):
    """An attack ended without damage: cancelled, or one of the two creatures is gone.

    CC-CHAIN-7: If the attack is cancelled, or attacker or target is gone, it ends without damage.
    """

    creature: str
    target: str
    why: str  # cancelled, attacker_gone, target_gone
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-7",)


@named("cc.ActionCopied")
@dataclass(frozen=True)
class ActionCopied(Event):
    """A card does what the Action of another creature says.

    CC-KEY-ACTION-1: Action happens when the creature is summoned from the hand in its player's turn.
    """

    card: str
    of: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-KEY-ACTION-1",)


@named("cc.EffectCancelled")
@dataclass(frozen=True)
class EffectCancelled(Event):
    """The effect of a flipped card was cancelled, or another one (`part`).

    CC-CHAIN-1: Effects activated one after another form a chain, and the newest is resolved first.
    """

    card: str
    by: str
    part: str = field(default="", metadata=OMIT_IF_EMPTY)  # empty: flip
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-5", "CC-CHAIN-1")

    def apply(self, state: Any) -> Any:
        def without_it(chain: Any) -> Any:
            part = self.part or "flip"
            kept = tuple(link for link in chain.links if not (link.text == part and link.card == self.card))
            return replace_fields(chain, links=kept)

        return replace_innermost_step(state, PendingEffects, without_it)


@named("cc.NoEffect")
@dataclass(frozen=True)
class EffectSkipped(Event):
    """A line of a card did nothing.

    Its condition does not hold, nothing fits, or there is no free place.

    CC-AMB-18: With fewer targets than named all of them are taken. With none the step does nothing, and the next one
        follows.
    CC-AMB-28: Without a place for a creature that is revived or taken nothing happens.
    """

    card: str
    why: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18",)

    def applied_clauses(self) -> tuple[str, ...]:
        if self.why == "no_free_place" and "CC-AMB-28" in face_of(self.card).clauses:
            return ("CC-AMB-28", *self.clauses)
        return SKIP_CLAUSES.get(self.why, self.clauses)
