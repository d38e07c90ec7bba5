"""A card book for tests, and a process that has never seen it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cards.books import CardBook, read_book
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.material import BOOK, BOXES, FACES, PROGRAMS
from referee.games.here_to_slay.texts.books import SHOWN

FILE = Path(__file__).parent / "books" / "harbour_tales.yaml"
TEXT = FILE.read_text("utf-8")


def harbour() -> CardBook:
    """The book, installed."""
    book = read_book(TEXT, FILE.name)
    GAME.install(book)
    return book


def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes this process one that has installed no book of Here to Slay; until the end of the test."""
    monkeypatch.setattr(GAME, "_books", {})
    for shelf in (FACES, PROGRAMS):
        monkeypatch.setattr(shelf, "_brought", {})
    for by_edition in (BOXES, SHOWN):
        for edition in [each for each in by_edition if "@" in each]:
            monkeypatch.delitem(by_edition, edition)  # type: ignore[arg-type]
    for name in [each for each in BOOK.names if "@" in each]:
        monkeypatch.delitem(BOOK.names, name)
