"""The moves of Mau-Mau. Those of chance are the kernel's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move


@named("mm.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Put a card of the hand on the discard pile (MM-TURN-1)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MM-TURN-1",)


@named("mm.draw")
@dataclass(frozen=True)
class DrawCard(Move):
    """Draw one card, or all that sevens ask for (MM-TURN-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MM-TURN-1",)


@named("mm.pass")
@dataclass(frozen=True)
class PassTurn(Move):
    """Pass after drawing (MM-DRAW-2)."""

    clauses: ClassVar[tuple[str, ...]] = ("MM-DRAW-2",)


@named("mm.wish")
@dataclass(frozen=True)
class WishSuit(Move):
    """Wish the suit of the next card (MM-JACK-2)."""

    suit: str
    clauses: ClassVar[tuple[str, ...]] = ("MM-JACK-2",)
