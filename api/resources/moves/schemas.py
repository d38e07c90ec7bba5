"""Schemas of moves, of legal moves, and of rulings on moves."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from api.http.schemas.fields import (
    ACTOR_SEAT,
    SOME_EVENT,
    WINDOW_PATTERN,
    Body,
    Bool,
    Int,
    JsonField,
    Words,
    enum_field,
    integer_field,
    query_integer_field,
    refer,
    text_field,
    translations_field,
    window_name_field,
)
from api.http.schemas.polymorphic import MoveUnion
from api.resources.reveals.schemas import HASH_PATTERN, hex_field
from referee.match.reported_moves import NOBODY_REACTS, Report
from referee.match.table.signed_moves import MoveSignature


class ReportBody(Body):
    """What real dice or cards showed, or that nobody reacts. One of the two."""

    move = fields.Nested(MoveUnion, metadata={"description": "A move of `chance`: the dice, or the card turned up"})
    nobody_reacts = Bool(
        validate=validate.Equal(True), metadata={"description": "All people pass the window that is then open"}
    )

    @validates_schema
    def require_one(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Check that exactly one of both is there. Raises ValidationError."""
        if len(data) != 1:
            raise ValidationError("Either a move of chance or `nobody_reacts`.")
        if "move" in data and not data["move"].TAG.startswith("chance."):
            raise ValidationError("Only a move of chance can be reported.", "move")

    @post_load
    def build_report(self, data: dict[str, Any], **kwargs: Any) -> Report:
        """Return the report."""
        return data.get("move", NOBODY_REACTS)


class MoveSignatureBody(Body):
    """What a seat's device signed of a move."""

    nonce = hex_field("[0-9a-f]{32}", "Random bytes", required=True)
    signature = hex_field("[0-9a-f]{128}", "Ed25519 over match, seat, `seen`, its root and the move", required=True)

    @post_load
    def build_signature(self, data: dict[str, Any], **kwargs: Any) -> MoveSignature:
        """Return the signature."""
        return MoveSignature(**data)


MOST_REPORTS = 20  # that a move may carry


class MoveBody(Body):
    """A move, and the version that the mover looked at."""

    move = fields.Nested(MoveUnion, required=True)
    seen = integer_field(1, 2**31 - 1, metadata={"description": "The version the seat looked at"})
    window = window_name_field(
        metadata={"description": "The window that the move is meant for; it is refused in any other"}
    )
    link = hex_field(HASH_PATTERN, "The next link of the seat's chain")
    signed = fields.Nested(MoveSignatureBody)
    reports = fields.List(
        fields.Nested(ReportBody),
        validate=validate.Length(min=1, max=MOST_REPORTS),
        metadata={
            "description": "What real dice and cards showed after the move, in order. All of it is written, or nothing"
        },
    )

    @validates_schema
    def require_version(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Check that a signed move names its version. Raises ValidationError."""
        if "signed" in data and "seen" not in data:
            raise ValidationError("A signed move names the version that its device looked at.", "seen")


MOVE_FLAGS = ("passes", "ends_turn", "gives_up")
DEFAULT_NEAR_MISSES = 0  # near misses listed if the request does not say how many: few clients show them


class MoveListingQuery(Body):
    """Which moves to list."""

    type = text_field(metadata={"description": "Only moves of this kind"})
    whole = fields.Bool(
        load_default=False,
        metadata={
            "description": "Whether to list all moves one by one, as far as they can be; else many of one kind "
            "come as a picker"
        },
    )
    near = query_integer_field(
        0,
        20,
        load_default=DEFAULT_NEAR_MISSES,
        metadata={"description": "How many near misses to list, with their rulings"},
    )
    version = query_integer_field(1, 2**31 - 1)


class HouseRulingNote(Schema):
    """The house ruling that something rests on."""

    match = fields.Str(required=True)
    entry = Int(required=True, metadata={"description": "The entry of that match which holds the ruling"})
    says = translations_field()


class CitedClause(Schema):
    """A clause as a ruling cites it."""

    id = fields.Str(required=True)
    found = fields.Nested(
        Words,
        required=True,
        allow_none=True,
        metadata={"description": "Where it stands in the rulebook; null: it names no place"},
    )
    says = translations_field()
    house_ruling = fields.Nested(
        HouseRulingNote, metadata={"description": "The house ruling that chose this reading, if one did"}
    )


class NeedSchema(Schema):
    """Something that a position leaves out and the ruling needs."""

    key = fields.Str(required=True)
    asks = translations_field()


class WayOut(Schema):
    """A move that would be granted instead."""

    move = JsonField({"$ref": "#/components/schemas/Move"}, required=True)
    because = translations_field()


class BrokenRuleSchema(Schema):
    """A rule that a refused move breaks."""

    reason = translations_field()
    clauses = fields.List(fields.Str(), required=True, metadata={"description": "Ids; the first decides"})


class RulingSchema(Schema):
    """What the referee says of a move, and what that rests on.

    `broken` are all rules that a refused move breaks, first the one that says most about it, which is also the reason.
    """

    verdict = fields.Str(required=True, metadata={"enum": ["granted", "refused", "undecided"]})
    reason = translations_field()
    needs = fields.List(fields.Nested(NeedSchema), required=True)
    clauses = fields.List(fields.Nested(CitedClause), required=True)
    broken = fields.List(fields.Nested(BrokenRuleSchema), required=True)
    way_out = fields.List(fields.Nested(WayOut), required=True)


class DescribedMove(Schema):
    """A move, as data and in words."""

    move = JsonField({"$ref": "#/components/schemas/Move"}, required=True)
    told = JsonField({"$ref": "#/components/schemas/Words"}, required=True, allow_none=True)


class LegalMove(DescribedMove):
    """A move that a seat may make.

    Those by which it gives up the match are the last in a list.
    """

    cards = fields.List(fields.Str(), required=True, metadata={"description": "The designs of the cards that it names"})
    seats = fields.List(Int(), required=True, metadata={"description": "The seats that it names"})
    flag = enum_field(
        *MOVE_FLAGS,
        required=True,
        allow_none=True,
        metadata={"description": "What it ends: the question for this seat, the turn, or the match for this player"},
    )


class MoveGroupSchema(Schema):
    """The heading over legal moves of one kind."""

    type = fields.Str(required=True, metadata={"description": "The type of the moves"})
    says = translations_field()


class PickerPartSchema(Schema):
    """What a change can be about.

    A place with the cards that the seat sees there, or a value by its JSON pointer.
    """

    name = fields.Str(required=True)
    says = translations_field()
    cards = fields.List(fields.Str(), required=True, allow_none=True)


class PickerChoiceSchema(Schema):
    """What may be chosen for one field of a move.

    `one` of the values; `several`, `least` to `most` of them; a `number` from `least` to `most`; a `text` of at most
    `most` characters; `places`: cards, each with coordinates; or `changes`: what a card's free text changed, the card
    being the value.
    """

    field = fields.Str(required=True)
    kind = enum_field("one", "several", "number", "text", "places", "changes", required=True)
    values = fields.List(JsonField({"type": ["string", "integer", "boolean", "null"]}), required=True)
    copies = fields.List(
        Int(),
        required=True,
        allow_none=True,
        metadata={"description": "How often each of the values may be chosen; null: as often as the number allows"},
    )
    least = Int(required=True, allow_none=True)
    most = Int(required=True, allow_none=True)
    parts = fields.List(fields.Nested(PickerPartSchema), metadata={"description": "Of `changes`"})


class PickerSchema(Schema):
    """What stands for the moves of a kind that are too many to list.

    It may allow more than the rules do: then the move is refused with the reason.
    """

    type = fields.Str(required=True)
    says = translations_field()
    move = JsonField(
        {"$ref": "#/components/schemas/Move"},
        required=True,
        metadata={"description": "A move of this kind to put the choices in, by the names of their fields"},
    )
    choices = fields.List(fields.Nested(PickerChoiceSchema), required=True)


class NearMiss(DescribedMove):
    """A move that a player may think of, and the ruling against it."""

    ruling = fields.Nested(RulingSchema, required=True)


class QuestionSchema(Schema):
    """The open question."""

    name = fields.Str(required=True)
    asks = translations_field()


class NextQuestionSchema(Schema):
    """Whom the table waits for now, and for what.

    After a refusal it is whom it waited for before.
    """

    question = fields.Nested(QuestionSchema, required=True, allow_none=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)


class OpenWindowSchema(Schema):
    """The window that is open."""

    id = fields.Str(required=True, metadata={"pattern": f"^{WINDOW_PATTERN}$"})
    kind = fields.Str(required=True)
    deadline = JsonField({"oneOf": [{"$ref": "#/components/schemas/Deadline"}, {"type": "null"}]}, required=True)


ANSWER_BODIES = (  # those first that need most, for clients that take the first that fits
    "AttestBody",
    "WitnessBody",
    "VoteBody",
    "TakebackConsentBody",
    "ConsentBody",
    "ObjectionBody",
)


class PossibleAnswerSchema(Schema):
    """An answer as a button: the body to send, and what it says."""

    body = JsonField({"anyOf": [refer(name) for name in ANSWER_BODIES]}, required=True)
    says = translations_field()


class TableQuestionSchema(Schema):
    """A question of the table to this seat that no move of the game answers."""

    asks = translations_field()
    about = Int(
        required=True,
        metadata={"description": "The number of the dispute, takeback, deviation, report (entry) or seat"},
    )
    method = enum_field("POST", required=True)
    path = fields.Str(required=True, metadata={"description": "The address to send the answer to, with a fresh key"})
    answers = fields.List(
        fields.Nested(PossibleAnswerSchema), required=True, metadata={"description": "The possible answers"}
    )
    until = fields.Str(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "null: without limit"}
    )


class MoveListingSchema(Schema):
    """What a seat may do now, computed from its view alone."""

    version = Int(required=True)
    awaited = fields.Bool(required=True, metadata={"description": "Whether the table waits for this seat"})
    question = fields.Nested(QuestionSchema, allow_none=True, required=True)
    window = fields.Nested(OpenWindowSchema, allow_none=True, required=True)
    deadline = JsonField({"oneOf": [{"$ref": "#/components/schemas/Deadline"}, {"type": "null"}]}, required=True)
    cut = fields.Bool(required=True, metadata={"description": "Whether more are legal than are listed; see `pickers`"})
    legal = fields.List(fields.Nested(LegalMove), required=True)
    pickers = fields.List(fields.Nested(PickerSchema), required=True)
    groups = fields.List(fields.Nested(MoveGroupSchema), required=True)
    near = fields.List(fields.Nested(NearMiss), required=True)
    halted = JsonField(
        {"oneOf": [{"$ref": "#/components/schemas/Words"}, {"type": "null"}]},
        required=True,
        metadata={"description": "Why all moves wait, for a dispute or a witness; null: they do not"},
    )
    asked = fields.List(
        fields.Nested(TableQuestionSchema),
        required=True,
        metadata={"description": "What the table asks of this seat besides moves: to attest, to vote, to consent"},
    )


class DryRunSchema(RulingSchema):
    """A ruling on a move that was not made, and what would follow.

    The latter is only what the seat can foresee.
    """

    version = Int(required=True)
    refused_report = Int(
        required=True,
        allow_none=True,
        metadata={"description": "The place in `reports` of the one that is refused; null: the ruling is on the move"},
    )
    events = fields.List(JsonField(SOME_EVENT), required=True)
    next = fields.Nested(
        NextQuestionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who is asked next; null: it hangs on what the seat does not know"},
    )
