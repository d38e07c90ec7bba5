"""Chapter 8, monsters (variant 2): when one is beaten, and what it does when an event lets it attack.

Clauses: MC-V2-MONSTER-1, MC-V2-MONSTER-2, MC-V2-MONSTER-3, MC-V2-SKIP-1, MC-V2-EVENT-ATTACK-1, MC-V2-END-1,
MC-V1-MONSTER-1, MC-AMB-14, MC-AMB-15, MC-AMB-17.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.steps import Cleared, Closed, Step
from referee.games.monster_combat.components import LAST_MONSTER, MONSTERS, strength
from referee.games.monster_combat.monster_events import (
    MonsterBeaten,
    MonsterCame,
    MonsterSleptOn,
    MonsterWoke,
    PlayersWon,
)
from referee.games.monster_combat.rules.attacks import attacked
from referee.games.monster_combat.state import Table


@named("mc.MonsterCheck")
@dataclass(frozen=True)
class MonsterCheck(Step):
    """A monster without hearts makes way for the next, which is awake; after the last the match is won.

    Hearts it did not have are not taken from the next (MC-V2-MONSTER-1, MC-AMB-14, MC-AMB-15, MC-V2-END-1).
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-MONSTER-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.monster_left() > 0:
            yield Closed()
            return
        number = state.monster_number()
        yield MonsterBeaten(number)
        if number == LAST_MONSTER:
            yield PlayersWon()
            yield Cleared()
            return
        if state.asleep():
            yield MonsterWoke()
        yield MonsterCame(number + 1, MONSTERS[number + 1]["hearts"])
        yield Closed()


def attack(table: Table, seat: int) -> Iterator[Event]:
    """The attack of the event card: by the active monster in variant 2, for one heart in variant 1 (MC-AMB-17)."""
    if not table.rules.against_monsters:  # MC-V1-EVENT-ATTACK-1, MC-V1-MONSTER-1
        yield from attacked(seat, 1, "event")
    elif table.asleep():
        yield MonsterSleptOn(table.monster_number())
    else:
        yield from attacked(seat, strength(table.monster_number()), "monster")
