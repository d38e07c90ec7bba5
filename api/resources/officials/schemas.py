"""Schemas of officials: people without a seat who may have the last word."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Bool, Int, enum_field
from referee.match.table.office_state import CALL_REASONS

REASON_DESCRIPTION = (
    "`rules`: a question about the rules. `slow_play`: somebody plays too slowly. `conduct`: somebody misbehaves. "
    "`other`: anything else"
)


class CallBody(Body):
    """Why an official is called."""

    reason = enum_field(*CALL_REASONS, required=True, metadata={"description": REASON_DESCRIPTION})


class OfficialCallSchema(Schema):
    """The open call of an official; play and its clock stand still until it closes."""

    call = Int(required=True, metadata={"description": "The number of the entry that made it"})
    by = Int(required=True, metadata={"description": "The seat that called"})
    reason = fields.Str(required=True, metadata={"enum": list(CALL_REASONS), "description": REASON_DESCRIPTION})
    since = fields.Str(required=True, metadata={"format": "date-time"})
    until = fields.Str(required=True, metadata={"format": "date-time", "description": "When it closes by itself"})


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
