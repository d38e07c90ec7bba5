"""Card books of Here to Slay: what a book means, and where it is entered.

A book may bring cards of every kind. Challenges are all one card: a book brings more of them, under their own name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.cards.books import CardBook, Findings, Misprints, renamed
from referee.cards.reader import Marked
from referee.cards.words import Lines
from referee.games.here_to_slay.material import (
    BOOK,
    BOXES,
    CARDS,
    FACES,
    NO_BOXES,
    PRINTED,
    PROGRAMS,
    SEATS,
    WORDS,
    Boxes,
    shown,
)
from referee.games.here_to_slay.texts.faces import CLASSES, KINDS, Face, read_face
from referee.games.here_to_slay.texts.programs import read_texts

CHALLENGE = "challenge"
RESERVED = frozenset({*KINDS, *CLASSES, *WORDS, "deck", "discard", "hand", "row", "box"})  # not to be mistaken
LEAST = {"leaders": SEATS, "monsters": 9, "main": 60}  # what six players need, and a deck that is not dealt out at once
DECKS = {"leaders": "leaders", "monsters": "monsters", "main": "cards of the main deck"}


@dataclass(frozen=True)
class Understood:
    """What a book means: its box, the faces and texts of its cards, and the cards of the edition for readers."""

    boxes: Boxes
    faces: dict[str, Face]
    programs: dict[tuple[str, str], Lines]
    cards: tuple[dict[str, Any], ...]


SHOWN: dict[str, tuple[dict[str, Any], ...]] = {PRINTED: CARDS}  # the cards of each edition


def understood(book: CardBook) -> Understood:
    """What a book means in this game. Raises Misprints with all that is wrong."""
    findings = Findings()
    faces: dict[str, Face] = {}
    programs: dict[tuple[str, str], Lines] = {}
    for entry in book.entries:
        assert isinstance(entry, Marked)
        _check_name(book, entry, findings)
        card = entry["id"] if entry.get("kind") == CHALLENGE else book.called(entry["id"])
        with findings.noted():
            faces[card] = replace(read_face(book.file, entry), id=card)
            findings.found += list(_unknown_clauses(book, entry, faces[card]))
        with findings.noted():
            programs.update({(card, name): lines for name, lines in read_texts(book.file, entry).items()})
    findings.settle()
    boxes = (BOXES[PRINTED] if book.extends else NO_BOXES).more(faces.values())
    _check_whole(book, boxes, faces)
    return Understood(boxes, faces, programs, _shown(book, boxes))


def enter(book: CardBook, read: Understood) -> None:
    """Enters what a book means under its edition."""
    own = {card: face for card, face in read.faces.items() if card != CHALLENGE}
    FACES.bring(own)
    PROGRAMS.bring(read.programs)
    BOOK.names.update({book.called(entry["id"]): entry["name"] for entry in book.entries if _is_own(entry)})
    SHOWN[book.edition] = read.cards
    BOXES[book.edition] = read.boxes


def _is_own(entry: dict[str, Any]) -> bool:
    return bool(entry["id"] != CHALLENGE)


def _check_name(book: CardBook, entry: Marked, findings: Findings) -> None:
    """A challenge has the name of all challenges; any other card a name that nothing else has."""
    card, at = entry["id"], f"{book.file}:{entry.at('id')}"
    if (entry.get("kind") == CHALLENGE) != (card == CHALLENGE):
        findings.found.append(f"{at}: all challenges are one card; did you mean 'challenge'? (id and kind alike)")
    elif card in RESERVED and card != CHALLENGE:
        findings.found.append(f"{at}: {card} is a word of the rules, no name for a card")
    elif book.extends and card in FACES and card != CHALLENGE:
        findings.found.append(f"{at}: {card} is a printed card already")


def _unknown_clauses(book: CardBook, entry: Marked, face: Face) -> Iterator[str]:
    for clause in face.clauses:
        try:
            BOOK.clause(clause)
        except KeyError:
            yield f"{book.file}:{entry.at('clauses')}: no clause is called {clause!r}"


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


def _shown(book: CardBook, boxes: Boxes) -> tuple[dict[str, Any], ...]:
    """The cards of the edition as readers are shown them, each with the copies that lie in its box."""
    own = [shown(renamed(book, entry)) for entry in book.entries if _is_own(entry)]
    challenges = [] if book.extends else [shown(entry) for entry in book.entries if not _is_own(entry)]
    cards = [*(CARDS if book.extends else ()), *challenges, *own]
    return tuple({**card, "copies": boxes.whole[card["id"]]} for card in cards)
