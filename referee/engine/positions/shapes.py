"""The shapes of written values: JSON Schema, reader and writer of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.positions.piles import decode_pile, encode_pile
from referee.engine.positions.schema import (
    ASSUMED,
    BACK,
    Schema,
    cards_schema,
    describe_schema,
    list_schema,
    object_schema,
    open_cards_schema,
    seat_schema,
)
from referee.engine.zones import Cards, arrange_cards

OMITTED: Any = object()  # what a writer returns to leave something out
MAX_TEXT_LENGTH = 64
NOBODY = -1


def keep_written(written: Any, _position: Any) -> Any:
    """Return a written value as it is."""
    return written


def keep_value(value: Any) -> Any:
    """Return a value of the table as it is."""
    return value


@dataclass(frozen=True)
class Shape:
    """How a value is written.

    `schema`: its JSON Schema.
    `read`: returns the value that is meant. It gets what is written, and the position for what lies elsewhere in it.
    `write`: returns what is written for a value, or OMITTED.
    """

    schema: Schema
    read: Callable[[Any, Any], Any] = keep_written
    write: Callable[[Any], Any] = keep_value


@dataclass(frozen=True)
class Member:
    """One member of a written object.

    `says`: its description, for the person who writes it.
    `needed`: it cannot be left out.
    `usual`: the value that is not written, or a function that finds it from the object. None means unknown, and is not
    written either.
    `attribute`: the attribute of the step on which it stands, if that has another name. Only questions use it.
    `assumed`: every table assumes what it means if left out, so a quarrel is judged by that, and the answer says so.
    """

    name: str
    shape: Shape
    says: str = ""
    needed: bool = False
    usual: Any = None
    attribute: str = ""
    assumed: bool = False

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the member."""
        schema = describe_schema(self.says, self.shape.schema)
        return {**schema, ASSUMED: True} if self.assumed else schema


def members_schema(says: str, members: Iterable[Member], **more: Schema) -> Schema:
    """Return the JSON Schema of an object with these members and no others."""
    members = tuple(members)
    needed = [*more, *(member.name for member in members if member.needed)]
    return object_schema(says, needed, **more, **{member.name: member.schema for member in members})


# ---- single values ---------------------------------------------------------------------------------------------------

FLAG = Shape({"type": "boolean"})
TEXT = Shape({"type": "string", "maxLength": MAX_TEXT_LENGTH})


def number_shape(low: int, high: int) -> Shape:
    """Return the shape of a whole number in a range."""
    return Shape({"type": "integer", "minimum": low, "maximum": high})


def seat_shape(seats: int) -> Shape:
    """Return the shape of a seat of a game for at most this many."""
    return Shape(seat_schema(seats))


def choice_shape(*values: Any) -> Shape:
    """Return the shape of one of several values, which are written as they are."""
    return Shape({"enum": list(values)})


def word_shape(words: Mapping[str, Any]) -> Shape:
    """Return the shape of a value that is written as a word."""
    names = {value: word for word, value in words.items()}
    return Shape({"enum": list(words)}, lambda written, _: words[written], names.__getitem__)


def optional_shape(shape: Shape, nothing: Any = NOBODY) -> Shape:
    """Return the shape of a value for which null may stand.

    `nothing`: the value that null means.
    """
    return Shape(
        {"anyOf": [shape.schema, {"type": "null"}]},
        lambda written, p: nothing if written is None else shape.read(written, p),
        lambda value: None if value == nothing else shape.write(value),
    )


# ---- lists and objects -----------------------------------------------------------------------------------------------


def list_shape(shape: Shape, least: int = 0, most: int = 200, distinct: bool = False) -> Shape:
    """Return the shape of a list, which the table keeps as a tuple."""

    def read(written: list[Any], position: Any) -> tuple[Any, ...]:
        return tuple(shape.read(each, position) for each in written)

    schema = list_schema("", shape.schema, least, most, distinct)
    return Shape(schema, read, lambda values: [shape.write(value) for value in values])


def lists_by_name_shape(says: str, shape: Shape, most: int = 200) -> Shape:
    """Return the shape of lists by name, which the table keeps as tuples.

    `says`: describes each of the lists.
    """
    each = list_shape(shape, 0, most)
    return Shape(
        {"type": "object", "additionalProperties": describe_schema(says, each.schema)},
        lambda written, p: {name: each.read(part, p) for name, part in written.items()},
        lambda value: {name: each.write(part) for name, part in value.items()},
    )


def record_shape(make: Callable[..., Any], *members: Member, says: str = "") -> Shape:
    """Return the shape of an object with these members and no others.

    `make` gets the members that are written. What is as usual is left out, and of an object on the table what is None.
    A mapping is written with the members that it has. Of something that lies on the table people say what is special
    about it, so every table assumes what a record leaves out.
    """
    members = tuple(member if member.needed else replace(member, assumed=True) for member in members)

    def read(written: dict[str, Any], position: Any) -> Any:
        known = (member for member in members if member.name in written)
        return make(**{member.name: member.shape.read(written[member.name], position) for member in known})

    def find_parts(value: Any) -> Iterator[tuple[Member, Any]]:
        if isinstance(value, Mapping):
            parts = [(member, value[member.name]) for member in members if member.name in value]
        else:
            there = ((member, getattr(value, member.name)) for member in members)
            parts = [(member, part) for member, part in there if part is not None]
        for member, part in parts:
            usual = member.usual(value) if callable(member.usual) else member.usual
            if usual is None or part != usual:
                yield member, part

    def write(value: Any) -> dict[str, Any]:
        return {member.name: member.shape.write(part) for member, part in find_parts(value)}

    return Shape(members_schema(says, members), read, write)


def short_record_shape(make: Callable[..., Any], first: Member, *others: Member, says: str = "") -> Shape:
    """Return the shape of a record that may be written as its first member.

    It is written so if it has no other member.
    """
    record = record_shape(make, first, *others, says=says)

    def read(written: Any, position: Any) -> Any:
        return record.read(written if isinstance(written, dict) else {first.name: written}, position)

    def write(value: Any) -> Any:
        written = record.write(value)
        return written[first.name] if [*written] == [first.name] else written

    return Shape({"anyOf": [first.shape.schema, record.schema]}, read, write)


def settings_shape(schema: Schema) -> Shape:
    """Return the shape of the settings of a match.

    A setting that is left out has its default.
    """
    usual = {name: part["default"] for name, part in schema["properties"].items()}
    return Shape(schema, lambda written, _: {**usual, **written})


# ---- cards -----------------------------------------------------------------------------------------------------------


def cards_shape(names: Iterable[str], most: int = 200) -> Shape:
    """Return the shape of cards that are listed."""
    return Shape(list_schema("", {"enum": [*names]}, 0, most), lambda written, _: arrange_cards(written), list)


def counted_cards_shape(names: Iterable[str], most: int) -> Shape:
    """Return the shape of cards that are listed, or only counted.

    Counted cards are backs.
    """
    listed = cards_shape(names, most)

    def write(cards: Cards) -> int | list[str]:
        return len(cards) if set(cards) <= {BACK} else list(cards)

    return Shape({"anyOf": [number_shape(0, most).schema, listed.schema]}, _read_pile, write)


def _read_pile(written: Any, _position: Any) -> Cards:
    return decode_pile(written)


def pile_shape(names: Iterable[str], most: int, backs: Iterable[str] = (BACK,), unlisted: str = BACK) -> Shape:
    """Return the shape of the cards of one place: listed, counted, or both.

    `unlisted`: what stands on the table for a card that is only counted.
    """

    def write(cards: Cards) -> Any:
        written = encode_pile(cards, True, unlisted)
        return OMITTED if written is None else written

    return Shape(cards_schema("", names, most, backs), lambda written, _: decode_pile(written, unlisted), write)


def open_cards_shape(items: Schema, most: int, unknown: Any = OMITTED) -> Shape:
    """Return the shape of open cards: all of them, or the known ones among more.

    `unknown`: what is written if none is known.
    """

    def write(cards: Cards) -> Any:
        written = encode_pile(cards, False)
        return unknown if written is None else written

    return Shape(open_cards_schema("", items, most), _read_pile, write)
