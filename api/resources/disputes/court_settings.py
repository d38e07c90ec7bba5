"""Schemas of a match's courts: how its disputes are settled."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from api.http.schemas.fields import Body, Bool, Int, enum_field, integer_field
from referee.match.events.dispute_state import DAY_MS, DEFAULT_COURTS, LEVELS

QUOTA_DESCRIPTION = "For each seat; null in older matches, without limit"


class CourtsBody(Body):
    """How disputes are settled; what is left out has its default."""

    play_on = Bool(load_default=DEFAULT_COURTS.play_on, metadata={"description": "Moves do not wait for a dispute"})
    levels = fields.List(
        enum_field(*LEVELS),
        load_default=list(DEFAULT_COURTS.levels),
        validate=validate.Length(min=1, max=len(LEVELS)),
        metadata={"description": "The courts in their order; the referee always rules first"},
    )
    answer_ms = integer_field(
        5_000,
        7 * DAY_MS,
        load_default=DEFAULT_COURTS.answer_ms,
        metadata={"description": "How long the table has to attest or vote"},
    )
    appeal_ms = integer_field(
        0,
        7 * DAY_MS,
        load_default=DEFAULT_COURTS.appeal_ms,
        metadata={"description": "How long after a ruling an appeal is possible"},
    )
    correct_ms = integer_field(
        0,
        600_000,
        load_default=DEFAULT_COURTS.correct_ms,
        metadata={"description": "How long a report may be corrected"},
    )
    claims_ms = integer_field(
        0,
        30 * DAY_MS,
        load_default=DEFAULT_COURTS.claims_ms,
        metadata={"description": "How long after the end of the match a dispute may be opened"},
    )
    witness = Bool(
        load_default=DEFAULT_COURTS.witness, metadata={"description": "Reports wait for another seat to confirm"}
    )
    arbiter_sees = enum_field(
        "public",
        "full",
        load_default=DEFAULT_COURTS.arbiter_sees,
        metadata={"description": "What an arbiter without a seat sees while a dispute is open"},
    )
    rule_ms = integer_field(
        1000,
        30 * DAY_MS,
        load_default=DEFAULT_COURTS.rule_ms,
        metadata={"description": "How long a dispute waits for the arbiter; after that, what was played stands"},
    )

    disputes_an_hour = integer_field(
        1,
        1000,
        load_default=DEFAULT_COURTS.disputes_an_hour,
        metadata={"description": "How many disputes a seat, the host or the arbiters may open within an hour"},
    )
    takebacks_an_hour = integer_field(
        1,
        1000,
        load_default=DEFAULT_COURTS.takebacks_an_hour,
        metadata={"description": "How many takebacks a seat may request within an hour"},
    )
    open_disputes = integer_field(
        1,
        100,
        load_default=DEFAULT_COURTS.open_disputes,
        metadata={"description": "How many disputes a seat, the host or the arbiters may have open at a time"},
    )
    undo_ms = integer_field(
        0,
        7 * DAY_MS,
        load_default=DEFAULT_COURTS.undo_ms,
        metadata={"description": "How long after a ruling the official who gave it can undo it; another always can"},
    )

    @validates_schema
    def check_court_order(self, data: dict[str, Any], **_kwargs: Any) -> None:
        """Check that the courts are in their order, each once, with the referee first.

        Raises ValidationError.
        """
        levels = data.get("levels", ["referee"])
        if levels[:1] != ["referee"] or levels != [level for level in LEVELS if level in levels]:
            raise ValidationError("The referee first, then table and arbiter in this order.", "levels")


class CourtsSchema(Schema):
    """How disputes are settled; times in ms."""

    play_on = Bool(required=True)
    levels = fields.List(fields.Str(), required=True)
    answer_ms = Int(required=True)
    appeal_ms = Int(required=True)
    correct_ms = Int(required=True)
    claims_ms = Int(required=True)
    witness = Bool(required=True)
    arbiter_sees = fields.Str(required=True)
    rule_ms = Int(required=True)
    disputes_an_hour = Int(required=True, allow_none=True, metadata={"description": QUOTA_DESCRIPTION})
    takebacks_an_hour = Int(required=True, allow_none=True, metadata={"description": QUOTA_DESCRIPTION})
    open_disputes = Int(required=True, allow_none=True, metadata={"description": QUOTA_DESCRIPTION})
    edition = Int(
        required=True,
        allow_none=True,
        metadata={
            "description": "2: remedies and officials need everybody's consent; 3: and nobody's word alone decides; "
            "null: the first edition"
        },
    )
    undo_ms = Int(required=True, allow_none=True, metadata={"description": "null in a match of the first edition"})
