"""House rulings in requests for rulings without a match, and in the answers."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from api.http.schemas.fields import ANY_JSON, JsonField
from api.resources.moves.schemas import HouseRulingNote
from referee.position_rulings.request import MAX_PRECEDENTS

READING_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"clause": {"type": "string"}, "number": {"type": "integer"}, "holds": {"type": "boolean"}},
    "required": ["clause", "number"],
    "additionalProperties": ANY_JSON,
}


def precedents_field() -> fields.List[Any]:
    """Return the field of the house rulings to judge by."""
    described = {
        "type": "object",
        "properties": {
            "match": {"type": "string"},
            "entry": {"type": ["integer", "null"]},
            "game": {"type": "string"},
            "readings": {"type": "array", "items": READING_SCHEMA},
        },
        "required": ["match", "entry", "game", "readings"],
        "additionalProperties": ANY_JSON,
        "description": "A house ruling as `GET /v1/matches/{match}/precedents` lists it; only its readings count; "
        "a reading that the request chooses itself must agree with them",
    }
    return fields.List(
        JsonField(described),
        validate=validate.Length(max=MAX_PRECEDENTS),
        metadata={"description": "House rulings to judge by"},
    )


class HouseRulingUsedSchema(HouseRulingNote):
    """A house ruling on which a ruling rests, and the clause as it reads it."""

    clause = fields.Str(required=True)
