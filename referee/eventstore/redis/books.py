"""Card books on a stream server: a hash of each game, a field for each book."""

from __future__ import annotations

from typing import cast

from referee.eventstore.access import Access, slot


class StreamBooks(Access):
    """The part of a log on a stream server that keeps card books; see `books.Books`."""

    @staticmethod
    def _shelf(game: str) -> str:
        return f"{slot('books')}:books:{game}"

    def put_book(self, game: str, name: str, text: bytes) -> bytes:
        """Keeps a book; the first text stays."""

        def put() -> bytes:
            self.client.hsetnx(self._shelf(game), name, text)
            return cast(bytes, self.client.hget(self._shelf(game), name))

        return self._ask(put)

    def book(self, game: str, name: str) -> bytes | None:
        """The text of a book; None if there is none."""
        return cast("bytes | None", self._ask(lambda: self.client.hget(self._shelf(game), name)))

    def books(self, game: str) -> tuple[str, ...]:
        """The names of all books of a game."""
        return tuple(sorted(name.decode() for name in self._ask(lambda: self.client.hkeys(self._shelf(game)))))
