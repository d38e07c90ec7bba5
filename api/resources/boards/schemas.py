"""Schemas of boards, made from the shapes that the games declare."""

from __future__ import annotations

from marshmallow import Schema, fields
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from api.http.schemas.fields import ACTOR_SEAT, SEAT_NUMBER, Int, JsonField, status_field
from api.http.schemas.typed_dicts import build_answer_schema
from api.resources.entries.schemas import DeadlineSchema, OutcomeSchema
from api.resources.explanations.schemas import TermSchema
from api.resources.moves.schemas import QuestionSchema
from referee.games import load_games
from referee.queries.boards import SeatInfo


class BoardSchema(OneOfSchema):
    """The table of a game as the viewer sees it, for a client to draw."""

    type_field = "game"
    type_field_remove = False

    @property
    def type_schemas(self) -> dict[str, Schema]:  # type: ignore[override]  # the base has a plain attribute
        """The schema of each game's board, by the name of the game."""
        return {name: build_answer_schema(game.boards.shape)() for name, game in load_games().items()}


class BoardViewSchema(Schema):
    """A match at a version, as it is drawn for a viewer."""

    match = fields.Str(required=True)
    version = Int(required=True)
    status = status_field()
    viewer = JsonField({"oneOf": [SEAT_NUMBER, {"enum": ["public", "full"]}]}, required=True)
    seats = fields.List(fields.Nested(build_answer_schema(SeatInfo)), required=True)
    board = fields.Nested(
        BoardSchema, required=True, allow_none=True, metadata={"description": "Null before play has begun"}
    )
    sums = fields.List(
        fields.Nested(TermSchema),
        required=True,
        metadata={"description": "What counts now, with its parts: both sides of a fight, a roll and what it needs"},
    )
    question = fields.Nested(QuestionSchema, required=True, allow_none=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    outcome = fields.Nested(OutcomeSchema, required=True, allow_none=True)
    deadline = fields.Nested(DeadlineSchema, required=True, allow_none=True)
