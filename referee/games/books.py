"""Card books of any game: read, and checked with the words of the game that they are for."""

from __future__ import annotations

from referee.cardscript.books.files import BYTES, CardBook, Misprints, read_book, read_through
from referee.games import games

__all__ = ["BYTES", "CardBook", "Misprints", "booked", "checked", "installed"]


def booked() -> tuple[str, ...]:
    """The names of the games that take card books."""
    return tuple(name for name, game in games().items() if game.takes_books)


def checked(text: str, file: str = "book", game: str = "") -> CardBook:
    """The book in a text, which its game understands; nothing is installed. `game`: the one that it has to be for.

    Raises Misprints with all that is wrong.
    """
    book, findings = read_through(text, file, booked())
    if book.game in booked():
        if game and book.game != game:
            findings.found.append(f"{file}:1: this is a book of {book.game}, not of {game}")
        with findings.noted():
            games()[book.game].understood(book)
    findings.settle()
    return book


def installed(text: str, file: str = "book") -> CardBook:
    """The book in a text, which matches can be played with in this process from now on. Raises Misprints."""
    book = read_book(text, file, booked())
    games()[book.game].install(book)
    return book
