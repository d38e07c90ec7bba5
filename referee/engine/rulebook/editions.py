"""Editions of a game: its own cards, and the card books that owners of the game have written.

A book is the text of one file, and never changes: its edition is named after its hash. Its cards are called
`<card>@<first digits of the hash>` wherever they go, so one registry of faces serves every book at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.engine.rulebook.book import Misprint, Text

DIGITS = 8  # of the hash, in the name of an edition and of its cards
PLACE = re.compile(r"(?P<file>[^:\n]*):(?P<line>\d+): (?P<detail>.*)", re.DOTALL)
SUGGESTION = re.compile(r"did you mean '([^']*)'")


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong with a book: line (0: the whole of it), what, and what was probably meant."""

    line: int
    detail: str
    suggestion: str = ""


class Misprints(Misprint):
    """All that is wrong with a book. The message has a line for each: `file:line: what; did you mean 'that'?`."""

    def __init__(self, found: Iterable[Misprint | str]) -> None:
        self.messages = tuple(dict.fromkeys(map(str, found)))
        super().__init__("\n".join(self.messages))

    @property
    def wrong(self) -> tuple[Wrong, ...]:
        """What is wrong, in the order of the lines."""
        return tuple(sorted(map(_taken_apart, self.messages), key=lambda wrong: wrong.line))


def _taken_apart(message: str) -> Wrong:
    place, suggestion = PLACE.match(message), SUGGESTION.search(message)
    line, detail = (int(place["line"]), place["detail"]) if place else (0, message)
    return Wrong(line, detail, suggestion[1] if suggestion else "")


class Findings:
    """Collects misprints, so that whoever writes a book learns of all of them at once."""

    def __init__(self) -> None:
        self.found: list[Misprint | str] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What is done within ends at its first misprint, which is noted; what comes after goes on."""
        try:
            yield
        except Misprints as several:
            self.found += several.messages
        except Misprint as misprint:
            self.found.append(misprint)

    def settle(self) -> None:
        """Raises Misprints if anything was noted."""
        if self.found:
            raise Misprints(self.found)


@dataclass(frozen=True)
class CardBook:
    """A card book as its file has it. `text` is the whole file, `hash` the SHA-256 of its bytes in hex.

    `extends`: the edition whose cards the book adds to; empty: it stands alone. Every entry is a mapping that knows its
    line (`cards.reader.Marked`); the cards in it are called plainly.
    """

    name: str
    game: str
    title: Text
    extends: str
    text: str
    hash: str
    entries: tuple[dict[str, Any], ...] = field(repr=False, default=())
    file: str = ""

    @property
    def edition(self) -> str:
        """The name of the edition: `my_cards@0a1b2c3d`."""
        return f"{self.name}@{self.hash[:DIGITS]}"

    def called(self, card: str) -> str:
        """What a card of this book is called everywhere but in the file: `stone_cat@0a1b2c3d`."""
        return f"{card}@{self.hash[:DIGITS]}"


def plain(card: str) -> str:
    """What a card is called in its own book: without the digits of the hash, if it has any."""
    return card.partition("@")[0]


class Editions:
    """The editions of one game. A game that takes books says what a book means to it (`understood`), and enters what
    was understood where its rules look for it (`enter`)."""

    name: ClassVar[str]
    edition: ClassVar[str] = "printed"
    cards: ClassVar[tuple[dict[str, Any], ...]] = ()

    @property
    def takes_books(self) -> bool:
        """Whether owners can bring cards of their own."""
        return type(self).understood is not Editions.understood

    def __init__(self) -> None:
        self._books: dict[str, CardBook] = {}

    def understood(self, book: CardBook) -> Any:
        """What a book says in the words of this game: a value of the game's own, handed to `enter`. Changes nothing.

        Raises Misprints with all that is wrong, each with its line. By default a game takes no books.
        """
        raise Misprints([f"{book.file}:1: {self.name} has no card books"])

    def enter(self, book: CardBook, understood: Any) -> None:
        """Enters what was understood: faces, texts, names and boxes, all under `book.called(card)` and `book.edition`.

        Fails in nothing, and may be done twice. Nobody looks at the edition before it is done.
        """
        raise TypeError(f"{self.name} has no card books")

    def install(self, book: CardBook) -> None:
        """Makes matches of a book possible in this process. Once is enough; again does nothing.

        Raises Misprints, and ValueError where another text is installed whose cards would be called the same.
        """
        for there in self._books.values():
            if there.hash != book.hash and there.hash[:DIGITS] == book.hash[:DIGITS]:
                raise ValueError(f"the cards of {book.edition} would be called as those of {there.edition}")
        if book.edition not in self._books:
            self.enter(book, self.understood(book))
            self._books = {**self._books, book.edition: book}  # in one go, for others may be going through it

    def editions(self) -> tuple[str, ...]:
        """The editions that can be played in this process, the game's own first."""
        return (self.edition, *self._books)

    def card_book(self, edition: str) -> CardBook | None:
        """The installed book of an edition; None: there is none, as with the game's own."""
        return self._books.get(edition)

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position as a person writes it."""
        raise TypeError(f"{self.name} has no positions")

    def schema_of(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError where it is not installed."""
        if edition in ("", self.edition):
            return self.position_schema(variant)
        raise KeyError(edition)

    def cards_of(self, edition: str) -> tuple[dict[str, Any], ...]:
        """The cards of an edition, as readers are shown them. Raises KeyError where it is not installed."""
        if edition in ("", self.edition):
            return self.cards
        raise KeyError(edition)
