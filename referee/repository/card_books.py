"""The library: card books that are published, and their installation in this process before a match needs them.

A published book stays as it is, so what is installed once needs no second look. Whoever reads entries of matches does
it through `decode_entries` or `decode_public_entries`, which install the book that a match is played with first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from difflib import get_close_matches

from referee.engine.game import Game
from referee.engine.rulebook.editions import HASH_DIGITS, CardBook
from referee.eventstore.contract import MatchLog, StoredEntry
from referee.games import load_games
from referee.games.books import check_book_text, install_book_text
from referee.match.aggregate import MatchOpened
from referee.match.entries import LogEntry, decode_entry, decode_public_entry

MAX_BOOKS_PER_GAME = 500  # books of a game


class CardBookNameConflict(Exception):
    """A book of this name is published with another text; `resolve_edition` is what stands."""

    def __init__(self, edition: str) -> None:
        super().__init__(edition)
        self.edition = edition


class CardBookLimitReached(Exception):
    """No more books of this game are taken."""


class UnknownEdition(LookupError):
    """There is no such edition of the game, neither its own nor of a published book."""


class CardBookTamperedError(RuntimeError):
    """The text of a book is not the one that a match was opened with: the store was tampered with."""


def compute_edition_hash(text: bytes) -> str:
    """The end of the name of the edition that a text makes."""
    return hashlib.sha256(text).hexdigest()[:HASH_DIGITS]


class CardBookRepository:
    """The published books of a store."""

    def __init__(self, log: MatchLog) -> None:
        self._log = log
        self._installed: dict[tuple[str, str], CardBook] = {}  # those that were found there, by game and name

    def publish_book(self, text: str, file: str = "book", game: str = "") -> tuple[CardBook, bool]:
        """Publishes a book, and says whether it was not there before. `game`: the one that it has to be for.

        Raises CardBookError, CardBookNameConflict (the name stands for another text), CardBookLimitReached.
        """
        book = check_book_text(text, file, game)
        there = self._log.list_book_names(book.game)
        if len(there) >= MAX_BOOKS_PER_GAME and book.name not in there:
            raise CardBookLimitReached(book.game)
        stands = self._log.put_book(book.game, book.name, text.encode())
        if stands != text.encode():
            raise CardBookNameConflict(f"{book.name}@{compute_edition_hash(stands)}")
        return self._install_book(load_games()[book.game], book.name), book.name not in there

    def list_books(self, game: Game) -> tuple[CardBook, ...]:
        """The published books of a game, by name, all installed."""
        return (
            tuple(self._install_book(game, name) for name in self._log.list_book_names(game.name))
            if game.accepts_card_books
            else ()
        )

    def list_editions(self, game: Game) -> tuple[str, ...]:
        """The editions that matches of a game can be opened with, its own first."""
        return (game.edition, *(book.edition for book in self.list_books(game)))

    def resolve_edition(self, game: Game, given: str) -> str:
        """The edition that is meant: by its own name, by the name of a book alone, or empty for the game's own; it is
        installed. Raises UnknownEdition."""
        return game.edition if given in ("", game.edition) else self.find_book(game, given).edition

    def suggest_edition(self, game: Game, given: str) -> str:
        """The edition that somebody may have meant by one that there is not, as a match may name it: by the name of a
        book alone. Empty if none is like it."""
        names = (name.partition("@")[0] for name in self.list_editions(game))
        return next(iter(get_close_matches(given.partition("@")[0], names, 1)), "")

    def find_book(self, game: Game, given: str) -> CardBook:
        """The published book of an edition, or of a name alone, installed. Raises UnknownEdition."""
        name, of_edition, _ = given.partition("@")
        try:
            book = self._install_book(game, name)
        except KeyError:
            raise UnknownEdition(given) from None
        if of_edition and book.edition != given:
            raise UnknownEdition(given)
        return book

    def _install_book(self, game: Game, name: str) -> CardBook:
        """The book of a name, installed. Raises KeyError."""
        known = self._installed.get((game.name, name))
        if known is None:
            text = self._log.find_book(game.name, name) if game.accepts_card_books and name else None
            if text is None:
                raise KeyError(name)
            known = self._installed[game.name, name] = install_book_text(text.decode(), name)
        return known

    def install_book_for(self, entry: LogEntry) -> LogEntry:
        """The entry, after the book of its match was installed. Raises CardBookTamperedError."""
        book = self.install_edition(entry.game, entry.edition)
        if book is None:
            return entry
        for event in entry.events:
            if isinstance(event, MatchOpened) and event.book != book.hash:
                raise CardBookTamperedError(f"{entry.match} was opened with {event.book}, not {book.hash}")
        return entry

    def install_edition(self, game: str, edition: str) -> CardBook | None:
        """Installs the book of an edition, which is published, if it is one of a book. Raises UnknownEdition."""
        return self.find_book(load_games()[game], edition) if "@" in edition and game in load_games() else None

    def decode_entries(self, entries: Iterable[StoredEntry]) -> list[LogEntry]:
        """Entries with what is hidden in them, ready to be folded. Raises ValueError on bytes that are none."""
        return [self.install_book_for(decode_entry(entry)) for entry in entries]

    def decode_public_entries(self, entries: Iterable[StoredEntry]) -> list[LogEntry]:
        """Entries as everybody may know them, ready to be folded. Raises ValueError on bytes that are none."""
        return [self.install_book_for(decode_public_entry(entry)) for entry in entries]
