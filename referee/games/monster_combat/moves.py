"""What a player may ask, and what chance may answer. Kernel moves used here: `chance.shuffled`, `chance.picked`,
`chance.turned_up`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move
from referee.engine.zones import backs_of


@named("mc.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Play a card from the hand. `target` is a seat, for a life-back card in variant 2 alone (MC-V2-LIFE-1)."""

    card: str
    target: int | None = None
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1",)


@named("mc.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Play no card this turn: the last phase is free (MC-TURN-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-1",)


@named("mc.parry")
@dataclass(frozen=True)
class Parry(Move):
    """Answer an attack with a shield (MC-SHIELD-1)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1",)


@named("mc.take_it")
@dataclass(frozen=True)
class TakeHit(Move):
    """Answer an attack with nothing (MC-SHIELD-3, MC-AMB-20)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-3", "MC-AMB-20")


@named("mc.discard_down")
@dataclass(frozen=True)
class DiscardSurplus(Move):
    """Give up these cards at the end of the turn (MC-TURN-END-1)."""

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1",)


@named("mc.revive_draw")
@dataclass(frozen=True)
class ReviveDraw(Move):
    """Back in play: draw five cards, or do not (MC-V2-LIFE-2)."""

    draw: bool
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-2",)


@named("mc.begins")
@dataclass(frozen=True)
class FirstPlayerResult(Move):
    """Chance: this seat begins (MC-AMB-5)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")


@named("mc.drawn")
@dataclass(frozen=True)
class DrawResult(Move):
    """Chance: these come off the draw pile, top first. At a table backs (`?`, `?trigger`), for a bot's hand names."""

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        """The backs; what the cards are the facts tell to whom it concerns."""
        return replace(self, cards=backs_of(self.cards))


@named("mc.laid_open")
@dataclass(frozen=True)
class LayOpenResult(Move):
    """Chance: this card comes to light in a hand that goes to the discard (MC-EVENT-DISCARD-1, MC-AMB-18)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)
