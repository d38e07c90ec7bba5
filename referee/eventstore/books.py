"""What a log keeps of card books: the text of each, under the game and its name, once and for all."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class BookStore(Protocol):
    """The contract of card books. What is kept is never changed and never deleted: matches are played with it."""

    def put_book(self, game: str, name: str, text: bytes) -> bytes:
        """Keeps a book under its name, and gives what stands there: the first text stays."""

    def find_book(self, game: str, name: str) -> bytes | None:
        """The text of a book; None if there is none of that name."""

    def list_book_names(self, game: str) -> tuple[str, ...]:
        """The names of all books of a game, in alphabetical order."""


class MemoryBookStore:
    """The part of a log in memory that keeps card books; the log brings the lock."""

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
