"""Editions of a game: its own cards, and the card books that owners have written.

A book is the text of one file and never changes. Its edition is named after its hash. Its cards are called
`<card>@<first digits of the hash>` everywhere, so that one registry of faces serves all books at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.engine.rulebook.book import BookError, Text

HASH_DIGITS = 8  # how much of the hash stands in the names of an edition and its cards
ERROR_LOCATION_PATTERN = re.compile(r"(?P<file>[^:\n]*):(?P<line>\d+): (?P<detail>.*)", re.DOTALL)
SUGGESTION_PATTERN = re.compile(r"did you mean '([^']*)'")


@dataclass(frozen=True)
class CardBookProblem:
    """One error in a book: line (0: the whole book), what is wrong, and a suggestion."""

    line: int
    detail: str
    suggestion: str = ""


class CardBookError(BookError):
    """All errors of a book.

    The message has a line for each: `file:line: what; did you mean 'that'?`.
    """

    def __init__(self, found: Iterable[BookError | str]) -> None:
        self.messages = tuple(dict.fromkeys(map(str, found)))
        super().__init__("\n".join(self.messages))

    @property
    def problems(self) -> tuple[CardBookProblem, ...]:
        """The errors, in the order of the lines."""
        return tuple(sorted(map(_parse_message, self.messages), key=lambda wrong: wrong.line))


def _parse_message(message: str) -> CardBookProblem:
    place, suggestion = ERROR_LOCATION_PATTERN.match(message), SUGGESTION_PATTERN.search(message)
    line, detail = (int(place["line"]), place["detail"]) if place else (0, message)
    return CardBookProblem(line, detail, suggestion[1] if suggestion else "")


class ErrorCollector:
    """Collects errors, so that the author of a book learns of all of them at once."""

    def __init__(self) -> None:
        self.errors: list[BookError | str] = []

    @contextmanager
    def collect_error(self) -> Iterator[None]:
        """Record the first error raised in the `with` block, and go on after the block."""
        try:
            yield
        except CardBookError as several:
            self.errors += several.messages
        except BookError as misprint:
            self.errors.append(misprint)

    def raise_collected(self) -> None:
        """Raise CardBookError if any error was recorded."""
        if self.errors:
            raise CardBookError(self.errors)


@dataclass(frozen=True)
class CardBook:
    """A card book as written in its file.

    `text` is the whole file, `hash` the SHA-256 of its bytes in hex.
    `extends`: the edition whose cards the book adds to. Empty: it stands alone.
    `entries`: mappings that know their line (`LocatedMapping` of `referee.cardscript.language.parser`). Card ids in
    them do not carry the hash.
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
        """Return what a card of this book is called outside it: `stone_cat@0a1b2c3d`."""
        return f"{card}@{self.hash[:HASH_DIGITS]}"


def strip_edition(card: str) -> str:
    """Return a card's name in its own book, without the digits of the hash."""
    return card.partition("@")[0]


class Editions:
    """The editions of one game.

    A game that takes card books overrides `parse_card_book`, which says what a book means in its rules, and
    `register_card_book`, which enters the result where its rules look for it.
    """

    name: ClassVar[str]
    edition: ClassVar[str] = "printed"  # of positions that name none
    newer_editions: ClassVar[tuple[str, ...]] = ()  # of the game itself, the newest last
    cards: ClassVar[tuple[dict[str, Any], ...]] = ()

    @property
    def own_editions(self) -> tuple[str, ...]:
        """The editions of the game itself, the first one first."""
        return (self.edition, *self.newer_editions)

    @property
    def newest_edition(self) -> str:
        """The edition of new matches that name none."""
        return self.own_editions[-1]

    @property
    def own_card_ids(self) -> frozenset[str]:
        """The ids of the cards of all editions of the game itself."""
        return frozenset(str(card["id"]) for edition in self.own_editions for card in self.cards_of_edition(edition))

    @property
    def accepts_card_books(self) -> bool:
        """Whether owners can bring cards of their own."""
        return type(self).parse_card_book is not Editions.parse_card_book

    def __init__(self) -> None:
        self._books: dict[str, CardBook] = {}
        self._card_ids: tuple[tuple[str, ...], frozenset[str]] | None = None  # of which editions, and the ids

    def parse_card_book(self, book: CardBook) -> Any:
        """Return what a book means in this game, to be passed to `register_card_book`.

        Nothing is changed. Raises CardBookError with all errors and their lines. By default a game takes no books.
        """
        raise CardBookError([f"{book.file}:1: {self.name} has no card books"])

    def register_card_book(self, book: CardBook, understood: Any) -> None:
        """Enter a parsed book: faces, texts, names and boxes.

        They are entered under `book.card_id(card)` and `book.edition`. This must never fail and may happen twice.
        Nobody looks at the edition before it is done.
        """
        raise TypeError(f"{self.name} has no card books")

    def install_card_book(self, book: CardBook) -> None:
        """Make matches with a book possible in this process. Repeating it does nothing.

        Raises CardBookError, or ValueError if another installed text has cards of the same names.
        """
        for there in self._books.values():
            if there.hash != book.hash and there.hash[:HASH_DIGITS] == book.hash[:HASH_DIGITS]:
                raise ValueError(f"the cards of {book.edition} would be called as those of {there.edition}")
        if book.edition not in self._books:
            self.register_card_book(book, self.parse_card_book(book))
            self._books = {
                **self._books,
                book.edition: book,
            }  # replaced at once, because another thread may be iterating over it

    def count_invented_cards(self) -> int:
        """Return how many of the game's own cards are inventions of ours.

        They stand in place of printed ones that we do not know.
        """
        return 0

    def list_editions(self) -> tuple[str, ...]:
        """Return the editions that can be played in this process, the game's own first."""
        return (*self.own_editions, *self._books)

    def list_card_ids(self) -> frozenset[str]:
        """Return the ids of all cards that can be played with in this process."""
        editions = self.list_editions()
        if self._card_ids is None or self._card_ids[0] != editions:
            found = frozenset(card["id"] for edition in editions for card in self.cards_of_edition(edition))
            self._card_ids = (editions, found)
        return self._card_ids[1]

    def find_card_book(self, edition: str) -> CardBook | None:
        """Return the installed book of an edition, or None (as for the game's own)."""
        return self._books.get(edition)

    def cards_of_edition(self, edition: str) -> tuple[dict[str, Any], ...]:
        """Return the cards of an edition as readers are shown them.

        Raises KeyError if the edition is not installed.
        """
        if edition in ("", self.edition):
            return self.cards
        raise KeyError(edition)
