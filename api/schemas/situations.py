"""Where a seat stands, and what a move leads to."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.schemas.fields import Body, Int, query_number
from api.schemas.log import ViewSchema
from api.schemas.matches import WrittenSchema
from api.schemas.moves import NEAR, ListingSchema


class SituationQuery(Body):
    """How much of it."""

    near = query_number(0, 20, load_default=NEAR, metadata={"description": "How many near misses, with the rulings"})


class SituationSchema(Schema):
    """The view of a seat and what it may do, at one version."""

    version = Int(required=True)
    view = fields.Nested(ViewSchema, required=True)
    moves = fields.Nested(ListingSchema, required=True)


class MovedSchema(WrittenSchema):
    """What a move became."""

    situation = fields.Nested(
        SituationSchema,
        metadata={"description": "Where the mover stands then; with `Prefer: return=representation`, who has a seat"},
    )
