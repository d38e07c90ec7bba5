"""Where a seat stands, and what a move leads to."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, query_integer_field
from api.resources.entries.schemas import ViewSchema
from api.resources.matches.schemas import WriteResultSchema
from api.resources.moves.schemas import DEFAULT_NEAR_MISSES, MoveListingSchema


class SituationQuery(Body):
    """How much of it."""

    near = query_integer_field(
        0, 20, load_default=DEFAULT_NEAR_MISSES, metadata={"description": "How many near misses, with the rulings"}
    )


class SituationSchema(Schema):
    """The view of a seat and what it may do, at one version."""

    version = Int(required=True)
    view = fields.Nested(ViewSchema, required=True)
    moves = fields.Nested(MoveListingSchema, required=True)


class MoveResultSchema(WriteResultSchema):
    """What a move became."""

    situation = fields.Nested(
        SituationSchema,
        metadata={"description": "Where the mover stands then; with `Prefer: return=representation`, who has a seat"},
    )
