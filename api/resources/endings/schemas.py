"""Schemas to end a match by agreement."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import SEAT_OR_ROLE, Body, Int, JsonField, enum_field, integer_field


class EndBody(Body):
    """How the table ends the match."""

    reason = enum_field("agreed", "abandoned", required=True)
    placement = fields.List(
        fields.List(integer_field(0, 19), validate=validate.Length(min=1, max=20)),
        validate=validate.Length(max=20),
        metadata={"description": "All seats, best first; equal ones in one list"},
    )


class EndingSchema(Schema):
    """A proposed end of the match, and what the players say of it."""

    ending = Int(required=True, metadata={"description": "The number of the entry that proposed it"})
    by = JsonField(SEAT_OR_ROLE, required=True)
    reason = fields.Str(required=True, metadata={"enum": ["agreed", "abandoned"]})
    placement = fields.List(
        fields.List(Int()), required=True, metadata={"description": "All seats, best first; equal ones in one list"}
    )
    stage = fields.Str(required=True, metadata={"enum": ["asked", "agreed", "refused", "overtaken"]})
    granted = fields.List(Int(), required=True, metadata={"description": "Seats that have agreed"})
    against = fields.List(Int(), required=True, metadata={"description": "Seats that refused"})
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose answer is awaited"})
