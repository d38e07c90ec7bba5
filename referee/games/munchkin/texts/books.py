"""Card books of this game: expansions, whose cards are shuffled in with those of the box (MK-1.2).

A book cannot stand alone: both decks are those of the box, and more. Its cards, and the powers of its citizenships, are
called `<name>@<digits>` everywhere but in the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.cardscript.books.files import CardBook, check_text
from referee.cardscript.books.loader import Library, Understood
from referee.cardscript.language.parser import Marked
from referee.cardscript.language.primitives import Lines
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.games.munchkin.card_attributes import KINDS, TIMES, Face, read_face
from referee.games.munchkin.components import BOOK, BOXES, CARDS, EDITION, FACES, MECHANICS, PRINTED, PROGRAMS, WORDS
from referee.games.munchkin.conditions import KNOWN, SLOTS, TAGS, TOWNS
from referee.games.munchkin.texts.checks import check_card
from referee.games.munchkin.texts.programs import read_texts

RESERVED = frozenset({  # words of the rules that stand where cards stand in positions and texts
    *WORDS, *KINDS, *TIMES, *SLOTS, *TAGS, *TOWNS, *KNOWN, "table", "server", "doors", "treasures", "seats", "fight",
})  # fmt: skip


class Books(Library[Face]):
    """The books of Munchkin."""

    def lacks(self, book: CardBook) -> Iterator[str]:
        """Leave to stand alone."""
        if not book.extends:
            yield f"{book.file}:1: a book of this game adds to its cards; did you mean 'extends: printed'?"

    def amiss(self, book: CardBook, entry: Marked) -> Iterator[str]:
        """What is wrong with the names and the further texts of an entry."""
        found: list[str] = []
        yield from super().amiss(book, entry)
        further = [(entry, "bad_text")] if "bad_text" in entry else []
        powers = entry.get("powers", ())
        further += [(part, "title") for part in powers if isinstance(part, Marked)] if isinstance(powers, list) else []
        for part, key in further:
            if key == "title":
                if (taken := _taken(book, part)) is not None:
                    yield f"{book.file}:{part.at('name')}: {part['name']} is {taken}, no name for a power"
                part.setdefault("title", dict.fromkeys(LANGUAGES, str(part.get("name")).replace("_", " ")))
            check_text(part, key, lambda line, what: found.append(f"{book.file}:{line}: {what}"))
        yield from found

    def unfit(self, face: Face, texts: dict[str, Lines]) -> Iterator[tuple[str, str]]:
        """What `check_card` finds."""
        yield from check_card(face, texts)

    def text_called(self, book: CardBook, text: str) -> str:
        """A text as it is called outside the book: that of a power is called after it."""
        place, slash, power = text.partition("/")
        return f"{place}/{book.called(power)}" if slash else text

    def outside(self, book: CardBook, card: str, face: Face) -> Face:
        """The face under its card's name, its powers under theirs."""
        powers = tuple(replace(power, name=book.called(power.name)) for power in face.powers)
        return replace(face, id=card, powers=powers)

    def names(self, book: CardBook, entry: Marked) -> dict[str, Text]:
        """The names of the card and of its powers."""
        powers = {book.called(power["name"]): power["title"] for power in entry.get("powers", ())}
        return {**super().names(book, entry), **powers}

    def enter(self, book: CardBook, read: Understood[Face]) -> None:
        """Enters what a book means, and the box with its cards shuffled in."""
        super().enter(book, read)
        BOXES[book.edition] = PRINTED.more(read.faces.values())


def _taken(book: CardBook, power: Marked) -> str | None:
    """What a power's name stands for already, None if it is free."""
    name = power.get("name")
    if not isinstance(name, str):
        return None
    if name in RESERVED:
        return "a word of the rules"
    if any(name == entry["id"] for entry in book.entries):
        return "a card already"
    listed = (entry.get("powers") for entry in book.entries)
    powers = (part for parts in listed if isinstance(parts, list) for part in parts if isinstance(part, dict))
    return "another power" if any(name == each.get("name") and each is not power for each in powers) else None


LIBRARY = Books(EDITION, CARDS, FACES, PROGRAMS, BOOK, RESERVED, read_face, read_texts, MECHANICS)
