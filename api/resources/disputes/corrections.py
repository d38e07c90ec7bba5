"""The schema of corrections by hand; the court checks what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields

from api.http.schemas.fields import (
    PLAIN_VALUE,
    SEAT_NUMBER,
    AnyOfField,
    JsonField,
    JsonSchemaField,
    normalize_json,
    refer,
)


class CorrectionField(JsonSchemaField):
    """A correction by hand: an object that the court checks."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("Not an object.")
        return normalize_json(value)

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        return {"oneOf": [closed_object_schema(title, members, wanted) for title, members, wanted in CORRECTION_FORMS]}


def closed_object_schema(title: str, members: Mapping[str, Any], wanted: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON Schema of an object with these members and no others."""
    closed = {"properties": dict(members), "required": list(wanted), "additionalProperties": False}
    return {"type": "object", "title": title, **closed}


PLACE_SCHEMA = {"type": "string", "description": "A place, by its name in `table.zones` of a view"}
CORRECTION_FORMS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "Move a card to where it belongs",
        {
            "move": {
                "type": "string",
                "description": "The card; a back (`?`) means the first card of the pile with that back",
            },
            "from": PLACE_SCHEMA,
            "to": PLACE_SCHEMA,
            "top": {"type": "boolean", "description": "true: on top of a pile; false: under it"},
        },
        ("move", "from", "to"),
    ),
    (
        "Set a value of the table",
        {
            "set": {
                "type": "string",
                "description": "Its JSON pointer (RFC 6901) in `table` of a view, such as `/hearts/1`",
            },
            "to": {**PLAIN_VALUE, "description": "The new value"},
        },
        ("set", "to"),
    ),
    ("Begin the turn of a seat", {"turn": SEAT_NUMBER}, ("turn",)),
    ("Drop the open question", {"question": {"const": "drop"}}, ("question",)),
    (
        "Set the placement, best first, after the end and as the only correction",
        {"placement": {"type": "array", "items": {"type": "array", "items": SEAT_NUMBER}}},
        ("placement",),
    ),
)


class HiddenCorrectionSchema(Schema):
    """A correction that sets a value which the viewer may not see."""

    set = fields.Str(required=True, metadata={"description": "What is set"})


def seen_corrections_field(description: str) -> fields.List[Any]:
    """Return the field of corrections in an answer, as far as the viewer may see them."""
    shown = AnyOfField((JsonField(refer("Correction")), fields.Nested(HiddenCorrectionSchema)))
    return fields.List(shown, required=True, metadata={"description": description})
