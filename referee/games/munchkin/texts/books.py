"""Card books of this game: expansions of the box, and boxes of their own (MK-1.2).

A book that extends nothing stands alone: both decks hold its cards and no others. Outside the book its cards, and the
powers of its citizenships, are called `<name>@<digits>`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.cardscript.books.files import STANDS_ALONE, normalize_text
from referee.cardscript.books.loader import CardLibrary, ParsedBook
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.primitives import Program
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.editions import CardBook
from referee.games.munchkin.card_attributes import DOOR_KINDS, KINDS, PLAY_TIMES, TREASURE_KINDS, Face, parse_face
from referee.games.munchkin.components import (
    BOOK,
    BOXES,
    CARDS,
    EDITION,
    FACES,
    MECHANICS,
    NO_CARDS,
    PRINTED,
    PROGRAMS,
    WORD_LABELS,
)
from referee.games.munchkin.conditions import CONDITION_NAMES, SLOTS, TAGS, TOWNS
from referee.games.munchkin.texts.checks import find_card_problems
from referee.games.munchkin.texts.programs import parse_texts
from referee.games.munchkin.texts.vocabulary import WORDS

RESERVED_NAMES = frozenset(
    {  # words of the rules that positions and texts use in place of cards
        *WORD_LABELS,
        *KINDS,
        *PLAY_TIMES,
        *SLOTS,
        *TAGS,
        *TOWNS,
        *CONDITION_NAMES,
        "table",
        "server",
        "doors",
        "treasures",
        "seats",
        "fight",
    }
)

# What a box needs, with all copies: six players are dealt four cards of each deck, keep up to five cards of any kind
# in their hands and two citizenships each in front of them, and go on kicking doors; each level may take a monster.
LEAST_CARDS: dict[str, tuple[tuple[str, ...], int]] = {
    "doors": (DOOR_KINDS, 48),
    "treasures": (TREASURE_KINDS, 36),
    "monsters": (("monster",), 12),
}


class Books(CardLibrary[Face]):
    """The card books of Munchkin."""

    def find_book_errors(self, book: CardBook) -> Iterator[str]:
        """Yield what a book that stands alone lacks to be a box."""
        if book.extends:
            return
        for what, (kinds, least) in LEAST_CARDS.items():
            count = sum(_count_copies(entry) for entry in book.entries if entry.get("kind") in kinds)
            if count < least:
                yield (
                    f"{book.file}:1: {STANDS_ALONE} at least {least} {what} with all copies, and this "
                    f"one has {count}; did you mean 'extends: printed'?"
                )

    def find_entry_errors(self, book: CardBook, entry: LocatedMapping) -> Iterator[str]:
        """Yield what is wrong with the names and the further texts of an entry."""
        found: list[str] = []
        yield from super().find_entry_errors(book, entry)
        further = [(entry, "bad_text")] if "bad_text" in entry else []
        powers = entry.get("powers", ())
        further += (
            [(part, "title") for part in powers if isinstance(part, LocatedMapping)] if isinstance(powers, list) else []
        )
        for part, key in further:
            if key == "title":
                if (taken := _describe_name_conflict(book, part)) is not None:
                    yield (
                        f"{book.file}:{part.line_of('name')}: {part['name']} is {taken} "
                        "and cannot be the name of a power"
                    )
                part.setdefault("title", dict.fromkeys(LANGUAGES, str(part.get("name")).replace("_", " ")))
            normalize_text(part, key, lambda line, what: found.append(f"{book.file}:{line}: {what}"))
        yield from found

    def find_mismatches(self, face: Face, texts: dict[str, Program]) -> Iterator[tuple[str, str]]:
        """Yield what `find_card_problems` finds."""
        yield from find_card_problems(face, texts)

    def text_id(self, book: CardBook, text: str) -> str:
        """Return the name of a text outside the book.

        The text of a power is named after the power.
        """
        place, slash, power = text.partition("/")
        return f"{place}/{book.card_id(power)}" if slash else text

    def externalize_face(self, book: CardBook, card: str, face: Face) -> Face:
        """Return the face with the names that its card and powers have outside the book."""
        powers = tuple(replace(power, name=book.card_id(power.name)) for power in face.powers)
        return replace(super().externalize_face(book, card, face), powers=powers)

    def card_labels(self, book: CardBook, entry: LocatedMapping) -> dict[str, Text]:
        """Return the labels of the card and of its powers."""
        powers = {book.card_id(power["name"]): power["title"] for power in entry.get("powers", ())}
        return {**super().card_labels(book, entry), **powers}

    def register_book(self, book: CardBook, read: ParsedBook[Face]) -> None:
        """Register the cards of a book, and the box: with ours, or they alone."""
        super().register_book(book, read)
        BOXES[book.edition] = (PRINTED if book.extends else NO_CARDS).with_added_cards(read.faces.values())


def _count_copies(entry: Mapping[str, Any]) -> int:
    copies = entry.get("copies", 1)
    return copies if type(copies) is int else 1  # the form of the book has been checked, and says what is wrong


def _describe_name_conflict(book: CardBook, power: LocatedMapping) -> str | None:
    """Return what a power's name already stands for, or None if it is free."""
    name = power.get("name")
    if not isinstance(name, str):
        return None
    if name in RESERVED_NAMES:
        return "a word of the rules"
    if any(name == entry["id"] for entry in book.entries):
        return "already a card"
    listed = (entry.get("powers") for entry in book.entries)
    powers = (part for parts in listed if isinstance(parts, list) for part in parts if isinstance(part, dict))
    return "already another power" if any(name == each.get("name") and each is not power for each in powers) else None


LIBRARY = Books(
    EDITION, CARDS, FACES, PROGRAMS, BOOK, RESERVED_NAMES, parse_face, parse_texts, MECHANICS, vocabulary=WORDS
)
