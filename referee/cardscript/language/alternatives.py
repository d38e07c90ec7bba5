"""A labelled choice: a text goes on with one of several alternatives.

A game takes the words up by registering `ChooseOne` and `Alternative` with its vocabulary. The labels are read aloud in
the question and told once one is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Execution, LoopControl, NameBound
from referee.cardscript.language.primitives import ME, CardEffect, PlayerSelector, Program, ProgramLine, Values
from referee.cardscript.moves import ChooseValue
from referee.cardscript.questions import PlayerPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, require_move

Label = dict[str, str]  # by language
CHOSEN_ALTERNATIVE = "one"  # `one/3`: the number of the alternative chosen in line 3
FEWEST_ALTERNATIVES, MOST_ALTERNATIVES, LONGEST_LABEL = 2, 6, 120


@dataclass(frozen=True)
class ChooseOne(CardEffect):
    """A player chooses one of several alternatives: only its lines are carried out.

    Any of them may be chosen, also one that does nothing now. What its lines name is forgotten after them.

    CARDS-CHOICE-5: Of the alternatives of a text exactly one is chosen, whatever it can do.
    """

    who: PlayerSelector = ME
    says: tuple[Label, ...] = ()  # the parser fills these two in
    called: str = ""
    CHOICES: ClassVar[bool] = True
    FILLED_IN: ClassVar[tuple[str, ...]] = ("says", "called")

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        for seat in self.who.select_seats(state, text)[:1]:
            yield StepPushed(AlternativePrompt(seat, text.card, self.says, self.called))


@dataclass(frozen=True)
class Alternative(CardEffect, LoopControl):
    """The lines of one alternative follow, if it is the one that was chosen.

    The parser writes this word.
    """

    called: str
    number: int

    def advance_loop(self, state: Any, text: Execution, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        return (at + 1 if text.bound.get(self.called) == (self.number,) else jump), text.bound


@named("cards.Alternatives")
@dataclass(frozen=True)
class AlternativePrompt(PlayerPrompt):
    """A player chooses one of several alternatives of the text beneath, by its number."""

    seat: int
    card: str
    says: tuple[Label, ...]
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1", "CARDS-CHOICE-5")

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        return map(ChooseValue, range(1, len(self.says) + 1))

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseValue)
        if not 1 <= move.value <= len(self.says):
            raise IllegalMove("no_such_alternative", "CARDS-CHOICE-5", card=self.card, count=len(self.says))

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseValue)
        yield StepPopped()
        yield AlternativeChosen(self.seat, self.card, self.says[move.value - 1])
        yield NameBound(self.called, (move.value,))


@named("cards.AlternativeChosen")
@dataclass(frozen=True)
class AlternativeChosen(Event):
    """A player has chosen one of the alternatives of a card.

    CARDS-CHOICE-5: Of the alternatives of a text exactly one is chosen, whatever it can do.
    """

    seat: int
    card: str
    says: Label
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-5",)


def list_lines_ahead(lines: Program, at: int) -> list[ProgramLine]:
    """Return the lines from `at` on, without the alternatives beside them.

    Alternatives that are still to be chosen from are all listed.
    """
    ahead: list[ProgramLine] = []
    while at < len(lines):
        ahead.append(lines[at])
        back_to: int = getattr(lines[at].effect, "to", 0) if lines[at].effect.WORD == "go_back" else 0
        at = max(at + 1, back_to)  # the end of an alternative goes on after all of them
        if ahead[-1].effect.WORD == ChooseOne.WORD:
            after = ahead[-1].jump
            ahead += lines[at:after]
            at = after
    return ahead


def shorten_label(label: Label) -> Label:
    """Return a label without the stop at its end, to stand within a sentence."""
    return {lang: way.rstrip(".") for lang, way in label.items()}


def number_labels(labels: Iterable[Label]) -> Label:
    """Return the labels of alternatives in one line, each after its number."""
    ways = [shorten_label(label) for label in labels]
    return {lang: "; ".join(f"{number}: {way[lang]}" for number, way in enumerate(ways, 1)) + "." for lang in LANGUAGES}


def find_label(prompt: AlternativePrompt, move: Move) -> Label | None:
    """Return the label of the alternative that an answer chooses, or None."""
    if not isinstance(move, ChooseValue) or not 1 <= move.value <= len(prompt.says):
        return None
    return shorten_label(prompt.says[move.value - 1])


def find_label_error(label: Any, languages: Iterable[str]) -> str:
    """Return what is wrong with the label of an alternative, or ""."""
    known = tuple(languages)
    if not isinstance(label, dict) or set(label) != set(known):
        return f"says must be a text, or one text in each of {', '.join(known)}"
    for text in label.values():
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            return f"says: {text!r} is no text that can be shown"
        if len(text) > LONGEST_LABEL:
            return f"says has {len(text)} characters; at most {LONGEST_LABEL} are allowed"
    return ""
