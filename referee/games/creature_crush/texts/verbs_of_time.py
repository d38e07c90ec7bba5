"""Verbs that say how often and when lines are carried out.

Clauses: CC-CHAIN-5, CC-WORD-TIME-2.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cardscript.language.delayed import Later as PutOffLines
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.repeating import RepeatedLines
from referee.engine.events import Event, replace_fields
from referee.games.creature_crush.conditions import Amount
from referee.games.creature_crush.derived import compute_amount
from referee.games.creature_crush.events.course import EffectDelayed
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.vocabulary import VOCABULARY
from referee.games.creature_crush.values import DelayedEffect


@VOCABULARY.register_effect("repeat")
@dataclass(frozen=True)
class Repeat(RepeatedLines):
    """The inner lines are carried out this many times, at most 40.

    The times are counted once, as the line is reached. What the inner lines name is forgotten after each time.

    CC-CHAIN-5: An effect that has begun is finished with all its steps.
    """

    times: Amount

    def find_parameter_error(self) -> str:
        return "repeat takes a number of times, not all" if self.times.is_all else ""

    def count_times(self, state: Table, text: Execution) -> int:
        return compute_amount(state, self.times, text.bound)


@VOCABULARY.register_effect("later")
@dataclass(frozen=True)
class Later(PutOffLines):
    """The inner lines are carried out as this turn ends or the player's next begins.

    They keep the names that the text has given so far, and the text goes on after them at once. The event and what the
    table keeps of it are the game's own, as older logs hold them.

    CC-WORD-TIME-2: What a text puts off is carried out at that time, whatever has become of its card.
    """

    def build_event(self, text: Execution) -> Event:
        kept = {name: values for name, values in text.bound.items() if not name.startswith("at/")}
        rest = replace_fields(text, bound=kept)  # wherever on the field a creature then is
        return EffectDelayed(text.card, text.by, DelayedEffect(self.when, rest))
