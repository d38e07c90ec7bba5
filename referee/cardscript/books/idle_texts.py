"""Texts of a book that do nothing.

Only books that are checked or published are searched: an edition that is published already is read as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.rulebook.editions import CardBook

TEXTS_ANYWHERE = ("lines", "does")  # keys that hold a text also within a part of a card


def find_idle_texts(book: CardBook, text_names: frozenset[str]) -> Iterator[str]:
    """Yield an error for each text without lines.

    `text_names`: the keys that hold texts.
    """
    for entry in book.entries:
        yield from _find_idle_parts(book.file, entry, text_names)


def _find_idle_parts(file: str, part: Any, text_names: frozenset[str]) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _find_idle_parts(file, each, text_names)
    if not isinstance(part, LocatedMapping):
        return
    for key, value in part.items():
        if value == [] and key in (*TEXTS_ANYWHERE, *text_names):
            yield f"{file}:{part.line_of(key)}: {key} has no lines; leave it out if nothing happens"
        yield from _find_idle_parts(file, value, text_names)
