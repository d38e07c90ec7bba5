"""The expansion that the tests of Munchkin play with, installed as any card book is, and what its cards are called."""

from __future__ import annotations

from pathlib import Path

from referee.games.books import install_book_text

FILE = Path(__file__).parent / "books" / "autumn_fair.yaml"
TEXT = FILE.read_text("utf-8")
BOOK = install_book_text(TEXT, FILE.name)
EDITION = BOOK.edition


def called(*cards: str) -> tuple[str, ...]:
    """What cards of the expansion are called outside their book."""
    return tuple(map(BOOK.card_id, cards))
