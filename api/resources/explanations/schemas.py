"""Schemas that explain an entry, or the state of play."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import ACTOR_SEAT, SOME_EVENT, Int, JsonField, translations_field
from api.resources.entries.schemas import ActorSchema
from api.resources.moves.schemas import CitedClause, LegalMove, PickerSchema, QuestionSchema

EVENT_REFERENCE = {"description": "Event `k` of entry `n` as `n.k`"}


class OpenQuestionSchema(QuestionSchema):
    """The question that was open before the entry or at that moment, and its seats."""

    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    admits = fields.List(
        Int(), required=True, metadata={"description": "Other seats that may move although nobody waits for them"}
    )
    clauses = fields.List(fields.Str(), required=True)


class ExplainedEventSchema(Schema):
    """An event of the entry, in words."""

    n = fields.Str(required=True, metadata=EVENT_REFERENCE)
    type = fields.Str(required=True)
    told = translations_field()
    clauses = fields.List(fields.Str(), required=True)


class UsedClauseSchema(CitedClause):
    """A clause, and what it was used for in the entry."""

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
        fields.Nested(lambda: TermSchema()),  # noqa: PLW0108  # the class is not defined yet
        required=True,
        metadata={"description": "The parts that add up to `value`"},
    )


class EventTermSchema(TermSchema):
    """A number of an event."""

    n = fields.Str(required=True, metadata=EVENT_REFERENCE)


class PossibleMoveKindSchema(Schema):
    """A kind of move; `…` stands for what its moves name."""

    type = fields.Str(required=True)
    told = translations_field()


class SeatOptionsSchema(Schema):
    """The kinds of move that a seat could make."""

    seat = Int(required=True)
    kinds = fields.List(
        fields.Nested(PossibleMoveKindSchema),
        required=True,
        metadata={"description": "The legal kinds of the viewer's own seat; for others, those possible with any hand"},
    )


class MomentSchema(Schema):
    """The state of play, as the viewer may know it."""

    version = Int(required=True)
    question = fields.Nested(
        OpenQuestionSchema, required=True, allow_none=True, metadata={"description": "null if nothing is asked"}
    )
    sums = fields.List(
        fields.Nested(TermSchema),
        required=True,
        metadata={"description": "The sums on the table line by line, such as both sides of a fight"},
    )
    could = fields.List(
        fields.Nested(SeatOptionsSchema),
        required=True,
        metadata={"description": "The seats that may move now"},
    )


class AlternativesSchema(Schema):
    """What else the seat might have done."""

    legal = fields.List(
        fields.Nested(LegalMove),
        required=True,
        allow_none=True,
        metadata={"description": "Its other legal moves; null for a viewer who may not see them"},
    )
    cut = fields.Bool(required=True, metadata={"description": "Whether more were legal than are listed; see `pickers`"})
    pickers = fields.List(fields.Nested(PickerSchema), required=True)
    kinds = fields.List(
        fields.Nested(PossibleMoveKindSchema),
        required=True,
        metadata={"description": "The kinds of move that the question takes, as far as the viewer could know"},
    )


class MadeMoveSchema(Schema):
    """A move or a table command, as data and in words."""

    move = JsonField(SOME_EVENT, required=True)
    told = translations_field()


class ExplanationSchema(Schema):
    """Why an entry is as it is, as the viewer may know it."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    seat = JsonField(ACTOR_SEAT, required=True)
    actor = fields.Nested(ActorSchema, required=True)
    question = fields.Nested(
        OpenQuestionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The question it answers; null if none"},
    )
    move = fields.Nested(MadeMoveSchema, required=True, allow_none=True)
    events = fields.List(fields.Nested(ExplainedEventSchema), required=True)
    clauses = fields.List(
        fields.Nested(UsedClauseSchema),
        required=True,
        metadata={"description": "The clauses, in the order of their use"},
    )
    numbers = fields.List(fields.Nested(EventTermSchema), required=True)
    otherwise = fields.Nested(AlternativesSchema, required=True, allow_none=True)
    sentence = translations_field()
