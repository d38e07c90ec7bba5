"""Schemas of the queries of streams."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from api.http.access.tickets import TICKET_METADATA, TICKET_PATTERN
from api.http.schemas.fields import WholeText, enum_field, query_integer_field
from api.http.schemas.viewers import ViewerQuery

ENTRIES, SITUATIONS, BOTH = CONTENTS = ("entries", "situations", "both")


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
