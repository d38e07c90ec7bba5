"""Schemas of reaction windows."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import (
    ACTOR_SEAT,
    NUMBERED_EVENT,
    SOME_MOVE,
    WINDOW_PATTERN,
    Body,
    Bool,
    Int,
    JsonField,
    integer_field,
    query_integer_field,
    window_name_field,
)
from api.resources.entries.schemas import ActorSchema, DeadlineSchema, ViewQuery
from api.resources.moves.schemas import CitedClause, DescribedMove, QuestionSchema
from referee.match.windows import ANSWERED, CLOCK, SUPERSEDED


class WindowQuery(ViewQuery):
    """The version at which to show the window."""


class WindowsQuery(ViewQuery):
    """Which windows to list."""

    open = fields.Bool(metadata={"description": "Only windows that are not closed yet"})
    after = window_name_field(metadata={"description": "The cursor: only windows opened after this one"})
    limit = query_integer_field(1, 200, load_default=50)


class ObjectionBody(Body):
    """Which seat has not passed."""

    seat = integer_field(0, 19, metadata={"description": "Which of your seats, if the token holds several"})


class TriggerSchema(Schema):
    """The entry that led to the question, as the viewer sees it."""

    version = Int(required=True)
    seat = JsonField(ACTOR_SEAT, required=True)
    move = JsonField(SOME_MOVE, required=True)
    events = fields.List(JsonField(NUMBERED_EVENT), required=True)


class WindowAnswerSchema(Schema):
    """An answer, as the viewer sees it."""

    version = Int(required=True)
    seat = Int(required=True)
    actor = fields.Nested(ActorSchema, required=True)
    move = JsonField(SOME_MOVE, required=True)


class WindowAnswersSchema(Schema):
    """The answers so far.

    While they are sealed, the viewer sees only their number and the viewer's own.
    """

    count = Int(required=True)
    seen = fields.List(fields.Nested(WindowAnswerSchema), required=True)


class WindowOutcomeSchema(Schema):
    """How a window closed: by an answer, by the clock, or by something else."""

    how = fields.Str(required=True, metadata={"enum": [ANSWERED, CLOCK, SUPERSEDED]})
    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})


class WindowSchema(Schema):
    """A window, named after the event that opened it."""

    id = fields.Str(required=True, metadata={"pattern": f"^{WINDOW_PATTERN}$"})
    kind = fields.Str(required=True)
    status = fields.Str(
        required=True,
        metadata={
            "enum": ["waiting", "open", "closed"],
            "description": "`waiting`: something else comes first, such as dice to roll",
        },
    )
    trigger = fields.Nested(TriggerSchema, required=True, allow_none=True)
    question = fields.Nested(QuestionSchema, required=True)
    clauses = fields.List(fields.Nested(CitedClause), required=True)
    order = fields.Str(required=True, metadata={"enum": ["at_once", "in_turn"]})
    seats = fields.List(Int(), required=True, metadata={"description": "The seats that are or were asked"})
    awaits = fields.List(Int(), required=True, metadata={"description": "The seats whose answer is still awaited"})
    sealed = Bool(required=True, metadata={"description": "Whether answers are hidden until all have answered"})
    default = fields.Nested(
        DescribedMove,
        required=True,
        allow_none=True,
        metadata={"description": "The move made for a seat whose time runs out; if sealed, only for the viewer's seat"},
    )
    limit_ms = Int(required=True, allow_none=True)
    deadline = fields.Nested(DeadlineSchema, required=True, allow_none=True)
    answers = fields.Nested(WindowAnswersSchema, required=True)
    outcome = fields.Nested(WindowOutcomeSchema, required=True, allow_none=True)


class WindowsSchema(Schema):
    """A page of windows, and the version at which they are shown."""

    items = fields.List(fields.Nested(WindowSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)
    version = Int(required=True)
