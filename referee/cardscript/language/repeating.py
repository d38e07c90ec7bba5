"""Lines that are carried out several times, as in all games.

Each game adds the number of times in a form of its own (`times`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Execution, LoopControl
from referee.cardscript.language.primitives import CardEffect, Program, Values

MOST_TIMES = 40  # more would only make a match last, whatever is counted
COUNTER = "repeat"  # `repeat/3`: how often the lines after line 3 are still to come


@dataclass(frozen=True)
class RepeatedLines(CardEffect, LoopControl):
    """The inner lines are carried out a number of times, at most 40.

    CARDS-TIME-2: How often a text repeats lines is counted once, as it comes to them. What the lines name is forgotten
    after each time.
    """

    LOOPS: ClassVar[bool] = True
    REPEATS: ClassVar[bool] = True

    def count_times(self, state: Any, text: Execution) -> int:
        """Return how often the lines are carried out, as things stand now."""
        raise TypeError(f"{type(self).__name__} does not define how often its lines are carried out")

    def is_empty_loop(self, state: Any, text: Execution, at: int) -> bool:
        return f"{COUNTER}/{at}" not in text.bound and self.count_times(state, text) <= 0

    def advance_loop(self, state: Any, text: Execution, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        rest = f"{COUNTER}/{at}"
        counted = text.bound.get(rest)
        left = int(counted[0]) if counted else max(0, min(self.count_times(state, text), MOST_TIMES))
        if left:
            return at + 1, {**text.bound, rest: (left - 1,)}
        return jump, {name: values for name, values in text.bound.items() if name != rest}


def may_run_too_long(kind: type, within: Program) -> bool:
    """Return whether a loop with these lines could go on for too long.

    What repeats lines holds no further loop, and no loop holds it beside another one.
    """
    loops = [each.effect for each in within if getattr(each.effect, "LOOPS", False)]
    if getattr(kind, "REPEATS", False):
        return bool(loops)
    return len(loops) > 1 and any(getattr(each, "REPEATS", False) for each in loops)
