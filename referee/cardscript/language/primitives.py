"""The words of card texts: effects, selectors, and the vocabulary of a game.

A word is a frozen dataclass. Its fields are its parameters, and their types say what is allowed: `BoundName` a name
bound before, `NewName` a name to bind, `PlayerSelector` one or several players, `Program` a text within the text.
Games add words of their own to the common ones (`Vocabulary.copy_for_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NewType, TypeVar

from referee.cardscript.moves import ChooseCard, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Event, Move

if TYPE_CHECKING:
    from referee.cardscript.language.interpreter import Execution

BoundName = NewType("BoundName", str)  # a name that this text has bound before
NewName = NewType("NewName", str)  # a name to bind; empty: none
NO_NAME = NewName("")
Value = str | int  # a card, or a seat or number
Values = tuple[Value, ...]


@dataclass(frozen=True)
class CardEffect:
    """A verb of card texts.

    `execute` returns its events once the text has advanced to the next line.
    """

    WORD: ClassVar[str] = ""

    def find_parameter_error(self) -> str:
        """Return what is wrong with parameters whose types are right, or nothing."""
        return ""

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        """Yield the immediate events of this line.

        What awaits an answer or goes on later is pushed as a step.
        """
        yield from ()


@dataclass(frozen=True)
class Selector:
    """What can be chosen. Registered with the codec, because a question carries it."""

    WORD: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    answer_kind: ClassVar[str] = "card"  # card, player or value: the form of the answer

    def find_options(self, state: Any, text: Execution, seat: int) -> Values:
        """Return all that `seat` may name in this state, in the fixed order of the table."""
        return ()

    def list_fitting(self, state: Any, text: Execution) -> Values:
        """Return all that fits, whether or not it may be chosen: for what nobody chooses."""
        return self.find_options(state, text, text.by)

    def near_miss_values(self, state: Any, text: Execution, seat: int) -> Values:
        """Return values that a player may think of but not name.

        They exist so that a player can ask why the referee refuses them.
        """
        fitting = self.find_options(state, text, seat)
        return tuple(value for value in self.list_imaginable_values(state, text, seat) if value not in fitting)

    def list_imaginable_values(self, state: Any, text: Execution, seat: int) -> Iterable[Value]:
        """Return values that a player may think of, whether or not they may be named."""
        return ()

    def check_value(self, state: Any, text: Execution, seat: int, value: Value) -> None:
        """Raise IllegalMove unless this value may be named."""

    def duty_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which something must be chosen."""
        return self.clauses

    def find_grounds(self, state: Any, text: Execution, value: Value) -> tuple[str, ...]:
        """Return the clauses by which a player may name this value."""
        return ()

    def is_open_to_all(self, state: Any, text: Execution) -> bool:
        """Return whether everybody can see the options.

        If so, a single option needs no question.
        """
        return True

    def is_known(self, state: Any, text: Execution, seat: int, value: Value) -> bool:
        """Return whether this value is certain, unlike a card that a back may be."""
        return True

    def is_not_nameable(self, state: Any, text: Execution, seat: int) -> bool:
        """Return whether only the players know the options."""
        return False

    def has_no_options(self, state: Any, text: Execution, seat: int) -> bool:
        """Return whether everybody can see that there are no options."""
        return self.is_open_to_all(state, text) and not self.find_options(state, text, seat)

    def build_answer(self, value: Value, unseen: bool = False) -> Move:
        """Return the move that names this value. `unseen`: the others do not see it."""
        if self.answer_kind == "player":
            return ChoosePlayer(int(value))
        if self.answer_kind == "value":
            return ChooseValue(int(value))
        return ChooseUnseen(str(value)) if unseen else ChooseCard(str(value))

    def parse_answer(self, move: Move, unseen: bool = False) -> Value | None:
        """Return the value that a move names, or None if it is no such answer."""
        match self.answer_kind, move:
            case "player", ChoosePlayer(seat):
                return seat
            case "value", ChooseValue(value):
                return value
            case "card", ChooseCard(card) if not unseen:
                return card
            case "card", ChooseUnseen(card) if unseen:
                return card
        return None


@dataclass(frozen=True)
class PlayerSelector:
    """One or several players as a line names them.

    `me`, `others`, a bound name, or the players that fit a selector.
    """

    name: str = ""
    noun: Selector | None = None

    def select_seats(self, state: Any, text: Execution) -> tuple[int, ...]:
        """Return the selected seats, clockwise from the player of the text."""
        if self.noun is not None:
            return tuple(int(value) for value in self.noun.find_options(state, text, text.by))
        if self.name == "me":
            return (text.by,)
        if self.name == "others":
            return tuple(state.other_seats(text.by))
        return tuple(int(value) for value in text.bound.get(self.name, ()))


ME = PlayerSelector("me")


@dataclass(frozen=True)
class ProgramLine:
    """One line of a text: a word and its condition.

    `when` must be bound, and `unless` must not be, for the line to be carried out. If the condition fails, the text
    goes on at `jump`.
    """

    effect: CardEffect
    when: str = ""
    unless: str = ""
    jump: int = 0
    declared: bool = False

    def is_condition_met(self, bound: dict[str, Values]) -> bool:
        """Return whether the condition of the line holds."""
        if self.when and not bound.get(self.when):
            return False
        return not (self.unless and bound.get(self.unless))


Program = tuple[ProgramLine, ...]
NumberRange = tuple[int, int]  # the least and the most that a number may be
W = TypeVar("W", bound=CardEffect)
N = TypeVar("N", bound=Selector)


def describe_range_error(where: str, number: int, allowed: NumberRange) -> str:
    """Return the message about a number that is out of its range."""
    return f"{where}: {number} is out of range; allowed: {allowed[0]} to {allowed[1]}"


@dataclass(frozen=True)
class Vocabulary:
    """The words that a game's cards may use, by name.

    `ambient`: the names that every text finds bound.
    `counts`: the parameters that are counts, so that none may be below 0.
    `ranges`: what numbers may be in a new book, by word and parameter (`draw.count`), by a key of cards and one within
    it (`roll.min`), or by a word of conditions alone (`level_min`). Books that are published already are not held to
    them.
    `players`: the only names of players that texts may use. Empty: texts bind their own.
    """

    effects: dict[str, type[CardEffect]] = field(default_factory=dict)
    selectors: dict[str, type[Selector]] = field(default_factory=dict)
    ambient: tuple[str, ...] = ("me", "this")
    counts: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    ranges: Mapping[str, NumberRange] = field(default_factory=dict)

    def register_effect(self, name: str) -> Callable[[type[W]], type[W]]:
        """Register a verb. Raises ValueError if the name is taken."""

        def register(cls: type[W]) -> type[W]:
            if name in self.effects:
                raise ValueError(f"{name} is already a verb")
            cls.WORD = name
            self.effects[name] = cls
            return cls

        return register

    def register_selector(self, name: str) -> Callable[[type[N]], type[N]]:
        """Register a noun. Raises ValueError if the name is taken."""

        def register(cls: type[N]) -> type[N]:
            if name in self.selectors:
                raise ValueError(f"{name} is already a noun")
            cls.WORD = name
            self.selectors[name] = cls
            return cls

        return register

    def copy_for_game(self) -> Vocabulary:
        """Return a copy of the vocabulary, to which a game adds its own words."""
        return Vocabulary(
            dict(self.effects), dict(self.selectors), self.ambient, self.counts, self.players, dict(self.ranges)
        )
