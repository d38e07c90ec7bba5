"""Schemas of takebacks: requests to go back, and the answers to them."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Bool, Int, enum_field, integer_field
from api.resources.matches.schemas import WriteResultSchema
from referee.arbitration.remedies.rewind_impact import REWIND_RULES
from referee.arbitration.takebacks import TIME
from referee.match.events.dispute_state import TAKEBACK_STAGES

LARGEST = 2**31 - 1


def own_seat_field() -> Int:
    """Return the field that names which of the caller's seats acts."""
    return integer_field(0, 19, metadata={"description": "Which of your seats acts, if the token holds several"})


class TakebackBody(Body):
    """Where to go back to."""

    seat = own_seat_field()
    to = integer_field(1, LARGEST, required=True, metadata={"description": "Go back to just after this entry"})


class TakebackConsentBody(Body):
    """The answer of a seat to a request."""

    seat = own_seat_field()
    grant = Bool(required=True)
    bar = Bool(
        load_default=False,
        metadata={"description": "Only with a refusal, from the second on: refuse any further request"},
    )


class TakebackSchema(Schema):
    """A request to go back, and its state."""

    takeback = Int(required=True, metadata={"description": "The entry of the request"})
    seat = Int(required=True)
    to = Int(required=True)
    stage = enum_field(*TAKEBACK_STAGES, required=True)
    waives = fields.List(
        enum_field(*REWIND_RULES, TIME),
        required=True,
        metadata={"description": "The rules that it breaks; empty: it was granted at once"},
    )
    consents = fields.List(Int(), required=True, metadata={"description": "The seats that have agreed"})
    against = Int(required=True, allow_none=True, metadata={"description": "The seat that has refused"})
    asks = fields.List(Int(), required=True, metadata={"description": "The seats whose answer is awaited"})


class TakebackBanSchema(Schema):
    """A seat that refuses any further request of another seat."""

    seat = Int(required=True)
    asker = Int(required=True)


class TakebacksSchema(Schema):
    """A page of the takebacks of a match, and the seats that refuse further ones."""

    items = fields.List(fields.Nested(TakebackSchema), required=True)
    next_cursor = Int(required=True, allow_none=True)
    bars = fields.List(fields.Nested(TakebackBanSchema), required=True)


class TakebackWriteResultSchema(WriteResultSchema):
    """The result of a request, or of an answer to one."""

    takeback = fields.Nested(TakebackSchema, required=True)
