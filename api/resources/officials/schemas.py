"""Schemas of officials: people without a seat who may have the last word."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Bool, Int


class OfficialSchema(Schema):
    """A person without a seat who decides disputes, once every player accepts them."""

    official = Int(required=True, metadata={"description": "The number of the entry that named them"})
    role = fields.Str(required=True, metadata={"enum": ["host", "arbiter"]})
    person = fields.Str(required=True, metadata={"description": "Who it is; it means something in this match only"})
    accepted = fields.List(Int(), required=True, metadata={"description": "Seats that have accepted them"})
    refused = fields.List(Int(), required=True, metadata={"description": "Seats that have refused them"})
    asks = fields.List(Int(), required=True, metadata={"description": "Seats that have not accepted them"})
    decides = Bool(required=True, metadata={"description": "Whether every player has accepted them"})
    left = Bool(
        required=True,
        metadata={"description": "They took a seat or gave the office back, and so are no official any more"},
    )
