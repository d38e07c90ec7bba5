"""Lines of a text that come later: as a turn ends, or as one begins.

A state keeps them as `later`, a tuple of `DelayedText`: card, line and the names bound so far, and no code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import CardEffect
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StepReplaced

TURN_ENDS, NEXT_TURN = "turn_ends", "next_turn"


@named("cards.Delayed")
@dataclass(frozen=True)
class DelayedText:
    """Lines of a text that come later.

    `when` is `turn_ends`, or `next_turn`: as the next turn of the player of the text begins. A game may add others.
    """

    when: str
    text: Execution


@dataclass(frozen=True)
class Later(CardEffect):
    """The inner lines are carried out as this turn ends or the player's next begins.

    They keep the names that the text has given so far, and the text goes on after them at once.

    CARDS-TIME-3: What a text puts off is carried out at that time, whatever has become of its card.
    """

    when: Literal["turn_ends", "next_turn"]
    LOOPS: ClassVar[bool] = True
    LINES_COME_LATER: ClassVar[bool] = True

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield StepReplaced(replace_fields(text, at=state.find_program(text.card, text.text)[text.at - 1].jump))
        yield self.build_event(text)

    def build_event(self, text: Execution) -> Event:
        """Return the event that puts the inner lines off."""
        return TextDelayed(text.card, text.by, DelayedText(self.when, text))


@named("cards.TextDelayed")
@dataclass(frozen=True)
class TextDelayed(Event):
    """A text has put lines off to the end of a turn, or to the next one.

    CARDS-TIME-3: What a text puts off is carried out at that time, whatever has become of its card.
    """

    card: str
    seat: int
    delayed: DelayedText
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-TIME-3",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, later=(*state.later, self.delayed))

    def view_for(self, seat: int) -> Event:
        return replace_fields(self, delayed=mask_delayed_text(self.delayed, seat))


@named("cards.DelayedTextsDue")
@dataclass(frozen=True)
class DelayedTextsDue(Event):
    """The time has come for what texts have put off.

    CARDS-TIME-3: What a text puts off is carried out at that time, whatever has become of its card.
    """

    seat: int
    when: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-TIME-3",)

    def apply(self, state: Any) -> Any:
        due = list_due_texts(state.later, self.when, self.seat)
        left = tuple(each for each in state.later if each.when != self.when or each.text not in due)
        return replace_fields(state, later=left)


def list_due_texts(later: Iterable[DelayedText], when: str, seat: int) -> tuple[Execution, ...]:
    """Return the texts put off until now, in the order in which they were.

    Those that wait for a player's next turn wait for the turn of `seat`.
    """
    due = (each.text for each in later if each.when == when)
    return tuple(text for text in due if when != NEXT_TURN or text.by == seat)


def mask_delayed_text(delayed: DelayedText, seat: int) -> DelayedText:
    """Return what a seat may know of a text that comes later."""
    return replace_fields(delayed, text=delayed.text.view_for(seat))


def mask_delayed_texts(state: Any, seat: int) -> Any:
    """Return a view in which the texts that come later are masked, too."""
    return replace_fields(state, later=tuple(mask_delayed_text(each, seat) for each in state.later))


def forget_delayed_texts(state: Any, seat: int) -> Any:
    """Return the table without what the texts of a player who left have put off."""
    return replace_fields(state, later=tuple(each for each in state.later if each.text.by != seat))
