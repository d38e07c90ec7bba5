"""Building blocks for the JSON Schema of positions. Every member is described."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]
BACK = "?"
ASSUMED = "x-assumed"  # the keyword of a member whose meaning, if it is left out, every table assumes


def object_schema(says: str, needed: Iterable[str] = (), **members: Schema) -> Schema:
    """Return the schema of an object with these members and no others."""
    closed: Schema = {"type": "object", "additionalProperties": False, "required": list(needed), "properties": members}
    return describe_schema(says, closed)


def list_schema(says: str, items: Schema, least: int = 0, most: int = 200, distinct: bool = False) -> Schema:
    """Return the schema of a list. `distinct`: it has no entry twice."""
    form: Schema = {"type": "array", "items": items, "minItems": least, "maxItems": most}
    return describe_schema(says, form | ({"uniqueItems": True} if distinct else {}))


def describe_schema(says: str, schema: Schema) -> Schema:
    """Return a schema with another description, or the same if there is none."""
    return {**schema, "description": says} if says else schema


def seat_schema(seats: int) -> Schema:
    """Return the schema of a seat at a table of at most this many.

    Checks know how many there really are.
    """
    return {"type": "integer", "minimum": 0, "maximum": seats - 1, "x-seat": True}


def cards_schema(says: str, names: Iterable[str], most: int, backs: Iterable[str] = (BACK,)) -> Schema:
    """Return the schema of the cards of one place: names and backs, a number, or both.

    `most` is the number of cards in the box.
    """
    faces = {"type": "array", "items": {"enum": [*names, *backs]}, "maxItems": most}
    many = {"type": "integer", "minimum": 0, "maximum": most}
    both = object_schema(
        "Cards of which only some are known.",
        cards=describe_schema("The known cards, with ? for each unknown one.", faces),
        count=describe_schema("How many cards there are in all.", many),
        more=describe_schema("Whether there are more cards, not counted here.", {"type": "boolean"}),
    )
    return {"description": says, "anyOf": [faces, many, {**both, "x-counted": True}]}


def open_cards_schema(says: str, items: Schema, most: int) -> Schema:
    """Return the schema of open cards: all of them, or the known ones among more."""
    all_of_them = list_schema("All of the cards.", items, 0, most)
    more = {"type": "boolean", "description": "Whether there are more cards, not listed here."}
    return {
        "description": says,
        "anyOf": [all_of_them, object_schema("Only some of the cards.", cards=all_of_them, more=more)],
    }


def question_schema(name: str, says: str, needed: tuple[str, ...] = (), **members: Schema) -> Schema:
    """Return the schema of one question."""
    return object_schema(says, ("asks", *needed), asks={"const": name}, **members)


BINDINGS_SCHEMA: Schema = {
    "type": "object",
    "description": "The names that the text has bound so far, each with its cards, seats or numbers.",
    "additionalProperties": list_schema(
        "Values.", {"anyOf": [{"type": "string", "x-named": True}, {"type": "integer"}]}
    ),
}
STEP_SCHEMA: Schema = {
    "type": "object",
    "description": "Any other pending step, as the referee stores it.",
    "required": ["type"],
    "x-named": True,
    "properties": {"type": {"type": "string", "description": "The name of the step."}},
}
EMPTIED_SCHEMA = list_schema(
    "Places that have become empty during play. Only the referee writes this.", {"type": "string"}
)
CHANCE_SOURCE_SCHEMA: Schema = {"enum": ["server", "table"]}
