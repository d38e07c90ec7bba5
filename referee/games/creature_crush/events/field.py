"""What happens to creatures on the field, and between them: damage, healing, changes, attacks.

Clauses: CC-DAMAGE-1, CC-ATTACK-1, CC-ATTACK-5, CC-KEY-SLUGGISH-1, CC-AMB-12, CC-AMB-22, CC-AMB-27.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import replace_innermost_step
from referee.games.creature_crush.events.pending import PendingAttack, PendingEffects
from referee.games.creature_crush.events.zone_changes import mark_acted
from referee.games.creature_crush.values import LastingChange


@named("cc.Damaged")
@dataclass(frozen=True)
class CreaturesDamaged(Event):
    """Creatures took damage at the same time; `why`: attack, sluggish, or the card that did it (CC-DAMAGE-1).

    `sources`: in an attack, who dealt it to whom.
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
        return (*more, *self.clauses)


@named("cc.Healed")
@dataclass(frozen=True)
class CreaturesHealed(Event):
    """Damage was taken off creatures (CC-DAMAGE-1)."""

    points: dict[str, int]
    why: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-DAMAGE-1",)

    def apply(self, state: Any) -> Any:
        damage = {card: points - self.points.get(card, 0) for card, points in state.damage.items()}
        return replace_fields(state, damage={card: points for card, points in damage.items() if points}, stirred=True)


@named("cc.Altered")
@dataclass(frozen=True)
class CreaturesAltered(Event):
    """An effect changed creatures for a while: each has the same change from now on (CC-AMB-27)."""

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
    """Creatures may take one more action each in this turn (CC-AMB-12)."""

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
    """A creature attacks an enemy creature, or (`target` empty) the player directly (CC-ATTACK-1)."""

    seat: int
    creature: str
    target: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-ATTACK-1",)

    def apply(self, state: Any) -> Any:
        return mark_acted(state, (self.creature,))


@named("cc.AttackCancelled")
@dataclass(frozen=True)
class AttackCancelled(Event):
    """An effect stopped the attack that was declared; dice and action stay spent (CC-CHAIN-7)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-7",)

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, PendingAttack, lambda attack: replace_fields(attack, cancelled=True))


@named("cc.AttackEnded")
@dataclass(frozen=True)
class AttackEnded(Event):
    """An attack came to nothing: it was cancelled, or one of the two is no longer in place (CC-CHAIN-7)."""

    creature: str
    target: str
    why: str  # cancelled, attacker_gone, target_gone
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-7",)


@named("cc.EffectCancelled")
@dataclass(frozen=True)
class EffectCancelled(Event):
    """The effect of a flipped card is not carried out."""

    card: str
    by: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-5",)

    def apply(self, state: Any) -> Any:
        def without_it(chain: Any) -> Any:
            kept = tuple(link for link in chain.links if not (link.text == "flip" and link.card == self.card))
            return replace_fields(chain, links=kept)

        return replace_innermost_step(state, PendingEffects, without_it)


@named("cc.NoEffect")
@dataclass(frozen=True)
class EffectSkipped(Event):
    """A line of a card did nothing: its condition does not hold, nothing fits, there is no free place (CC-AMB-18)."""

    card: str
    why: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18",)
