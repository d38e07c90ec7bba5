"""What happens in Monster Combat, in the past tense. `apply` keeps the books and decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.seats import BYSTANDER
from referee.games.monster_combat.moving import MonsterCombatCardsMoved
from referee.games.monster_combat.state import FULL_HEARTS, NOBODY, Table

V = TypeVar("V")


def replace_at_seat(values: tuple[V, ...], seat: int, value: V) -> tuple[V, ...]:
    """The values by seat with that of one seat changed."""
    return (*values[:seat], value, *values[seat + 1 :])


# ---- setup and turns ---------------------------------------------------------------------------------------


@named("mc.FirstPlayer")
@dataclass(frozen=True)
class FirstPlayerChosen(Event):
    """A player will begin (MC-SETUP-6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, turn=self.seat)


@named("mc.Dealt")
@dataclass(frozen=True)
class HandDealt(MonsterCombatCardsMoved):
    """A player got a first hand (MC-SETUP-5)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5", "MC-AMB-4")


@named("mc.TopShown")
@dataclass(frozen=True)
class DeckTopShown(Event):
    """The draw pile shows a new back on top; None: nobody has said which; empty: no card is left (MC-AMB-1)."""

    back: str | None
    clauses: ClassVar[tuple[str, ...]] = ("MC-MAT-4",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, top=self.back)

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (BYSTANDER,) if self.back else ()


@named("mc.TurnBegan")
@dataclass(frozen=True)
class TurnBegan(Event):
    """A player is on turn (MC-TURN-END-2)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-2",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, turn=self.seat)


@named("mc.TurnMissed")
@dataclass(frozen=True)
class TurnMissed(Event):
    """A player missed a turn because of a skip card (MC-V1-SKIP-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-SKIP-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, skipped=NOBODY)


@named("mc.Drawn")
@dataclass(frozen=True)
class PlayerDrewCards(MonsterCombatCardsMoved):
    """A player drew from the draw pile (MC-TURN-DRAW-1)."""

    seat: int


@named("mc.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """A card was due and neither draw pile nor discard had one (MC-AMB-6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-6",)


@named("mc.PileRenewed")
@dataclass(frozen=True)
class PileRenewed(MonsterCombatCardsMoved):
    """Used cards became a new pile, to be shuffled (MC-AMB-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-6",)


@named("mc.CardPlayed")
@dataclass(frozen=True)
class CardPlayed(MonsterCombatCardsMoved):
    """A player played a card (MC-TURN-PLAY-1); `rules` are the clauses that say what it does."""

    seat: int
    rules: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1", "MC-TERM-2")

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, *self.rules)


@named("mc.GivenUp")
@dataclass(frozen=True)
class SurplusDiscarded(MonsterCombatCardsMoved):
    """A player gave up surplus cards (MC-TURN-END-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1", "MC-TERM-2")


# ---- attacks and lives -------------------------------------------------------------------------------------


@named("mc.Parried")
@dataclass(frozen=True)
class AttackParried(MonsterCombatCardsMoved):
    """A player fended off an attack with a shield (MC-SHIELD-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1", "MC-SHIELD-3")


@named("mc.HeartsLost")
@dataclass(frozen=True)
class HeartsLost(Event):
    """A player lost hearts (MC-TERM-8)."""

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-8", "MC-LIFE-1")

    def apply(self, state: Table) -> Table:
        return replace_fields(
            state, hearts=replace_at_seat(state.hearts, self.seat, state.hearts_of(self.seat) - self.count)
        )


@named("mc.StruckBack")
@dataclass(frozen=True)
class LightningStruckBack(Event):
    """All others parried, and the lightning turned on whoever played it (MC-V1-LIGHTNING-3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-LIGHTNING-3", "MC-AMB-10")


@named("mc.Unaffected")
@dataclass(frozen=True)
class ImmunityHeld(Event):
    """Something would have touched an immune player and did not (MC-AMB-12)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-IMMUNE-1", "MC-AMB-12")


@named("mc.Defeated")
@dataclass(frozen=True)
class PlayerDefeated(Event):
    """A player's last heart is empty (MC-TERM-7)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-7", "MC-LIFE-1", "MC-LIFE-2")

    def apply(self, state: Table) -> Table:
        fallen = None if state.fallen is None else (*state.fallen, self.seat)
        return replace_fields(state, fallen=fallen, immune=replace_at_seat(state.immune, self.seat, False))


@named("mc.HandLost")
@dataclass(frozen=True)
class HandLost(MonsterCombatCardsMoved):
    """A hand, or a card of it, went to the discard (MC-EVENT-DISCARD-1, MC-AMB-18)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-2",)


@named("mc.HeartRegained")
@dataclass(frozen=True)
class HeartRegained(Event):
    """An empty heart is full again (MC-TERM-8)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-8",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, hearts=replace_at_seat(state.hearts, self.seat, state.hearts_of(self.seat) + 1))


@named("mc.Revived")
@dataclass(frozen=True)
class PlayerRevived(Event):
    """A defeated player is back in play (MC-V2-LIFE-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-1", "MC-AMB-18")

    def apply(self, state: Table) -> Table:
        left = None if state.fallen is None else tuple(seat for seat in state.fallen if seat != self.seat)
        return replace_fields(state, fallen=left)


@named("mc.HeartsRefilled")
@dataclass(frozen=True)
class HeartsRefilled(Event):
    """All hearts of a player are full (MC-EVENT-HEARTS-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-HEARTS-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, hearts=replace_at_seat(state.hearts, self.seat, FULL_HEARTS))


@named("mc.TurnTaken")
@dataclass(frozen=True)
class ComingTurnLost(Event):
    """A skip card took a player's coming turn (MC-V1-SKIP-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-SKIP-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, skipped=self.seat)


@named("mc.Stolen")
@dataclass(frozen=True)
class CardsStolen(MonsterCombatCardsMoved):
    """A thief took cards from another hand, unseen (MC-V1-THIEF-1)."""

    victim: int
    thief: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-THIEF-1", "MC-AMB-26")


# ---- events ------------------------------------------------------------------------------------------------


@named("mc.EventTurnedUp")
@dataclass(frozen=True)
class EventTurnedUp(MonsterCombatCardsMoved):
    """An event was turned up for the active player; it lies on the tray (MC-EVENT-1). `rules` say what it does."""

    seat: int
    rules: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-1", "MC-TERM-3")

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, *self.rules)


@named("mc.TriggerSpent")
@dataclass(frozen=True)
class TriggerSpent(MonsterCombatCardsMoved):
    """A trigger card without a face was discarded after its event (MC-AMB-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-1",)


@named("mc.BecameImmune")
@dataclass(frozen=True)
class BecameImmune(Event):
    """Nothing can be done to a player for a round (MC-EVENT-IMMUNE-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-IMMUNE-1", "MC-TERM-9")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, immune=replace_at_seat(state.immune, self.seat, True))


@named("mc.ImmunityEnded")
@dataclass(frozen=True)
class ImmunityEnded(Event):
    """A player's immunity is over (MC-EVENT-2). Not `sure`: a position left out whether there was one."""

    seat: int
    sure: bool = True
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-2", "MC-AMB-16")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, immune=replace_at_seat(state.immune, self.seat, False))


@named("mc.DirectionChanged")
@dataclass(frozen=True)
class DirectionChanged(Event):
    """Play runs the other way round (MC-EVENT-DIRECTION-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-DIRECTION-1", "MC-AMB-7")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, direction=None if state.direction is None else -state.direction)
