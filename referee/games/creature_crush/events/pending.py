"""Pending steps that events may change: a declared attack, and effects that wait.

The rules add how each is carried out. Clauses: CC-CHAIN-4, CC-CHAIN-7.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import CardPrompt
from referee.engine.steps import Step


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
