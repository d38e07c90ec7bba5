"""The form of card books, the files that owners of a game write, in all games.

The game itself says what the cards mean (`Game.parse_card_book`) and installs them (`Game.install_card_book`).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from difflib import get_close_matches
from typing import Any, TypeVar

from referee.cardscript.language.located_yaml import LocatedMapping, parse_located_yaml
from referee.engine.rulebook.book import LANGUAGES, BookError
from referee.engine.rulebook.editions import CardBook, CardBookError, CardBookProblem, ErrorCollector, strip_edition

__all__ = [
    "MAX_BOOK_BYTES",
    "CardBook",
    "CardBookError",
    "CardBookProblem",
    "CardRegistry",
    "ErrorCollector",
    "normalize_text",
    "parse_book",
    "parse_book_leniently",
    "rename_entry",
    "strip_edition",
]

MAX_BOOK_BYTES = 1_000_000
MAX_CARDS = 500  # different cards in a book
MAX_COPIES = 20  # copies of one card
NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]{1,39}")
# of editions that games have of their own
RESERVED_NAMES = ("printed", "original", "second", "nightmare_before_christmas")
BOOK_KEYS = ("book", "game", "title", "extends", "cards")
STANDS_ALONE = "a book that stands alone needs"  # how a message begins that says what a box of its own lacks
PRINTED_EDITION = "printed"  # what a book calls the game's own cards
UNPRINTABLE_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # Unicode categories, including direction marks
# In characters, for each text that players read.
MAX_TEXT_LENGTHS = {"title": 80, "name": 60, "text": 600, "bad_text": 600}


K = TypeVar("K")
V = TypeVar("V")


class CardRegistry(dict[K, V]):
    """A dictionary of own cards and those of books that iterates own cards only.

    Lookups find both. So nothing that is read at import depends on installed books.
    """

    def __init__(self, own: Mapping[K, V] | None = None) -> None:
        super().__init__(own or {})
        self._own: dict[K, V] = dict(own or {})

    def add_from_book(self, more: Mapping[K, V]) -> None:
        """Add what a book brings."""
        self.update(more)  # does not call `__setitem__`, so these do not become own cards

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self._own[key] = value

    def __delitem__(self, key: K) -> None:
        super().__delitem__(key)
        self._own.pop(key, None)

    def pop(self, key: K, *default: Any) -> Any:
        """Remove a key and return its value."""
        self._own.pop(key, None)
        return super().pop(key, *default)

    def __iter__(self) -> Iterator[K]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)

    def keys(self) -> KeysView[K]:  # type: ignore[override]  # own cards only, like the methods below
        """Return the keys of the game's cards, without those of books."""
        return self._own.keys()

    def values(self) -> ValuesView[V]:  # type: ignore[override]
        """Return the values of the game's cards, without those of books."""
        return self._own.values()

    def items(self) -> ItemsView[K, V]:  # type: ignore[override]
        """Return the items of the game's cards, without those of books."""
        return self._own.items()


def parse_book(text: str, file: str = "book", games: Iterable[str] = ()) -> CardBook:
    """Return the book in this text, with the line of every entry.

    Only the form is checked. `games`: the games that a book may name. A name or text given once holds for every
    language. Raises CardBookError with all errors.
    """
    book, findings = parse_book_leniently(text, file, games)
    findings.raise_collected()
    return book


def parse_book_leniently(text: str, file: str = "book", games: Iterable[str] = ()) -> tuple[CardBook, ErrorCollector]:
    """Return the book in this text, if readable at all, and the errors of its form.

    A missing or wrong name, number or text is replaced, so that the rest can be checked as well. Raises CardBookError
    if there is no book at all.
    """
    data = _parse_top_mapping(text, file)
    findings = ErrorCollector()

    def wrong(line: int, detail: str) -> None:
        findings.errors.append(f"{file}:{line}: {detail}")

    for key in data:
        if key not in BOOK_KEYS:
            wrong(data.line_of(key), f"a book has no key {key!r}{_suggest_nearest(key, BOOK_KEYS)}")
    for key in ("book", "game", "title", "cards"):
        if key not in data:
            wrong(data.line, f"{key} is missing")
    name, game, extends = data.get("book", "book"), data.get("game", ""), data.get("extends", "")
    if not isinstance(name, str) or not NAME_PATTERN.fullmatch(name):
        wrong(
            data.line_of("book"),
            f"book: {name!r} is not a valid name; use 2 to 40 of a to z, 0 to 9 and _, a letter first",
        )
    elif name in RESERVED_NAMES:
        wrong(data.line_of("book"), f"book: {name!r} is the name of an edition of ours; choose another one")
    if "game" in data and (not isinstance(game, str) or (games and game not in games)):
        wrong(data.line_of("game"), f"unknown game {game!r}{_suggest_nearest(str(game), list(games))}")
    if extends not in ("", PRINTED_EDITION):
        wrong(data.line_of("extends"), f"extends: {extends!r} is not an edition; did you mean 'printed'?")
    normalize_text(data, "title", wrong)
    entries = data.get("cards", [])
    if not isinstance(entries, list) or ("cards" in data and not entries):
        wrong(data.line_of("cards"), "cards must be a list of at least one card")
        entries = []
    if len(entries) > MAX_CARDS:
        wrong(data.line_of("cards"), f"a book can have at most {MAX_CARDS} cards, not {len(entries)}")
        entries = entries[:MAX_CARDS]
    _check_entries(entries, data.line_of("cards"), wrong)
    digest, title = hashlib.sha256(text.encode()).hexdigest(), data.get("title", dict.fromkeys(LANGUAGES, ""))
    cards = tuple(entry for entry in entries if isinstance(entry, LocatedMapping))
    return CardBook(str(name), str(game), title, str(extends), text, digest, cards, file), findings


def rename_entry(book: CardBook, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry under the id that its card has outside its book."""
    renamed = LocatedMapping({**entry, "id": book.card_id(entry["id"])})
    if isinstance(entry, LocatedMapping):
        renamed.line, renamed.lines = entry.line, entry.lines
    return renamed


def _parse_top_mapping(text: str, file: str) -> LocatedMapping:
    if len(text.encode()) > MAX_BOOK_BYTES:
        raise CardBookError([f"{file}:1: a book can have at most {MAX_BOOK_BYTES} bytes"])
    try:
        data = parse_located_yaml(text, file)
    except BookError as error:
        raise CardBookError([error]) from error
    if not isinstance(data, LocatedMapping):
        raise CardBookError([f"{file}:1: a book must be a mapping with the keys {', '.join(BOOK_KEYS)}"])
    return data


def _check_entries(entries: list[Any], line: int, wrong: Any) -> None:
    """Check what every card of every game needs: its own id, copies, name and text."""
    there: dict[str, int] = {}
    for entry in entries:
        if not isinstance(entry, LocatedMapping):
            wrong(line, f"a card must be a mapping with id, kind, name and text, not {entry!r}")
            continue
        card = entry.get("id")
        if not isinstance(card, str) or not NAME_PATTERN.fullmatch(card):
            wrong(
                entry.line_of("id"),
                f"id: {card!r} is not a valid name; use 2 to 40 of a to z, 0 to 9 and _, a letter first",
            )
            entry["id"] = f"card_of_line_{entry.line}"
        elif card in there:
            wrong(entry.line, f"{card} appears twice; first in line {there[card]}")
            entry["id"] = f"card_of_line_{entry.line}"
        else:
            there[card] = entry.line
        copies = entry.get("copies", 1)
        if type(copies) is not int or not 1 <= copies <= MAX_COPIES:
            wrong(entry.line_of("copies"), f"copies: {copies!r} is not a whole number from 1 to {MAX_COPIES}")
            entry["copies"] = 1
        for key in ("name", "text"):
            normalize_text(entry, key, wrong)


def normalize_text(entry: LocatedMapping, key: str, wrong: Callable[[int, str], None]) -> None:
    """Replace a text in an entry by one text for each language, reporting errors.

    `wrong` is called with line and detail of each error.
    """
    given, line = entry.get(key), entry.line_of(key)
    entry[key] = dict.fromkeys(LANGUAGES, "?")
    if given is None:
        if key in entry.lines or key != "title":
            wrong(line, f"{key} is missing")
        return
    texts = dict.fromkeys(LANGUAGES, given) if isinstance(given, str) else given
    if not isinstance(texts, dict):
        wrong(line, f"{key} must be a text, or one text in each of {', '.join(LANGUAGES)}")
        return
    at = getattr(given, "line", line)
    allowed = "\n" if key.endswith("text") else ""
    for lang in texts:
        if lang not in LANGUAGES:
            wrong(at, f"{key}: unknown language {lang!r}; known: {', '.join(LANGUAGES)}")
    for lang in LANGUAGES:
        given_text = texts.get(lang)
        if not isinstance(given_text, str) or not given_text.strip():
            wrong(at, f"{key} has no {lang!r}; a single text without languages counts for all")
        elif len(given_text) > MAX_TEXT_LENGTHS[key]:
            wrong(at, f"{key} has {len(given_text)} characters; at most {MAX_TEXT_LENGTHS[key]} are allowed")
        elif any(
            unicodedata.category(sign) in UNPRINTABLE_CATEGORIES for sign in given_text.strip() if sign not in allowed
        ):
            wrong(at, f"{key} contains characters that cannot be shown")
    if all(isinstance(texts.get(lang), str) for lang in LANGUAGES):
        entry[key] = {lang: texts[lang] for lang in LANGUAGES}


def _suggest_nearest(given: str, known: Iterable[str]) -> str:
    known = list(known)
    near = get_close_matches(given, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(sorted(known))}"
