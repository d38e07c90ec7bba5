"""What befalls the texts of cards themselves: a part that does nothing, a curse that is cancelled.

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
    """A part of a text did nothing, for everybody to see (MK-3.8, MK-18.2): `what` names it, `seat` whom it spared."""

    card: str
    what: str
    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.8",)


@dataclass(frozen=True)
class PendingCurse(Step):
    """A curse on its way: `stage` is coming, cancelled, or struck; `by` played it, nobody if a door held it."""

    card: str
    victim: int
    by: int = NOBODY
    stage: str = "coming"


@named("mk.CurseCancelled")
@dataclass(frozen=True)
class CurseCancelled(Event):
    """The curse that was about to strike does nothing (MK-20.5). `by`: the card that did it."""

    card: str
    seat: int
    by: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-20.5",)

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, PendingCurse, lambda curse: replace_fields(curse, stage="cancelled"))
