"""Schemas of a seat's situation, and of the result of a move."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, query_integer_field
from api.resources.boards.schemas import BoardViewSchema
from api.resources.matches.schemas import WriteResultSchema
from api.resources.moves.schemas import DEFAULT_NEAR_MISSES, MoveListingSchema


class SituationQuery(Body):
    """How much of the situation to return."""

    near = query_integer_field(
        0,
        20,
        load_default=DEFAULT_NEAR_MISSES,
        metadata={"description": "How many near misses to list, with their rulings"},
    )


class SituationSchema(Schema):
    """What a seat sees and what it may do, at one version."""

    version = Int(required=True)
    root = fields.Str(required=True, metadata={"description": "The root of the log, in hex"})
    view = fields.Nested(BoardViewSchema, required=True)
    moves = fields.Nested(MoveListingSchema, required=True)


class MoveResultSchema(WriteResultSchema):
    """The result of a move."""

    situation = fields.Nested(
        SituationSchema,
        metadata={
            "description": "The mover's situation after the move; with `Prefer: return=representation`, for seats only"
        },
    )
