"""A card text being carried out: one step that remembers the card, the line reached and the names given so far.

It turns to the next line first; then the line acts, and whatever takes longer lies on top of it. So it survives a
restart in the middle of a sentence. Answers come back by `Bound`, which amends the innermost text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.cardscript.language.primitives import Line, Lines, Values
from referee.engine.codec import named
from referee.engine.events import Event, changed
from referee.engine.steps import Became, Closed, Step, amend
from referee.engine.zones import back


def masked(values: Values) -> Values:
    """What others see of values that only one may know: backs, numbers of cards and no more."""
    return tuple(back(value) if isinstance(value, str) else value for value in values)


@named("cards.CarryOut")
@dataclass(frozen=True)
class CarryOut(Step):
    """A text of a card, for the player `by`, with line `at` next; `secret` are the names that only `by` may know.

    `declaring`: only the lines that name targets in advance are carried out, and what they bind is handed on.
    """

    card: str
    text: str
    by: int
    at: int = 0
    bound: dict[str, Values] = field(default_factory=dict)
    secret: tuple[str, ...] = ()
    declaring: bool = False

    def first(self, name: str) -> Any:
        """What a name stands for, None if it stands for nothing."""
        values = self.bound.get(name, ())
        return values[0] if values else None

    def resolve(self, state: Any) -> Iterator[Event]:
        lines: Lines = state.lines(self.card, self.text)
        at, bound = self.at, self.bound
        while at < len(lines):
            line = lines[at]
            if isinstance(line.word, Loop):
                if line.word.finds_nothing(state, changed(self, bound=bound), at):
                    yield Became(changed(self, at=line.jump, bound=bound))
                    yield NothingThere(self.card)
                    return
                at, bound = line.word.turn(state, changed(self, bound=bound), at, line.jump)
            elif self._passes_over(line, bound):
                at = line.jump
            else:
                text = changed(self, at=at + 1, bound=bound)
                yield Became(text)
                yield from line.word.act(state, text)
                return
        yield Closed()
        if self.declaring:
            yield from state.declares(changed(self, bound=bound))

    def _passes_over(self, line: Line, bound: dict[str, Values]) -> bool:
        return (self.declaring and not line.declared) or not line.holds(bound)

    def seen_by(self, seat: int) -> Step:
        if seat == self.by or not self.secret:
            return self
        hidden = {name: masked(values) if name in self.secret else values for name, values in self.bound.items()}
        return changed(self, bound=hidden)


class Loop:
    """A line that only says where the text goes on; `jump` is the line after what it repeats."""

    def turn(self, state: Any, text: CarryOut, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        """The line to go on with, and the names bound then."""
        raise NotImplementedError

    def finds_nothing(self, state: Any, text: CarryOut, at: int) -> bool:
        """Whether there is nothing at all to repeat the lines for, and everybody can see it."""
        return False


@named("cards.NothingThere")
@dataclass(frozen=True)
class NothingThere(Event):
    """There was nothing to choose from, or to go through, for this card; everybody can see it (CARDS-CHOICE-2)."""

    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-2",)


@named("cards.Bound")
@dataclass(frozen=True)
class Bound(Event):
    """The innermost text has given something a name; `only` may know it, None: everybody."""

    name: str
    values: Values
    only: int | None = None

    def apply(self, state: Any) -> Any:
        def bind(text: CarryOut) -> Step:
            secret = text.secret if self.only is None or self.name in text.secret else (*text.secret, self.name)
            return changed(text, bound={**text.bound, self.name: self.values}, secret=secret)

        return amend(state, CarryOut, bind)

    def seen_by(self, seat: int) -> Event:
        return self if self.only in (None, seat) else changed(self, values=masked(self.values))


def running(state: Any) -> CarryOut:
    """The innermost text being carried out. Raises StopIteration if none is."""
    return next(step for step in reversed(state.agenda) if isinstance(step, CarryOut))
