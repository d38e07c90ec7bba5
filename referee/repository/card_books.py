"""The library: published card books, installed before a match needs them.

A published book never changes, so a book that was installed once needs no second look. Read entries of matches by
`decode_entries` or `decode_public_entries`: these first install the book that a match is played with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from difflib import get_close_matches

from referee.engine.game import Game
from referee.engine.rulebook.editions import HASH_DIGITS, CardBook
from referee.eventstore.contract import MatchLog, StoredEntry
from referee.games import load_games
from referee.games.books import check_book_text, install_book_text, read_book_name
from referee.match.aggregate import MatchOpened
from referee.match.entries import LogEntry, decode_entry, decode_public_entry

MAX_BOOKS_PER_GAME = 500


class CardBookNameConflict(Exception):
    """A book of this name is published with another text; `edition` is that one."""

    def __init__(self, edition: str) -> None:
        super().__init__(edition)
        self.edition = edition


class CardBookLimitReached(Exception):
    """The game has as many books as it may have."""


class UnknownEdition(LookupError):
    """The game has no such edition, neither its own nor a published book's."""


class CardBookTamperedError(RuntimeError):
    """A book's text is not the one that a match was opened with.

    The store was tampered with.
    """


def compute_edition_hash(text: bytes) -> str:
    """Return the end of the edition's name that belongs to a text."""
    return hashlib.sha256(text).hexdigest()[:HASH_DIGITS]


class CardBookRepository:
    """The published books of a store."""

    def __init__(self, log: MatchLog) -> None:
        self._log = log
        self._installed: dict[tuple[str, str], CardBook] = {}  # by game and name

    def publish_book(self, text: str, file: str = "book", game: str = "") -> tuple[CardBook, bool]:
        """Publish a book; return it, and whether it is new.

        `game` is the one that it has to be for. Raises CardBookError, CardBookNameConflict (the name stands for another
        text), CardBookLimitReached.
        """
        if (known := self.find_same_book(text, game)) is not None:
            return known, False  # it was good enough then, whatever is refused by now
        book = check_book_text(text, file, game)
        there = self._log.list_book_names(book.game)
        if len(there) >= MAX_BOOKS_PER_GAME and book.name not in there:
            raise CardBookLimitReached(book.game)
        stands = self._log.put_book(book.game, book.name, text.encode())
        if stands != text.encode():
            raise CardBookNameConflict(f"{book.name}@{compute_edition_hash(stands)}")
        return self._install_book(load_games()[book.game], book.name), book.name not in there

    def find_same_book(self, text: str, game: str = "") -> CardBook | None:
        """Return the published book of just this text, installed; None if there is none.

        `game`: the game that it has to be of; empty: any.
        """
        of, name = read_book_name(text)
        if game not in ("", of) or not name or self._log.find_book(of, name) != text.encode():
            return None
        return self._install_book(load_games()[of], name)

    def list_books(self, game: Game) -> tuple[CardBook, ...]:
        """Return the published books of a game by name, all installed."""
        return (
            tuple(self._install_book(game, name) for name in self._log.list_book_names(game.name))
            if game.accepts_card_books
            else ()
        )

    def list_editions(self, game: Game) -> tuple[str, ...]:
        """Return the editions that matches of a game can be opened with, its own first."""
        return (*game.own_editions, *(book.edition for book in self.list_books(game)))

    def resolve_edition(self, game: Game, given: str) -> str:
        """Return the full name of an edition, and install it.

        `given` is that name, the name of a book alone, or empty for the game's first. Raises UnknownEdition.
        """
        return given or game.edition if given in ("", *game.own_editions) else self.find_book(game, given).edition

    def suggest_edition(self, game: Game, given: str) -> str:
        """Return the edition or book that an unknown name may have meant; empty if none."""
        names = (name.partition("@")[0] for name in self.list_editions(game))
        return next(iter(get_close_matches(given.partition("@")[0], names, 1)), "")

    def find_book(self, game: Game, given: str) -> CardBook:
        """Return the published book of an edition or a name alone, installed.

        Raises UnknownEdition.
        """
        name, of_edition, _ = given.partition("@")
        try:
            book = self._install_book(game, name)
        except KeyError:
            raise UnknownEdition(given) from None
        if of_edition and book.edition != given:
            raise UnknownEdition(given)
        return book

    def _install_book(self, game: Game, name: str) -> CardBook:
        """Return the book of a name, installed. Raises KeyError."""
        book = self._installed.get((game.name, name))
        if book is None:
            text = self._log.find_book(game.name, name) if game.accepts_card_books and name else None
            if text is None:
                raise KeyError(name)
            book = self._installed[game.name, name] = install_book_text(text.decode(), name)
        return book

    def install_book_for(self, entry: LogEntry) -> LogEntry:
        """Install the book of an entry's match and return the entry.

        Raises CardBookTamperedError.
        """
        book = self.install_edition(entry.game, entry.edition)
        if book is None:
            return entry
        for event in entry.events:
            if isinstance(event, MatchOpened) and event.book != book.hash:
                raise CardBookTamperedError(f"{entry.match} was opened with {event.book}, not {book.hash}")
        return entry

    def install_edition(self, game: str, edition: str) -> CardBook | None:
        """Install the book of an edition, if it is one of a book.

        Raises UnknownEdition.
        """
        return self.find_book(load_games()[game], edition) if "@" in edition and game in load_games() else None

    def decode_entries(self, entries: Iterable[StoredEntry]) -> list[LogEntry]:
        """Return entries with their hidden parts, ready to be folded.

        Raises ValueError on bytes that are no entry.
        """
        return [self.install_book_for(decode_entry(entry)) for entry in entries]

    def decode_public_entries(self, entries: Iterable[StoredEntry]) -> list[LogEntry]:
        """Return entries as everybody may know them, ready to be folded.

        Raises ValueError on bytes that are no entry.
        """
        return [self.install_book_for(decode_public_entry(entry)) for entry in entries]
