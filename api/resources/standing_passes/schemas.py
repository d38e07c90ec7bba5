"""Standing passes as they come in and go out."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from api.http.schemas.fields import Body, Int, enum_field, text_field
from api.resources.matches.schemas import receipt_field
from referee.match.table.auto_pass import UNTIL_MATCH_END, UNTIL_TURN_END

MOST_KINDS = 16


def validate_unique(kinds: list[str]) -> bool:
    """Whether no kind is named twice."""
    if len(set(kinds)) < len(kinds):
        raise ValidationError("Each kind once.")
    return True


class StandingPassesBody(Body):
    """What to let pass, and until when."""

    kinds = fields.List(
        text_field(shortest=1),
        required=True,
        validate=[validate.Length(min=1, max=MOST_KINDS), validate_unique],
        metadata={"uniqueItems": True, "description": "Kinds of window: some of the game's `windows`"},
    )
    until = enum_field(
        UNTIL_TURN_END,
        UNTIL_MATCH_END,
        required=True,
        metadata={"description": "To the end of this turn, or of the match"},
    )


class StandingPassesSchema(Schema):
    """What a seat lets pass. Only the seat itself is shown it."""

    kinds = fields.List(fields.Str(), required=True, metadata={"description": "None: each window is answered by hand"})
    until = fields.Str(required=True, allow_none=True, metadata={"enum": [UNTIL_TURN_END, UNTIL_MATCH_END, None]})
    turn = Int(required=True, allow_none=True, metadata={"description": "The turn with which it ends, if it does"})
    windows = fields.List(fields.Str(), required=True, metadata={"description": "The kinds that this game knows"})


class StandingPassesResultSchema(StandingPassesSchema):
    """What a seat lets pass now, and the receipt of the pass that was made by it at once, if a window was open."""

    receipt = receipt_field(allow_none=True)
