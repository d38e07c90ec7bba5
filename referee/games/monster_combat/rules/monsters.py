"""Monsters of variant 2 (chapter 8): when one is beaten, and when one attacks.

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
    """A monster without hearts makes way for the next, or the match is won.

    MC-V2-MONSTER-1: A beaten monster makes way for the next.
    MC-AMB-14: Sleep ends when the monster is beaten.
    MC-AMB-15: Hits in excess are lost. The next monster starts with all its hearts, awake.
    MC-V2-END-1: With the tenth monster beaten the match is over and all players have won.
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
            yield MonsterWoke(("MC-AMB-14", "MC-V2-MONSTER-1"))
        yield MonsterAppeared(number + 1, MONSTERS[number + 1]["hearts"])
        yield StepPopped()


def resolve_attack_event(table: Table, seat: int) -> Iterator[Event]:
    """Yield the events of the attack of an event card.

    MC-AMB-17: The active monster attacks the active player for one heart or two. In variant 1 the event always costs
        one.
    """
    if not table.rules.is_against_monsters:  # MC-V1-EVENT-ATTACK-1, MC-V1-MONSTER-1
        yield from start_attack(seat, 1, "event")
    elif table.is_monster_asleep():
        yield MonsterSleptOn(table.monster_number())
    else:
        yield from start_attack(seat, attack_strength_of(table.monster_number()), "monster")
