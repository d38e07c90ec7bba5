"""Schemas of hints."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Int, Words, translations_field
from api.resources.matches.schemas import receipt_field
from api.resources.moves.schemas import LegalMove

SHARE = {"description": "A share of the match, 0 to 1"}


class HintOptionSchema(Schema):
    """One of the best moves; those after the first are compared with it."""

    legal = fields.Nested(
        LegalMove, required=True, allow_none=True, metadata={"description": "null: to make no move, as nobody waits"}
    )
    estimate = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The chance to win, 0 to 1; null: it was not played out"},
    )
    behind = fields.Float(
        required=True, allow_none=True, metadata={"description": "By how much it is worse than the first"}
    )
    error = fields.Float(required=True, allow_none=True, metadata={"description": "The standard error of `behind`"})
    playouts = Int(required=True)
    says = translations_field()
    facts = fields.List(fields.Nested(Words), required=True, metadata={"description": "What sets it apart"})


class HintSchema(Schema):
    """A hint: up to three moves, the advised one first."""

    version = Int(required=True)
    about = Int(required=True, metadata={"description": "The version that the hint is about"})
    options = fields.List(fields.Nested(HintOptionSchema), required=True)
    receipt = receipt_field(allow_none=True)
