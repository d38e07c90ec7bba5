"""Takebacks: who asks to go back where, which rules that breaks, and what the others say."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Bool, Int, enum_field, integer_field
from api.resources.matches.schemas import WriteResultSchema
from referee.arbitration.remedies.rewind_impact import REWIND_RULES
from referee.arbitration.takebacks import TIME
from referee.match.events.dispute_state import TAKEBACK_STAGES

LARGEST = 2**31 - 1


def own_seat_field() -> Int:
    """Which of one's seats it is about."""
    return integer_field(0, 19, metadata={"description": "Which of the own seats speaks, if the token holds several"})


class TakebackBody(Body):
    """Where to go back to."""

    seat = own_seat_field()
    to = integer_field(1, LARGEST, required=True, metadata={"description": "Back to where play stood after this entry"})


class TakebackConsentBody(Body):
    """What a seat says to a request."""

    seat = own_seat_field()
    grant = Bool(required=True)
    bar = Bool(load_default=False, metadata={"description": "With a no, from the second on: ask no more"})


class TakebackSchema(Schema):
    """A request to go back, and what has become of it."""

    takeback = Int(required=True, metadata={"description": "The entry in which it was asked for"})
    seat = Int(required=True)
    to = Int(required=True)
    stage = enum_field(*TAKEBACK_STAGES, required=True)
    waives = fields.List(
        enum_field(*REWIND_RULES, TIME),
        required=True,
        metadata={"description": "The rules that it breaks; none: it was granted at once"},
    )
    consents = fields.List(Int(), required=True, metadata={"description": "The seats that have said yes"})
    against = Int(required=True, allow_none=True, metadata={"description": "The seat that has said no"})
    asks = fields.List(Int(), required=True, metadata={"description": "The seats whose word is awaited"})


class TakebackBanSchema(Schema):
    """A seat bars further requests of another."""

    seat = Int(required=True)
    asker = Int(required=True)


class TakebacksSchema(Schema):
    """All takebacks of a match, and who does not want to be asked by whom."""

    items = fields.List(fields.Nested(TakebackSchema), required=True)
    bars = fields.List(fields.Nested(TakebackBanSchema), required=True)


class TakebackWriteResultSchema(WriteResultSchema):
    """What a request, or an answer to one, became."""

    takeback = fields.Nested(TakebackSchema, required=True)
