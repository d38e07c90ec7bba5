"""Verbs of card texts about time: how often, and for how long.

Clauses: CARDS-TIME-2, MK-27.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import ME, CardEffect, PlayerSelector
from referee.cardscript.language.repeating import RepeatedLines
from referee.engine.events import Event
from referee.games.munchkin.events.lasting import LastingBegan
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.verbs_of_players import Quantity, compute_quantity, find_living_players
from referee.games.munchkin.texts.vocabulary import WORDS
from referee.games.munchkin.values import COMBAT_END, LASTING_NUMBERS, LastingValue


@WORDS.register_effect("repeat")
@dataclass(frozen=True)
class Repeat(RepeatedLines):
    """The inner lines are carried out this many times, at most 40.

    CARDS-TIME-2: How often a text repeats lines is counted once, as it comes to them.
    """

    times: Quantity

    def count_times(self, state: Table, text: Execution) -> int:
        return compute_quantity(state, text, self.times)


@WORDS.register_effect("lasting")
@dataclass(frozen=True)
class Lasting(CardEffect):
    """Gives players a value for a while, or keeps them from something (MK-27.2)."""

    what: Literal[
        "strength", "escape", "die_rolls", "hand_limit", "treasures", "sale_times", "cannot_help",
        "cannot_play_one_shots",
    ]  # fmt: skip
    until: Literal["combat_end", "turn_end", "next_turn"]
    value: Quantity = 0
    who: PlayerSelector = ME

    def find_parameter_error(self) -> str:
        is_number = self.what in LASTING_NUMBERS
        if is_number != (self.value != 0):
            return f"{self.what} {'needs a value' if is_number else 'takes no value'}"
        wrong = self.what == "sale_times" and isinstance(self.value, int) and not 2 <= self.value <= 5
        return "sale_times is a value from 2 to 5" if wrong else ""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        value = compute_quantity(state, text, self.value)
        for seat in find_living_players(state, text, self.who):
            if self.until == COMBAT_END and state.combat is None:
                yield EffectLapsed(text.card, "lasting", seat)
            elif self.what in LASTING_NUMBERS and not value:
                yield EffectLapsed(text.card, "counted", seat)
            else:
                yield LastingBegan(LastingValue(text.card, seat, self.what, self.until, text.by, value))
