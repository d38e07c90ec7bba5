"""The events of the monsters of variant 2, and of the end of a match.

`apply` only updates the state and holds no rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.games.monster_combat.events import CitingEvent
from referee.games.monster_combat.state import NOBODY, Table

# ---- monsters ----------------------------------------------------------------------------------------------


@named("mc.MonsterHit")
@dataclass(frozen=True)
class MonsterHit(CitingEvent):
    """The active monster lost hearts.

    MC-V2-MONSTER-2: Each hit is marked off, so that the lives left to the monster can be seen.
    MC-AMB-15: Hearts hit in excess of its own do not count against the next one.
    """

    number: int
    count: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-MONSTER-2",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, monster_hearts=state.monster_hearts_left() - self.count)


@named("mc.MonsterBeaten")
@dataclass(frozen=True)
class MonsterBeaten(Event):
    """A monster has no heart left.

    MC-V2-MONSTER-1: A beaten monster makes way for the next.
    """

    number: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-MONSTER-1",)


@named("mc.MonsterCame")
@dataclass(frozen=True)
class MonsterAppeared(Event):
    """The next monster is active, with all its hearts.

    MC-V2-MONSTER-1: There are ten monsters. The first has one life, each further one has one more.
    MC-TERM-4: The monsters form an open pile with the weakest on top.
    """

    number: int
    hearts: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-MONSTER-1", "MC-TERM-4", "MC-V2-SETUP-1")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, monster=self.number, monster_hearts=self.hearts)


@named("mc.MonsterAsleep")
@dataclass(frozen=True)
class MonsterFellAsleep(Event):
    """The active monster sleeps until this seat has the turn again.

    MC-V2-SKIP-1: A skip card puts the active monster to sleep for one round.
    MC-AMB-14: It sleeps until the turn comes to, or passes, the seat that played the card, or until it is beaten.
    MC-AMB-14-R2: It sleeps through one turn.
    """

    seat: int
    through_one_turn: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-SKIP-1", "MC-AMB-14", "MC-AMB-23")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, sleeper=self.seat)


@named("mc.MonsterWoke")
@dataclass(frozen=True)
class MonsterWoke(CitingEvent):
    """The active monster is awake, or is beaten and so sleeps no more.

    MC-AMB-14: It sleeps until the turn comes to, or passes, the seat that played the card, or until it is beaten.
    MC-EVENT-2: What lasts a round is over when the player concerned has the turn again.
    """

    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-14", "MC-EVENT-2")

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rules or self.clauses

    def apply(self, state: Table) -> Table:
        return replace_fields(state, sleeper=NOBODY)


@named("mc.MonsterSleptOn")
@dataclass(frozen=True)
class MonsterSleptOn(Event):
    """The active monster was to attack and slept.

    MC-V2-SKIP-1: A sleeping monster attacks nobody, by an event neither.
    """

    number: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-SKIP-1", "MC-V2-EVENT-ATTACK-1")


# ---- the end -----------------------------------------------------------------------------------------------


@named("mc.LastSurvivor")
@dataclass(frozen=True)
class LastSurvivorWon(Event):
    """Only one player lives, and has won.

    MC-V1-END-1: The match is over at once when full hearts are left with one player only. That player wins.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-END-1", "MC-V1-GOAL-1", "MC-AMB-21")


@named("mc.PlayersWon")
@dataclass(frozen=True)
class PlayersWon(Event):
    """The last monster is beaten, and all players have won.

    MC-V2-END-1: With the tenth monster beaten the match is over and all players have won.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-END-1", "MC-V2-GOAL-1")


@named("mc.MonstersWon")
@dataclass(frozen=True)
class MonstersWon(Event):
    """No player lives, and all have lost.

    MC-V2-END-2: When nobody has a full heart left, the match is over and the players have lost.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-END-2",)
