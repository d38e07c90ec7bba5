"""Conditions that cards write as data: a mapping, all of whose keys have to hold."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, Self

from referee.engine.rulebook.book import BookError


@dataclass(frozen=True)
class CardCondition:
    """One condition, or under the word `all` several that all have to hold.

    A game lists its words and adds the fields that they need. `all_of` holds the conditions within this one.
    """

    word: str
    all_of: tuple[Self, ...] = ()
    WORDS: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Self:
        """Return the condition that a card writes. Raises BookError."""
        if not isinstance(data, dict) or not data:
            raise BookError(f"{file}:{line}: a condition is a mapping, not {data!r}")
        line = getattr(data, "line", line)
        parts = tuple(cls._parse_key(file, key, value, line) for key, value in data.items())
        return parts[0] if len(parts) == 1 else cls("all", parts)

    @classmethod
    def _parse_key(cls, file: str, key: str, value: Any, line: int) -> Self:
        if key not in cls.WORDS:
            near = get_close_matches(key, cls.WORDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(cls.WORDS)}"
            raise BookError(f"{file}:{line}: unknown condition {key!r}; {hint}")
        return cls.parse_word(file, key, value, line)

    @classmethod
    def parse_word(cls, file: str, word: str, value: Any, line: int) -> Self:
        """Return the condition that a word and what stands under it describe.

        Raises BookError.
        """
        raise NotImplementedError

    def mentions_word(self, word: str) -> bool:
        """Return whether the condition, or one within it, uses this word."""
        return self.word == word or any(each.mentions_word(word) for each in self.all_of)
