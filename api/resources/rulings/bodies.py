"""Bodies of calls about a written position, as `referee judge` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import g, has_request_context, request
from marshmallow import ValidationError, fields, pre_load, validate

from api.http.schemas.fields import (
    ANY_JSON,
    JSON_OBJECT,
    LONGEST_TEXT,
    SCALAR,
    SEAT_LIMITS,
    SEAT_NUMBER,
    AnyOfField,
    Body,
    Bool,
    JsonField,
    enum_field,
    normalize_json,
    printable_field,
    text_field,
    unknown_places_field,
)
from api.http.schemas.polymorphic import MoveUnion
from api.resources.games.schemas import SOME_SETTINGS
from api.resources.rulings.house_rulings import precedents_field
from referee.games import load_games
from referee.position_rulings.natural_names import read_question_words, to_plain_mappings
from referee.position_rulings.request import (
    CLAIMS,
    MAX_OBSERVATIONS,
    MAX_POINTER_LENGTH,
    MAX_SENTENCE_LENGTH,
    MAX_STATEMENT_LENGTH,
    MAX_STATEMENTS,
    MAX_UNKNOWN,
    UNREAD_SENTENCE,
)

OBSERVATIONS_SCHEMA = {
    "type": "object",
    "maxProperties": MAX_OBSERVATIONS,
    "propertyNames": {"maxLength": MAX_POINTER_LENGTH, "pattern": "^/"},
    "additionalProperties": ANY_JSON,
    "description": "Values by their places in the position after the move (JSON pointers); for cards, a number says "
    "how many there are",
}
NAMED_PLAYER = {"type": "string", "maxLength": LONGEST_TEXT, "description": "A player, as `names` has it"}
SEAT_OR_NAME = {"anyOf": [SEAT_NUMBER, NAMED_PLAYER]}


def validate_observations(value: object) -> bool:
    """Check that this does not name too many places. Raises ValidationError."""
    if isinstance(value, dict) and len(value) > MAX_OBSERVATIONS:
        raise ValidationError(f"No more than {MAX_OBSERVATIONS} places.")
    return True


class SeatField(JsonField):
    """A seat by its number, which names of players have become before."""

    def __init__(self, description: str, *, with_chance: bool = False) -> None:
        super().__init__({**SEAT_OR_NAME, "description": description}, required=True)
        self.with_chance = with_chance

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        seat = normalize_json(value)
        is_seat = type(seat) is int and SEAT_LIMITS[0] <= seat <= SEAT_LIMITS[1]
        if not is_seat and not (self.with_chance and seat == "chance"):
            raise ValidationError(f"A seat from 0 to 19, {'chance, ' if self.with_chance else ''}or one of the names.")
        return seat


class WrittenMoveField(AnyOfField):
    """A move by its members, or as a sentence, which has become its members before."""

    def __init__(self, **kwargs: Any) -> None:
        sentence = printable_field(
            MAX_SENTENCE_LENGTH, metadata={"description": "The move as its text says it, in either language"}
        )
        super().__init__((fields.Nested(MoveUnion), sentence), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if isinstance(value, str):
            raise ValidationError(getattr(value, "detail", UNREAD_SENTENCE))
        return self.options[0].deserialize(value, attr, data)


class WrittenBody(Body):
    """A written position, with words where the program has names."""

    game = text_field(metadata={"description": "The game of the address; a file for `referee judge` names it here"})
    variant = text_field(metadata={"description": "The variant, if the position does not give it"})
    edition = text_field(metadata={"description": "The edition, if the position gives none; default: the game's own"})
    position = JsonField({**JSON_OBJECT, "description": "In the form that `GET …/positions` describes"}, required=True)
    names = fields.List(
        printable_field(LONGEST_TEXT),
        validate=validate.Length(max=MAX_STATEMENTS),
        metadata={"description": "What the players are called, by seat; then they may be named instead of seats"},
    )

    @pre_load
    def read_words(self, data: Any, **_: Any) -> Any:
        """Return the body under the names of the program, which it may call otherwise."""
        if not (isinstance(data, dict) and has_request_context()):
            return data
        game = load_games().get((request.view_args or {}).get("game", ""))
        if game is None:
            return data
        g.words = read_question_words(game, data)
        return to_plain_mappings(g.words)


class PartyStatementBody(Body):
    """What one party says, in words and in a form that can be checked."""

    seat = SeatField("Who says it")
    says = printable_field(
        MAX_STATEMENT_LENGTH, metadata={"description": "In words; repeated in the answer, not judged"}
    )
    clause = text_field(metadata={"description": "The clause that decides it, in the party's opinion"})
    legal = Bool(metadata={"description": "Whether the move is legal, in the party's opinion"})
    saw = JsonField(OBSERVATIONS_SCHEMA, validate=validate_observations)


class RulingBody(WrittenBody):
    """A position, the move to rule on, and any disagreement about it.

    It is the document that `referee judge` takes, as JSON. Nothing of it is stored.
    """

    settings = JsonField({**SOME_SETTINGS, "description": "The settings, if the position does not give them"})
    seat = SeatField("Who makes the move; `chance`: dice, or cards turned up", with_chance=True)
    move = WrittenMoveField(required=True)
    claim = enum_field(
        *CLAIMS, metadata={"description": "What is claimed to be wrong with the move, or with what followed"}
    )
    clause = text_field(metadata={"description": "The clause that the claim rests on"})
    saw = JsonField(
        {
            **OBSERVATIONS_SCHEMA,
            "description": f"How the table carried the move out. {OBSERVATIONS_SCHEMA['description']}",
        },
        validate=validate_observations,
    )
    says = fields.List(fields.Nested(PartyStatementBody), validate=validate.Length(max=MAX_STATEMENTS))
    not_known = unknown_places_field(MAX_POINTER_LENGTH, MAX_UNKNOWN)  # marshmallow has its own
    readings = JsonField(
        {
            "type": "object",
            "additionalProperties": SCALAR,
            "description": "The readings that the table agreed on: by clause, the number or the setting's value",
        }
    )
    precedents = precedents_field()


class PositionCensusBody(WrittenBody):
    """A position to count."""


class PositionMovesBody(WrittenBody):
    """A position whose moves are asked for."""

    settings = JsonField({**SOME_SETTINGS, "description": "The settings, if the position does not give them"})
