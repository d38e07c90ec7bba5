"""Schemas of the queries of streams."""

from __future__ import annotations

from marshmallow import fields

from api.http.access.tickets import TICKET_METADATA, TICKET_PATTERN
from api.http.schemas.fields import Body, WholeText, enum_field, query_integer_field

ENTRIES, SITUATIONS, BOTH = CONTENTS = ("entries", "situations", "both")


class StreamQuery(Body):
    """How a browser opens a stream."""

    ticket = fields.Str(validate=WholeText(TICKET_PATTERN.pattern), metadata=TICKET_METADATA)
    after = query_integer_field(0, 2**31 - 1, metadata={"description": "As `Last-Event-ID`, which goes before it"})


class SeatStreamQuery(StreamQuery):
    """What the stream of a seat sends, and how a browser opens it."""

    send = enum_field(
        *CONTENTS,
        load_default=ENTRIES,
        metadata={"description": "Send entries, situations, or entries with a situation after the last of them"},
    )
