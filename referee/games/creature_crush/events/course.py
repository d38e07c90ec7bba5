"""Events of the course of a match: turns, phases, dice, offers of a draw, the end.

Clauses: CC-PREP-2, CC-TURN-1, CC-START-2, CC-START-3, CC-START-4, CC-PAY-2, CC-TACTIC-3, CC-END-1 to CC-END-3,
CC-DICE-1, CC-AMB-4, CC-AMB-5, CC-AMB-9, CC-AMB-10, CC-WORD-DICE-1, CC-WORD-TIME-2, CC-WORD-COST-2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StackCleared
from referee.engine.zones import Cards
from referee.games.creature_crush.components import BASIC_DICE
from referee.games.creature_crush.values import NOBODY, TURN_ENDS, DelayedEffect, LastingChange


@named("cc.DieCast")
@dataclass(frozen=True)
class DieCast(Event):
    """A player rolled a die for who begins.

    CC-AMB-5: Each player rolls one die, and the higher one begins. Ties are rolled again.
    """

    seat: int
    pips: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-2", "CC-AMB-5")


@named("cc.DraftRoundOver")
@dataclass(frozen=True)
class DraftRoundOver(Event):
    """Both players have kept their cards of this round of the draft.

    CC-FORMAT-ARENA-1: In Arena both players draw seven cards five times, and each time keep four and put three back.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, drafted=state.drafted + 1)


@named("cc.TurnBegan")
@dataclass(frozen=True)
class TurnBegan(Event):
    """A turn began with its start phase.

    CC-TURN-1: The players take turns alternately, and each turn has three phases in this order: start, combat, tactic.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(
            state, turn=self.seat, turns=state.turns + 1, phase="start", dice=(), burned=0, stirred=False,
            opener=self.seat if state.opener == NOBODY else state.opener,
            entered=(), taken=(), acted={}, ready={}, offered=NOBODY,
            lasting=_keep_changes(state.lasting, lambda change: change.until_turn_of != str(self.seat)),
        )  # fmt: skip


@named("cc.PhaseBegan")
@dataclass(frozen=True)
class PhaseBegan(Event):
    """The next phase of the turn began: combat or tactic.

    CC-TURN-1: Each turn has three phases in this order: start, combat, tactic.
    """

    seat: int
    phase: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, phase=self.phase)


@named("cc.StartDiceRolled")
@dataclass(frozen=True)
class StartDiceRolled(Event):
    """Start dice were rolled: basic ones, a bonus die, or the additional ones.

    CC-START-2: Three start dice are rolled. If they are a triple, a fourth is rolled, and if all four are alike, a
        fifth.
    CC-START-3: The player who opens the match rolls only two start dice in the first turn.
    """

    seat: int
    pips: tuple[int, ...]
    which: str  # basic, fewer, triple, quadruple, extra, added
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-2",)

    def apply(self, state: Any) -> Any:
        extra = state.extra
        if self.which == "extra":
            extra = subtract_extra_dice(extra, self.seat, len(self.pips))
        return replace_fields(state, dice=tuple(sorted((*state.dice, *self.pips))), extra=extra)

    def applied_clauses(self) -> tuple[str, ...]:
        if self.which == "extra":
            return ("CC-START-4",)
        if self.which in ("added", "fewer"):
            return ("CC-WORD-DICE-1",)
        if self.which != "basic":
            return (*self.clauses, "CC-AMB-9")
        return ("CC-START-3",) if len(self.pips) < BASIC_DICE else self.clauses


def subtract_extra_dice(extra: tuple[int, ...], seat: int, count: int) -> tuple[int, ...]:
    """Return the additional dice of both players without `count` of one player's."""
    return tuple(number - count if who == seat else number for who, number in enumerate(extra))


@named("cc.StartDiceTaken")
@dataclass(frozen=True)
class StartDiceTaken(Event):
    """A card has taken start dice away from this turn.

    CC-WORD-DICE-1: That many fewer are rolled, with the additional ones set off against them.
    """

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-DICE-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, extra=subtract_extra_dice(state.extra, self.seat, -self.count))


@named("cc.DieTurned")
@dataclass(frozen=True)
class DieTurned(Event):
    """A start die that is not burned was turned to other pips.

    CC-WORD-DICE-1: A die that is turned is the same die with other pips.
    """

    seat: int
    before: int
    pips: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-DICE-1",)

    def apply(self, state: Any) -> Any:
        left = list(state.dice)
        left.remove(self.before)
        return replace_fields(state, dice=tuple(sorted((*left, self.pips))))


@named("cc.StartDiceLost")
@dataclass(frozen=True)
class StartDiceLost(Event):
    """Additional start dice beyond five were lost.

    CC-AMB-10: What goes beyond five dice is lost and not kept for later.
    """

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-4", "CC-AMB-10")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, extra=subtract_extra_dice(state.extra, self.seat, self.count))


@named("cc.DiceBurned")
@dataclass(frozen=True)
class DiceBurned(Event):
    """Start dice were burned, to pay or because the turn is over.

    CC-PAY-2: A burned die is put aside and useless until the next turn.
    """

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
    """Start dice that were not burned were rolled again.

    CC-AMB-9: Dice rolled again later bring no bonus.
    """

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
    """A player gets more start dice in the next turn.

    CC-START-4: Start dice + X gives a player X additional start dice for the next turn. Nobody has more than five start
        dice in a turn.
    CC-AMB-10: They belong to the player's next start phase, even if they were earned in the opponent's turn.
    CC-WORD-DICE-1: A card may also take start dice away (`count` below 0).
    """

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-START-4", "CC-AMB-10")

    def apply(self, state: Any) -> Any:
        extra = tuple(number + (self.count if seat == self.seat else 0) for seat, number in enumerate(state.extra))
        return replace_fields(state, extra=extra)

    def applied_clauses(self) -> tuple[str, ...]:
        return self.clauses if self.count > 0 else ("CC-WORD-DICE-1",)


@named("cc.TargetDiceRolled")
@dataclass(frozen=True)
class TargetDiceRolled(Event):
    """Dice were rolled that find a target by its cost.

    CC-DICE-1: X dice are rolled, and the target is one whose cost is the pips of one of them or of several added up.
    CC-AMB-23: These are extra dice, no start dice, and they are not burned.
    """

    seat: int
    card: str
    pips: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-DICE-1", "CC-AMB-23")


@named("cc.TargetsDrawn")
@dataclass(frozen=True)
class TargetsDrawn(Event):
    """Chance found these targets among those that fit.

    CC-GLOSS-7: A random target is found by chance, and nobody chooses it.
    CC-AMB-24: Every legal target is equally likely, and the outcome is kept in the record.
    """

    card: str
    targets: Cards
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-7", "CC-AMB-24")


@named("cc.TurnEnded")
@dataclass(frozen=True)
class TurnEnded(Event):
    """A turn ended. What lasts until its end is over, and quiet turns are counted.

    CC-TURN-1: When the tactic phase is over, so is the turn.
    CC-AMB-4: After 40 turns in a row without any change the match is drawn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(
            state,
            phase="",
            quiet=0 if state.stirred else state.quiet + 1,
            lasting=_keep_changes(state.lasting, lambda change: not change.this_turn),
            later=tuple(each for each in state.later if each.when != TURN_ENDS),
        )


def _keep_changes(
    lasting: Mapping[str, tuple[LastingChange, ...]], is_kept: Callable[[LastingChange], bool]
) -> dict[str, tuple[LastingChange, ...]]:
    kept = {card: tuple(filter(is_kept, changes)) for card, changes in lasting.items()}
    return {card: changes for card, changes in kept.items() if changes}


@named("cc.EffectDelayed")
@dataclass(frozen=True)
class EffectDelayed(Event):
    """A text has put lines off to the end of a turn, or to the next one.

    CC-WORD-TIME-2: What a text puts off is carried out at that time, whatever has become of its card.
    """

    card: str
    seat: int
    delayed: DelayedEffect
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-TIME-2",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, later=(*state.later, self.delayed))

    def view_for(self, seat: int) -> Event:
        seen = replace_fields(self.delayed, effect=self.delayed.effect.view_for(seat))
        return replace_fields(self, delayed=seen)


@named("cc.NextCrushChanged")
@dataclass(frozen=True)
class NextCrushChanged(Event):
    """The next crush card that a player lays costs this many dice more, or fewer.

    CC-WORD-COST-2: Such changes add up until the next crush card is laid.
    """

    seat: int
    dice: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-COST-2",)

    def apply(self, state: Any) -> Any:
        changes = {**state.next_crush, str(self.seat): state.crush_change_of(self.seat) + self.dice}
        return replace_fields(state, next_crush={seat: change for seat, change in changes.items() if change})


@named("cc.DelayedEffectsDue")
@dataclass(frozen=True)
class DelayedEffectsDue(Event):
    """The time has come for what texts have put off: a turn ends, or one begins.

    CC-WORD-TIME-2: What a text puts off is carried out at that time, whatever has become of its card.
    """

    seat: int
    when: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-TIME-2",)

    def apply(self, state: Any) -> Any:
        due = state.list_due_effects(self.when, self.seat)
        return replace_fields(
            state, later=tuple(each for each in state.later if each.when != self.when or each.effect not in due)
        )


@named("cc.DrawOffered")
@dataclass(frozen=True)
class DrawOffered(Event):
    """A player offered a draw.

    CC-AMB-33: The active player may offer a draw, at most once in a turn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3", "CC-AMB-33")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, offered=self.seat)


@named("cc.DrawDeclined")
@dataclass(frozen=True)
class DrawDeclined(Event):
    """The offered draw was declined.

    CC-END-3: A match is drawn if both players agree on it.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.Conceded")
@dataclass(frozen=True)
class PlayerConceded(Event):
    """A player gave up.

    CC-END-2: A player who concedes loses, and the opponent wins.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-2",)


END_CLAUSES = {  # the ways in which a match ends, each with its clause
    "all_in_hell": "CC-END-1", "conceded": "CC-END-2", "agreed": "CC-END-3", "stalemate_no_force": "CC-AMB-4",
    "stalemate_quiet": "CC-AMB-4", "both_in_hell": "CC-AMB-2",
}  # fmt: skip


@named("cc.BattleEnded")
@dataclass(frozen=True)
class BattleEnded(Event):
    """The match is over. `winner` is -1 if nobody has won, `way` says how it ended."""

    winner: int
    way: str

    def apply(self, state: Any) -> Any:
        return replace_fields(state, winner=self.winner, way=self.way)

    def applied_clauses(self) -> tuple[str, ...]:
        return (END_CLAUSES[self.way],)


def end_match(winner: int, way: str) -> Iterator[Event]:
    """Yield the events with which a match ends."""
    yield BattleEnded(winner, way)
    yield StackCleared()
