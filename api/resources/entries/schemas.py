"""Entries of the log, and views of the table."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, JsonField, enum_field, query_integer_field, text_field
from api.resources.moves.schemas import QuestionSchema
from referee.engine.rulebook.book import LANGUAGES

ACTOR_SEAT = {"oneOf": [{"type": "integer", "minimum": 0}, {"enum": ["chance", "clock", "table"]}]}


class ActorSchema(Schema):
    """How it was moved: player, proxy, bot, reporter, chance, clock or table."""

    kind = fields.Str(required=True)
    seat = JsonField({"oneOf": [{"type": "integer", "minimum": 0}, {"const": "host"}], "description": "Of a reporter"})


class EntrySchema(Schema):
    """One move and all its facts, as these eyes see them. Event `k` of entry `n` is cited as `n.k`."""

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    seat = JsonField(ACTOR_SEAT, required=True)
    actor = fields.Nested(ActorSchema, required=True)
    move = JsonField({"type": ["object", "null"]}, required=True)
    events = fields.List(JsonField({"type": "object", "required": ["n", "type"]}), required=True)
    clauses = fields.List(fields.Str(), required=True)
    view_hash = fields.Str(
        metadata={
            "pattern": "^[0-9a-f]{64}$",
            "description": "Of the view that a bot decided on; told to its seat, and to whoever sees all",
        }
    )


class DeadlineSchema(Schema):
    """Until when the open question may be answered, by the clock of the server's store. None where there is no limit,
    and for onlookers who come late."""

    at = fields.Str(required=True, metadata={"format": "date-time"})
    limit_ms = Int(required=True, metadata={"description": "How long the question had when it was asked"})
    left_ms = Int(required=True, metadata={"description": "How much of it was left when this was written"})


class EntriesQuery(Body):
    """Which entries."""

    after = query_integer_field(0, 2**31 - 1, load_default=0, metadata={"description": "The cursor: entries after it"})
    upto = query_integer_field(0, 2**31 - 1, metadata={"description": "The last version"})
    limit = query_integer_field(
        1, 200, metadata={"description": "Entries a page; 50 unless told. NDJSON: all unless told"}
    )
    type = fields.Str(
        metadata={"description": "Only events of these types, separated by commas; entries stay, emptied"},
        validate=text_field(500).validators[0],
    )
    lang = enum_field(*LANGUAGES, metadata={"description": "Of a page to print; else as `Accept-Language` has it"})


class ViewQuery(Body):
    """Which version."""

    version = query_integer_field(1, 2**31 - 1)


class OutcomeSchema(Schema):
    """How the match ended."""

    winners = fields.List(Int(), required=True)
    placement = fields.List(fields.List(Int()), required=True)
    reason = JsonField({"$ref": "#/components/schemas/Words"}, required=True)
    clauses = fields.List(fields.Str(), required=True)


UNCOUNTED = "Why it counts for no standings, whatever comes of it; empty where nothing stands against it"


class UncountedSchema(Schema):
    """Something for which a match counts for no standings."""

    entry = Int(required=True, metadata={"description": "The request, the dispute or the deviation"})
    says = JsonField({"$ref": "#/components/schemas/Words"}, required=True)
    clauses = fields.List(fields.Str(), required=True)


class ViewSchema(Schema):
    """The table as these eyes saw it at a version; what is hidden stands as its back."""

    match = fields.Str(required=True)
    version = Int(required=True)
    status = fields.Str(required=True)
    viewer = JsonField({"oneOf": [{"type": "integer"}, {"enum": ["public", "full"]}]}, required=True)
    table = JsonField({"type": ["object", "null"]}, required=True)
    question = fields.Nested(QuestionSchema, allow_none=True, required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    outcome = fields.Nested(OutcomeSchema, allow_none=True, required=True)
    view_hash = fields.Str(required=True, metadata={"pattern": "^[0-9a-f]{64}$", "description": "Of all the above"})
    deadline = fields.Nested(DeadlineSchema, allow_none=True, required=True)


class EntriesSchema(Schema):
    """A page of the log."""

    items = fields.List(fields.Nested(EntrySchema), required=True)
    next_cursor = Int(required=True, allow_none=True)
    snapshot = fields.Nested(
        ViewSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The view after the last of them, where one of them puts the table back or right"},
    )
