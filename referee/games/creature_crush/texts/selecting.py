"""Lines that name what a text is about: chosen, at random, all, or hit by dice.

`choose`, for one thing, is a word of every game. Everything is mandatory except with `up_to`. If there are too few, all
are taken. If there are none, the line reports that it did nothing. Clauses: CC-AMB-18, CC-GLOSS-7, CC-AMB-24,
CC-DICE-1, CC-AMB-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Execution, NameBound, find_innermost_execution
from referee.cardscript.language.primitives import CardEffect, NewName, Selector, Values
from referee.cardscript.moves import ChooseCards, describe_card_lists
from referee.cardscript.questions import PlayerPrompt, list_combinations, open_choice, refuse_wrong_number
from referee.engine.chance import ChanceStep, PickResult, RandomBelow, Roll, shuffle_cards
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import StepPopped, StepPushed, require_move
from referee.games.creature_crush.components import BOOK
from referee.games.creature_crush.conditions import ONE_AMOUNT, Amount
from referee.games.creature_crush.derived import compute_amount
from referee.games.creature_crush.events.course import TargetDiceRolled, TargetsDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import CostHitSelector
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

MOST_TARGET_DICE = 5


def report_nothing_fits(text: Execution, called: str) -> Iterator[Event]:
    """Yield the events of a line that finds nothing. Its name stands for nothing.

    CC-AMB-18: With no target the step does nothing, and the next one follows.
    """
    yield EffectSkipped(text.card, "nothing_fits")
    yield NameBound(called, ())


# ---- all -------------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("all")
@dataclass(frozen=True)
class SelectAll(CardEffect):
    """Everything that fits."""

    noun: Selector
    called: NewName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        fitting = self.noun.list_fitting(state, text)
        if fitting:
            yield NameBound(self.called, fitting)
        else:
            yield from report_nothing_fits(text, self.called)


# ---- several of the player's choice ----------------------------------------------------------------------------------


@VOCABULARY.register_effect("choose_some")
@dataclass(frozen=True)
class ChooseSome(CardEffect):
    """The player of the text chooses `count` things, or all if there are fewer.

    With `up_to` the player may choose fewer, even none.
    """

    noun: Selector
    count: Amount
    called: NewName
    up_to: bool = False

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count, fitting = compute_amount(state, self.count, text.bound), self.noun.find_options(state, text, text.by)
        if not count or not fitting:
            yield from report_nothing_fits(text, self.called)
        elif len(fitting) <= count and not self.up_to:
            yield NameBound(self.called, fitting)
        else:
            yield StepPushed(ChoosingSome(text.by, text.card, self.noun, self.called, count, self.up_to))


@named("cc.ChoosingSome")
@dataclass(frozen=True)
class ChoosingSome(PlayerPrompt):
    """A player chooses several things at once for the text beneath.

    CC-AMB-18: The possessor of the effect chooses, and must. Only may and up to leave it open.
    """

    seat: int
    card: str
    noun: Selector
    called: str
    count: int
    up_to: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18",)

    def _find_limits(self, state: Table) -> tuple[Values, int, int]:
        """Return what fits, and the least and the greatest number to choose."""
        fitting = self.noun.find_options(state, find_innermost_execution(state), self.seat)
        most = min(self.count, len(fitting))
        return fitting, 0 if self.up_to else most, most

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        fitting, least, most = self._find_limits(state)
        yield from map(ChooseCards, list_combinations(map(str, fitting), most, least))
        text = find_innermost_execution(state)
        for value in self.noun.near_miss_values(state, text, seat):
            yield ChooseCards((str(value), *map(str, fitting[: most - 1])))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCards)
        text = find_innermost_execution(state)
        for value in move.cards:
            self.noun.check_value(state, text, seat, value)
            if move.cards.count(value) > 1:
                raise IllegalMove("named_twice", *self.clauses, card=value)
        _, least, most = self._find_limits(state)
        if not least <= len(move.cards) <= most:
            raise refuse_wrong_number(least, most, *self.clauses)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield StepPopped()
        if not move.cards:
            yield EffectSkipped(self.card, "none_chosen")
        yield NameBound(self.called, move.cards)


# ---- at random -------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("at_random")
@dataclass(frozen=True)
class SelectAtRandom(CardEffect):
    """Chance finds `count` of those that fit, none twice.

    CC-AMB-24: Every legal target is equally likely, and the outcome is kept in the record.
    """

    noun: Selector
    called: NewName
    count: Amount = ONE_AMOUNT

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        count, fitting = compute_amount(state, self.count, text.bound), self.noun.list_fitting(state, text)
        if not count or not fitting:
            yield from report_nothing_fits(text, self.called)
        elif len(fitting) <= count:
            yield NameBound(self.called, fitting)
        else:
            yield StepPushed(DrawTargets(text.card, self.noun, self.called, count))


@named("cc.DrawTargets")
@dataclass(frozen=True)
class DrawTargets(ChanceStep):
    """Chance finds targets for the text beneath. Everybody sees the candidates.

    CC-GLOSS-7: A random target is found by chance, and nobody chooses it. At a table that may be a die.
    """

    card: str
    noun: Selector
    called: str
    count: int
    device: ClassVar[str] = "dice"
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-7", "CC-AMB-24")

    def list_fitting(self, state: Table) -> tuple[str, ...]:
        """List the candidates among which chance finds the targets."""
        text = find_innermost_execution(state)
        return tuple(map(str, self.noun.list_fitting(state, text)))

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(PickResult, combinations(self.list_fitting(state), self.count))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != self.count or len(set(move.cards)) != self.count:
            raise IllegalMove("name_so_many_targets", *self.clauses, count=self.count)
        text, fitting = find_innermost_execution(state), self.list_fitting(state)
        for value in move.cards:
            if value not in fitting:
                self.noun.check_value(state, text, text.by, value)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield StepPopped()
        yield TargetsDrawn(self.card, move.cards)
        yield NameBound(self.called, move.cards)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        return PickResult(tuple(shuffle_cards(self.list_fitting(state), below)[: self.count]))

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != CHANCE:
            return ()
        says = BOOK.render_texts("pattern.targets", count=self.count)
        return describe_card_lists(PickResult, self.list_fitting(state), self.count, self.count, says)


# ---- with dice -------------------------------------------------------------------------------------------------------


@VOCABULARY.register_effect("with_dice")
@dataclass(frozen=True)
class SelectWithDice(CardEffect):
    """Dice are rolled, and the player chooses one of those whose cost they have hit.

    CC-DICE-1: X dice are rolled, and the target is one whose cost is the pips of one of them or of several added up.
    """

    dice: int
    noun: Selector
    called: NewName

    def find_parameter_error(self) -> str:
        return "" if 1 <= self.dice <= MOST_TARGET_DICE else f"with_dice takes 1 to {MOST_TARGET_DICE} dice"

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if self.noun.find_options(state, text, text.by):
            yield StepPushed(
                RollForTarget(dice=self.dice, seat=text.by, card=text.card, noun=self.noun, called=self.called)
            )
        else:
            yield from report_nothing_fits(text, self.called)


@named("cc.RollForTarget")
@dataclass(frozen=True, kw_only=True)
class RollForTarget(Roll):
    """Extra dice are rolled that find a target by its cost. Then the player chooses.

    CC-DICE-1: X dice are rolled, and the target is one whose cost is the pips of one of them or of several added up.
    """

    seat: int
    card: str
    noun: Selector
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-DICE-1", "CC-AMB-23")

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield TargetDiceRolled(self.seat, self.card, values)
        pips = NameBound(build_pips_name(self.called), values)
        yield pips
        text = find_innermost_execution(state)
        text = replace_fields(text, bound={**text.bound, pips.name: values})
        noun = CostHitSelector(self.noun, pips.name)
        if noun.find_options(state, text, self.seat):
            yield from open_choice(state, text, self.seat, noun, self.called)
        else:
            yield from report_nothing_fits(text, self.called)


def build_pips_name(called: str) -> str:
    """Return the name under which a text keeps the dice rolled for a named target."""
    return f"dice/{called}"
