"""Schemas of the census of a match: contradictions, and what to count again."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from api.http.schemas.fields import (
    ACTOR_SEAT,
    SEAT_NUMBER,
    Int,
    JsonField,
    WholeText,
    query_integer_field,
    translations_field,
)
from api.http.schemas.viewers import ViewerQuery
from api.resources.moves.schemas import CitedClause

CARD_PATTERN = WholeText(r"[a-z0-9_@!#]{1,64}")
PLACE_PATTERN = WholeText(r"[A-Za-z0-9_:/,@#!-]{1,80}")
MOST_CARDS = 1000


class CensusQuery(ViewerQuery):
    """A claim of what lies at a place: this card, or this number of cards.

    Without a claim only what was shown counts.
    """

    place = fields.Str(
        validate=PLACE_PATTERN, metadata={"description": "A place, by its name in the view", "example": "hand:0"}
    )
    card = fields.Str(
        validate=CARD_PATTERN, metadata={"description": "The card that really lies at `place`", "example": "sword"}
    )
    count = query_integer_field(0, MOST_CARDS)

    @validates_schema
    def check_single_claim(self, data: dict[str, Any], **_: Any) -> None:
        """Check that a claim names one place and one thing about it.

        Raises ValidationError.
        """
        claims = [name for name in ("card", "count") if name in data]
        if len(claims) > 1:
            raise ValidationError("Either a card or a count.", "count")
        if claims and "place" not in data:
            raise ValidationError("Say where.", "place")
        if "place" in data and not claims:
            raise ValidationError("Say which card lies there, or how many.", "place")


class CardNamingSchema(Schema):
    """An entry in which a card was named, and by whom."""

    version = Int(required=True)
    seat = JsonField(ACTOR_SEAT, required=True)
    reporter = JsonField({"anyOf": [SEAT_NUMBER, {"enum": ["host", None]}]}, required=True)
    card = fields.Str(required=True)
    place = fields.Str(required=True)
    called = translations_field()


class ContradictionSchema(Schema):
    """Something that cannot be true."""

    kind = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    version = Int(required=True, metadata={"description": "The entry that made it impossible"})
    clause = fields.Str(required=True)
    says = translations_field()
    named = fields.List(fields.Nested(CardNamingSchema), required=True)


class CountOutcomeSchema(Schema):
    """A possible result of the recount, and the entries that would be wrong then."""

    says = translations_field()
    entries = fields.List(Int(), required=True)


class RecountSchema(Schema):
    """Something to count again."""

    place = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    expected = Int(required=True, metadata={"description": "The number by the log"})
    says = translations_field()
    outcomes = fields.List(fields.Nested(CountOutcomeSchema), required=True)


class MatchCensusSchema(Schema):
    """The result of a census of a match."""

    version = Int(required=True)
    possible = fields.Bool(required=True)
    sure = fields.Bool(
        required=True,
        metadata={"description": "Whether the search was completed; if not, it found nothing impossible so far"},
    )
    first = Int(required=True, allow_none=True, metadata={"description": "The earliest entry that made it impossible"})
    contradictions = fields.List(fields.Nested(ContradictionSchema), required=True)
    recounts = fields.List(fields.Nested(RecountSchema), required=True)
    suspects = fields.List(Int(), required=True, metadata={"description": "Seats that named the cards in question"})
    clauses = fields.List(fields.Nested(CitedClause), required=True)
