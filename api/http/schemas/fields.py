"""Fields that check as JSON Schema does, and the base class of request bodies.

marshmallow is more lenient than the contract: it takes `"3"` for a whole number and `"yes"` for true. These fields do
not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

LONGEST_TEXT = 64
MOST_ITEMS = 64
LEAST, MOST = -1000, 1000
LARGEST_INTEGER = 2**53 - 1  # beyond this, JSON parsers differ
MAX_DEPTH = 20
SEAT_LIMITS = (0, 19)
PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*"  # without controls of lines, screens, directions
UNPRINTABLE = "A control character is in it: of lines, of a screen, or of the direction of writing."
BLANK_CATEGORIES = ("Zs", "Cf", "Mn", "Me")  # spaces, joiners, and marks that need a letter
BLANK = re.compile("[\u115f\u1160\u2065\u2800\u3164\uffa0\U000e0000-\U000e0fff]")  # drawn as nothing all the same
WINDOW_PATTERN = r"[1-9][0-9]{0,9}\.(?:0|[1-9][0-9]{0,4})"  # a window, by the event that opened it


class Body(Schema):
    """A request body: an unknown field is refused, never ignored."""

    class Meta:
        unknown = RAISE


class Int(fields.Int):
    """A whole number as JSON Schema means it: `6.0` is one, `"6"` and `true` are not."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class QueryInt(fields.Int):
    """A whole number in a query string: decimal digits, perhaps after a minus."""

    def _validated(self, value: Any) -> int:
        if not (isinstance(value, str) and re.fullmatch("-?[0-9]+", value)):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class Bool(fields.Bool):
    """`true` or `false`, and nothing that only resembles them."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class JsonSchemaField(fields.Field[Any]):
    """A field that gives its own JSON Schema, which apispec cannot derive."""

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        """Return the JSON Schema; `of(field)` gives that of an inner field."""
        return {}


def refer(name: str) -> dict[str, Any]:
    """Return the JSON Schema that refers to a component of the contract."""
    return {"$ref": f"#/components/schemas/{name}"}


ANY_JSON, JSON_OBJECT, SEAT_NUMBER = refer("JsonValue"), refer("JsonObject"), refer("SeatNumber")
PLAIN_VALUE = refer("PlainValue")
OPTIONAL_OBJECT = {"anyOf": [JSON_OBJECT, {"type": "null"}]}
ACTOR_SEAT = {"oneOf": [SEAT_NUMBER, {"enum": ["chance", "clock", "table"]}]}
SEAT_OR_ROLE: dict[str, Any] = {"oneOf": [SEAT_NUMBER, {"enum": ["host", "arbiter"]}]}
SEAT_OR_CHANCE = {"oneOf": [SEAT_NUMBER, {"enum": ["chance"]}]}
SCALAR: dict[str, Any] = {"type": ["string", "integer", "boolean", "null"]}
_SCALARS: dict[str, Any] = {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]}
_MAP: dict[str, Any] = {"type": "object", "additionalProperties": _SCALARS}
PLAIN_COMPONENTS: dict[str, Any] = {  # of the contract; no class stands behind them
    "SeatNumber": {
        "type": "integer",
        "minimum": SEAT_LIMITS[0],
        "maximum": SEAT_LIMITS[1],
        "description": "A seat, by its number from 0",
    },
    "JsonValue": {
        "description": "JSON data of a form that the call does not fix; no fractions",
        "anyOf": [SCALAR, JSON_OBJECT, refer("JsonList")],
    },
    "JsonObject": {"type": "object", "additionalProperties": ANY_JSON},
    "PlainValue": {
        "description": "A value as it stands on the table: a card, a number, several of them, or values by their names",
        "anyOf": [SCALAR, _MAP, {"type": "array", "items": {"anyOf": [*_SCALARS["anyOf"], _MAP]}}],
    },
    "JsonList": {  # a list that refers to itself is more than client generators understand
        "type": "array",
        "items": {
            "anyOf": [SCALAR, JSON_OBJECT, {"type": "array", "items": {"anyOf": [SCALAR, JSON_OBJECT]}}],
        },
    },
}


class FixedListField(JsonSchemaField):
    """A list of a fixed length, with a field for each place."""

    def __init__(self, parts: tuple[fields.Field[Any], ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.parts = parts

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) != len(self.parts):
            raise ValidationError(f"Not a list of {len(self.parts)}.")
        loaded, errors = [], {}
        for index, (part, item) in enumerate(zip(self.parts, value, strict=True)):
            try:
                loaded.append(part.deserialize(item, str(index)))
            except ValidationError as wrong:
                errors[index] = wrong.messages
        if errors:
            raise ValidationError(errors)
        return loaded

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        many = len(self.parts)
        return {"type": "array", "prefixItems": [of(part) for part in self.parts], "minItems": many, "maxItems": many}


class AnyOfField(JsonSchemaField):
    """One of several kinds of value; the first that fits is taken.

    What is wrong is told of the kind that was meant: of objects the one that has most of the members given, else the
    one of the right type.
    """

    def __init__(self, options: tuple[fields.Field[Any], ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        wrong: list[tuple[int, Any]] = []
        for option in self.options:
            try:
                return option.deserialize(value, attr, data)
            except ValidationError as no:
                wrong.append((_count_likeness(option, value), no.messages))
        most = max(likeness for likeness, _ in wrong)
        names = [TYPE_NAMES[PLAIN_TYPES[type(option)]] for option in self.options if type(option) in PLAIN_TYPES]
        if most < 0 and len(names) == len(self.options):
            raise ValidationError(f"{', '.join(names[:-1])} or {names[-1]} is needed")
        raise ValidationError([messages for likeness, messages in wrong if likeness == most][-1])

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        return {"anyOf": [of(option) for option in self.options]}


PLAIN_TYPES: dict[type[fields.Field[Any]], type] = {Int: int, Bool: bool, fields.Str: str}
TYPE_NAMES = {int: "a whole number", bool: "true or false", str: "a text"}


def _count_likeness(option: fields.Field[Any], value: Any) -> int:
    """Return how many members of an object an option knows; below 0: wrong type."""
    if isinstance(option, fields.Nested):
        return sum(name in option.schema.fields for name in value) if isinstance(value, dict) else -1
    if isinstance(option, Int) and isinstance(value, float) and value.is_integer():
        return 0  # JSON has whole numbers that are read as fractions, such as those beyond 64 bits
    return 0 if type(value) is PLAIN_TYPES.get(type(option), type(value)) else -1


class JsonField(JsonSchemaField):
    """JSON data that only the match service checks; the contract shows `schema`."""

    def __init__(self, schema: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.schema = schema

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        is_object = self.schema.get("type") == "object" or self.schema.get("$ref") == JSON_OBJECT["$ref"]
        if is_object and not isinstance(value, dict):
            raise ValidationError("Not an object.")
        return normalize_json(value)

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        return dict(self.schema)


def normalize_json(value: Any, depth: int = 0) -> Any:
    """Return JSON data in a form that the referee can store.

    Raises ValidationError if a number is not whole or too large, or if the data is nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise ValidationError("Nested too deeply.")
    if isinstance(value, float):
        if not value.is_integer():
            raise ValidationError("Not a whole number.")
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST_INTEGER:
        raise ValidationError("Too large a number.")
    if isinstance(value, list):
        return [normalize_json(part, depth + 1) for part in value]
    if isinstance(value, dict):
        return {key: normalize_json(part, depth + 1) for key, part in value.items()}
    return value


def is_plain_value(value: Any) -> bool:
    """Return whether JSON data has the form of the component `PlainValue`."""
    if isinstance(value, dict):
        return all(map(_is_plain_part, value.values()))
    return not isinstance(value, list) or all(
        is_plain_value(part) if isinstance(part, dict) else _is_plain_part(part) for part in value
    )


def _is_plain_part(value: Any) -> bool:
    """Return whether this is a scalar or a list of scalars."""
    return not isinstance(value, dict | list) or (
        isinstance(value, list) and not any(isinstance(part, dict | list) for part in value)
    )


class Words(Schema):
    """A text in the languages that were asked for.

    It is one, or both if `Content-Language` names both. A player is `Player 1` or `Spieler 1`, by the number of the
    seat counted from one; a client may put in the name.
    """

    en = fields.Str()
    de = fields.Str()


OPTIONAL_WORDS: dict[str, Any] = {"anyOf": [refer("Words"), {"type": "null"}]}
SOME_MOVE: dict[str, Any] = {  # a move or a command of the table; its further members are those of its type
    "type": ["object", "null"],
    "properties": {"type": {"type": "string"}, "told": OPTIONAL_WORDS},
    "required": ["type"],
}
SOME_EVENT: dict[str, Any] = {**SOME_MOVE, "type": "object"}
NUMBERED_EVENT: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "string"}, **SOME_MOVE["properties"]},
    "required": ["n", "type"],
}


class WholeText(validate.Regexp):
    """A pattern that a whole text must have.

    In the contract it stands between ^ and $, as in ECMA-262, where $ is the very end. In Python $ also matches before
    a line feed at the end.
    """

    def __init__(self, pattern: str, error: str | None = None) -> None:
        super().__init__(f"^{pattern}$", error=error)
        self.whole = re.compile(pattern)

    def __call__(self, value: str) -> str:  # type: ignore[override]
        if self.whole.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


def text_field(longest: int = LONGEST_TEXT, shortest: int = 0, **kwargs: Any) -> fields.Str:
    """Return the field of a string with a longest and a shortest length."""
    return fields.Str(validate=validate.Length(min=shortest or None, max=longest), **kwargs)


def require_visible(value: str) -> None:
    """Check that a text that is not empty shows something. Raises ValidationError."""
    if value and all(BLANK.match(each) or unicodedata.category(each) in BLANK_CATEGORIES for each in value):
        raise ValidationError("There is nothing to see in it.")


def printable_field(longest: int, shortest: int = 0, **kwargs: Any) -> fields.Str:
    """Return the field of a string without control characters.

    Those that turn the direction of writing are among them. If it has to have a length, something of it is visible.
    """
    checks = [validate.Length(min=shortest or None, max=longest), WholeText(PRINTABLE, UNPRINTABLE)]
    return fields.Str(validate=[*checks, require_visible] if shortest else checks, **kwargs)


def integer_field(least: int = LEAST, most: int = MOST, **kwargs: Any) -> Int:
    """Return the field of a whole number within limits."""
    return Int(validate=validate.Range(min=least, max=most), **kwargs)


def query_integer_field(least: int, most: int, **kwargs: Any) -> QueryInt:
    """Return the field of a whole number within limits in a query string."""
    return QueryInt(validate=validate.Range(min=least, max=most), **kwargs)


def enum_field(*allowed: str, **kwargs: Any) -> fields.Str:
    """Return the field of a string that is one of `allowed`."""
    return fields.Str(validate=validate.OneOf(allowed), **kwargs)


STATUSES = ("lobby", "running", "disputed", "finished", "void", "abandoned", "withdrawn", "frozen", "moved", "archived")


def status_field() -> fields.Str:
    """Return the field of a match's status, for an answer."""
    return fields.Str(required=True, metadata={"enum": list(STATUSES)})


def translations_field() -> fields.Nested:
    """Return the field of a text in every language, for an answer."""
    return fields.Nested(Words, required=True)


def unknown_places_field(longest: int, most: int) -> fields.List[Any]:
    """Return the field `unknown` of a request: places of a position."""
    return fields.List(
        text_field(longest),
        validate=validate.Length(max=most),
        data_key="unknown",
        attribute="unknown",
        metadata={"description": "Places in the position of which nobody knows any more what is there"},
    )


def window_name_field(**kwargs: Any) -> fields.Str:
    """Return the field of a window's name: the event that opened it, as `n.k`."""
    return fields.Str(validate=WholeText(WINDOW_PATTERN), **kwargs)
