"""The courts of a match: how its quarrels are settled."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from api.http.schemas.fields import Body, Bool, Int, number, word
from referee.match.events.dispute_state import AS_USUAL, DAY_MS, LEVELS

BOUND = "For each seat; null in a match that was opened before there were such limits"


class CourtsBody(Body):
    """How quarrels are settled; what is left out is as usual."""

    play_on = Bool(load_default=AS_USUAL.play_on, metadata={"description": "Moves do not wait for a dispute"})
    levels = fields.List(
        word(*LEVELS),
        load_default=list(AS_USUAL.levels),
        validate=validate.Length(min=1, max=len(LEVELS)),
        metadata={"description": "The courts in their order; the referee always speaks first"},
    )
    answer_ms = number(
        5_000,
        7 * DAY_MS,
        load_default=AS_USUAL.answer_ms,
        metadata={"description": "How long the table has to attest or to vote"},
    )
    appeal_ms = number(
        0, 7 * DAY_MS, load_default=AS_USUAL.appeal_ms, metadata={"description": "How long there is an appeal"}
    )
    correct_ms = number(
        0, 600_000, load_default=AS_USUAL.correct_ms, metadata={"description": "How long a report may be corrected"}
    )
    claims_ms = number(
        0,
        30 * DAY_MS,
        load_default=AS_USUAL.claims_ms,
        metadata={"description": "How long after the end a dispute may be opened"},
    )
    witness = Bool(load_default=AS_USUAL.witness, metadata={"description": "Reports wait for another seat to confirm"})
    arbiter_sees = word(
        "public",
        "full",
        load_default=AS_USUAL.arbiter_sees,
        metadata={"description": "What an arbiter without a seat sees while a dispute is open"},
    )
    rule_ms = number(
        1000,
        30 * DAY_MS,
        load_default=AS_USUAL.rule_ms,
        metadata={"description": "How long a dispute waits for the arbiter; then what is in the log stands"},
    )

    disputes_an_hour = number(
        1,
        1000,
        load_default=AS_USUAL.disputes_an_hour,
        metadata={"description": "How many disputes a seat, the host or the arbiters may open within an hour"},
    )
    takebacks_an_hour = number(
        1,
        1000,
        load_default=AS_USUAL.takebacks_an_hour,
        metadata={"description": "How often a seat may ask to go back within an hour"},
    )
    open_disputes = number(
        1,
        100,
        load_default=AS_USUAL.open_disputes,
        metadata={"description": "How many disputes a seat, the host or the arbiters may have open at a time"},
    )

    @validates_schema
    def ordered(self, data: dict[str, Any], **_kwargs: Any) -> None:
        """The courts are in their order, each once, the referee first. Raises ValidationError."""
        levels = data.get("levels", ["referee"])
        if levels[:1] != ["referee"] or levels != [level for level in LEVELS if level in levels]:
            raise ValidationError("The referee first, then table and arbiter in this order.", "levels")


class CourtsSchema(Schema):
    """How quarrels are settled; times in ms."""

    play_on = Bool(required=True)
    levels = fields.List(fields.Str(), required=True)
    answer_ms = Int(required=True)
    appeal_ms = Int(required=True)
    correct_ms = Int(required=True)
    claims_ms = Int(required=True)
    witness = Bool(required=True)
    arbiter_sees = fields.Str(required=True)
    rule_ms = Int(required=True)
    disputes_an_hour = Int(required=True, allow_none=True, metadata={"description": BOUND})
    takebacks_an_hour = Int(required=True, allow_none=True, metadata={"description": BOUND})
    open_disputes = Int(required=True, allow_none=True, metadata={"description": BOUND})
