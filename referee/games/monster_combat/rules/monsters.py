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
from referee.engine.steps import StackCleared, Step, StepPopped
from referee.games.monster_combat.components import LAST_MONSTER, MONSTERS, attack_strength_of
from referee.games.monster_combat.monster_events import (
    MonsterAppeared,
    MonsterBeaten,
    MonsterSleptOn,
    MonsterWoke,
    PlayersWon,
)
from referee.games.monster_combat.rules.attacks import start_attack
from referee.games.monster_combat.state import Table


@named("mc.MonsterCheck")
@dataclass(frozen=True)
class MonsterCheck(Step):
    """A monster without hearts makes way for the next, which is awake; after the last the match is won.

    Hearts it did not have are not taken from the next (MC-V2-MONSTER-1, MC-AMB-14, MC-AMB-15, MC-V2-END-1).
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-MONSTER-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        if state.monster_hearts_left() > 0:
            yield StepPopped()
            return
        number = state.monster_number()
        yield MonsterBeaten(number)
        if number == LAST_MONSTER:
            yield PlayersWon()
            yield StackCleared()
            return
        if state.is_monster_asleep():
            yield MonsterWoke()
        yield MonsterAppeared(number + 1, MONSTERS[number + 1]["hearts"])
        yield StepPopped()


def resolve_attack_event(table: Table, seat: int) -> Iterator[Event]:
    """The attack of the event card: by the active monster in variant 2, for one heart in variant 1 (MC-AMB-17)."""
    if not table.rules.is_against_monsters:  # MC-V1-EVENT-ATTACK-1, MC-V1-MONSTER-1
        yield from start_attack(seat, 1, "event")
    elif table.is_monster_asleep():
        yield MonsterSleptOn(table.monster_number())
    else:
        yield from start_attack(seat, attack_strength_of(table.monster_number()), "monster")
