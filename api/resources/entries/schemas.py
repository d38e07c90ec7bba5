"""Schemas of log entries and views."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import (
    ACTOR_SEAT,
    NUMBERED_EVENT,
    OPTIONAL_OBJECT,
    SEAT_NUMBER,
    SOME_MOVE,
    Int,
    JsonField,
    Words,
    query_integer_field,
    status_field,
    text_field,
)
from api.http.schemas.typed_dicts import build_answer_schema
from api.http.schemas.viewers import ViewerQuery
from api.resources.moves.schemas import QuestionSchema
from referee.engine.parts.boards import BoardCard

VIEW_HASH_DESCRIPTION = (
    "SHA-256 over the RFC 8785 form of an object of eight members: `match`, `version`, `status`, `viewer`, `table` and "
    "`awaits` as above; `question`, the name alone, a string; `outcome`, an object of `winners`, `placement` and "
    "`clauses`. Where there is no question or no outcome the member is null. No prose is hashed."
)


class ActorSchema(Schema):
    """How the entry came about.

    By player, proxy, bot, reporter, chance, clock or table; or `spoken`: somebody said at a real table that nobody
    reacts, and so the seat passed.
    """

    kind = fields.Str(required=True)
    seat = JsonField(
        {
            "oneOf": [SEAT_NUMBER, {"enum": ["host"]}],
            "description": "The seat of who reported or said it",
        }
    )


class TransferSchema(Schema):
    """Cards that an entry moves from one place to another, as the viewer sees it."""

    n = fields.Str(required=True, metadata={"description": "The event"})
    source = fields.Str(
        required=True,
        allow_none=True,
        data_key="from",
        attribute="from",
        metadata={"description": "A place of the board; null: the cards were at none"},
    )
    target = fields.Str(
        required=True,
        allow_none=True,
        data_key="to",
        attribute="to",
        metadata={"description": "A place of the board, the same one if cards are turned over there; null: none"},
    )
    count = Int(required=True, allow_none=True, metadata={"description": "null: all cards that lie there"})
    cards = fields.List(
        fields.Nested(build_answer_schema(BoardCard)),
        required=True,
        metadata={"description": "Those that the viewer can tell apart, with their ids on the board after the event"},
    )
    was = fields.List(
        fields.Str(allow_none=True),
        required=True,
        metadata={
            "description": "Their ids where they lay, in the same order; null: not told apart there. Where `says` "
            "comes, ids are those of the boards; else equal copies are numbered among those moved together"
        },
    )


class ChangeSchema(Schema):
    """A number of the board that an entry changed, as the viewer sees it."""

    seat = Int(required=True, allow_none=True, metadata={"description": "Whose it is; null: nobody's"})
    what = fields.Str(
        required=True,
        metadata={
            "description": "The field of the seat or the board, such as `hearts`; or the place of a pile in the middle"
        },
    )
    at = fields.Str(
        required=True,
        metadata={
            "description": "JSON Pointer into the board after the entry (before it, if `to` is null): to the number, "
            "or to the pile or list of which it is the size"
        },
    )
    source = Int(
        required=True,
        allow_none=True,
        data_key="from",
        attribute="from",
        metadata={"description": "null: it was not shown, or nobody knew it"},
    )
    target = Int(
        required=True, allow_none=True, data_key="to", attribute="to", metadata={"description": "null: as for `from`"}
    )


class ThoughtSchema(Schema):
    """How a bot thought, so that its thought can be repeated afterwards."""

    level = Int(required=True)
    playouts = Int(required=True, metadata={"description": "Matches that it played out"})
    seen = Int(required=True, metadata={"description": "The version that it decided on"})
    mind = fields.Str(required=True, metadata={"description": "Digest of its code and settings"})
    memory = fields.Str(required=True, metadata={"description": "Hash of what it remembered; empty: nothing"})


class EntrySchema(Schema):
    """One move and its events as the viewer sees them.

    Event `k` of entry `n` is cited as `n.k`. Events that only record what is pending are left out unless they are asked
    for, and so is the state of the engine (`table`) with which a match starts or is corrected.
    """

    version = Int(required=True)
    at = fields.Str(required=True, metadata={"format": "date-time"})
    seat = JsonField(ACTOR_SEAT, required=True)
    actor = fields.Nested(ActorSchema, required=True)
    move = JsonField(SOME_MOVE, required=True)
    events = fields.List(JsonField(NUMBERED_EVENT), required=True)
    transfers = fields.List(fields.Nested(TransferSchema), required=True)
    says = fields.Nested(
        Words,
        metadata={
            "description": "What happened and why, in a few sentences. In lists (unless `says=false`), streams and "
            "answers to writes"
        },
    )
    changes = fields.List(
        fields.Nested(ChangeSchema),
        metadata={"description": "The numbers of the board that it changed; they come where `says` comes"},
    )
    clauses = fields.List(fields.Str(), required=True)
    view_hash = fields.Str(
        metadata={
            "pattern": "^[0-9a-f]{64}$",
            "description": "The hash of the view that a bot decided on; only for its seat, and for the full view",
        }
    )
    thought = fields.Nested(ThoughtSchema, metadata={"description": "How a bot thought; likewise"})


class DeadlineSchema(Schema):
    """Until when the open question may be answered, by the clock of the store.

    There is none if the question has no limit, or for onlookers who see the match late.
    """

    at = fields.Str(required=True, metadata={"format": "date-time"})
    limit_ms = Int(required=True, metadata={"description": "How long the question had when it was asked"})
    left_ms = Int(required=True, metadata={"description": "How much of it was left when this answer was made"})


class EntriesQuery(ViewerQuery):
    """Which entries to list."""

    after = query_integer_field(
        0, 2**31 - 1, load_default=0, metadata={"description": "The cursor: entries after this version"}
    )
    upto = query_integer_field(0, 2**31 - 1, metadata={"description": "Only entries up to this version"})
    limit = query_integer_field(1, 200, metadata={"description": "Entries per page; default: 50, in NDJSON all"})
    steps = fields.Bool(
        load_default=False, metadata={"description": "Whether to list events that only record what is pending"}
    )
    says = fields.Bool(
        load_default=True, metadata={"description": "Whether to say what happened, and which numbers changed"}
    )
    type = fields.Str(
        metadata={"description": "Only events of these types, separated by commas; entries without any remain, empty"},
        validate=text_field(500).validators[0],
    )


class ViewQuery(ViewerQuery):
    """Who looks, and at which version."""

    version = query_integer_field(1, 2**31 - 1)


class OutcomeSchema(Schema):
    """How the match ended."""

    winners = fields.List(Int(), required=True)
    placement = fields.List(fields.List(Int()), required=True)
    reason = JsonField({"$ref": "#/components/schemas/Words"}, required=True)
    clauses = fields.List(fields.Str(), required=True)


UNCOUNTED = "Why the match counts for no standings, however it ends; empty if nothing prevents it"


class UncountedSchema(Schema):
    """A reason why a match counts for no standings."""

    entry = Int(required=True, metadata={"description": "The entry of the request, the dispute or the deviation"})
    says = JsonField({"$ref": "#/components/schemas/Words"}, required=True)
    clauses = fields.List(fields.Str(), required=True)


class ViewSchema(Schema):
    """The table as the viewer saw it at a version; a hidden card shows its back."""

    match = fields.Str(required=True)
    version = Int(required=True)
    status = status_field()
    viewer = JsonField({"oneOf": [SEAT_NUMBER, {"enum": ["public", "full"]}]}, required=True)
    table = JsonField(OPTIONAL_OBJECT, required=True)
    question = fields.Nested(QuestionSchema, allow_none=True, required=True)
    awaits = fields.List(JsonField(ACTOR_SEAT), required=True)
    outcome = fields.Nested(OutcomeSchema, allow_none=True, required=True)
    view_hash = fields.Str(required=True, metadata={"pattern": "^[0-9a-f]{64}$", "description": VIEW_HASH_DESCRIPTION})
    deadline = fields.Nested(DeadlineSchema, allow_none=True, required=True)


class EntriesSchema(Schema):
    """A page of the log."""

    items = fields.List(fields.Nested(EntrySchema), required=True)
    next_cursor = Int(required=True, allow_none=True)
    snapshot = fields.Nested(
        ViewSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The view after the last of them, if one of them rewinds or corrects the table"},
    )
