"""Card books of Here to Slay: what a book means, and where it is entered.

A book may bring cards of every kind. Challenges are all one card: a book brings more of them, under their own name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.cardscript.books.files import CardBook, Misprints, renamed
from referee.cardscript.books.loader import Library, Understood
from referee.cardscript.language.parser import Marked
from referee.engine.rulebook.book import Text
from referee.games.here_to_slay.components import (
    BOOK,
    BOXES,
    CARDS,
    FACES,
    MECHANICS,
    NO_BOXES,
    PRINTED,
    PROGRAMS,
    SEATS,
    WORDS,
    Boxes,
)
from referee.games.here_to_slay.texts.faces import CLASSES, KINDS, Face, read_face
from referee.games.here_to_slay.texts.programs import read_texts

CHALLENGE = "challenge"
RESERVED = frozenset({*KINDS, *CLASSES, *WORDS, "deck", "discard", "hand", "row", "box"})  # not to be mistaken
LEAST = {"leaders": SEATS, "monsters": 9, "main": 60}  # what six players need, and a deck that is not dealt out at once
DECKS = {"leaders": "leaders", "monsters": "monsters", "main": "cards of the main deck"}


class Books(Library[Face]):
    """The books of Here to Slay."""

    def understood(self, book: CardBook) -> Understood[Face]:
        """What a book means in this game. Raises Misprints with all that is wrong, or missing for a match."""
        read = super().understood(book)
        boxes = _boxes(book, read)
        _check_whole(book, boxes, read.faces)
        return replace(read, cards=tuple({**card, "copies": boxes.whole[card["id"]]} for card in read.cards))

    def enter(self, book: CardBook, read: Understood[Face]) -> None:
        """Enters what a book means, and its boxes; the face of a challenge is there already."""
        own = {card: face for card, face in read.faces.items() if card != CHALLENGE}
        super().enter(book, replace(read, faces=own))
        BOXES[book.edition] = _boxes(book, read)

    def all_shown(self, book: CardBook) -> tuple[dict[str, Any], ...]:
        """The cards of the edition, challenges first where the book brings its own."""
        own = [self.shown(renamed(book, entry)) for entry in book.entries if entry["id"] != CHALLENGE]
        challenges = [] if book.extends else [self.shown(entry) for entry in book.entries if entry["id"] == CHALLENGE]
        return (*(CARDS if book.extends else ()), *challenges, *own)

    def amiss(self, book: CardBook, entry: Marked) -> Iterator[str]:
        """A challenge has the name of all challenges; any other card a name that nothing else has."""
        if (entry.get("kind") == CHALLENGE) != (entry["id"] == CHALLENGE):
            at = f"{book.file}:{entry.at('id')}"
            yield f"{at}: all challenges are one card; did you mean 'challenge'? (id and kind alike)"
        elif entry["id"] != CHALLENGE:
            yield from super().amiss(book, entry)

    def called(self, book: CardBook, entry: Marked) -> str:
        """What the card of an entry is called outside the book: a challenge as ever."""
        return CHALLENGE if entry["id"] == CHALLENGE else super().called(book, entry)

    def outside(self, book: CardBook, card: str, face: Face) -> Face:
        """The face under its card's name."""
        return replace(face, id=card)

    def names(self, book: CardBook, entry: Marked) -> dict[str, Text]:
        """The name of the card, unless it is a challenge."""
        return {} if entry["id"] == CHALLENGE else super().names(book, entry)


def _boxes(book: CardBook, read: Understood[Face]) -> Boxes:
    """What lies in the box of the edition."""
    return (BOXES[PRINTED] if book.extends else NO_BOXES).more(read.faces.values())


def _check_whole(book: CardBook, boxes: Boxes, faces: dict[str, Face]) -> None:
    """Whether a book that stands alone has all that is needed for a match. Raises Misprints."""
    if book.extends:
        return
    leaders = [face.min_players for face in faces.values() if face.kind == "leader"]
    found = {"main": sum(boxes.main.values()), "monsters": len(boxes.monsters), "leaders": len(leaders)}
    lacks = [f"{least} {DECKS[name]}, not {found[name]}" for name, least in LEAST.items() if found[name] < least]
    lacks += [
        f"{seats} leaders that {seats} players may pick from"
        for seats in range(2, SEATS)
        if not lacks and sum(seats >= least for least in leaders) < seats
    ]
    if lacks:
        hint = "; did you mean 'extends: printed'?"
        raise Misprints([f"{book.file}:1: a book that stands alone needs {'; '.join(lacks)}{hint}"])


LIBRARY = Books(PRINTED, CARDS, FACES, PROGRAMS, BOOK, RESERVED, read_face, read_texts, MECHANICS)
