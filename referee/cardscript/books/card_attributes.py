"""The parser of card faces: all that a card entry says apart from its texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.cardscript.language.primitives import Vocabulary
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import ErrorCollector


@dataclass
class FaceParser(CardTextParser):
    """Reads one card entry.

    Errors in a key are collected. Errors in a part of it are raised as BookError.
    """

    words: Vocabulary = field(default_factory=Vocabulary)
    collector: ErrorCollector = field(default_factory=ErrorCollector)

    def note_error(self, error: BookError) -> None:
        """Collect an error."""
        self.collector.errors.append(error)

    def require_mapping(self, part: Any, line: int, allowed: tuple[str, ...], where: str) -> LocatedMapping:
        """Return the part as a mapping, collecting an error for each key not allowed.

        Raises BookError if it is no mapping.
        """
        if not isinstance(part, LocatedMapping):
            raise self.error_at(line, f"{where} must be a mapping, not {part!r}")
        for key in part:
            if key not in allowed:
                self.note_error(self.unknown_word_error(part.line_of(key), "unknown key", key, allowed))
        return part

    def parse_list(self, entry: LocatedMapping, key: str, most: int) -> list[Any]:
        """Return a list of at most `most` parts. Raises BookError."""
        found = entry.get(key, [])
        if not isinstance(found, list) or len(found) > most:
            raise self.error_at(entry.line_of(key), f"{key} must be a list of at most {most} entries")
        return found

    def parse_whole_number(self, part: LocatedMapping, key: str, usual: int, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`. Raises BookError."""
        value = part.get(key, usual)
        if type(value) is not int or not least <= value <= most:
            raise self.error_at(part.line_of(key), f"{key}: {value!r} is not a whole number from {least} to {most}")
        return int(value)

    def parse_boolean(self, part: LocatedMapping, key: str) -> bool:
        """Return true or false. Raises BookError."""
        if type(part.get(key, False)) is not bool:
            raise self.error_at(part.line_of(key), f"{key} must be true or false")
        return bool(part.get(key))

    def parse_known_word(self, part: LocatedMapping, key: str, known: tuple[str, ...], usual: str = "") -> str:
        """Return a word out of `known`. Raises BookError."""
        value = part.get(key, usual)
        if not isinstance(value, str) or (value not in known and (value != usual or key in part)):
            raise self.unknown_word_error(part.line_of(key), f"unknown {key}", str(value), known)
        return value

    def parse_known_words(
        self, part: LocatedMapping, key: str, known: tuple[str, ...], what: str = ""
    ) -> tuple[str, ...]:
        """Return one or several words out of `known`. Raises BookError."""
        given = part.get(key, ())
        names = [str(name) for name in given] if isinstance(given, list | tuple) else [str(given)]
        for name in names:
            if name not in known:
                raise self.unknown_word_error(part.line_of(key), f"unknown {what or key}", name, known)
        return tuple(names)


def check_own_card(file: str, entry: LocatedMapping) -> None:
    """Raise BookError if one of a game's own cards names no clauses."""
    if not entry.get("clauses"):
        raise BookError(f"{file}:{entry.line}: clauses is missing")
