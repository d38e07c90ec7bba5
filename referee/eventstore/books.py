"""What a log keeps of card books: the text of each, under its game and name."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class BookStore(Protocol):
    """The contract of a store of card books.

    A book is never changed and never deleted, because matches are played with it.
    """

    def put_book(self, game: str, name: str, text: bytes) -> bytes:
        """Keep a book under its name, and return the text kept there: the first one stays."""

    def find_book(self, game: str, name: str) -> bytes | None:
        """Return the text of a book, or None if no book has that name."""

    def list_book_names(self, game: str) -> tuple[str, ...]:
        """Return the names of all books of a game in alphabetical order."""


class MemoryBookStore:
    """The part of a log in memory that keeps card books; the log supplies the lock."""

    _lock: AbstractContextManager[object]

    def __init__(self) -> None:
        self._books: dict[str, dict[str, bytes]] = {}

    def put_book(self, game: str, name: str, text: bytes) -> bytes:
        with self._lock:
            return self._books.setdefault(game, {}).setdefault(name, text)

    def find_book(self, game: str, name: str) -> bytes | None:
        with self._lock:
            return self._books.get(game, {}).get(name)

    def list_book_names(self, game: str) -> tuple[str, ...]:
        with self._lock:
            return tuple(sorted(self._books.get(game, {})))
