"""Reports of real dice and cards, corrected and attested; moves against the rules that are recorded."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import Body, Bool, Data, Int, number, printable
from api.http.schemas.polymorphic import MoveUnion
from api.resources.disputes.corrections import Fix
from api.resources.disputes.schemas import LONGEST_WORDS, MOST_CLAUSES, SAYER, Saw, clause_name, own_seat
from api.resources.matches.schemas import WrittenSchema
from api.resources.moves.schemas import CitedClause, ToldMove
from referee.arbitration.remedies.manual_corrections import MOST

STAGES = ("asked", "recorded", "refused", "overtaken")


class CorrectionBody(Body):
    """How the report should read."""

    move = fields.Nested(MoveUnion, required=True)


class WitnessBody(Body):
    """Whether a report holds; if it does not, what was seen instead, and how it should have read."""

    seat = own_seat()
    holds = Bool(required=True)
    saw = Saw(metadata={"description": "What was seen"})
    move = fields.Nested(MoveUnion, metadata={"description": "How the report should have read"})


class DeviationBody(Body):
    """A move against the rules that happened, the clauses that it broke, and why it is to stand."""

    seat = number(0, 19, required=True, metadata={"description": "The seat that made the move"})
    move = fields.Nested(MoveUnion, required=True)
    clauses = fields.List(clause_name(), validate=validate.Length(max=MOST_CLAUSES))
    reason = printable(LONGEST_WORDS, 1, required=True)
    fix = fields.List(
        Fix(),
        validate=validate.Length(max=MOST),
        metadata={"description": "What came of it, put right by hand; left out: what the open question makes of it"},
    )


class SaidSchema(Schema):
    """What a seat said of a report."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    seat = Int(required=True)
    holds = Bool(required=True)
    saw = Data({}, required=True)


class SaidOfSchema(Schema):
    """What was said of a report, in order."""

    report = Int(required=True)
    items = fields.List(fields.Nested(SaidSchema), required=True)
    asks = fields.List(Int(), required=True, metadata={"description": "Play waits for one of these seats"})


class DeviationSchema(Schema):
    """A move against the rules that was to count, or does. Named after the version it was brought at."""

    deviation = Int(required=True)
    by = Data(SAYER, required=True)
    seat = Int(required=True)
    move = fields.Nested(
        ToldMove,
        required=True,
        allow_none=True,
        metadata={"description": "As everybody may know it; null where nobody else may"},
    )
    clauses = fields.List(
        fields.Nested(CitedClause), required=True, metadata={"description": "Those that it broke, as it is said"}
    )
    reason = fields.Str(required=True)
    stage = fields.Str(required=True, metadata={"enum": list(STAGES)})
    granted = fields.List(Int(), required=True, metadata={"description": "Seats that agree"})
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose answer is awaited"})


class DeviationsSchema(Schema):
    """All deviations of a match."""

    items = fields.List(fields.Nested(DeviationSchema), required=True)


class DeviationWrittenSchema(WrittenSchema):
    """What a write became, and the deviation after it."""

    deviation = fields.Nested(DeviationSchema, required=True)
