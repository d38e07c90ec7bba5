"""Nouns and verbs about the start dice that are not burned, and what takes dice.

Only the player whose turn it is has any. Clauses: CC-PAY-2, CC-START-4, CC-GLOSS-8, CC-AMB-9, CC-WORD-DICE-1,
CC-WORD-COST-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import (
    ME,
    BoundName,
    CardEffect,
    PlayerSelector,
    Selector,
    Value,
    Values,
)
from referee.cardscript.questions import open_choice
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.steps import Step, StepPopped, StepPushed
from referee.games.creature_crush.components import MOST_START_DICE
from referee.games.creature_crush.conditions import HIGHEST_PIPS
from referee.games.creature_crush.events.course import DieTurned, NextCrushChanged, StartDiceRolled
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.rules.actions.paying import build_missing_die_refusal, burn_dice
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

PIPS = tuple(range(1, HIGHEST_PIPS + 1))
NEW_PIPS = "turned/{}"  # the name under which a text keeps what a die is turned to


@VOCABULARY.register_selector("die")
@named("cc.DieNoun")
@dataclass(frozen=True)
class DieSelector(Selector):
    """A start die of the player of the text that is not burned, named by its pips."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-DICE-1",)
    answer_kind: ClassVar[str] = "value"

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(dict.fromkeys(state.dice)) if state.turn == text.by else ()

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return PIPS

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        if value not in self.find_options(state, text, seat):
            raise build_missing_die_refusal(state, int(value))


@named("cc.PipsNoun")
@dataclass(frozen=True)
class PipsSelector(Selector):
    """The pips to which a die can be turned: `by` more or less, at most."""

    pips: int
    by: int
    WORD: ClassVar[str] = "pips"
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-DICE-1",)
    answer_kind: ClassVar[str] = "value"

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(pips for pips in PIPS if 0 < abs(pips - self.pips) <= self.by)

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return PIPS

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        if value not in self.find_options(state, text, seat):
            raise IllegalMove("turned_too_far", *self.clauses, pips=self.pips, by=self.by)


def list_dice_left(state: Table, text: Execution, name: str) -> tuple[int, ...]:
    """List the dice that a name stands for and that are not burned."""
    dice = text.bound.get(name, ()) if state.turn == text.by else ()
    return tuple(pips for pips in dice if isinstance(pips, int) and pips in state.dice)


def report_no_die(text: Execution, name: str) -> Iterator[Event]:
    """Yield the event of a line whose die is no longer there."""
    if text.bound.get(name):
        yield EffectSkipped(text.card, "no_dice")


@VOCABULARY.register_effect("set_die")
@dataclass(frozen=True)
class SetDie(CardEffect):
    """Dice are turned to these pips, without a roll.

    CC-WORD-DICE-1: A die that is turned is the same die with other pips, and brings no bonus.
    """

    die: BoundName
    to: int

    def find_parameter_error(self) -> str:
        return "" if self.to in PIPS else f"set_die turns a die to 1 to {HIGHEST_PIPS} pips"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        dice = list_dice_left(state, text, self.die)
        for pips in dice:
            yield DieTurned(text.by, pips, self.to, text.card)
        if not dice:
            yield from report_no_die(text, self.die)


@VOCABULARY.register_effect("turn_die")
@dataclass(frozen=True)
class TurnDie(CardEffect):
    """A die is turned by up to this many pips, up or down as the player chooses.

    CC-WORD-DICE-1: A die that is turned is the same die with other pips, and brings no bonus.
    """

    die: BoundName
    by: int = 1

    def find_parameter_error(self) -> str:
        return "" if 0 < self.by < HIGHEST_PIPS else f"turn_die turns a die by 1 to {HIGHEST_PIPS - 1} pips"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        dice = list_dice_left(state, text, self.die)
        for pips in dice[:1]:
            name = NEW_PIPS.format(self.die)
            yield StepPushed(DieTurning(text.by, text.card, pips, name))
            yield from open_choice(state, text, text.by, PipsSelector(pips, self.by), name)
        if not dice:
            yield from report_no_die(text, self.die)


@named("cc.DieTurning")
@dataclass(frozen=True)
class DieTurning(Step):
    """A die is turned to the pips that its player has chosen in the text beneath.

    CC-WORD-DICE-1: A die that is turned is the same die with other pips, and brings no bonus.
    """

    seat: int
    card: str
    pips: int
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-DICE-1",)

    def resolve(self, state: Table) -> Iterator[Event]:
        text = state.agenda[-2]
        assert isinstance(text, Execution)
        yield StepPopped()
        chosen = text.first_value(self.called)
        if chosen is not None and self.pips in state.dice:
            yield DieTurned(self.seat, self.pips, int(chosen), self.card)


@VOCABULARY.register_effect("burn_die")
@dataclass(frozen=True)
class BurnDie(CardEffect):
    """Dice are burned. What their pips were can still be counted (`pips_of`).

    CC-PAY-2: A burned die is useless until the next turn.
    """

    die: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        dice = list_dice_left(state, text, self.die)
        if dice:
            yield burn_dice(text.by, dice)
        else:
            yield from report_no_die(text, self.die)


@VOCABULARY.register_effect("add_dice")
@dataclass(frozen=True)
class AddDice(CardEffect):
    """The player rolls additional start dice at once, in the own turn only.

    CC-START-4: Nobody has more than five start dice in a turn.
    CC-AMB-9: They bring no bonus.
    """

    count: int = 1

    def find_parameter_error(self) -> str:
        return "" if 0 < self.count <= MOST_START_DICE else f"add_dice takes 1 to {MOST_START_DICE} dice"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count = min(self.count, MOST_START_DICE - len(state.dice) - state.burned)
        if state.turn != text.by:
            yield EffectSkipped(text.card, "not_own_turn")
        elif count <= 0:
            yield EffectSkipped(text.card, "five_dice")
        else:
            yield StepPushed(AddedDiceRoll(dice=count, seat=text.by, card=text.card))


@named("cc.AddedDice")
@dataclass(frozen=True, kw_only=True)
class AddedDiceRoll(Roll):
    """Start dice are rolled that an effect adds in this turn.

    CC-WORD-DICE-1: Dice that an effect adds are start dice of this turn.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-WORD-DICE-1",)

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield StartDiceRolled(self.seat, values, "added")


@VOCABULARY.register_effect("next_crush")
@dataclass(frozen=True)
class ChangeNextCrush(CardEffect):
    """The next crush card that a player lays costs this many dice more, or fewer.

    CC-WORD-COST-2: Such changes add up, until the player lays a crush card.
    """

    dice: int
    who: PlayerSelector = ME

    def find_parameter_error(self) -> str:
        return "" if 0 < abs(self.dice) <= MOST_START_DICE else "next_crush takes 1 to 5 dice, or -1 to -5"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        for seat in self.who.select_seats(state, text):
            yield NextCrushChanged(seat, self.dice)
