"""Positions for people to read: members in words, cards by name, backs as hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.position_rulings.request import SEAT_LISTS
from referee.position_rulings.words import MEMBER_NAMES, RULING_TEXTS, VALUE_NAMES

DIRECTIONS = ("clockwise", "counterclockwise")
QUESTION_FIELDS = ("question", "pending", "pending_steps")  # left out: the page has the open question in words
Doc = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PositionNode:
    """A member of a position: its name, and its value or its parts."""

    label: str
    value: str = ""
    parts: tuple[PositionNode, ...] = ()


class PositionWording:
    """The words for a game's positions in one language."""

    def __init__(self, game: Game, lang: str) -> None:
        self._game, self.lang = game, lang
        self._seat_members = _find_seat_members(game)

    def render_word(self, key: str, **params: Any) -> str:
        """Return a word of the page with its placeholders filled. Raises KeyError."""
        return self._game.rulebook.fill_template(RULING_TEXTS[key][self.lang], self.lang, params)

    def describe_seat(self, seat: int | str) -> str:
        """Return a seat in words."""
        return self.render_word("seat", seat=seat) if isinstance(seat, int) else self.render_word("chance")

    def render_text(self, words: Text | None) -> str:
        """Return a text in the language of the page; empty for None."""
        return "" if words is None else words[self.lang]

    def describe_position(self, data: Doc) -> tuple[PositionNode, ...]:
        """Return a position for reading, without the open question."""
        return tuple(self._build_node(key, value) for key, value in data.items() if key not in QUESTION_FIELDS)

    def _build_node(self, key: str, value: Any) -> PositionNode:
        label = self.describe_member(key)
        if isinstance(value, Mapping) and value:
            return PositionNode(label, "", tuple(self._build_node(name, below) for name, below in value.items()))
        if isinstance(value, list) and any(isinstance(each, Mapping | list) for each in value):
            named = [self.describe_seat(at) if key in SEAT_LISTS else f"{at + 1}." for at in range(len(value))]
            return PositionNode(
                label, "", tuple(self._build_item(name, each) for name, each in zip(named, value, strict=True))
            )
        return PositionNode(
            label, self._describe_seats(value) if key in self._seat_members else self.describe_value(value)
        )

    def _describe_seats(self, value: Any) -> str:
        """Return players by their seats; anything else as it reads elsewhere."""
        if isinstance(value, list) and value:
            return ", ".join(self._describe_seats(each) for each in value)
        is_seat = isinstance(value, int) and not isinstance(value, bool)
        return self.describe_seat(value) if is_seat else self.describe_value(value)

    def _build_item(self, label: str, value: Any) -> PositionNode:
        if isinstance(value, Mapping):
            return PositionNode(label, "", tuple(self._build_node(name, below) for name, below in value.items()))
        return PositionNode(label, self.describe_value(value))

    def describe_member(self, key: str) -> str:
        """Return the name of a member of a position.

        It is a word, what the game calls the card or the place, or else the key itself.
        """
        if key in MEMBER_NAMES:
            return MEMBER_NAMES[key][self.lang]
        return str(self._game.rulebook.name_value(key, self.lang)).replace("_", " ")

    def describe_value(self, value: Any) -> str:
        """Return a value as people read it: cards by name, backs as hidden."""
        if isinstance(value, bool):
            return self.render_word("is.true" if value else "is.false")
        if value is None or value in ([], {}):
            return self.render_word("is.none")
        if isinstance(value, list):
            return ", ".join(self.describe_value(each) for each in value)
        if isinstance(value, Mapping):
            if len(value) == 1:  # the one thing that is said needs no name
                return self.describe_value(*value.values())
            return ", ".join(
                f"{self.describe_member(key)}: {self.describe_value(below)}" for key, below in value.items()
            )
        if isinstance(value, str) and value.startswith("?"):
            return self.render_word("is.hidden")
        if value in DIRECTIONS:
            return self.render_word(value)
        named = str(self._game.rulebook.name_value(value, self.lang))
        return VALUE_NAMES[named][self.lang] if named in VALUE_NAMES else named


@cache
def _find_seat_members(game: Game) -> frozenset[str]:
    """Return the members of a game's positions whose numbers are seats."""
    schemas = [game.positions.build_schema(variant) for variant in game.variants]
    return frozenset(_walk_seat_members(schemas))


def _walk_seat_members(schema: Any) -> Iterator[str]:
    """Yield the properties within a schema that hold a seat or a list of seats."""
    if isinstance(schema, Mapping):
        for name, below in (schema.get("properties") or {}).items():
            options = [below, below.get("items", {}), *below.get("anyOf", ())] if isinstance(below, Mapping) else []
            if any("x-seat" in option for option in options):
                yield name
    for below in schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ():
        yield from _walk_seat_members(below)


def name_form_words(game: Game, schema: Doc) -> dict[str, dict[str, Text]]:
    """Return what the members and the values of a schema of positions are called.

    A setting is called by what it is about, and all variants are named. Cards, and values without a word of their own,
    are left out.
    """
    members, values = set[str](), set[str](game.variants)
    _collect_names(schema, members, values)
    wordings = {lang: PositionWording(game, lang) for lang in LANGUAGES}
    about = {name: f"setting.{name}.says" for name in members}
    return {
        "members": {
            name: game.rulebook.render_texts(about[name])
            if game.rulebook.has_text(about[name])
            else {lang: words.describe_member(name) for lang, words in wordings.items()}
            for name in sorted(members)
        },
        "values": {
            value: {lang: words.describe_value(value) for lang, words in wordings.items()}
            for value in sorted(values)
            if value in VALUE_NAMES or value in DIRECTIONS
        },
    }


def _collect_names(schema: Any, members: set[str], values: set[str]) -> None:
    """Add the members and the listed texts of a schema to those found before."""
    if isinstance(schema, Mapping):
        members.update(schema.get("properties", ()))
        listed = schema.get("enum", [schema.get("const")])
        values.update(each for each in listed if isinstance(each, str))
    for below in schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ():
        _collect_names(below, members, values)
