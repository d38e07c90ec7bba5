"""The schema of a problem document (RFC 9457)."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import (
    ANY_JSON,
    JSON_OBJECT,
    SEAT_OR_CHANCE,
    Int,
    JsonField,
    Words,
    enum_field,
    refer,
    translations_field,
)
from api.resources.census.schemas import CardNamingSchema
from api.resources.entries.schemas import EntrySchema
from api.resources.moves.schemas import LegalMove, NextQuestionSchema, RulingSchema
from api.resources.windows.schemas import WindowOutcomeSchema


class PossibleValueSchema(Schema):
    """A value that a missing fact may have."""

    value = JsonField(ANY_JSON, required=True)
    says = translations_field()


class InputErrorSchema(Schema):
    """One thing that is wrong, and where."""

    pointer = fields.Str(required=True, metadata={"description": "JSON pointer (RFC 6901) into the body or the query"})
    detail = fields.Str(required=True)
    clause = fields.Str()
    line = fields.Int(metadata={"description": "The line of a card book or a question; 0 means the whole book"})
    suggestion = fields.Str(metadata={"description": "What was probably meant"})
    asks = fields.Nested(Words, metadata={"description": "What is asked about a missing fact"})
    kind = fields.Str(
        metadata={"description": "Of a missing fact: `one` of the values, a list of `several`, or a `number`"}
    )
    values = fields.List(fields.Nested(PossibleValueSchema), metadata={"description": "Possible values, in words too"})
    least = fields.Int(metadata={"description": "The least number that a missing fact may be"})
    most = fields.Int(metadata={"description": "The largest number that a missing fact may be"})
    fragment = JsonField({**JSON_OBJECT, "description": "A member to put there, with a possible value"})
    where = fields.Str(data_key="in", metadata={"description": "`query` if the error is in the query, not in the body"})


class WayBodySchema(Schema):
    """The body of such a request; it goes to another call for each way."""

    about = Int()
    claim = JsonField(refer("ClaimName"))
    seat = JsonField(SEAT_OR_CHANCE)
    move = JsonField(refer("Move"))
    clauses = fields.List(fields.Str())
    reason = fields.Str(metadata={"description": "Empty: only people know it"})


class ContradictionWaySchema(Schema):
    """Something that can be done about a contradiction.

    It is a request, complete but for what only people know.
    """

    way = enum_field("misreported", "impossible_table", "deviation", required=True)
    says = translations_field()
    path = fields.Str(required=True)
    body = fields.Nested(WayBodySchema, required=True)


class ReportContradictionSchema(Schema):
    """The earlier entries that cannot all be true together with what was reported."""

    says = translations_field()
    suspects = fields.List(fields.Nested(CardNamingSchema), required=True)
    ways = fields.List(fields.Nested(ContradictionWaySchema), required=True)


class ProblemSchema(Schema):
    """Every error. Further members depend on the problem."""

    type = fields.Str(required=True, metadata={"description": "`/problems/<slug>`: a page that says what to do"})
    title = fields.Str(required=True)
    status = fields.Int(required=True)
    detail = fields.Str(required=True)
    instance = fields.Str(required=True)
    request_id = fields.Str(required=True)
    errors = fields.List(fields.Nested(InputErrorSchema))
    ruling = fields.Nested(RulingSchema)
    legal = fields.List(fields.Nested(LegalMove))
    next = fields.Nested(NextQuestionSchema)
    refusal = fields.Str(metadata={"description": "Of a signed move: the refusal as a signed note"})
    contradiction = fields.Nested(
        ReportContradictionSchema,
        metadata={"description": "Of a refused move at a table with real cards: what it contradicts, and what to do"},
    )
    current_version = fields.Int()
    missed = fields.List(fields.Nested(EntrySchema))
    parameter = fields.Str(metadata={"description": "The query parameter that was given more than once"})
    window = fields.Str(metadata={"description": "The window that is not open"})
    outcome = fields.Nested(
        WindowOutcomeSchema,
        allow_none=True,
        metadata={"description": "How that window was closed; null if there never was one of this name"},
    )
    came_at = fields.Str(metadata={"format": "date-time", "description": "When the late move came in"})
    bundle = fields.Str(metadata={"description": "Where an archived match can be fetched as one file"})
    new_home = fields.Str(metadata={"description": "The address at which a moved match goes on, if the host gave it"})
    limit = fields.Int()
    seconds = fields.Int()
    kind = fields.Str(metadata={"description": "Of 429: the name of the limit"})
