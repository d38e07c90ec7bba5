"""What a problem document looks like (RFC 9457)."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.resources.entries.schemas import EntrySchema
from api.resources.moves.schemas import DescribedMove, RulingSchema


class ErrorSchema(Schema):
    """One thing that is wrong, and where."""

    pointer = fields.Str(required=True, metadata={"description": "RFC 6901, into the body or the query"})
    detail = fields.Str(required=True)
    clause = fields.Str()
    line = fields.Int(metadata={"description": "Of a card book; 0: of the whole of it"})
    suggestion = fields.Str(metadata={"description": "What was probably meant"})
    where = fields.Str(data_key="in", metadata={"description": "`query` if it is not in the body"})


class ProblemSchema(Schema):
    """Every error. Further members come as the problem needs them."""

    type = fields.Str(required=True, metadata={"description": "`/problems/<slug>`: a page that says what helps"})
    title = fields.Str(required=True)
    status = fields.Int(required=True)
    detail = fields.Str(required=True)
    instance = fields.Str(required=True)
    request_id = fields.Str(required=True)
    errors = fields.List(fields.Nested(ErrorSchema))
    ruling = fields.Nested(RulingSchema)
    legal = fields.List(fields.Nested(DescribedMove))
    current_version = fields.Int()
    missed = fields.List(fields.Nested(EntrySchema))
    parameter = fields.Str(metadata={"description": "The parameter of the query that is given more than once"})
    window = fields.Str(metadata={"description": "The window that is not open"})
    bundle = fields.Str(metadata={"description": "Where an archived match can be had as one file"})
    new_home = fields.Str(metadata={"description": "Where a match goes on that has moved, if the host told it"})
    limit = fields.Int()
    seconds = fields.Int()
