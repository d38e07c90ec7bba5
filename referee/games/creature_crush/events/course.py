"""The course of a match: who begins, turns and phases, dice, offers of a draw, the end.

Clauses: CC-PREP-2, CC-TURN-1, CC-START-2, CC-START-3, CC-START-4, CC-PAY-2, CC-TACTIC-3, CC-END-1 to CC-END-3,
CC-DICE-1, CC-AMB-4, CC-AMB-5, CC-AMB-9, CC-AMB-10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StackCleared
from referee.engine.zones import Cards
from referee.games.creature_crush.values import NOBODY


@named("cc.DieCast")
@dataclass(frozen=True)
class DieCast(Event):
    """A player rolled a die for who begins (CC-AMB-5)."""

    seat: int
    pips: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-2", "CC-AMB-5")


@named("cc.DraftRoundOver")
@dataclass(frozen=True)
class DraftRoundOver(Event):
    """Both have kept their cards of this round (CC-FORMAT-ARENA-1)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, drafted=state.drafted + 1)


@named("cc.TurnBegan")
@dataclass(frozen=True)
class TurnBegan(Event):
    """A turn began with its start phase (CC-TURN-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(
            state, turn=self.seat, turns=state.turns + 1, phase="start", dice=(), burned=0, stirred=False,
            opener=self.seat if state.opener == NOBODY else state.opener,
            entered=(), acted={}, ready={}, offered=NOBODY,
        )  # fmt: skip


@named("cc.PhaseBegan")
@dataclass(frozen=True)
class PhaseBegan(Event):
    """The next phase of the turn began: combat, tactic (CC-TURN-1)."""

    seat: int
    phase: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, phase=self.phase)


@named("cc.StartDiceRolled")
@dataclass(frozen=True)
class StartDiceRolled(Event):
    """Start dice were rolled: the basic ones, a bonus die (triple, quadruple), or the additional ones (CC-START-2)."""

    seat: int
    pips: tuple[int, ...]
    which: str  # basic, triple, quadruple, extra
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-2",)

    def apply(self, state: Any) -> Any:
        extra = state.extra
        if self.which == "extra":
            extra = subtract_extra_dice(extra, self.seat, len(self.pips))
        return replace_fields(state, dice=tuple(sorted((*state.dice, *self.pips))), extra=extra)

    def applied_clauses(self) -> tuple[str, ...]:
        return ("CC-START-4",) if self.which == "extra" else self.clauses


def subtract_extra_dice(extra: tuple[int, ...], seat: int, count: int) -> tuple[int, ...]:
    """The additional dice of both players once so many of one player's are used up."""
    return tuple(number - count if who == seat else number for who, number in enumerate(extra))


@named("cc.StartDiceLost")
@dataclass(frozen=True)
class StartDiceLost(Event):
    """Additional start dice beyond five were lost; they are not kept for later (CC-AMB-10)."""

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-4", "CC-AMB-10")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, extra=subtract_extra_dice(state.extra, self.seat, self.count))


@named("cc.DiceBurned")
@dataclass(frozen=True)
class DiceBurned(Event):
    """Start dice were burned: to pay, or because the turn is over (CC-PAY-2, CC-TACTIC-3)."""

    seat: int
    pips: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-PAY-2",)

    def apply(self, state: Any) -> Any:
        left = list(state.dice)
        for pips in self.pips:
            left.remove(pips)
        return replace_fields(state, dice=tuple(left), burned=state.burned + len(self.pips))


@named("cc.DiceRerolled")
@dataclass(frozen=True)
class DiceRerolled(Event):
    """Start dice that were not burned were rolled again; they give no bonus (CC-AMB-9)."""

    seat: int
    before: tuple[int, ...]
    pips: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-9",)

    def apply(self, state: Any) -> Any:
        left = list(state.dice)
        for pips in self.before:
            left.remove(pips)
        return replace_fields(state, dice=tuple(sorted((*left, *self.pips))))


@named("cc.StartDiceGained")
@dataclass(frozen=True)
class StartDiceGained(Event):
    """A player gets so many start dice more in the next turn (CC-START-4, CC-AMB-10)."""

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-4", "CC-AMB-10")

    def apply(self, state: Any) -> Any:
        extra = tuple(number + (self.count if seat == self.seat else 0) for seat, number in enumerate(state.extra))
        return replace_fields(state, extra=extra)


@named("cc.TargetDiceRolled")
@dataclass(frozen=True)
class TargetDiceRolled(Event):
    """Dice were rolled that find a target by its cost; they are no start dice (CC-DICE-1, CC-AMB-23)."""

    seat: int
    card: str
    pips: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-DICE-1", "CC-AMB-23")


@named("cc.TargetsDrawn")
@dataclass(frozen=True)
class TargetsDrawn(Event):
    """Chance found these targets among those that fit (CC-GLOSS-7, CC-AMB-24)."""

    card: str
    targets: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-7", "CC-AMB-24")


@named("cc.TurnEnded")
@dataclass(frozen=True)
class TurnEnded(Event):
    """A turn ended; what lasts until the end of the turn is over, and quiet turns are counted (CC-TURN-1, CC-AMB-4)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1", "CC-TACTIC-3")

    def apply(self, state: Any) -> Any:
        kept = {card: tuple(each for each in them if not each.this_turn) for card, them in state.lasting.items()}
        return replace_fields(
            state,
            phase="",
            quiet=0 if state.stirred else state.quiet + 1,
            lasting={card: them for card, them in kept.items() if them},
        )


@named("cc.DrawOffered")
@dataclass(frozen=True)
class DrawOffered(Event):
    """A player offered a draw (CC-END-3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, offered=self.seat)


@named("cc.DrawDeclined")
@dataclass(frozen=True)
class DrawDeclined(Event):
    """The offered draw was declined (CC-END-3)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.Conceded")
@dataclass(frozen=True)
class PlayerConceded(Event):
    """A player gave up (CC-END-2)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-2",)


END_CLAUSES = {  # how a match ends, and by which clause
    "all_in_hell": "CC-END-1", "conceded": "CC-END-2", "agreed": "CC-END-3", "stalemate_no_force": "CC-AMB-4",
    "stalemate_quiet": "CC-AMB-4", "both_in_hell": "CC-AMB-2",
}  # fmt: skip


@named("cc.BattleEnded")
@dataclass(frozen=True)
class BattleEnded(Event):
    """The match is over: `winner` has won, or nobody (-1), and how."""

    winner: int
    way: str

    def apply(self, state: Any) -> Any:
        return replace_fields(state, winner=self.winner, way=self.way)

    def applied_clauses(self) -> tuple[str, ...]:
        return (END_CLAUSES[self.way],)


def end_match(winner: int, way: str) -> Iterator[Event]:
    """The facts with which a match ends."""
    yield BattleEnded(winner, way)
    yield StackCleared()
