"""Where a seat stands, and what a move leads to."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, query_number
from api.resources.entries.schemas import ViewSchema
from api.resources.matches.schemas import WrittenSchema
from api.resources.moves.schemas import NEAR, ListingSchema


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
