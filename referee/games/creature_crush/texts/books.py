"""Card books of this game: cards of one's own, beside the game's or instead of them (CC-MAT-1, CC-FORMAT-LEAGUE-1).

A card is in a book once. Its cards are called `<name>@<digits>` everywhere but in the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.cards.books import CardBook, Findings, renamed
from referee.cards.reader import Marked
from referee.cards.words import Lines
from referee.games.creature_crush.conditions import KNOWN
from referee.games.creature_crush.faces import EVENTS, KEYWORDS, KINDS, TEXTS, Face, read_face
from referee.games.creature_crush.material import BOOK, BOXES, CARDS, DECK_SIZE, EDITION, FACES, PROGRAMS, boxes, shown
from referee.games.creature_crush.texts.programs import read_texts
from referee.kernel.clauses import Text

LEAST = 2 * DECK_SIZE + 6  # the draft leaves fourteen cards to draw for its last round (CC-FORMAT-ARENA-1)
RESERVED = frozenset({*KINDS, *KEYWORDS, *TEXTS, *EVENTS, *KNOWN, "table", "server", "deck", "hand", "pool", "ready"})


@dataclass(frozen=True)
class Understood:
    """What a book means: its faces, texts and names, each under the name that it has outside the book, and the cards
    of the edition for readers."""

    faces: dict[str, Face]
    programs: dict[tuple[str, str], Lines]
    names: dict[str, Text]
    cards: tuple[dict[str, Any], ...]


SHOWN: dict[str, tuple[dict[str, Any], ...]] = {EDITION: CARDS}  # the cards of each edition


def understood(book: CardBook) -> Understood:
    """What a book means in this game. Raises Misprints with all that is wrong."""
    findings = Findings()
    faces: dict[str, Face] = {}
    programs: dict[tuple[str, str], Lines] = {}
    names: dict[str, Text] = {}
    if not book.extends and len(book.entries) < LEAST:
        findings.found.append(
            f"{book.file}:1: a book that stands alone needs {LEAST} cards, and this one has {len(book.entries)};"
            " did you mean 'extends: printed'?"
        )
    for entry in book.entries:
        assert isinstance(entry, Marked)
        card = book.called(entry["id"])
        before = len(findings.found)
        findings.found += list(_amiss(book, entry))
        texts: dict[str, Lines] = {}
        face: Face | None = None
        with findings.noted():
            face = read_face(book.file, entry)
        with findings.noted():
            texts = read_texts(book.file, entry)
        if face is None or len(findings.found) > before:
            continue
        faces[card] = replace(face, id=card)
        programs.update({(card, name): lines for name, lines in texts.items()})
        names[card] = entry["name"]
    findings.settle()
    own = CARDS if book.extends else ()
    return Understood(faces, programs, names, (*own, *(shown(renamed(book, entry)) for entry in book.entries)))


def enter(book: CardBook, read: Understood) -> None:
    """Enters what a book means where the rules look for it."""
    FACES.bring(read.faces)
    PROGRAMS.bring(read.programs)
    BOOK.names.update(read.names)
    SHOWN[book.edition] = read.cards
    BOXES[book.edition] = boxes((*(FACES if book.extends else ()), *read.faces))


def _amiss(book: CardBook, entry: Marked) -> Iterator[str]:
    """What is wrong with the name, the copies and the clauses of an entry."""
    card = entry["id"]
    if card in RESERVED:
        yield f"{book.file}:{entry.at('id')}: {card} is a word of the rules, no name for a card"
    if book.extends and card in FACES.keys():  # noqa: SIM118  # of the game's own cards alone
        yield f"{book.file}:{entry.at('id')}: {card} is a card of the game already"
    if entry.get("copies", 1) != 1:
        yield f"{book.file}:{entry.at('copies')}: every card is there once in this game"
    for clause in clauses if isinstance(clauses := entry.get("clauses", []), list) else ():
        try:
            BOOK.clause(str(clause))
        except KeyError:
            yield f"{book.file}:{entry.at('clauses')}: no clause is called {clause!r}"
