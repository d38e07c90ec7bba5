"""A card text being carried out: a step with card, next line and bound names.

The step first advances to the next line. Then the line acts, and whatever takes longer lies on top of it. So a text
survives a restart in mid-sentence. Answers come back by `NameBound`, which changes the innermost text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.cardscript.language.primitives import Program, ProgramLine, Values
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import Step, StepPopped, StepReplaced, replace_innermost_step
from referee.engine.zones import back_of


def mask_values(values: Values) -> Values:
    """Return what others see of values that only one seat may know.

    Cards become backs. Only their number shows.
    """
    return tuple(back_of(value) if isinstance(value, str) else value for value in values)


@named("cards.CarryOut")
@dataclass(frozen=True)
class Execution(Step):
    """A text of a card carried out for the player `by`, with line `at` next.

    `secret` are the names that only `by` may know. `declaring`: only the lines that name targets in advance are
    carried out, and what they bind is handed on.
    """

    card: str
    text: str
    by: int
    at: int = 0
    bound: dict[str, Values] = field(default_factory=dict)
    secret: tuple[str, ...] = ()
    declaring: bool = False

    def first_value(self, name: str) -> Any:
        """Return the first value of a name, or None if it stands for nothing."""
        values = self.bound.get(name, ())
        return values[0] if values else None

    def resolve(self, state: Any) -> Iterator[Event]:
        lines: Program = state.find_program(self.card, self.text)
        at, bound = self.at, self.bound
        while at < len(lines):
            line = lines[at]
            if isinstance(line.effect, LoopControl) and line.is_condition_met(bound):
                if line.effect.is_empty_loop(state, replace_fields(self, bound=bound), at):
                    yield StepReplaced(replace_fields(self, at=line.jump, bound=bound))
                    yield NothingToChoose(self.card)
                    return
                at, bound = line.effect.advance_loop(state, replace_fields(self, bound=bound), at, line.jump)
            elif self._skips_line(line, bound):
                at = line.jump
            else:
                text = replace_fields(self, at=at + 1, bound=bound)
                yield StepReplaced(text)
                yield from line.effect.execute(state, text)
                return
        yield StepPopped()
        if self.declaring:
            yield from state.resolve_declared_targets(replace_fields(self, bound=bound))

    def _skips_line(self, line: ProgramLine, bound: dict[str, Values]) -> bool:
        return (self.declaring and not line.declared) or not line.is_condition_met(bound)

    def view_for(self, seat: int) -> Step:
        if seat == self.by or not self.secret:
            return self
        hidden = {name: mask_values(values) if name in self.secret else values for name, values in self.bound.items()}
        return replace_fields(self, bound=hidden)


class LoopControl:
    """A line that only says where the text goes on.

    `jump` is the line after those it repeats.
    """

    def advance_loop(self, state: Any, text: Execution, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        """Return the line to go on with, and the names bound then."""
        raise NotImplementedError

    def is_empty_loop(self, state: Any, text: Execution, at: int) -> bool:
        """Return whether everybody can see that there is nothing to repeat the lines for."""
        return False


@named("cards.NothingThere")
@dataclass(frozen=True)
class NothingToChoose(Event):
    """There was nothing to choose from or to loop over for this card.

    CARDS-CHOICE-2: If everybody can see that there is nothing to choose, the choice is left out.
    """

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-2",)


@named("cards.Bound")
@dataclass(frozen=True)
class NameBound(Event):
    """The innermost text has bound a name.

    `only` is the seat that may know the values. None means everybody.
    """

    name: str
    values: Values
    only: int | None = None

    def apply(self, state: Any) -> Any:
        def bind(text: Execution) -> Step:
            secret = text.secret if self.only is None or self.name in text.secret else (*text.secret, self.name)
            return replace_fields(text, bound={**text.bound, self.name: self.values}, secret=secret)

        return replace_innermost_step(state, Execution, bind)

    def view_for(self, seat: int) -> Event:
        return self if self.only in (None, seat) else replace_fields(self, values=mask_values(self.values))


def find_innermost_execution(state: Any) -> Execution:
    """Return the innermost text being carried out.

    Raises StopIteration if there is none.
    """
    return next(step for step in reversed(state.agenda) if isinstance(step, Execution))
