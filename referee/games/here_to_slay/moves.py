"""What a player may ask in Here to Slay. Choices that card texts ask for are those of the card language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move


@named("hts.pick_leader")
@dataclass(frozen=True)
class PickLeader(Move):
    """Takes this leader (HTS-SETUP-1)."""

    leader: str


@named("hts.draw")
@dataclass(frozen=True)
class DrawOne(Move):
    """Draws a card, for one point (HTS-ACT-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-1",)


@named("hts.play")
@dataclass(frozen=True)
class PlayCard(Move):
    """Plays a hero, an item or magic from the hand, for one point (HTS-ACT-2)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-2",)


@named("hts.roll_for")
@dataclass(frozen=True)
class RollFor(Move):
    """Rolls for the effect of a hero of the own party, for one point (HTS-ACT-3)."""

    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-3",)


@named("hts.attack")
@dataclass(frozen=True)
class Attack(Move):
    """Attacks a monster of the row, for two points (HTS-ACT-4)."""

    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-4",)


@named("hts.redraw")
@dataclass(frozen=True)
class RedrawHand(Move):
    """Discards the whole hand and draws five, for three points (HTS-ACT-5)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-5",)


@named("hts.use_leader")
@dataclass(frozen=True)
class UseLeader(Move):
    """Uses the action that only one's own leader gives (HTS-ACT-6)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-6",)


@named("hts.end_turn")
@dataclass(frozen=True)
class EndTurn(Move):
    """Does without the points left (HTS-ACT-7)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ACT-7",)


@named("hts.challenge")
@dataclass(frozen=True)
class Challenge(Move):
    """Challenges the card being played with a challenge card from the hand (HTS-CHAL-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1",)


@named("hts.modify")
@dataclass(frozen=True)
class Modify(Move):
    """Plays a modifier from the hand, with one of its values, on the roll of a player (HTS-MOD-1)."""

    card: str
    value: int = field(metadata={"minimum": -9, "maximum": 9})
    roller: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MOD-1",)


@named("hts.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Plays nothing now (HTS-CHAL-3, HTS-MOD-7)."""


@named("hts.leave")
@dataclass(frozen=True)
class Leave(Move):
    """Leaves the table for good (HTS-AMB-73)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73", "HTS-EDGE-5")
    playable_at_random: ClassVar[bool] = False
    is_concession: ClassVar[bool] = True
