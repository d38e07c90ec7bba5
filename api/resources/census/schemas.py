"""The census of a match: what cannot be, since when, and what to count again."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from api.http.schemas.fields import Body, Int, JsonField, query_integer_field, translations_field
from api.resources.entries.schemas import ACTOR_SEAT
from api.resources.moves.schemas import CitedClause

CARD_PATTERN = validate.Regexp(r"^[a-z0-9_@!#]{1,64}\Z")
PLACE_PATTERN = validate.Regexp(r"^[A-Za-z0-9_:/,@#!-]{1,80}\Z")
MOST_CARDS = 1000


class CensusQuery(Body):
    """What somebody says truly lies at a place: this card, or so many cards. Nothing: only what was shown counts."""

    place = fields.Str(
        validate=PLACE_PATTERN, metadata={"description": "A place as the view names it", "example": "hand:0"}
    )
    card = fields.Str(
        validate=CARD_PATTERN, metadata={"description": "The card that truly lies at `place`", "example": "sword"}
    )
    count = query_integer_field(0, MOST_CARDS)

    @validates_schema
    def check_single_claim(self, data: dict[str, Any], **_: Any) -> None:
        """A claim is about one place, and says one thing of it."""
        said = [name for name in ("card", "count") if name in data]
        if len(said) > 1:
            raise ValidationError("Either a card or a count.", "count")
        if said and "place" not in data:
            raise ValidationError("Say where.", "place")
        if "place" in data and not said:
            raise ValidationError("Say which card lies there, or how many.", "place")


class CardNamingSchema(Schema):
    """An entry in which a card was named, and by whom."""

    version = Int(required=True)
    seat = JsonField(ACTOR_SEAT, required=True)
    reporter = JsonField({"type": ["integer", "string", "null"]}, required=True)
    card = fields.Str(required=True)
    place = fields.Str(required=True)
    called = translations_field()


class ContradictionSchema(Schema):
    """One thing that cannot be."""

    kind = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    version = Int(required=True, metadata={"description": "The entry that made it so"})
    clause = fields.Str(required=True)
    says = translations_field()
    named = fields.List(fields.Nested(CardNamingSchema), required=True)


class CountOutcomeSchema(Schema):
    """What an outcome of the recount would mean, and the entries that are wrong then."""

    says = translations_field()
    entries = fields.List(Int(), required=True)


class RecountSchema(Schema):
    """Something to count again."""

    place = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    expected = Int(required=True, metadata={"description": "How many it is by the log"})
    says = translations_field()
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
