"""Schemas of rematches."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, printable_field
from api.resources.matches.schemas import receipt_field
from api.resources.officials.schemas import OfficialSchema
from api.resources.reveals.schemas import HASH_PATTERN, hex_field


class RematchSchema(Schema):
    """A new match, and the seats that are kept in it."""

    match = fields.Str(required=True)
    version = Int(required=True)
    role = fields.Str(required=True, metadata={"description": "The caller's in the new match: `host` or `seat`"})
    seats = fields.List(Int(), required=True, metadata={"description": "Kept for the caller"})
    kept = fields.List(Int(), required=True, metadata={"description": "Kept for anybody, and not taken yet"})
    receipt = receipt_field()


class SitDownBody(Body):
    """The name of the player at a seat that is kept; left out: as in the old match."""

    name = printable_field(40, 1, metadata={"description": "Kept outside the log, so it can be deleted"})
    seed_commitment = hex_field(HASH_PATTERN, "The commitment to what the seat adds to the draws")


class SeatedSchema(Schema):
    """The caller's seats after sitting down, and the officials at the table."""

    match = fields.Str(required=True)
    seats = fields.List(Int(), required=True)
    version = Int(required=True)
    officials = fields.List(fields.Nested(OfficialSchema), required=True)
    receipt = receipt_field()
