"""Small values that the table is made of: trigger events, and lasting changes.

Clauses: CC-CHAIN-3, CC-CHAIN-4, CC-AMB-27.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.cardscript.language.interpreter import Execution
from referee.engine.codec import OMIT_IF_EMPTY, named

NOBODY = -1
LIFE, SHIELD, GROWTH, SPARED = "life", "shield", "growth", "spared"
TURN_ENDS, NEXT_TURN = "turn_ends", "next_turn"  # the times to which a text can put something off
LOST = -99  # of a keyword: more than everything that gives it


@named("cc.Lasting")
@dataclass(frozen=True)
class LastingChange:
    """A change of a creature that an effect made.

    It concerns its `attack`, its `armor`, its `life`, a keyword, or what it cannot do (`cannot_attack`). A `shield` is
    used up by as much damage, `spared` by one death. `growth` are counters, each for one attack and one life more.

    A keyword is given by an amount of 1 and taken away by LOST. The change lasts for this turn, until the next turn of
    a seat begins (`until_turn_of`), or while the creature is on the field.
    """

    stat: str
    amount: int
    this_turn: bool
    by: str  # the card whose effect made it
    until_turn_of: str = field(default="", metadata=OMIT_IF_EMPTY)  # a seat


@named("cc.Delayed")
@dataclass(frozen=True)
class DelayedEffect:
    """Lines of a text that come when the turn ends, or the next one begins.

    `when` is `turn_ends`, or `next_turn`: as the next turn of the effect's player begins.
    """

    when: str
    effect: Execution


@named("cc.Happening")
@dataclass(frozen=True)
class TriggerEvent:
    """Something that happened and sets effects off: an "event" of the rules.

    `by` is the seat whose event it is, `refs` the cards it is about by name, `effects` the effects that it sets off by
    itself, all at once. Kinds: `attack` (by the attacker's seat; attacker, defender), `direct_attack` (attacker),
    `placed` (summoned), `destroyed` (victim/0 and victim/1, by possessor), `put` (into hell from deck or hand; card),
    `direct_done` (attacker), `flipped` (flipped), `start`, `end`.

    CC-CHAIN-3: An event is one of these: an attack is declared, a creature is placed or destroyed, a card is put into
        hell, a direct attack is done, a crush card is flipped, a start phase begins.
    """

    kind: str
    by: int
    refs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    effects: tuple[Execution, ...] = ()
