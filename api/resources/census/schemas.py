"""The census of a match: what cannot be, since when, and what to count again."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from api.http.schemas.fields import Body, Data, Int, query_number, words
from api.resources.entries.schemas import SOMEBODY
from api.resources.moves.schemas import CitedClause

NAME = validate.Regexp(r"^[a-z0-9_@!#]{1,64}\Z")
PLACE = validate.Regexp(r"^[A-Za-z0-9_:/,@#!-]{1,80}\Z")
MOST_CARDS = 1000


class CensusQuery(Body):
    """What somebody says truly lies at a place: this card, or so many cards. Nothing: only what was shown counts."""

    place = fields.Str(validate=PLACE, metadata={"description": "A place as the view names it", "example": "hand:0"})
    card = fields.Str(
        validate=NAME, metadata={"description": "The card that truly lies at `place`", "example": "sword"}
    )
    count = query_number(0, MOST_CARDS)

    @validates_schema
    def claims_one_thing(self, data: dict[str, Any], **_: Any) -> None:
        """A claim is about one place, and says one thing of it."""
        said = [name for name in ("card", "count") if name in data]
        if len(said) > 1:
            raise ValidationError("Either a card or a count.", "count")
        if said and "place" not in data:
            raise ValidationError("Say where.", "place")
        if "place" in data and not said:
            raise ValidationError("Say which card lies there, or how many.", "place")


class NamedSchema(Schema):
    """An entry in which a card was named, and by whom."""

    version = Int(required=True)
    seat = Data(SOMEBODY, required=True)
    reporter = Data({"type": ["integer", "string", "null"]}, required=True)
    card = fields.Str(required=True)
    place = fields.Str(required=True)
    called = words()


class ContradictionSchema(Schema):
    """One thing that cannot be."""

    kind = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    version = Int(required=True, metadata={"description": "The entry that made it so"})
    clause = fields.Str(required=True)
    says = words()
    named = fields.List(fields.Nested(NamedSchema), required=True)


class CountOutcomeSchema(Schema):
    """What an outcome of the recount would mean, and the entries that are wrong then."""

    says = words()
    entries = fields.List(Int(), required=True)


class RecountSchema(Schema):
    """Something to count again."""

    place = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    expected = Int(required=True, metadata={"description": "How many it is by the log"})
    says = words()
    outcomes = fields.List(fields.Nested(CountOutcomeSchema), required=True)


class MatchCensusSchema(Schema):
    """What a census of a match finds."""

    version = Int(required=True)
    possible = fields.Bool(required=True)
    sure = fields.Bool(
        required=True,
        metadata={"description": "Whether the search came to an end; if not, nothing impossible was found"},
    )
    first = Int(required=True, allow_none=True, metadata={"description": "The earliest entry that made it impossible"})
    contradictions = fields.List(fields.Nested(ContradictionSchema), required=True)
    recounts = fields.List(fields.Nested(RecountSchema), required=True)
    suspects = fields.List(Int(), required=True, metadata={"description": "Seats that named the cards in question"})
    clauses = fields.List(fields.Nested(CitedClause), required=True)
