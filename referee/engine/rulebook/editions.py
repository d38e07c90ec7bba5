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

from referee.engine.rulebook.book import BookError, Text

HASH_DIGITS = 8  # of the hash, in the name of an edition and of its cards
ERROR_LOCATION_PATTERN = re.compile(r"(?P<file>[^:\n]*):(?P<line>\d+): (?P<detail>.*)", re.DOTALL)
SUGGESTION_PATTERN = re.compile(r"did you mean '([^']*)'")


@dataclass(frozen=True)
class CardBookProblem:
    """One thing that is wrong with a book: line (0: the whole of it), what, and what was probably meant."""

    line: int
    detail: str
    suggestion: str = ""


class CardBookError(BookError):
    """All that is wrong with a book. The message has a line for each: `file:line: what; did you mean 'that'?`."""

    def __init__(self, found: Iterable[BookError | str]) -> None:
        self.messages = tuple(dict.fromkeys(map(str, found)))
        super().__init__("\n".join(self.messages))

    @property
    def problems(self) -> tuple[CardBookProblem, ...]:
        """What is wrong, in the order of the lines."""
        return tuple(sorted(map(_parse_message, self.messages), key=lambda wrong: wrong.line))


def _parse_message(message: str) -> CardBookProblem:
    place, suggestion = ERROR_LOCATION_PATTERN.match(message), SUGGESTION_PATTERN.search(message)
    line, detail = (int(place["line"]), place["detail"]) if place else (0, message)
    return CardBookProblem(line, detail, suggestion[1] if suggestion else "")


class ErrorCollector:
    """Collects misprints, so that whoever writes a book learns of all of them at once."""

    def __init__(self) -> None:
        self.errors: list[BookError | str] = []

    @contextmanager
    def collect_error(self) -> Iterator[None]:
        """What is done within ends at its first misprint, which is noted; what comes after goes on."""
        try:
            yield
        except CardBookError as several:
            self.errors += several.messages
        except BookError as misprint:
            self.errors.append(misprint)

    def raise_collected(self) -> None:
        """Raises CardBookError if anything was noted."""
        if self.errors:
            raise CardBookError(self.errors)


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
        return f"{self.name}@{self.hash[:HASH_DIGITS]}"

    def card_id(self, card: str) -> str:
        """What a card of this book is called everywhere but in the file: `stone_cat@0a1b2c3d`."""
        return f"{card}@{self.hash[:HASH_DIGITS]}"


def strip_edition(card: str) -> str:
    """What a card is called in its own book: without the digits of the hash, if it has any."""
    return card.partition("@")[0]


class Editions:
    """The editions of one game. A game that takes books says what a book means to it (`parse_card_book`), and enters
    what was understood where its rules look for it (`register_card_book`)."""

    name: ClassVar[str]
    edition: ClassVar[str] = "printed"
    cards: ClassVar[tuple[dict[str, Any], ...]] = ()

    @property
    def accepts_card_books(self) -> bool:
        """Whether owners can bring cards of their own."""
        return type(self).parse_card_book is not Editions.parse_card_book

    def __init__(self) -> None:
        self._books: dict[str, CardBook] = {}

    def parse_card_book(self, book: CardBook) -> Any:
        """What a book says in the words of this game: a value of the game's own, handed to `register_card_book`.
        Changes nothing.

        Raises CardBookError with all that is wrong, each with its line. By default a game takes no books.
        """
        raise CardBookError([f"{book.file}:1: {self.name} has no card books"])

    def register_card_book(self, book: CardBook, understood: Any) -> None:
        """Enters what was understood: faces, texts, names and boxes, all under `book.called(card)` and `book.edition`.

        Fails in nothing, and may be done twice. Nobody looks at the edition before it is done.
        """
        raise TypeError(f"{self.name} has no card books")

    def install_card_book(self, book: CardBook) -> None:
        """Makes matches of a book possible in this process. Once is enough; again does nothing.

        Raises CardBookError, and ValueError where another text is installed whose cards would be called the same.
        """
        for there in self._books.values():
            if there.hash != book.hash and there.hash[:HASH_DIGITS] == book.hash[:HASH_DIGITS]:
                raise ValueError(f"the cards of {book.edition} would be called as those of {there.edition}")
        if book.edition not in self._books:
            self.register_card_book(book, self.parse_card_book(book))
            self._books = {**self._books, book.edition: book}  # in one go, for others may be going through it

    def list_editions(self) -> tuple[str, ...]:
        """The editions that can be played in this process, the game's own first."""
        return (self.edition, *self._books)

    def find_card_book(self, edition: str) -> CardBook | None:
        """The installed book of an edition; None: there is none, as with the game's own."""
        return self._books.get(edition)

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position as a person writes it."""
        raise TypeError(f"{self.name} has no positions")

    def position_schema_for(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError where it is not installed."""
        if edition in ("", self.edition):
            return self.position_schema(variant)
        raise KeyError(edition)

    def cards_of_edition(self, edition: str) -> tuple[dict[str, Any], ...]:
        """The cards of an edition, as readers are shown them. Raises KeyError where it is not installed."""
        if edition in ("", self.edition):
            return self.cards
        raise KeyError(edition)
