"""Schemas of standing passes."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from api.http.schemas.fields import Body, Int, enum_field, text_field
from api.resources.matches.schemas import receipt_field
from referee.match.table.auto_pass import UNTIL_MATCH_END, UNTIL_TURN_END

MOST_KINDS = 16


def validate_unique(kinds: list[str]) -> bool:
    """Check that no kind is named twice. Raises ValidationError."""
    if len(set(kinds)) < len(kinds):
        raise ValidationError("Each kind once.")
    return True


class StandingPassesBody(Body):
    """Which kinds of window to pass, and until when."""

    kinds = fields.List(
        text_field(shortest=1),
        required=True,
        validate=[validate.Length(min=1, max=MOST_KINDS), validate_unique],
        metadata={"uniqueItems": True, "description": "Kinds of window, from the game's `windows`"},
    )
    unless_mine = fields.List(
        text_field(shortest=1),
        validate=[validate.Length(max=MOST_KINDS), validate_unique],
        metadata={
            "uniqueItems": True,
            "description": "Those of the kinds that are asked all the same if they concern the seat itself: its own "
            "roll, or one that is aimed at it",
        },
    )
    until = enum_field(
        UNTIL_TURN_END,
        UNTIL_MATCH_END,
        required=True,
        metadata={"description": "Until the end of this turn, or of the match"},
    )


class StandingPassesSchema(Schema):
    """The standing passes of a seat; only the seat itself sees them."""

    kinds = fields.List(fields.Str(), required=True, metadata={"description": "Empty: each window is answered by hand"})
    unless_mine = fields.List(
        fields.Str(), required=True, metadata={"description": "Asked all the same if they concern the seat itself"}
    )
    until = fields.Str(required=True, allow_none=True, metadata={"enum": [UNTIL_TURN_END, UNTIL_MATCH_END, None]})
    turn = Int(required=True, allow_none=True, metadata={"description": "The turn at whose end it stops, if any"})
    windows = fields.List(fields.Str(), required=True, metadata={"description": "The kinds of window in this game"})


class StandingPassesResultSchema(StandingPassesSchema):
    """The standing passes of a seat, and the receipt of a pass made at once.

    It is null if no window was open.
    """

    receipt = receipt_field(allow_none=True)
