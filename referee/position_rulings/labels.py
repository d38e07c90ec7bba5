"""Positions for people to read: what their members are called, cards by their names, backs as hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import Text, read_yaml
from referee.position_rulings.judging import WORDS

PLACES: dict[str, Text] = read_yaml(Path(__file__).parent / "labels.yaml")
OF_SEATS = ("seats", "players")  # lists in the order of the seats
DIRECTIONS = ("clockwise", "counterclockwise")
TOLD_ELSEWHERE = ("question", "pending", "pending_steps")  # the open question stands on the page in words
Doc = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Node:
    """A member of a position: what it is called, and its value or its parts."""

    label: str
    value: str = ""
    parts: tuple[Node, ...] = ()


class Wording:
    """The words for a game's positions in one language."""

    def __init__(self, game: Game, lang: str) -> None:
        self._game, self.lang = game, lang

    def word(self, key: str, **params: Any) -> str:
        """A word of the page with its placeholders filled. Raises KeyError."""
        return self._game.book.fill(WORDS[key][self.lang], self.lang, params)

    def who(self, seat: int | str) -> str:
        """A seat as people call it."""
        return self.word("seat", seat=seat) if isinstance(seat, int) else self.word("chance")

    def text(self, words: Text | None) -> str:
        """A text in the language of the page; nothing where there is none."""
        return "" if words is None else words[self.lang]

    def position(self, data: Doc) -> tuple[Node, ...]:
        """A position for reading; the question is told in words elsewhere."""
        return tuple(self._node(key, value) for key, value in data.items() if key not in TOLD_ELSEWHERE)

    def _node(self, key: str, value: Any) -> Node:
        label = self.label(key)
        if isinstance(value, Mapping) and value:
            return Node(label, "", tuple(self._node(name, below) for name, below in value.items()))
        if isinstance(value, list) and any(isinstance(each, Mapping | list) for each in value):
            named = [self.who(at) if key in OF_SEATS else f"{at + 1}." for at in range(len(value))]
            return Node(label, "", tuple(self._item(name, each) for name, each in zip(named, value, strict=True)))
        return Node(label, self.plain(value))

    def _item(self, label: str, value: Any) -> Node:
        if isinstance(value, Mapping):
            return Node(label, "", tuple(self._node(name, below) for name, below in value.items()))
        return Node(label, self.plain(value))

    def label(self, key: str) -> str:
        """What a member of a position is called: its name where there is no word for it, a card by its own."""
        if key in PLACES:
            return PLACES[key][self.lang]
        return str(self._game.book.called(key, self.lang)).replace("_", " ")

    def plain(self, value: Any) -> str:
        """A value as people read it: cards by name, backs as hidden."""
        if isinstance(value, bool):
            return self.word("is.true" if value else "is.false")
        if value is None or value in ([], {}):
            return self.word("is.none")
        if isinstance(value, list):
            return ", ".join(self.plain(each) for each in value)
        if isinstance(value, Mapping):
            return ", ".join(f"{self.label(key)}: {self.plain(below)}" for key, below in value.items())
        if isinstance(value, str) and value.startswith("?"):
            return self.word("is.hidden")
        if value in DIRECTIONS:
            return self.word(value)
        return str(self._game.book.called(value, self.lang))
