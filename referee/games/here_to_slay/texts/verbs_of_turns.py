"""Verbs of card texts about turns, numbers and the effects of other cards.

Clauses: HTS-POINTS-1, HTS-COPY-1, HTS-CHECK-1, HTS-AGAIN-1, CARDS-TIME-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import BoundName, CardEffect, NewName
from referee.cardscript.language.repeating import RepeatedLines
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.games.here_to_slay.components import PROGRAMS
from referee.games.here_to_slay.events.cards import EffectLapsed
from referee.games.here_to_slay.events.turns import PointGained
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.rolling import start_rolling_again
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.amounts import Amount, Count, compute_amount, count_for_line
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY
from referee.games.here_to_slay.triggers import build_text_execution
from referee.games.here_to_slay.values import MOST_POINTS


@VOCABULARY.register_effect("check")
@dataclass(frozen=True)
class CheckNumber(CardEffect):
    """Bind the name if a counted number is at least `min` and at most `max` now.

    HTS-CHECK-1: Where a text asks how the table stands, what counts is how it stands when the line is carried out.
    """

    number: Amount
    called: NewName
    min: int | None = None
    max: int | None = None

    def find_parameter_error(self) -> str:
        return "check needs 'min' or 'max'" if self.min is None and self.max is None else ""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        number = compute_amount(state, self.number, text.bound)
        holds = (self.min is None or number >= self.min) and (self.max is None or number <= self.max)
        yield NameBound(self.called, (text.by,) if holds else ())


@VOCABULARY.register_effect("repeat")
@dataclass(frozen=True)
class Repeat(RepeatedLines):
    """The inner lines are carried out this many times, at most 40.

    CARDS-TIME-2: How often a text repeats lines is counted once, as it comes to them.
    """

    times: Count

    def count_times(self, state: Table, text: Execution) -> int:
        return count_for_line(state, text, self.times)


@VOCABULARY.register_effect("gain_points")
@dataclass(frozen=True)
class GainPoints(CardEffect):
    """Give the player more action points in this turn, if it is their own.

    HTS-POINTS-1: A text may give its player more action points for the turn under way, up to 99. Outside their own
        turn players get none.
    """

    count: Count = 1

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if text.by != state.active:
            yield EffectLapsed(text.card, "points")
            return
        for more in range(min(count_for_line(state, text, self.count), MOST_POINTS - state.points_left)):
            yield PointGained(text.by, state.points_left + more + 1, True)


@VOCABULARY.register_effect("roll_again")
@dataclass(frozen=True)
class RollAgain(CardEffect):
    """Have the dice of a player's open roll thrown again.

    HTS-AGAIN-1: The second throw takes the place of the first, and what was played on the roll stays.
    """

    of: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        seat = text.first_value(self.of)
        again = () if seat is None else tuple(start_rolling_again(state, int(seat)))
        yield from again or (EffectLapsed(text.card, "roll_again"),)


@VOCABULARY.register_effect("use_effect")
@dataclass(frozen=True)
class UseEffect(CardEffect):
    """Carry out the effect of a hero as if its roll had succeeded.

    It is carried out for the player of the text.

    HTS-COPY-1: A text may carry out the effect of a hero for its own player, without a roll and without marking the
        hero. Targets are chosen when their part comes. A sealed effect cannot be used so, nor one that is under way.
    """

    hero: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value(self.hero)) is None:
            return
        running = [(step.card, step.text) for step in state.agenda if isinstance(step, Execution)]
        under_way = (hero, "does") in running
        if under_way or state.controller_of(hero) is None or state.is_sealed(hero) or not PROGRAMS[hero, "does"]:
            yield EffectLapsed(hero, "effect")
            return
        yield StepPushed(EffectFrame())
        yield StepPushed(build_text_execution(hero, "does", text.by))
