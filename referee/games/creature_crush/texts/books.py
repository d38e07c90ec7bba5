"""Card books of this game: cards of one's own, beside the game's or instead of them (CC-MAT-1, CC-FORMAT-LEAGUE-1).

A card is in a book once. Its cards are called `<name>@<digits>` everywhere but in the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.cardscript.books.files import CardBook
from referee.cardscript.books.loader import Library, Understood
from referee.cardscript.language.parser import Marked
from referee.games.creature_crush.card_attributes import EVENTS, KEYWORDS, KINDS, TEXTS, Face, read_face
from referee.games.creature_crush.components import (
    BOOK,
    BOXES,
    CARDS,
    DECK_SIZE,
    EDITION,
    FACES,
    MECHANICS,
    PROGRAMS,
    boxes,
)
from referee.games.creature_crush.conditions import KNOWN
from referee.games.creature_crush.texts.programs import read_texts

LEAST = 2 * DECK_SIZE + 6  # the draft leaves fourteen cards to draw for its last round (CC-FORMAT-ARENA-1)
RESERVED = frozenset({*KINDS, *KEYWORDS, *TEXTS, *EVENTS, *KNOWN, "table", "server", "deck", "hand", "pool", "ready"})


class Books(Library[Face]):
    """The books of Creature Crush."""

    def lacks(self, book: CardBook) -> Iterator[str]:
        """Cards, where the book stands alone and has too few for every format."""
        if not book.extends and len(book.entries) < LEAST:
            yield (
                f"{book.file}:1: a book that stands alone needs {LEAST} cards, and this one has {len(book.entries)};"
                " did you mean 'extends: printed'?"
            )

    def amiss(self, book: CardBook, entry: Marked) -> Iterator[str]:
        """What is wrong with the name and the copies of an entry."""
        yield from super().amiss(book, entry)
        if entry.get("copies", 1) != 1:
            yield f"{book.file}:{entry.at('copies')}: every card is there once in this game"

    def outside(self, book: CardBook, card: str, face: Face) -> Face:
        """The face under its card's name."""
        return replace(face, id=card)

    def enter(self, book: CardBook, read: Understood[Face]) -> None:
        """Enters what a book means, and its boxes."""
        super().enter(book, read)
        BOXES[book.edition] = boxes((*(FACES if book.extends else ()), *read.faces))


LIBRARY = Books(
    EDITION, CARDS, FACES, PROGRAMS, BOOK, RESERVED, read_face, read_texts, MECHANICS, taken="a card of the game"
)
