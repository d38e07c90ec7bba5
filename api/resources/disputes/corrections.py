"""Corrections by hand, as the contract says how they are written; the court reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from api.http.schemas.fields import JsonSchemaField, normalize_json


class CorrectionField(JsonSchemaField):
    """A correction by hand: an object that the court reads."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("Not an object.")
        return normalize_json(value)

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        return {"oneOf": [closed_object_schema(title, members, wanted) for title, members, wanted in CORRECTION_FORMS]}


def closed_object_schema(title: str, members: Mapping[str, Any], wanted: tuple[str, ...]) -> dict[str, Any]:
    """The shape of an object with these members and no others."""
    closed = {"properties": dict(members), "required": list(wanted), "additionalProperties": False}
    return {"type": "object", "title": title, **closed}


PLACE_SCHEMA = {"type": "string", "description": "A place, as `table.zones` of a view names it"}
CORRECTION_FORMS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "A card to where it belongs",
        {
            "move": {"type": "string", "description": "The card; a back (`?`) for the first of a pile that shows it"},
            "from": PLACE_SCHEMA,
            "to": PLACE_SCHEMA,
            "top": {"type": "boolean", "description": "Upon a pile, not under it"},
        },
        ("move", "from", "to"),
    ),
    (
        "A value of the table",
        {
            "set": {"type": "string", "description": "Where it stands in `table` of a view, as `/hearts/1` (RFC 6901)"},
            "to": {"description": "What it is to be"},
        },
        ("set", "to"),
    ),
    ("Whose turn begins", {"turn": {"type": "integer", "minimum": 0}}, ("turn",)),
    ("The open question falls away", {"question": {"const": "drop"}}, ("question",)),
    (
        "After the end, alone: who came in where, the best first",
        {"placement": {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}}},
        ("placement",),
    ),
)
