"""From a card book back to a table, so that it can be opened in the form.

A card of which the table's own columns and sentences say all is taken apart into them. Any other card stays as it is
written, in one cell of YAML.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cardscript.books.files import BOOK_KEYS, PRINTED_EDITION
from referee.cardscript.language.located_yaml import LocatedMapping, parse_located_yaml
from referee.cardscript.sheets.catalog import Catalog, load_catalog
from referee.cardscript.sheets.layout import TableProblem
from referee.cardscript.sheets.taking_apart import Attempts, take_apart
from referee.cardscript.sheets.written_cards import WRITTEN, dump_card, tell_line, write_card
from referee.engine.rulebook.book import LANGUAGES, BookError

FILE = "book"


def open_book(text: str, game: str) -> tuple[list[list[str]], list[TableProblem]]:
    """Return the table of a book, and what is wrong with the book as a whole.

    `game` is the game if the book does not name one. The table is empty if no cards can be read.
    """
    try:
        book = parse_located_yaml(text, FILE)
    except BookError as wrong:
        line, _, detail = str(wrong).removeprefix(f"{FILE}:").partition(": ")
        return [], [TableProblem(0, "", tell_line(int(line), detail))]
    if not isinstance(book, LocatedMapping):
        return [], [TableProblem(0, "", f"a book must be a mapping with the keys {', '.join(BOOK_KEYS)}")]
    problems = [
        TableProblem(0, "", tell_line(book.line_of(key), f"a book has no key {key!r}"))
        for key in book
        if key not in BOOK_KEYS
    ]
    entries = book.get("cards")
    if not isinstance(entries, list) or not entries:
        told = "cards must be a list of at least one card"
        return [], [*problems, TableProblem(0, "", tell_line(book.line_of("cards"), told))]
    title, beside = book.get("title", ""), book.get("extends", "")
    german = title.get("de", "") if isinstance(title, Mapping) else ""
    rows, language = _open_cards(load_catalog(game), entries)
    head = {
        "game": book.get("game", game),
        "book": book.get("book", ""),
        "title": title.get("en", german) if isinstance(title, Mapping) else title,
        "title_de": german,
        "extends": beside or "no" if beside != PRINTED_EDITION else PRINTED_EDITION,
        "language": language,
    }
    columns = list(dict.fromkeys(["name", "kind", *(name for row in rows for name in row)]))
    above = [[name, "" if value is None else str(value)] for name, value in head.items()]
    return [*above, columns, *([row.get(name, "") for name in columns] for row in rows)], problems


def _open_cards(catalog: Catalog, entries: list[Any]) -> tuple[list[dict[str, str]], str]:
    """Return the cells of the cards, and the language of their free texts.

    It is the one in which more cards can be taken apart.
    """
    english, german = LANGUAGES
    rows = _open_in_language(catalog, entries, english)
    written = [entry for entry, row in zip(entries, rows, strict=True) if WRITTEN in row]
    if all(WRITTEN in row for row in _open_in_language(catalog, written, german)):
        return rows, english
    other = _open_in_language(catalog, entries, german)
    return (other, german) if sum(WRITTEN in row for row in other) < len(written) else (rows, english)


def _open_in_language(catalog: Catalog, entries: list[Any], lang: str) -> list[dict[str, str]]:
    attempts = Attempts()
    return [_open_card(catalog, entry, lang, attempts) for entry in entries]


def _open_card(catalog: Catalog, entry: Any, lang: str, attempts: Attempts) -> dict[str, str]:
    if not isinstance(entry, LocatedMapping):
        return {WRITTEN: dump_card(entry)}
    return take_apart(catalog, entry, lang, attempts) or {**read_own_cells(entry), WRITTEN: write_card(entry)}


def read_own_cells(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of the columns that every card has, right or wrong."""
    name = entry.get("name", "")
    names = {"name": name.get("en", ""), "name_de": name.get("de", "")} if isinstance(name, Mapping) else {"name": name}
    if names.get("name_de") == names["name"]:
        names.pop("name_de", None)
    cells = {**names, **{key: entry[key] for key in ("kind", "copies", "id") if key in entry}}
    return {key: str(value) for key, value in cells.items() if value not in ("", None)}
