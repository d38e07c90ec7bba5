"""Card books of this game: an owner's cards, beside the game's or instead of them.

Each card is in a book once. Outside the book its cards are called `<name>@<digits>`. Clauses: CC-MAT-1,
CC-FORMAT-LEAGUE-1.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.books.files import STANDS_ALONE
from referee.cardscript.books.loader import CardLibrary, ParsedBook
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.rulebook.editions import CardBook
from referee.games.creature_crush.card_attributes import CARD_KINDS, FLIP_EVENTS, KEYWORDS, TEXT_NAMES, Face, parse_face
from referee.games.creature_crush.components import (
    BOOK,
    BOXES,
    CARDS,
    CARDS_BY_EDITION,
    DECK_SIZE,
    EDITION,
    FACES,
    MECHANICS,
    PROGRAMS,
    build_boxes,
)
from referee.games.creature_crush.conditions import CONDITION_WORDS
from referee.games.creature_crush.texts.programs import parse_texts
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

LEAST_CARDS = 2 * DECK_SIZE + 6  # the draft leaves fourteen cards to draw for its last round (CC-FORMAT-ARENA-1)
RESERVED = frozenset(
    {
        *CARD_KINDS,
        *KEYWORDS,
        *TEXT_NAMES,
        *FLIP_EVENTS,
        *CONDITION_WORDS,
        "table",
        "server",
        "deck",
        "hand",
        "pool",
        "ready",
    }
)


class CreatureCrushLibrary(CardLibrary[Face]):
    """The card books of Creature Crush."""

    def find_book_errors(self, book: CardBook) -> Iterator[str]:
        """Find whether a book that stands alone has too few cards for every format."""
        if not book.extends and len(book.entries) < LEAST_CARDS:
            yield (
                f"{book.file}:1: {STANDS_ALONE} {LEAST_CARDS} cards, and this one has "
                f"{len(book.entries)}; did you mean 'extends: printed'?"
            )

    def find_entry_errors(self, book: CardBook, entry: LocatedMapping) -> Iterator[str]:
        """Find what is wrong with the name and the copies of an entry."""
        yield from super().find_entry_errors(book, entry)
        if entry.get("copies", 1) != 1:
            yield f"{book.file}:{entry.line_of('copies')}: this game has only one copy of each card"

    def register_book(self, book: CardBook, read: ParsedBook[Face]) -> None:
        """Register the faces, texts and boxes of a book."""
        super().register_book(book, read)
        BOXES[book.edition] = build_boxes((*(BOXES[EDITION].plain if book.extends else ()), *read.faces))


LIBRARY = CreatureCrushLibrary(
    EDITION,
    CARDS,
    FACES,
    PROGRAMS,
    BOOK,
    RESERVED,
    parse_face,
    parse_texts,
    MECHANICS,
    own_card_phrase="a card of the game",
    vocabulary=VOCABULARY,
)
LIBRARY.by_edition |= CARDS_BY_EDITION
