"""What happens to card texts themselves: no effect, or a curse cancelled.

Clauses: MK-3.8, MK-20.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import Step, replace_innermost_step
from referee.games.munchkin.values import NOBODY


@named("mk.Lapsed")
@dataclass(frozen=True)
class EffectLapsed(Event):
    """A part of a card text had no effect (MK-3.8, MK-18.2).

    `what` names the part and `seat` the player who was spared.
    """

    card: str
    what: str
    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.8",)


@dataclass(frozen=True)
class PendingCurse(Step):
    """A curse that was played or drawn and is still to be settled.

    `stage` is coming, cancelled or struck. `by` played it, or `NOBODY` if it was behind a door.
    """

    card: str
    victim: int
    by: int = NOBODY
    stage: str = "coming"


@named("mk.CurseRedirected")
@dataclass(frozen=True)
class CurseRedirected(Event):
    """The curse about to strike `seat` was turned on another player (MK-27.5)."""

    card: str
    seat: int
    to: int
    by: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.5",)

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, PendingCurse, lambda curse: replace_fields(curse, victim=self.to))


@named("mk.CurseCancelled")
@dataclass(frozen=True)
class CurseCancelled(Event):
    """The curse about to strike was cancelled by the card `by` (MK-20.5)."""

    card: str
    seat: int
    by: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.5",)

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, PendingCurse, lambda curse: replace_fields(curse, stage="cancelled"))
