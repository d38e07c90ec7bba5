"""Schemas of corrected and witnessed reports, and of deviations."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import (
    ANY_JSON,
    SEAT_OR_CHANCE,
    SEAT_OR_ROLE,
    AnyOfField,
    Body,
    Bool,
    Int,
    JsonField,
    enum_field,
    integer_field,
    printable_field,
)
from api.http.schemas.polymorphic import MoveUnion
from api.resources.disputes.corrections import CorrectionField, seen_corrections_field
from api.resources.disputes.schemas import (
    LONGEST_WORDS,
    MOST_CLAUSES,
    ObservationField,
    clause_id_field,
    own_seat_field,
)
from api.resources.matches.schemas import WriteResultSchema
from api.resources.moves.schemas import CitedClause, DescribedMove
from referee.arbitration.remedies.manual_corrections import MAX_CORRECTIONS

STAGES = ("asked", "recorded", "refused", "overtaken")


class CorrectionBody(Body):
    """How the report should read; without it, the report is only taken back."""

    move = fields.Nested(MoveUnion)


class WitnessBody(Body):
    """Whether a report holds; if not, what was seen, and how it should have read."""

    seat = own_seat_field()
    holds = Bool(required=True)
    saw = ObservationField(metadata={"description": "What was seen"})
    move = fields.Nested(MoveUnion, metadata={"description": "How the report should have read"})


class DeviationBody(Body):
    """A move against the rules that happened, the clauses it broke, and the reason."""

    seat = AnyOfField(
        (enum_field("chance"), integer_field(0, 19)),
        required=True,
        metadata={"description": "The seat that made the move; `chance`: what real dice or cards have shown"},
    )
    move = fields.Nested(MoveUnion, required=True)
    clauses = fields.List(clause_id_field(), validate=validate.Length(max=MOST_CLAUSES))
    reason = printable_field(LONGEST_WORDS, 1, required=True)
    fix = fields.List(
        CorrectionField(),
        validate=validate.Length(max=MAX_CORRECTIONS),
        metadata={
            "description": "The consequences, as corrections by hand; default: what the open question makes of it"
        },
    )
    house_ruling = integer_field(
        1,
        2**31 - 1,
        metadata={"description": "The entry of a house ruling that allows moves of this type; then not all are asked"},
    )


class ReportAttestationSchema(Schema):
    """The testimony of a seat about a report."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    seat = Int(required=True)
    holds = Bool(required=True)
    saw = JsonField(ANY_JSON, required=True)


class ReportAttestationsSchema(Schema):
    """The testimony about a report, in order."""

    report = Int(required=True)
    items = fields.List(fields.Nested(ReportAttestationSchema), required=True)
    asks = fields.List(Int(), required=True, metadata={"description": "The seats for one of which play waits"})


class DeviationSchema(Schema):
    """A move against the rules, proposed for the record or recorded.

    Its number is the version at which it was proposed.
    """

    deviation = Int(required=True)
    by = JsonField(SEAT_OR_ROLE, required=True)
    seat = JsonField(SEAT_OR_CHANCE, required=True)
    move = fields.Nested(
        DescribedMove,
        required=True,
        allow_none=True,
        metadata={"description": "The move as the caller may know it; null if they may not"},
    )
    clauses = fields.List(
        fields.Nested(CitedClause), required=True, metadata={"description": "The clauses that it is said to break"}
    )
    reason = fields.Str(required=True)
    stage = fields.Str(required=True, metadata={"enum": list(STAGES)})
    granted = fields.List(Int(), required=True, metadata={"description": "Seats that have agreed"})
    asks = fields.List(Int(), required=True, metadata={"description": "Seats whose answer is awaited"})
    fix = seen_corrections_field("The corrections by hand that it proposes, as far as the caller sees the cards")
    house_ruling = Int(
        required=True,
        allow_none=True,
        metadata={"description": "The entry of the house ruling that allows it; null: none"},
    )


class DeviationsSchema(Schema):
    """A page of the deviations of a match."""

    items = fields.List(fields.Nested(DeviationSchema), required=True)
    next_cursor = Int(required=True, allow_none=True)


class DeviationWriteResultSchema(WriteResultSchema):
    """The result of a write, and the deviation after it."""

    deviation = fields.Nested(DeviationSchema, required=True)
