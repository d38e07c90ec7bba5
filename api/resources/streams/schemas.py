"""Schemas of the queries of streams."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from api.http.access.tickets import TICKET_METADATA, TICKET_PATTERN
from api.http.schemas.fields import Int, WholeText, enum_field, query_integer_field, refer, status_field
from api.http.schemas.viewers import ViewerQuery
from api.resources.entries.schemas import EntrySchema, ViewSchema
from api.resources.moves.situation_schemas import SituationSchema
from api.resources.players.schemas import OpenMatchesSchema, OpenMatchSchema

ENTRIES, SITUATIONS, BOTH = CONTENTS = ("entries", "situations", "both")


class PresenceSchema(Schema):
    """Who is looking."""

    seats = fields.List(Int(), required=True)


class StreamDeadlineSchema(Schema):
    """Until when the open question may be answered.

    All members are null if it has no limit.
    """

    version = Int(required=True, allow_none=True, metadata={"description": "The entry that asked it"})
    window = fields.Str(required=True, allow_none=True, metadata={"description": "The window that asks it"})
    at = fields.Str(required=True, allow_none=True, metadata={"format": "date-time"})
    limit_ms = Int(required=True, allow_none=True)


class StreamEndSchema(Schema):
    """The last entry of a match that is over."""

    version = Int(required=True)
    status = status_field()


class MatchEventsSchema(Schema):
    """What the events of a match's stream hold (`data`), by their names."""

    entry = fields.Nested(EntrySchema)
    snapshot = fields.Nested(ViewSchema)
    situation = fields.Nested(SituationSchema)
    presence = fields.Nested(PresenceSchema)
    deadline = fields.Nested(StreamDeadlineSchema)
    end = fields.Nested(StreamEndSchema)


class LeftMatchSchema(Schema):
    """A match at which the player has no seat any more."""

    match = fields.Str(required=True)


class PlayerEventsSchema(Schema):
    """What the events of a player's stream hold (`data`), by their names."""

    matches = fields.Nested(OpenMatchesSchema)
    match = fields.Nested(OpenMatchSchema)
    left = fields.Nested(LeftMatchSchema)


def describe_stream(events: str) -> dict[str, Any]:
    """Return the JSON Schema of a stream.

    `events` is the component that has its events by name.
    """
    each = {**refer(events), "description": "An event, as the one member of that name"}
    return {
        "type": "string",
        "contentMediaType": "text/event-stream",
        "contentSchema": {"type": "array", "items": each},
    }


class StreamQuery(ViewerQuery):
    """Who looks, what the stream sends, and how a browser opens it."""

    ticket = fields.Str(validate=WholeText(TICKET_PATTERN.pattern), metadata=TICKET_METADATA)
    after = query_integer_field(0, 2**31 - 1, metadata={"description": "As `Last-Event-ID`, which goes before it"})
    send = enum_field(
        *CONTENTS,
        load_default=ENTRIES,
        metadata={
            "description": "Send entries, situations, or entries with a situation after the last of them. Situations "
            "are those of a seat"
        },
    )

    @validates_schema
    def check_situations_are_of_a_seat(self, data: dict[str, Any], **_: Any) -> None:
        """Check that only a seat asks for situations. Raises ValidationError."""
        if data["viewer"] < 0 and data["send"] != ENTRIES:
            raise ValidationError("Only a seat has situations.", "send")
