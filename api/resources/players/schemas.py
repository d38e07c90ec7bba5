"""Schemas of players' accounts and of their matches."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.access.tickets import TICKET_METADATA, TICKET_PATTERN
from api.http.consistency_token import at_least_field
from api.http.schemas.fields import (
    Body,
    Bool,
    Int,
    WholeText,
    Words,
    enum_field,
    printable_field,
    query_integer_field,
    status_field,
)
from api.resources.entries.schemas import UNCOUNTED, UncountedSchema

CURSOR_PATTERN = r"[0-9]{15}-(?:[0-5][0-9]|6[0-3])-[a-z]{26}-[0-9]{1,10}"
STATE_PATTERN = "[0-9a-f]{16}"  # the id of an event: a hash of what all open matches ask
AS_OF = {"description": "How far the logs were read; send it back as `at_least`"}


class PlayerBody(Body):
    """A name that others see, and a language."""

    name = printable_field(40, 1, allow_none=True, metadata={"description": "Shown in standings; it can be deleted"})
    lang = enum_field("en", "de")


class PlayerSchema(Schema):
    """An account as its owner sees it."""

    id = fields.Str(required=True, metadata={"description": "`pl-…`, the account in addresses"})
    name = fields.Str(required=True, allow_none=True)
    lang = fields.Str(required=True)
    created_at = fields.Str(required=True, metadata={"format": "date-time"})


class CreatedPlayerSchema(PlayerSchema):
    """A new account with its token, which is shown this one time."""

    token = fields.Str(required=True)


class HistoryQuery(Body):
    """Which of the matches to list."""

    after = fields.Str(
        validate=WholeText(CURSOR_PATTERN), metadata={"description": "The cursor: only matches before this one"}
    )
    limit = query_integer_field(1, 200, load_default=50)
    at_least = at_least_field()


class PlayedMatchSchema(Schema):
    """A match, and its result for this player."""

    match = fields.Str(required=True)
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    visibility = fields.Str(required=True)
    status = status_field()
    seat = Int(required=True)
    sat_down_at_version = Int(required=True)
    held = Bool(
        required=True,
        metadata={
            "description": "Whether the player was the last at this seat, so that the result counts for this account"
        },
    )
    started_at = fields.Str(required=True, allow_none=True, metadata={"format": "date-time"})
    ended_at = fields.Str(required=True, allow_none=True, metadata={"format": "date-time"})
    result = fields.Str(required=True, allow_none=True, metadata={"enum": ["won", "lost", "drawn", None]})
    place = Int(required=True, allow_none=True)
    counts = Bool(required=True, metadata={"description": "Whether it counts for the standings"})
    uncounted = fields.List(fields.Nested(UncountedSchema), required=True, metadata={"description": UNCOUNTED})
    reason = fields.Nested(Words, allow_none=True, required=True)


class HistorySchema(Schema):
    """A page of a player's matches."""

    items = fields.List(fields.Nested(PlayedMatchSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)
    as_of = fields.Str(required=True, metadata=AS_OF)


class OpenMatchesQuery(Body):
    """Which of the open matches to list."""

    awaiting = enum_field("me", metadata={"description": "Only those that ask something of the player now"})


class OpenMatchSchema(Schema):
    """A match that is not over, and what it asks of the player now."""

    match = fields.Str(required=True)
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    status = status_field()
    seats = fields.List(Int(), required=True, metadata={"description": "The player's own"})
    version = Int(required=True)
    awaited = Bool(required=True, metadata={"description": "Whether it asks anything of the player"})
    asks = fields.List(
        fields.Str(),
        required=True,
        metadata={"description": "`move`, `seat` (to sit down), or what the table asks"},
    )
    until = fields.Str(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "Until when the move may be made; null: no limit"},
    )


class OpenMatchesSchema(Schema):
    """The open matches of a player, the latest first."""

    items = fields.List(fields.Nested(OpenMatchSchema), required=True)


class PlayerStreamQuery(Body):
    """How a browser opens the stream of a player."""

    ticket = fields.Str(validate=WholeText(TICKET_PATTERN.pattern), metadata=TICKET_METADATA)
    after = fields.Str(
        validate=WholeText(STATE_PATTERN), metadata={"description": "As `Last-Event-ID`, which goes before it"}
    )
