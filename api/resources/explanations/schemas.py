"""Why an entry of the log is as it is, and how things stand."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Int, JsonField, translations_field
from api.resources.entries.schemas import ACTOR_SEAT, ActorSchema
from api.resources.moves.schemas import CitedClause, DescribedMove, QuestionSchema

EVENT_REFERENCE = {"description": "Event `k` of entry `n` as `n.k`"}


class OpenQuestionSchema(QuestionSchema):
    """What was asked before the entry, or at that moment, and whom."""

    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    admits = fields.List(Int(), required=True, metadata={"description": "Seats that might have moved besides"})
    clauses = fields.List(fields.Str(), required=True)


class ExplainedEventSchema(Schema):
    """A fact of the entry, in words."""

    n = fields.Str(required=True, metadata=EVENT_REFERENCE)
    type = fields.Str(required=True)
    told = translations_field()
    clauses = fields.List(fields.Str(), required=True)


class UsedClauseSchema(CitedClause):
    """A clause, and what of the entry it was used for."""

    used_for = fields.List(
        fields.Str(), required=True, metadata={"description": "`move`, `question`, `sentence`, or an event as `n.k`"}
    )


class TermSchema(Schema):
    """A number, and where it comes from."""

    value = Int(required=True)
    says = translations_field()
    clause = fields.Str(required=True)
    card = fields.Str(required=True, allow_none=True)
    parts = fields.List(
        fields.Nested(lambda: TermSchema()),  # noqa: PLW0108  # the class is not there yet
        required=True,
        metadata={"description": "They add up to `value`"},
    )


class EventTermSchema(TermSchema):
    """A number of a fact."""

    n = fields.Str(required=True, metadata=EVENT_REFERENCE)


class PossibleMoveKindSchema(Schema):
    """A kind of move; `…` stands for what moves of this kind name."""

    type = fields.Str(required=True)
    told = translations_field()


class SeatOptionsSchema(Schema):
    """What a seat could do."""

    seat = Int(required=True)
    kinds = fields.List(
        fields.Nested(PossibleMoveKindSchema),
        required=True,
        metadata={"description": "Of the own seat those that are legal, of others those that may be for these eyes"},
    )


class MomentSchema(Schema):
    """How things stand, as far as these eyes may know."""

    version = Int(required=True)
    question = fields.Nested(
        OpenQuestionSchema, required=True, allow_none=True, metadata={"description": "null if nothing is asked"}
    )
    sums = fields.List(
        fields.Nested(TermSchema), required=True, metadata={"description": "As both sides of a fight, line by line"}
    )
    could = fields.List(
        fields.Nested(SeatOptionsSchema),
        required=True,
        metadata={"description": "Each seat whose move would be looked at"},
    )


class AlternativesSchema(Schema):
    """What else the seat might have done."""

    legal = fields.List(
        fields.Nested(DescribedMove),
        required=True,
        allow_none=True,
        metadata={"description": "Its other legal moves; null for eyes that may not see them"},
    )
    cut = fields.Bool(required=True, metadata={"description": "More were legal than are listed; `patterns` tell"})
    patterns = fields.List(JsonField({"type": "object"}), required=True)
    kinds = fields.List(
        fields.Nested(PossibleMoveKindSchema),
        required=True,
        metadata={"description": "The kinds of move that the question takes, as far as these eyes could tell"},
    )


class MadeMoveSchema(Schema):
    """What was done, a move or the table's business, and in words."""

    move = JsonField({"type": "object"}, required=True)
    told = translations_field()


class ExplanationSchema(Schema):
    """Why an entry is as it is, as far as these eyes may know."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    seat = JsonField(ACTOR_SEAT, required=True)
    actor = fields.Nested(ActorSchema, required=True)
    question = fields.Nested(
        OpenQuestionSchema, required=True, allow_none=True, metadata={"description": "null if it answers none"}
    )
    move = fields.Nested(MadeMoveSchema, required=True, allow_none=True)
    events = fields.List(fields.Nested(ExplainedEventSchema), required=True)
    clauses = fields.List(
        fields.Nested(UsedClauseSchema), required=True, metadata={"description": "In the order of their use"}
    )
    numbers = fields.List(fields.Nested(EventTermSchema), required=True)
    otherwise = fields.Nested(AlternativesSchema, required=True, allow_none=True)
    sentence = translations_field()
