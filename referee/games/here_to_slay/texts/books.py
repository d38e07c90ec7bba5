"""Card books of Here to Slay: what a book means, and where it is entered.

A book may bring cards of every kind. All challenges are the same card, so a book only brings more copies of it, under
its usual name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.cardscript.books.files import STANDS_ALONE, rename_entry
from referee.cardscript.books.loader import CardLibrary, ParsedBook
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.editions import CardBook, CardBookError
from referee.games.here_to_slay.components import (
    BOOK,
    BOXES,
    CARDS,
    FACES,
    MECHANICS_KEYS,
    NO_BOXES,
    PRINTED,
    PROGRAMS,
    SEATS,
    WORD_LABELS,
    Boxes,
)
from referee.games.here_to_slay.texts.amounts import CLASSES
from referee.games.here_to_slay.texts.faces import KINDS, Face, parse_face
from referee.games.here_to_slay.texts.programs import parse_texts
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY

CHALLENGE = "challenge"
# Card ids that would be confused with words of the rules.
RESERVED_NAMES = frozenset({*KINDS, *CLASSES, *WORD_LABELS, "deck", "discard", "hand", "row", "box"})
# What six players need, with a main deck that outlasts the first deal.
LEAST_CARDS = {"leaders": SEATS, "monsters": 9, "main": 60}
DECK_LABELS = {"leaders": "leaders", "monsters": "monsters", "main": "cards of the main deck"}


class HereToSlayLibrary(CardLibrary[Face]):
    """The library of Here to Slay, which adds the boxes of editions."""

    def parse_book(self, book: CardBook) -> ParsedBook[Face]:
        """Return what a book means in this game.

        Raises CardBookError with all errors, or with what the book lacks for a match.
        """
        read = super().parse_book(book)
        boxes = _build_boxes(book, read)
        _check_completeness(book, boxes, read.faces)
        return replace(read, cards=tuple({**card, "copies": boxes.all_cards[card["id"]]} for card in read.cards))

    def register_book(self, book: CardBook, read: ParsedBook[Face]) -> None:
        """Enter what a book means, and its boxes.

        The face of a challenge is registered already.
        """
        own = {card: face for card, face in read.faces.items() if card != CHALLENGE}
        super().register_book(book, replace(read, faces=own))
        BOXES[book.edition] = _build_boxes(book, read)

    def describe_all_cards(self, book: CardBook) -> tuple[dict[str, Any], ...]:
        """Return the cards of the edition, challenges first if the book brings its own."""
        own = [self.describe_card(rename_entry(book, entry)) for entry in book.entries if entry["id"] != CHALLENGE]
        challenges = (
            [] if book.extends else [self.describe_card(entry) for entry in book.entries if entry["id"] == CHALLENGE]
        )
        return (*(CARDS if book.extends else ()), *challenges, *own)

    def find_entry_errors(self, book: CardBook, entry: LocatedMapping) -> Iterator[str]:
        """Yield the errors of an entry's id.

        A challenge must have the common id of challenges. Any other card must have an id that nothing else has.
        """
        if (entry.get("kind") == CHALLENGE) != (entry["id"] == CHALLENGE):
            line = entry.line_of("id")
            yield f"{book.file}:{line}: all challenges are one card; did you mean 'challenge'? (id and kind alike)"
        elif entry["id"] != CHALLENGE:
            yield from super().find_entry_errors(book, entry)

    def card_id(self, book: CardBook, entry: LocatedMapping) -> str:
        """Return the id of an entry's card outside the book.

        Challenges keep their common id.
        """
        return CHALLENGE if entry["id"] == CHALLENGE else super().card_id(book, entry)

    def card_labels(self, book: CardBook, entry: LocatedMapping) -> dict[str, Text]:
        """Return the name of the card. A challenge needs none."""
        return {} if entry["id"] == CHALLENGE else super().card_labels(book, entry)


def _build_boxes(book: CardBook, read: ParsedBook[Face]) -> Boxes:
    """Return the box of the edition."""
    return (BOXES[PRINTED] if book.extends else NO_BOXES).with_added_cards(read.faces.values())


def _check_completeness(book: CardBook, boxes: Boxes, faces: dict[str, Face]) -> None:
    """Raise CardBookError if a book that stands alone lacks cards needed for a match."""
    if book.extends:
        return
    leaders = [face.min_players for face in faces.values() if face.kind == "leader"]
    found = {"main": sum(boxes.main.values()), "monsters": len(boxes.monsters), "leaders": len(leaders)}
    lacks = [
        f"{least} {DECK_LABELS[name]}, not {found[name]}" for name, least in LEAST_CARDS.items() if found[name] < least
    ]
    lacks += [
        f"{seats} leaders that {seats} players may pick from"
        for seats in range(2, SEATS)
        if not lacks and sum(seats >= least for least in leaders) < seats
    ]
    if lacks:
        hint = "; did you mean 'extends: printed'?"
        raise CardBookError([f"{book.file}:1: {STANDS_ALONE} {'; '.join(lacks)}{hint}"])


LIBRARY = HereToSlayLibrary(
    PRINTED,
    CARDS,
    FACES,
    PROGRAMS,
    BOOK,
    RESERVED_NAMES,
    parse_face,
    parse_texts,
    MECHANICS_KEYS,
    vocabulary=VOCABULARY,
)
