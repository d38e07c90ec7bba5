"""Pending steps that events and views look at: attacks, waiting effects, drafts.

The rules add how each is carried out. Clauses: CC-CHAIN-4, CC-CHAIN-7, CC-DIRECT-1, CC-DIRECT-2, CC-FORMAT-ARENA-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import CardPrompt
from referee.engine.steps import Step
from referee.games.creature_crush.values import NOBODY


@dataclass(frozen=True)
class PendingAttack(Step):
    """A declared attack of `creature` on `target`, or directly if `target` is empty.

    `place` and `target_place` are the places of both when it was declared.
    """

    seat: int
    creature: str
    place: str
    target: str = ""
    target_place: str = ""
    cancelled: bool = False


@dataclass(frozen=True)
class PendingEffects(CardPrompt):
    """Effects that wait, the newest last."""

    links: tuple[Execution, ...]

    @property
    def open_event(self) -> str:
        """The kind of event whose window is open, or ""."""
        return ""

    @property
    def answering_seat(self) -> int:
        """The seat that may answer in the open window, or NOBODY."""
        return NOBODY


class PendingDraft(Step):
    """A draft that is not over."""

    __slots__ = ()


class PendingHit(Step):
    """A direct attack that is carried out."""

    __slots__ = ()


class PendingLoss(Step):
    """A card that a player loses without a choice.

    `direct_clause` is cited if a direct attack does it.
    """

    __slots__ = ()
    seat: int
    direct_clause: ClassVar[str] = "CC-DIRECT-1"
