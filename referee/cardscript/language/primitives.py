"""The words of card texts: verbs, what they are done to, and the vocabulary a game reads its cards with.

A word is a frozen dataclass; its fields are its parameters, and their types say what may stand there: `BoundName`
something that the text has bound before, `NewName` a name to bind, `PlayerSelector` one or several players, `Program` a
text within the text. Games add their own words to those that all share (`Vocabulary.copy_for_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NewType, TypeVar

from referee.cardscript.moves import ChooseCard, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Event, Move

if TYPE_CHECKING:
    from referee.cardscript.language.interpreter import Execution

BoundName = NewType("BoundName", str)  # what this text has bound before
NewName = NewType("NewName", str)  # what it binds; empty: nothing
NO_NAME = NewName("")
Value = str | int  # a card, or a seat or number
Values = tuple[Value, ...]


@dataclass(frozen=True)
class CardEffect:
    """A verb of card texts. `execute` gives its facts once the text has turned to the next line."""

    WORD: ClassVar[str] = ""

    def find_parameter_error(self) -> str:
        """What is wrong with these parameters though each is of the right form; empty: nothing."""
        return ""

    def execute(self, state: Any, text: Execution) -> Iterator[Event]:
        """The facts of this line, at once; what takes an answer or goes on later it opens as a step."""
        yield from ()


@dataclass(frozen=True)
class Selector:
    """What can be chosen, and which of it. Registered with the codec, since a question carries it."""

    WORD: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    answer_kind: ClassVar[str] = "card"  # card, player or value: the form of the answer

    def find_options(self, state: Any, text: Execution, seat: int) -> Values:
        """All that `seat` may name here, as far as this state shows it, in the fixed order of the table."""
        return ()

    def near_miss_values(self, state: Any, text: Execution, seat: int) -> Values:
        """What a player may think of besides: near misses, so that a refusal can be asked for."""
        return ()

    def check_value(self, state: Any, text: Execution, seat: int, value: Value) -> None:
        """Raises IllegalMove unless this may be named here."""

    def is_open_to_all(self, state: Any, text: Execution) -> bool:
        """Whether everybody can see what there is to choose from, so that a single option needs no question."""
        return True

    def is_known(self, state: Any, text: Execution, seat: int, value: Value) -> bool:
        """Whether this is surely there, and not only possible, as a card behind a back is."""
        return True

    def is_not_nameable(self, state: Any, text: Execution, seat: int) -> bool:
        """Whether only the players know what there is to choose from."""
        return False

    def has_no_options(self, state: Any, text: Execution, seat: int) -> bool:
        """Whether everybody can see that nothing is there to choose from."""
        return self.is_open_to_all(state, text) and not self.find_options(state, text, seat)

    def build_answer(self, value: Value, unseen: bool = False) -> Move:
        """The move that names this, to all or in a way that the others do not see."""
        if self.answer_kind == "player":
            return ChoosePlayer(int(value))
        if self.answer_kind == "value":
            return ChooseValue(int(value))
        return ChooseUnseen(str(value)) if unseen else ChooseCard(str(value))

    def parse_answer(self, move: Move, unseen: bool = False) -> Value | None:
        """What a move names; None if it is no such answer."""
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
    """One or several players as a line names them: `me`, `others`, something bound, or others that fit a noun."""

    name: str = ""
    noun: Selector | None = None

    def select_seats(self, state: Any, text: Execution) -> tuple[int, ...]:
        """The seats meant, clockwise from the player of the text."""
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
    """One line of a text: a word, and the name that must (or must not) have been bound for it to be carried out.

    `jump` is where the text goes on if it is not.
    """

    effect: CardEffect
    when: str = ""
    unless: str = ""
    jump: int = 0
    declared: bool = False

    def is_condition_met(self, bound: dict[str, Values]) -> bool:
        """Whether the condition of the line holds."""
        if self.when and not bound.get(self.when):
            return False
        return not (self.unless and bound.get(self.unless))


Program = tuple[ProgramLine, ...]
W = TypeVar("W", bound=CardEffect)
N = TypeVar("N", bound=Selector)


@dataclass(frozen=True)
class Vocabulary:
    """The words a game's cards may use, each by its name; `ambient` are the names that every text finds bound, `counts`
    the parameters that say how many, so that none is below 0, `players` the only names of players, where
    texts give them no others."""

    effects: dict[str, type[CardEffect]] = field(default_factory=dict)
    selectors: dict[str, type[Selector]] = field(default_factory=dict)
    ambient: tuple[str, ...] = ("me", "this")
    counts: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    def register_effect(self, name: str) -> Callable[[type[W]], type[W]]:
        """Registers a verb. Raises ValueError if the name is taken."""

        def register(cls: type[W]) -> type[W]:
            if name in self.effects:
                raise ValueError(f"{name} is a word already")
            cls.WORD = name
            self.effects[name] = cls
            return cls

        return register

    def register_selector(self, name: str) -> Callable[[type[N]], type[N]]:
        """Registers a noun. Raises ValueError if the name is taken."""

        def register(cls: type[N]) -> type[N]:
            if name in self.selectors:
                raise ValueError(f"{name} is a noun already")
            cls.WORD = name
            self.selectors[name] = cls
            return cls

        return register

    def copy_for_game(self) -> Vocabulary:
        """A vocabulary with these words, to which a game adds its own."""
        return Vocabulary(dict(self.effects), dict(self.selectors), self.ambient, self.counts, self.players)
