"""The words of card texts: verbs, what they are done to, and the vocabulary a game reads its cards with.

A word is a frozen dataclass; its fields are its parameters, and their types say what may stand there: `Name` something
that the text has bound before, `Called` a name to bind, `Who` one or several players, `Lines` a text within the text.
Games add their own words to those that all share (`Vocabulary.extended`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NewType, TypeVar

from referee.cardscript.moves import ChooseCard, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Event, Move

if TYPE_CHECKING:
    from referee.cardscript.language.interpreter import CarryOut

Name = NewType("Name", str)  # what this text has bound before
Called = NewType("Called", str)  # what it binds; empty: nothing
UNNAMED = Called("")
Value = str | int  # a card, or a seat or number
Values = tuple[Value, ...]


@dataclass(frozen=True)
class Word:
    """A verb of card texts. `act` gives its facts once the text has turned to the next line."""

    WORD: ClassVar[str] = ""

    def amiss(self) -> str:
        """What is wrong with these parameters though each is of the right form; empty: nothing."""
        return ""

    def act(self, state: Any, text: CarryOut) -> Iterator[Event]:
        """The facts of this line, at once; what takes an answer or goes on later it opens as a step."""
        yield from ()


@dataclass(frozen=True)
class Noun:
    """What can be chosen, and which of it. Registered with the codec, since a question carries it."""

    WORD: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    asks: ClassVar[str] = "card"  # card, player or value: the form of the answer

    def options(self, state: Any, text: CarryOut, seat: int) -> Values:
        """All that `seat` may name here, as far as this state shows it, in the fixed order of the table."""
        return ()

    def thinkable(self, state: Any, text: CarryOut, seat: int) -> Values:
        """What a player may think of besides: near misses, so that a refusal can be asked for."""
        return ()

    def check(self, state: Any, text: CarryOut, seat: int, value: Value) -> None:
        """Raises Refused unless this may be named here."""

    def open_to_all(self, state: Any, text: CarryOut) -> bool:
        """Whether everybody can see what there is to choose from, so that a single option needs no question."""
        return True

    def is_known(self, state: Any, text: CarryOut, seat: int, value: Value) -> bool:
        """Whether this is surely there, and not only possible, as a card behind a back is."""
        return True

    def nameless(self, state: Any, text: CarryOut, seat: int) -> bool:
        """Whether only the players know what there is to choose from."""
        return False

    def nothing_there(self, state: Any, text: CarryOut, seat: int) -> bool:
        """Whether everybody can see that nothing is there to choose from."""
        return self.open_to_all(state, text) and not self.options(state, text, seat)

    def answer(self, value: Value, unseen: bool = False) -> Move:
        """The move that names this, to all or in a way that the others do not see."""
        if self.asks == "player":
            return ChoosePlayer(int(value))
        if self.asks == "value":
            return ChooseValue(int(value))
        return ChooseUnseen(str(value)) if unseen else ChooseCard(str(value))

    def named(self, move: Move, unseen: bool = False) -> Value | None:
        """What a move names; None if it is no such answer."""
        match self.asks, move:
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
class Who:
    """One or several players as a line names them: `me`, `others`, something bound, or others that fit a noun."""

    name: str = ""
    noun: Noun | None = None

    def seats(self, state: Any, text: CarryOut) -> tuple[int, ...]:
        """The seats meant, clockwise from the player of the text."""
        if self.noun is not None:
            return tuple(int(value) for value in self.noun.options(state, text, text.by))
        if self.name == "me":
            return (text.by,)
        if self.name == "others":
            return tuple(state.others(text.by))
        return tuple(int(value) for value in text.bound.get(self.name, ()))


ME = Who("me")


@dataclass(frozen=True)
class Line:
    """One line of a text: a word, and the name that must (or must not) have been bound for it to be carried out.

    `jump` is where the text goes on if it is not.
    """

    word: Word
    when: str = ""
    unless: str = ""
    jump: int = 0
    declared: bool = False

    def holds(self, bound: dict[str, Values]) -> bool:
        """Whether the condition of the line holds."""
        if self.when and not bound.get(self.when):
            return False
        return not (self.unless and bound.get(self.unless))


Lines = tuple[Line, ...]
W = TypeVar("W", bound=Word)
N = TypeVar("N", bound=Noun)


@dataclass(frozen=True)
class Vocabulary:
    """The words a game's cards may use, each by its name; `ambient` are the names that every text finds bound, `counts`
    the parameters that say how many, so that none is below 0, `players` the only names of players, where
    texts give them no others."""

    words: dict[str, type[Word]] = field(default_factory=dict)
    nouns: dict[str, type[Noun]] = field(default_factory=dict)
    ambient: tuple[str, ...] = ("me", "this")
    counts: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    def word(self, name: str) -> Callable[[type[W]], type[W]]:
        """Registers a verb. Raises ValueError if the name is taken."""

        def register(cls: type[W]) -> type[W]:
            if name in self.words:
                raise ValueError(f"{name} is a word already")
            cls.WORD = name
            self.words[name] = cls
            return cls

        return register

    def noun(self, name: str) -> Callable[[type[N]], type[N]]:
        """Registers a noun. Raises ValueError if the name is taken."""

        def register(cls: type[N]) -> type[N]:
            if name in self.nouns:
                raise ValueError(f"{name} is a noun already")
            cls.WORD = name
            self.nouns[name] = cls
            return cls

        return register

    def extended(self) -> Vocabulary:
        """A vocabulary with these words, to which a game adds its own."""
        return Vocabulary(dict(self.words), dict(self.nouns), self.ambient, self.counts, self.players)
