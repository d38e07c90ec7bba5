"""A card book for tests, and a process that has never seen it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.cardscript.books.files import CardRegistry, parse_book
from referee.engine.rulebook.editions import CardBook
from referee.games.books import check_book_text
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import BOOK, BOXES, DECK, FACES, HANDS, PROGRAMS
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.books import LIBRARY

FILE = Path(__file__).parent / "books" / "harbour_tales.yaml"
TEXT = FILE.read_text("utf-8")


def harbour() -> CardBook:
    """The book, installed."""
    book = parse_book(TEXT, FILE.name)
    GAME.install_card_book(book)
    return book


def of_book(book: CardBook, state: Table, **put: str) -> Table:
    """A table of the printed cards as one of the book's edition: in each place one of the book's cards comes on top.

    What the book brings besides lies in its box.
    """
    zones = dict(state.zones)
    for place, card in put.items():
        where = {"deck": DECK, "hand": HANDS[0], "other": HANDS[1]}.get(place, place)
        zones[where] = (book.card_id(card), *zones.get(where, ()))
    left = Counter(BOXES[book.edition].all_cards) - Counter(card for cards in zones.values() for card in cards)
    zones["box"] = tuple(left.elements())
    return replace(state, zones=zones, rules=replace(state.rules, edition=book.edition))


NEEDED: dict[str, dict[str, Any]] = {  # what a card of a kind must have besides its effect
    "hero": {"class": "bard", "roll": {"min": 5}},
    "leader": {"class": "bard"},
    "monster": {
        "requires": ["hero"],
        "slay": {"min": 8},
        "fight_back": {"max": 4},
        "penalty": [{"do": "sacrifice", "who": "me"}],
    },
}


def card(name: str = "the_card", kind: str = "magic", **says: Any) -> dict[str, Any]:
    """An entry of a book with all that its kind needs."""
    return {"id": name, "kind": kind, "name": name.title(), "text": "As it says.", **NEEDED.get(kind, {}), **says}


def write_book(*cards: dict[str, Any]) -> str:
    """The text of a book with these cards besides the printed ones."""
    book = {"book": "owned", "game": "here_to_slay", "title": "Owned", "extends": "printed", "cards": list(cards)}
    plain = json.loads(json.dumps(book))  # so that nothing is written as an alias
    return yaml.safe_dump(plain, allow_unicode=True, sort_keys=False)


def book_of(*cards: dict[str, Any]) -> CardBook:
    """A book with these cards besides the printed ones, installed."""
    book = check_book_text(write_book(*cards), "owned.yaml")
    GAME.install_card_book(book)
    return book


class Brought(dict[Any, Any]):
    """What books have brought to a shelf, as something that can be taken out and put back."""

    def __init__(self, shelf: CardRegistry[Any, Any]) -> None:
        super().__init__({key: shelf[key] for key in set(dict.keys(shelf)) - set(shelf)})
        self.shelf = shelf

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        dict.__delitem__(self.shelf, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.shelf.add_from_book({key: value})


def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes this process one that has installed no book of Here to Slay; until the end of the test."""
    monkeypatch.setattr(GAME, "_books", {})
    for shelf in (FACES, PROGRAMS):
        brought = Brought(shelf)
        for key in list(brought):
            monkeypatch.delitem(brought, key)
    for by_edition in (BOXES, LIBRARY.by_edition):
        for edition in [each for each in by_edition if "@" in each]:
            monkeypatch.delitem(by_edition, edition)  # type: ignore[arg-type]
    for name in [each for each in BOOK.names if "@" in each]:
        monkeypatch.delitem(BOOK.names, name)
