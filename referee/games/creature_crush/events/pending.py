"""What is pending and may be changed by facts: an attack that was declared, effects that wait in a chain.

How each is carried out, the rules add. Clauses: CC-CHAIN-4, CC-CHAIN-7.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import CardPrompt
from referee.engine.steps import Step


@dataclass(frozen=True)
class PendingAttack(Step):
    """A declared attack: of `creature` on `target` (empty: directly), each with its place when it was declared."""

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
