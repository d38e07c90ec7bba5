"""The library: card books that are published, and their installation in this process before a match needs them.

A published book stays as it is, so what is installed once needs no second look. Whoever reads entries of matches does
it through `unpacked` or `opened`, which install the book that a match is played with first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from difflib import get_close_matches

from referee.engine.game import Game
from referee.engine.rulebook.editions import DIGITS, CardBook
from referee.eventstore.contract import Entry, MatchLog
from referee.games import games
from referee.games.books import checked, installed
from referee.match.aggregate import MatchOpened
from referee.match.entries import Logged, public, unpack

MOST = 500  # books of a game


class NameTaken(Exception):
    """A book of this name is published with another text; `edition` is what stands."""

    def __init__(self, edition: str) -> None:
        super().__init__(edition)
        self.edition = edition


class ShelfFull(Exception):
    """No more books of this game are taken."""


class UnknownEdition(LookupError):
    """There is no such edition of the game, neither its own nor of a published book."""


class BookSwapped(RuntimeError):
    """The text of a book is not the one that a match was opened with: the store was tampered with."""


def edition_of(text: bytes) -> str:
    """The end of the name of the edition that a text makes."""
    return hashlib.sha256(text).hexdigest()[:DIGITS]


class Library:
    """The published books of a store."""

    def __init__(self, log: MatchLog) -> None:
        self._log = log
        self._known: dict[tuple[str, str], CardBook] = {}  # those that were found there, by game and name

    def publish(self, text: str, file: str = "book", game: str = "") -> tuple[CardBook, bool]:
        """Publishes a book, and says whether it was not there before. `game`: the one that it has to be for.

        Raises Misprints, NameTaken (the name stands for another text), ShelfFull.
        """
        book = checked(text, file, game)
        there = self._log.books(book.game)
        if len(there) >= MOST and book.name not in there:
            raise ShelfFull(book.game)
        stands = self._log.put_book(book.game, book.name, text.encode())
        if stands != text.encode():
            raise NameTaken(f"{book.name}@{edition_of(stands)}")
        return self._named(games()[book.game], book.name), book.name not in there

    def published(self, game: Game) -> tuple[CardBook, ...]:
        """The published books of a game, by name, all installed."""
        return tuple(self._named(game, name) for name in self._log.books(game.name)) if game.takes_books else ()

    def editions(self, game: Game) -> tuple[str, ...]:
        """The editions that matches of a game can be opened with, its own first."""
        return (game.edition, *(book.edition for book in self.published(game)))

    def edition(self, game: Game, given: str) -> str:
        """The edition that is meant: by its own name, by the name of a book alone, or empty for the game's own; it is
        installed. Raises UnknownEdition."""
        return game.edition if given in ("", game.edition) else self.book(game, given).edition

    def near(self, game: Game, given: str) -> str:
        """The edition that somebody may have meant by one that there is not, as a match may name it: by the name of a
        book alone. Empty if none is like it."""
        names = (name.partition("@")[0] for name in self.editions(game))
        return next(iter(get_close_matches(given.partition("@")[0], names, 1)), "")

    def book(self, game: Game, given: str) -> CardBook:
        """The published book of an edition, or of a name alone, installed. Raises UnknownEdition."""
        name, of_edition, _ = given.partition("@")
        try:
            book = self._named(game, name)
        except KeyError:
            raise UnknownEdition(given) from None
        if of_edition and book.edition != given:
            raise UnknownEdition(given)
        return book

    def _named(self, game: Game, name: str) -> CardBook:
        """The book of a name, installed. Raises KeyError."""
        known = self._known.get((game.name, name))
        if known is None:
            text = self._log.book(game.name, name) if game.takes_books and name else None
            if text is None:
                raise KeyError(name)
            known = self._known[game.name, name] = installed(text.decode(), name)
        return known

    def ready(self, entry: Logged) -> Logged:
        """The entry, after the book of its match was installed. Raises BookSwapped."""
        book = self.needed(entry.game, entry.edition)
        if book is None:
            return entry
        for fact in entry.facts:
            if isinstance(fact, MatchOpened) and fact.book != book.hash:
                raise BookSwapped(f"{entry.match} was opened with {fact.book}, not {book.hash}")
        return entry

    def needed(self, game: str, edition: str) -> CardBook | None:
        """Installs the book of an edition, which is published, if it is one of a book. Raises UnknownEdition."""
        return self.book(games()[game], edition) if "@" in edition and game in games() else None

    def unpacked(self, entries: Iterable[Entry]) -> list[Logged]:
        """Entries with what is hidden in them, ready to be folded. Raises ValueError on bytes that are none."""
        return [self.ready(unpack(entry)) for entry in entries]

    def opened(self, entries: Iterable[Entry]) -> list[Logged]:
        """Entries as everybody may know them, ready to be folded. Raises ValueError on bytes that are none."""
        return [self.ready(public(entry)) for entry in entries]
