"""Card books: the file that owners of a game write, read as far as all games agree on it.

What its cards mean is for the game to say (`Game.understood`), which also installs them (`Game.install`).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from difflib import get_close_matches
from typing import Any, TypeVar

from referee.cardscript.language.parser import Marked, marked_text
from referee.engine.rulebook.book import LANGUAGES, Misprint
from referee.engine.rulebook.editions import CardBook, Findings, Misprints, Wrong, plain

__all__ = [
    "BYTES",
    "CardBook",
    "Findings",
    "Misprints",
    "Shelf",
    "Wrong",
    "check_text",
    "plain",
    "read_book",
    "read_through",
    "renamed",
]

BYTES = 1_000_000  # of a book
CARDS = 500  # different ones
COPIES = 20  # of one card
NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")
KEYS = ("book", "game", "title", "extends", "cards")
PRINTED = "printed"  # how a book calls the cards that a game has of its own
UNREADABLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # of signs: those that turn the writing round, …
TEXTS = {"title": 80, "name": 60, "text": 600, "bad_text": 600}  # what players read, and how long it may be


K = TypeVar("K")
V = TypeVar("V")


class Shelf(dict[K, V]):
    """What a game knows of its own cards, and what books have brought: both are found by name, as fast as in any
    dictionary, but whoever goes through it meets the game's own cards only. So nothing that is read at import depends
    on books."""

    def __init__(self, own: Mapping[K, V] | None = None) -> None:
        super().__init__(own or {})
        self._own: dict[K, V] = dict(own or {})

    def bring(self, more: Mapping[K, V]) -> None:
        """Adds what a book brings."""
        self.update(more)  # which does not ask `__setitem__`

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self._own[key] = value

    def __delitem__(self, key: K) -> None:
        super().__delitem__(key)
        self._own.pop(key, None)

    def pop(self, key: K, *default: Any) -> Any:
        """Takes out what is there under a name."""
        self._own.pop(key, None)
        return super().pop(key, *default)

    def __iter__(self) -> Iterator[K]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)

    def keys(self) -> KeysView[K]:  # type: ignore[override]  # as all that follows: of the own cards
        """The names of the own cards."""
        return self._own.keys()

    def values(self) -> ValuesView[V]:  # type: ignore[override]
        """What is known of the own cards."""
        return self._own.values()

    def items(self) -> ItemsView[K, V]:  # type: ignore[override]
        """Both."""
        return self._own.items()


def read_book(text: str, file: str = "book", games: Iterable[str] = ()) -> CardBook:
    """The book in this text, every entry with its line; only its form is looked at. `games`: those that may be named.

    Where one text stands for a name or a text of a card, it does so in every language. Raises Misprints with all that
    is wrong.
    """
    book, findings = read_through(text, file, games)
    findings.settle()
    return book


def read_through(text: str, file: str = "book", games: Iterable[str] = ()) -> tuple[CardBook, Findings]:
    """The book in this text as far as it can be read, and what is wrong with its form: what has no right name, number
    or text has some other, so that the rest can be looked at as well. Raises Misprints where there is no book at all.
    """
    data = _top(text, file)
    findings = Findings()

    def wrong(line: int, detail: str) -> None:
        findings.found.append(f"{file}:{line}: {detail}")

    for key in data:
        if key not in KEYS:
            wrong(data.at(key), f"a book takes no {key!r}{_near(key, KEYS)}")
    for key in ("book", "game", "title", "cards"):
        if key not in data:
            wrong(data.line, f"{key} is missing")
    name, game, extends = data.get("book", "book"), data.get("game", ""), data.get("extends", "")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        wrong(data.at("book"), f"book: {name!r} is no name; 2 to 40 of a to z, 0 to 9 and _, a letter first")
    if "game" in data and (not isinstance(game, str) or (games and game not in games)):
        wrong(data.at("game"), f"unknown game {game!r}{_near(str(game), list(games))}")
    if extends not in ("", PRINTED):
        wrong(data.at("extends"), f"extends: {extends!r} is no edition; did you mean 'printed'?")
    check_text(data, "title", wrong)
    entries = data.get("cards", [])
    if not isinstance(entries, list) or ("cards" in data and not entries):
        wrong(data.at("cards"), "cards is followed by a list of cards")
        entries = []
    if len(entries) > CARDS:
        wrong(data.at("cards"), f"{len(entries)} cards are too many; up to {CARDS}")
    _check_entries(entries, data.at("cards"), wrong)
    digest, title = hashlib.sha256(text.encode()).hexdigest(), data.get("title", dict.fromkeys(LANGUAGES, ""))
    cards = tuple(entry for entry in entries if isinstance(entry, Marked))
    return CardBook(str(name), str(game), title, str(extends), text, digest, cards, file), findings


def renamed(book: CardBook, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry under the name that its card has outside its book."""
    again = Marked({**entry, "id": book.called(entry["id"])})
    if isinstance(entry, Marked):
        again.line, again.lines = entry.line, entry.lines
    return again


def _top(text: str, file: str) -> Marked:
    if len(text.encode()) > BYTES:
        raise Misprints([f"{file}:1: a book has up to {BYTES} bytes"])
    try:
        data = marked_text(text, file)
    except Misprint as misprint:
        raise Misprints([misprint]) from misprint
    if not isinstance(data, Marked):
        raise Misprints([f"{file}:1: a book is a mapping with {', '.join(KEYS)}"])
    return data


def _check_entries(entries: list[Any], line: int, wrong: Any) -> None:
    """What every card of every game needs: a name of its own, and copies as a whole number."""
    there: dict[str, int] = {}
    for entry in entries:
        if not isinstance(entry, Marked):
            wrong(line, f"a card is a mapping with id, kind, name and text, not {entry!r}")
            continue
        card = entry.get("id")
        if not isinstance(card, str) or not NAME.fullmatch(card):
            wrong(entry.at("id"), f"id: {card!r} is no name; 2 to 40 of a to z, 0 to 9 and _, a letter first")
            entry["id"] = f"card_of_line_{entry.line}"
        elif card in there:
            wrong(entry.line, f"{card} stands twice; first in line {there[card]}")
            entry["id"] = f"card_of_line_{entry.line}"
        else:
            there[card] = entry.line
        copies = entry.get("copies", 1)
        if type(copies) is not int or not 1 <= copies <= COPIES:
            wrong(entry.at("copies"), f"copies: {copies!r} is no whole number from 1 to {COPIES}")
            entry["copies"] = 1
        for key in ("name", "text"):
            check_text(entry, key, wrong)


def check_text(entry: Marked, key: str, wrong: Callable[[int, str], None]) -> None:
    """Makes a text that players read, one for all languages or one for each, one for each; says what is `wrong`."""
    given, line = entry.get(key), entry.at(key)
    entry[key] = dict.fromkeys(LANGUAGES, "?")
    if given is None:
        if key in entry.lines or key != "title":
            wrong(line, f"{key} is missing")
        return
    texts = dict.fromkeys(LANGUAGES, given) if isinstance(given, str) else given
    if not isinstance(texts, dict):
        wrong(line, f"{key} is a text, or one in each of {', '.join(LANGUAGES)}")
        return
    at = getattr(given, "line", line)
    allowed = "\n" if key.endswith("text") else ""
    for lang in texts:
        if lang not in LANGUAGES:
            wrong(at, f"{key}: unknown language {lang!r}; known: {', '.join(LANGUAGES)}")
    for lang in LANGUAGES:
        said = texts.get(lang)
        if not isinstance(said, str) or not said.strip():
            wrong(at, f"{key} lacks {lang!r}; one text without languages stands for all")
        elif len(said) > TEXTS[key]:
            wrong(at, f"{key} has {len(said)} characters; up to {TEXTS[key]}")
        elif any(unicodedata.category(sign) in UNREADABLE for sign in said.strip() if sign not in allowed):
            wrong(at, f"{key} holds signs that cannot be read")
    if all(isinstance(texts.get(lang), str) for lang in LANGUAGES):
        entry[key] = {lang: texts[lang] for lang in LANGUAGES}


def _near(given: str, known: Iterable[str]) -> str:
    known = list(known)
    near = get_close_matches(given, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(sorted(known))}"
