"""The moves of Monster Combat: what a player may ask, and what chance may answer.

The game also uses the kernel's moves `chance.shuffled`, `chance.picked` and `chance.turned_up`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move
from referee.engine.zones import backs_of


@named("mc.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Play a card from the hand, in variant 2 a life-back card on the seat `target`.

    Only a life-back card in variant 2 takes a target.

    MC-V2-LIFE-1: A life-back card fills exactly one empty heart of a player of one's choice.
    """

    card: str
    target: int | None = field(default=None, metadata={"minimum": 0, "maximum": 19})
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1",)


@named("mc.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Play no card this turn.

    MC-TURN-1: A turn goes: draw, event, play a card. Only the last one can be left out.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-1",)


@named("mc.parry")
@dataclass(frozen=True)
class Parry(Move):
    """Answer an attack with a shield.

    MC-SHIELD-1: A player who is attacked may answer with a shield from the hand, and the attack is off.
    """

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1",)


@named("mc.take_it")
@dataclass(frozen=True)
class TakeHit(Move):
    """Take an attack without an answer.

    MC-SHIELD-3: Nobody has to parry.
    MC-AMB-20: A player who is attacked is asked, shield or not, and may decline.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-3", "MC-AMB-20")


@named("mc.discard_down")
@dataclass(frozen=True)
class DiscardSurplus(Move):
    """Give up these cards at the end of the turn.

    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards of their own choice down to seven.
    """

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1",)


@named("mc.revive_draw")
@dataclass(frozen=True)
class ReviveDraw(Move):
    """Draw five cards after coming back into play, or decline to.

    MC-V2-LIFE-2: A player who comes back into play may draw five cards.
    """

    draw: bool
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-2",)


@named("mc.begins")
@dataclass(frozen=True)
class FirstPlayerResult(Move):
    """Chance: this seat begins.

    MC-AMB-5: The first player is drawn by lot, unless the table names someone.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")


@named("mc.drawn")
@dataclass(frozen=True)
class DrawResult(Move):
    """Chance: these come off the draw pile, top first: names, or backs of real cards.

    At a table of real cards they are backs (`?`, `?trigger`), for a bot's hand names.
    """

    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the move with backs only. Events name the cards to those who may know."""
        return replace(self, cards=backs_of(self.cards))


@named("mc.laid_open")
@dataclass(frozen=True)
class LayOpenResult(Move):
    """Chance: this card is laid open from a hand that goes to the discard.

    MC-EVENT-DISCARD-1: Every card the active player holds goes to the discard.
    MC-AMB-18: On defeat the hand goes to the discard if the match goes on.
    """

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("KERNEL-CHANCE-1",)
