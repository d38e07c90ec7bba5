"""A card book for tests, and a process that has never seen it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.cardscript.books.files import CardRegistry, parse_book
from referee.engine.rulebook.editions import CardBook
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import BOOK, BOXES, FACES, PROGRAMS
from referee.games.here_to_slay.texts.books import LIBRARY

FILE = Path(__file__).parent / "books" / "harbour_tales.yaml"
TEXT = FILE.read_text("utf-8")


def harbour() -> CardBook:
    """The book, installed."""
    book = parse_book(TEXT, FILE.name)
    GAME.install_card_book(book)
    return book


class Brought(dict[Any, Any]):
    """What books have brought to a shelf, as something that can be taken out and put back."""

    def __init__(self, shelf: CardRegistry[Any, Any]) -> None:
        super().__init__({key: shelf[key] for key in set(dict.keys(shelf)) - set(shelf)})
        self.shelf = shelf

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        dict.__delitem__(self.shelf, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.shelf.add_from_book({key: value})


def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes this process one that has installed no book of Here to Slay; until the end of the test."""
    monkeypatch.setattr(GAME, "_books", {})
    for shelf in (FACES, PROGRAMS):
        brought = Brought(shelf)
        for key in list(brought):
            monkeypatch.delitem(brought, key)
    for by_edition in (BOXES, LIBRARY.by_edition):
        for edition in [each for each in by_edition if "@" in each]:
            monkeypatch.delitem(by_edition, edition)  # type: ignore[arg-type]
    for name in [each for each in BOOK.names if "@" in each]:
        monkeypatch.delitem(BOOK.names, name)
