"""Card books on a stream server: a hash for each game, a field for each book."""

from __future__ import annotations

from typing import cast

from referee.eventstore.access import RedisAccess, hash_tag_for


class RedisBookStore(RedisAccess):
    """The part of a log on a stream server that keeps card books; see `BookStore`."""

    @staticmethod
    def _books_key(game: str) -> str:
        return f"{hash_tag_for('books')}:books:{game}"

    def put_book(self, game: str, name: str, text: bytes) -> bytes:
        """Keep a book, and return the text kept there: the first one stays."""

        def put() -> bytes:
            self.client.hsetnx(self._books_key(game), name, text)
            return cast(bytes, self.client.hget(self._books_key(game), name))

        return self._write_store(self._books_key(game), put)

    def find_book(self, game: str, name: str) -> bytes | None:
        """Return the text of a book, or None."""
        return cast("bytes | None", self._call_store(lambda: self.client.hget(self._books_key(game), name)))

    def list_book_names(self, game: str) -> tuple[str, ...]:
        """Return the names of all books of a game in alphabetical order."""
        return tuple(
            sorted(name.decode() for name in self._call_store(lambda: self.client.hkeys(self._books_key(game))))
        )
