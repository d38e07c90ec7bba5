"""The words that all games share: choices, offers, loops, free texts, and more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.language.interpreter import Execution, LoopControl
from referee.cardscript.language.primitives import (
    ME,
    BoundName,
    CardEffect,
    NewName,
    PlayerSelector,
    Program,
    ProgramLine,
    Selector,
    Values,
    Vocabulary,
)
from referee.cardscript.questions import OfferPrompt, open_choice
from referee.engine.events import Event, replace_fields
from referee.engine.steps import StepPushed, StepReplaced

COMMON_VOCABULARY = Vocabulary()
SPECIAL_FUNCTIONS: dict[str, Callable[[Any, Execution], Iterator[Event]]] = {}


@COMMON_VOCABULARY.register_effect("choose")
@dataclass(frozen=True)
class Choose(CardEffect):
    """A player chooses one thing and the text binds it to `called`.

    `declared`: the choice is made in advance, for instance before modifiers are played. `optional`: the player may
    choose nothing. `duty`: the player may choose nothing only if there is nothing. `unseen`: the others do not see the
    choice.
    """

    noun: Selector
    called: NewName
    who: PlayerSelector = ME
    declared: bool = False
    optional: bool = False
    duty: bool = False
    unseen: bool = False

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        if self.called in text.bound:
            return  # declared in advance, which is binding
        for seat in self.who.select_seats(state, text)[:1]:
            yield from open_choice(
                state, text, seat, self.noun, self.called,
                optional=self.optional, duty=self.duty, unseen=self.unseen,
            )  # fmt: skip


@COMMON_VOCABULARY.register_effect("offer")
@dataclass(frozen=True)
class OfferTo(CardEffect):
    """A player may accept what the following lines give, which binds a name to them."""

    called: NewName
    who: PlayerSelector = ME

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        for seat in self.who.select_seats(state, text)[:1]:
            yield StepPushed(OfferPrompt(seat, text.card, self.called))


@COMMON_VOCABULARY.register_effect("as_written")
@dataclass(frozen=True)
class AsWritten(CardEffect):
    """The player of the text carries it out as printed, and reports what changed.

    CARDS-FREE-1: A text that no words say is carried out by its player, who lists what it changed.
    """

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield StepPushed(WrittenTextPrompt(text.by, text.card))


@COMMON_VOCABULARY.register_effect("stop")
@dataclass(frozen=True)
class Stop(CardEffect):
    """The text ends here."""

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield StepReplaced(replace_fields(text, at=len(state.find_program(text.card, text.text))))


@COMMON_VOCABULARY.register_effect("for_each")
@dataclass(frozen=True)
class ForEach(CardEffect, LoopControl):
    """The inner lines run once for each fitting player, or each value bound to a name."""

    called: NewName
    noun: Selector | None = None
    in_: BoundName | None = None
    LOOPS: ClassVar[bool] = True

    def is_empty_loop(self, state: Any, text: Execution, at: int) -> bool:
        begun = f"{self.called}/{at}" in text.bound
        return not begun and self.noun is not None and not self.noun.list_fitting(state, text)

    def advance_loop(self, state: Any, text: Execution, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        rest = f"{self.called}/{at}"
        left = text.bound.get(rest)
        if left is None:
            left = self.noun.list_fitting(state, text) if self.noun else text.bound.get(self.in_ or "", ())
        if left:
            return at + 1, {**text.bound, self.called: left[:1], rest: left[1:]}
        return jump, {name: values for name, values in text.bound.items() if name not in (rest, self.called)}


@COMMON_VOCABULARY.register_effect("go_back")
@dataclass(frozen=True)
class GoBack(CardEffect, LoopControl):
    """The end of repeated lines, written by the parser.

    `names` were bound within and become free again.
    """

    to: int
    names: tuple[str, ...] = ()

    def advance_loop(self, state: Any, text: Execution, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        return self.to, {name: values for name, values in text.bound.items() if name not in self.names}


@COMMON_VOCABULARY.register_effect("again")
@dataclass(frozen=True)
class Again(CardEffect, LoopControl):
    """The text starts over with the rest of a set, if something of it was chosen.

    The parser writes this word.
    """

    chosen: str
    among: str

    def advance_loop(self, state: Any, text: Execution, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        chosen = text.bound.get(self.chosen, ())
        if not chosen:
            return jump, text.bound
        left = list(text.bound.get(self.among, ()))
        gone = chosen[0] if chosen[0] in left else "?"
        left.remove(gone)
        kept = {"me", "this", self.among, "lot", *(name for name in text.bound if "/" in name)}
        bound = {name: values for name, values in text.bound.items() if name in kept}
        return (0, {**bound, self.among: tuple(left)}) if left else (jump, bound)


@COMMON_VOCABULARY.register_effect("special")
@dataclass(frozen=True)
class Special(CardEffect):
    """A function of the game, by name, for what no word says.

    At most one card in ten may need one.
    """

    rule: str

    def find_parameter_error(self) -> str:
        return "" if self.rule in SPECIAL_FUNCTIONS else f"unknown special function {self.rule!r}"

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        yield from SPECIAL_FUNCTIONS[self.rule](state, text)


def shift_line(line: ProgramLine, by: int) -> ProgramLine:
    """Return the line moved down by a number of lines."""
    word = replace(line.effect, to=line.effect.to + by) if isinstance(line.effect, GoBack) else line.effect
    return replace(line, effect=word, jump=line.jump + by)


def wrap_as_offer(lines: Program) -> Program:
    """Return the program as an offer, which its player accepts or declines.

    CARDS-CHOICE-3: An offer is made once. It is accepted or declined.
    """
    name = "accepted"
    head = (ProgramLine(OfferTo(NewName(name)), jump=1), ProgramLine(Stop(), unless=name, jump=2))
    return (*head, *(shift_line(line, 2) for line in lines))
