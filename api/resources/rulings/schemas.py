"""Schemas of the answer to a ruling on a written position."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import (
    ACTOR_SEAT,
    ANY_JSON,
    JSON_OBJECT,
    OPTIONAL_OBJECT,
    OPTIONAL_WORDS,
    SCALAR,
    SEAT_OR_CHANCE,
    SOME_EVENT,
    Int,
    JsonField,
    translations_field,
)
from api.resources.explanations.schemas import TermSchema
from api.resources.moves.schemas import (
    CitedClause,
    LegalMove,
    MoveGroupSchema,
    NextQuestionSchema,
    PickerSchema,
    QuestionSchema,
    RulingSchema,
)
from api.resources.rulings.house_rulings import HouseRulingUsedSchema


class SeatMovesSchema(Schema):
    """What a seat could think of, legal or not."""

    seat = JsonField(SEAT_OR_CHANCE, required=True)
    listed = fields.List(fields.Nested(LegalMove), required=True, metadata={"description": "Legal or not"})
    pickers = fields.List(fields.Nested(PickerSchema), required=True)
    groups = fields.List(fields.Nested(MoveGroupSchema), required=True)


class PositionMovesSchema(Schema):
    """The moves that people may ask about in a position."""

    seats = Int(required=True, metadata={"description": "How many players there are"})
    question = fields.Nested(
        QuestionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The open question; null: the position does not say, or nothing is open"},
    )
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    moves = fields.List(fields.Nested(SeatMovesSchema), required=True)


class OpenedQuestionSchema(Schema):
    """A question out of a file, to go on with."""

    question = JsonField(
        {
            **JSON_OBJECT,
            "description": "Its members under the names of the program, as `POST …/rulings` takes them, `game` among "
            "them; what could not be read is left as it is written",
        },
        required=True,
    )


class RulingRequestSchema(Schema):
    """The request, repeated so that the answer can be read by itself."""

    game = fields.Str(required=True)
    title = translations_field()
    variant = fields.Str(required=True)
    position = JsonField(JSON_OBJECT, required=True)
    question = fields.Nested(QuestionSchema, allow_none=True, required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    seat = JsonField(SEAT_OR_CHANCE, required=True)
    move = JsonField({"$ref": "#/components/schemas/Move"}, required=True)
    told = JsonField(OPTIONAL_WORDS, required=True)
    names = fields.List(fields.Str(), required=True, metadata={"description": "What the players are called, by seat"})


class ReadingChoiceSchema(Schema):
    """The setting, or the number, that chooses between readings."""

    name = fields.Str(
        required=True, allow_none=True, metadata={"description": "The setting; null: `readings` chooses by number"}
    )
    value = JsonField(SCALAR, required=True)
    usual = JsonField(SCALAR, required=True)
    chosen = fields.Bool(required=True, metadata={"description": "Whether the request chose it"})


class OtherReadingSchema(Schema):
    """Another reading, and the ruling that it gives on the same move."""

    reading = Int(required=True, metadata={"description": "Its number"})
    says = JsonField(
        OPTIONAL_WORDS, required=True, metadata={"description": "null: the clause describes all its readings"}
    )
    value = JsonField(SCALAR, required=True)
    verdict = fields.Str(
        required=True, allow_none=True, metadata={"description": "null: with this reading the position is impossible"}
    )
    reason = JsonField(OPTIONAL_WORDS, required=True)
    follows = fields.List(JsonField({"$ref": "#/components/schemas/Words"}), required=True)
    differs = fields.Bool(required=True)


class RestsOnSchema(Schema):
    """Something that the rulebook leaves open: the reading taken, why, and the others."""

    clause = fields.Nested(CitedClause, required=True)
    open = JsonField(OPTIONAL_WORDS, required=True)
    why = JsonField(OPTIONAL_WORDS, required=True)
    by = fields.List(fields.Str(), required=True, metadata={"description": "The cited clauses that point to it"})
    hangs = fields.Bool(required=True, metadata={"description": "Whether another reading gives another answer"})
    setting = fields.Nested(
        ReadingChoiceSchema,
        required=True,
        allow_none=True,
        metadata={"description": "null: no other reading is implemented"},
    )
    others = fields.List(fields.Nested(OtherReadingSchema), required=True)


class StatementCheckSchema(Schema):
    """A statement, compared with what the rules give."""

    what = fields.Str(required=True, metadata={"description": "A place in the position, or `legal`"})
    says = JsonField(ANY_JSON, required=True)
    is_ = JsonField(ANY_JSON, required=True, data_key="is")
    right = fields.Bool(required=True, allow_none=True)
    told = translations_field()


class ComparisonSchema(Schema):
    """The statements of one party, compared; null where the position leaves it open."""

    right = fields.Bool(required=True, allow_none=True)
    told = JsonField(OPTIONAL_WORDS, required=True)
    checked = fields.List(fields.Nested(StatementCheckSchema), required=True)
    clause = fields.Nested(CitedClause, required=True, allow_none=True)
    bears = fields.Bool(
        required=True,
        allow_none=True,
        metadata={"description": "Whether the move breaks it, or what follows rests on it"},
    )
    bears_told = JsonField(OPTIONAL_WORDS, required=True)


class PartySchema(ComparisonSchema):
    """A party, and whether it is right."""

    seat = Int(required=True)
    says = fields.Str(required=True)


class QuarrelSchema(ComparisonSchema):
    """Whether the claim is right, and which parties are."""

    claim = fields.Str(required=True, allow_none=True)
    parties = fields.List(fields.Nested(PartySchema), required=True)


class JudgedFactSchema(Schema):
    """A fact that the position leaves out, with the value by which it was judged."""

    pointer = fields.Str(required=True)
    value = JsonField(ANY_JSON, required=True)
    told = translations_field()


class FactAnswerSchema(Schema):
    """A value of a fact, and the verdict that it gives."""

    value = JsonField(ANY_JSON, required=True)
    says = translations_field()
    verdict = fields.Str(required=True)


class OpenFactSchema(Schema):
    """A fact that nobody knows, and what each value would mean."""

    pointer = fields.Str(required=True)
    asks = translations_field()
    answers = fields.List(fields.Nested(FactAnswerSchema), required=True)


class PositionRulingSchema(RulingSchema):
    """A ruling on a position, with what would follow and the readings it rests on.

    What would follow ends where the position no longer fixes it. The ruling also says who is right in a disagreement.
    """

    events = fields.List(JsonField(SOME_EVENT), required=True)
    after = JsonField(OPTIONAL_OBJECT, required=True)
    next = fields.Nested(
        NextQuestionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who is asked next; null: the position does not fix it"},
    )
    asked = fields.Nested(RulingRequestSchema, required=True)
    aloud = translations_field()
    rests_on = fields.List(fields.Nested(RestsOnSchema), required=True)
    house_rulings = fields.List(
        fields.Nested(HouseRulingUsedSchema),
        required=True,
        metadata={"description": "The house rulings of the request on which the ruling rests"},
    )
    sums = fields.List(
        fields.Nested(TermSchema),
        required=True,
        metadata={"description": "The sums on the table before the move, each with its parts"},
    )
    assumed = fields.List(
        fields.Nested(JudgedFactSchema),
        required=True,
        metadata={"description": "What is assumed of members left out, where another value changes the answer"},
    )
    as_if = fields.List(
        fields.Nested(JudgedFactSchema),
        required=True,
        metadata={"description": "Facts left out that do not matter, each with the value as if which it was judged"},
    )
    open_facts = fields.List(
        fields.Nested(OpenFactSchema),
        required=True,
        metadata={"description": "Facts that nobody knows, each with the verdict that its values give"},
    )
    quarrel = fields.Nested(QuarrelSchema, required=True, allow_none=True)
