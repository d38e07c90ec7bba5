"""Small values that the table is made of: what has happened and sets effects off, and what lasts on a creature.

Clauses: CC-CHAIN-3, CC-CHAIN-4, CC-AMB-27.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.cardscript.language.interpreter import Execution
from referee.engine.codec import named

NOBODY = -1


@named("cc.Lasting")
@dataclass(frozen=True)
class LastingChange:
    """A change that an effect made to a creature: of `attack` or `armor`, for this turn or while it is on the field."""

    stat: str
    amount: int
    this_turn: bool
    by: str  # the card whose effect made it


@named("cc.Happening")
@dataclass(frozen=True)
class TriggerEvent:
    """An event in the sense of CC-CHAIN-3: its kind, whose it is (`by`), the cards that it is about, and the effects
    that it sets off by itself, all at once.

    Kinds: `attack` (by: the attacker's seat; refs attacker, defender), `direct_attack` (attacker), `placed` (summoned),
    `destroyed` (victim/0 and victim/1, by possessor), `put` (into hell from deck or hand), `direct_done`, `flipped`
    (flipped), `start`.
    """

    kind: str
    by: int
    refs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    effects: tuple[Execution, ...] = ()
