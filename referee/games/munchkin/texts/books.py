"""Card books of this game: expansions, whose cards are shuffled in with those of the box (MK-1.2).

A book cannot stand alone: both decks are those of the box, and more. Its cards, and the powers of its citizenships, are
called `<name>@<digits>` everywhere but in the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.cards.books import CardBook, Findings, check_text, renamed
from referee.cards.reader import Marked
from referee.cards.words import Lines
from referee.games.munchkin.conditions import KNOWN, SLOTS, TAGS, TOWNS
from referee.games.munchkin.faces import KINDS, TIMES, Face, Power, read_face
from referee.games.munchkin.material import BOOK, BOXES, CARDS, EDITION, FACES, PRINTED, PROGRAMS, WORDS, shown
from referee.games.munchkin.texts.checks import check_card
from referee.games.munchkin.texts.programs import read_texts
from referee.kernel.clauses import LANGUAGES, Text

RESERVED = frozenset({  # words of the rules that stand where cards stand in positions and texts
    *WORDS, *KINDS, *TIMES, *SLOTS, *TAGS, *TOWNS, *KNOWN, "table", "server", "doors", "treasures", "seats", "fight",
})  # fmt: skip


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
    if not book.extends:
        findings.found.append(f"{book.file}:1: a book of this game adds to its cards; did you mean 'extends: printed'?")
    faces: dict[str, Face] = {}
    programs: dict[tuple[str, str], Lines] = {}
    names: dict[str, Text] = {}
    for entry in book.entries:
        assert isinstance(entry, Marked)
        card = book.called(entry["id"])
        before = len(findings.found)
        findings.found += list(_amiss(book, entry))
        texts: dict[str, Lines] = {}
        face: Face | None = None
        with findings.noted():
            texts = read_texts(book.file, entry)
        with findings.noted():
            face = read_face(book.file, entry)
        if face is None or len(findings.found) > before:
            continue
        findings.found += [f"{book.file}:{entry.at(key)}: {what}" for key, what in check_card(face, texts)]
        faces[card] = replace(face, id=card, powers=tuple(_renamed(book, power) for power in face.powers))
        programs.update({(card, _called(book, name)): lines for name, lines in texts.items()})
        names[card] = entry["name"]
        names |= {book.called(power["name"]): power["title"] for power in entry.get("powers", ())}
    findings.settle()
    cards = (*CARDS, *(shown(renamed(book, entry)) for entry in book.entries))
    return Understood(faces, programs, names, cards)


def enter(book: CardBook, read: Understood) -> None:
    """Enters what a book means where the rules look for it."""
    FACES.bring(read.faces)
    PROGRAMS.bring(read.programs)
    BOOK.names.update(read.names)
    SHOWN[book.edition] = read.cards
    BOXES[book.edition] = PRINTED.more(read.faces.values())


def _renamed(book: CardBook, power: Power) -> Power:
    return replace(power, name=book.called(power.name))


def _called(book: CardBook, text: str) -> str:
    """A text as it is called outside the book: that of a power is called after it."""
    place, slash, power = text.partition("/")
    return f"{place}/{book.called(power)}" if slash else text


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


def _amiss(book: CardBook, entry: Marked) -> Iterator[str]:
    """What is wrong with the names, the further texts and the clauses of an entry."""
    card, found = entry["id"], []
    if card in RESERVED:
        yield f"{book.file}:{entry.at('id')}: {card} is a word of the rules, no name for a card"
    if card in PRINTED.whole:
        yield f"{book.file}:{entry.at('id')}: {card} is a printed card already"
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
    for clause in clauses if isinstance(clauses := entry.get("clauses", []), list) else ():
        try:
            BOOK.clause(str(clause))
        except KeyError:
            yield f"{book.file}:{entry.at('clauses')}: no clause is called {clause!r}"
