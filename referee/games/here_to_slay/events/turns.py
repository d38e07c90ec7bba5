"""What happens in the setup, with turns and points, and at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.games.here_to_slay.values import LastingEffect

# ---- setup ---------------------------------------------------------------------------------------------------


@named("hts.DieCast")
@dataclass(frozen=True)
class DieCast(Event):
    """A player rolled one die for the first pick of a leader (HTS-SETUP-2)."""

    seat: int
    value: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-2", "HTS-SETUP-9")


@named("hts.LeaderPicked")
@dataclass(frozen=True)
class LeaderPicked(CardsMoved):
    """A player took a leader (HTS-SETUP-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(super().apply(state), picked=(*state.picked, self.seat))


@named("hts.Boxed")
@dataclass(frozen=True)
class CardsBoxed(CardsMoved):
    """Cards went back to the box for the whole game (HTS-SETUP-4, HTS-ZONE-4, HTS-AMB-73)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-4", "HTS-ZONE-4")


@named("hts.HandDealt")
@dataclass(frozen=True)
class HandDealt(CardsMoved):
    """A player got cards of the first hand (HTS-SETUP-5)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-5", "HTS-SETUP-8")


@named("hts.MonsterTurnedUp")
@dataclass(frozen=True)
class MonsterTurnedUp(CardsMoved):
    """A monster was turned up into the row (HTS-SETUP-6, HTS-MON-10)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-SETUP-6",)


# ---- turns and points ----------------------------------------------------------------------------------------


@named("hts.TurnStarted")
@dataclass(frozen=True)
class TurnStarted(Event):
    """A player is on turn, with so many points; what was marked in the last turn is cleared (HTS-TURN-7)."""

    seat: int
    points: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-1", "HTS-TURN-2", "HTS-TURN-7")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, turn=self.seat, points=self.points, turns=state.turns + 1, rolled=(), used=False)


@named("hts.TurnEnded")
@dataclass(frozen=True)
class TurnEnded(Event):
    """The turn of a player is over; points left are lost (HTS-TURN-6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-6", "HTS-AMB-77")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, points=0)


@named("hts.PointsSpent")
@dataclass(frozen=True)
class PointsSpent(Event):
    """The active player paid for an action; `left` is what remains (HTS-TURN-4)."""

    seat: int
    count: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TURN-4",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, points=self.left)


@named("hts.PointGained")
@dataclass(frozen=True)
class PointGained(Event):
    """The active player has a point more (HTS-AMB-67)."""

    seat: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-36", "HTS-AMB-67")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, points=self.left)


@named("hts.LeaderUsed")
@dataclass(frozen=True)
class LeaderUsed(Event):
    """A player used the action of the own leader, once in this turn (HTS-ACT-6)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-6", "HTS-DO-35")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, used=True)


@named("hts.LastingBegan")
@dataclass(frozen=True)
class LastingEffectBegan(Event):
    """From now on a card gives its player something for a while (HTS-UNTIL-1, HTS-UNTIL-2)."""

    source: str
    seat: int
    what: str
    until: str
    value: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("HTS-STATE-5",)

    def apply(self, state: Any) -> Any:
        new = LastingEffect(self.source, self.seat, self.what, self.until, self.value)
        return replace_fields(state, lasting=(*state.lasting, new))


@named("hts.LastingEnded")
@dataclass(frozen=True)
class LastingEffectEnded(Event):
    """What a player was given until this moment is over (HTS-TURN-7, HTS-TURN-8)."""

    seat: int
    until: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-UNTIL-1", "HTS-UNTIL-2")

    def apply(self, state: Any) -> Any:
        kept = tuple(each for each in state.lasting if (each.seat, each.until) != (self.seat, self.until))
        return replace_fields(state, lasting=kept)


@named("hts.GameWon")
@dataclass(frozen=True)
class GameWon(Event):
    """A player has won: by three monsters, six classes, or as the last one at the table."""

    seat: int
    way: str

    def apply(self, state: Any) -> Any:
        return replace_fields(state, winner=self.seat, way=self.way)

    def applied_clauses(self) -> tuple[str, ...]:
        return {
            "three_monsters": ("HTS-WIN-1", "HTS-AIM-2", "HTS-WIN-4"),
            "six_classes": ("HTS-WIN-2", "HTS-AIM-2", "HTS-WIN-4"),
            "last_one_left": ("HTS-AMB-73", "HTS-WIN-4"),
        }[self.way]


@named("hts.PlayerLeft")
@dataclass(frozen=True)
class PlayerLeft(Event):
    """A player has left the table (HTS-AMB-73)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73", "HTS-EDGE-5")

    def apply(self, state: Any) -> Any:
        kept = tuple(each for each in state.lasting if each.seat != self.seat)
        return replace_fields(state, gone=(*state.gone, self.seat), lasting=kept)
