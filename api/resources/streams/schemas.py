"""Schema of the query of a seat's stream."""

from __future__ import annotations

from api.http.schemas.fields import Body, enum_field

ENTRIES, SITUATIONS, BOTH = CONTENTS = ("entries", "situations", "both")


class StreamQuery(Body):
    """What the stream of a seat sends."""

    send = enum_field(
        *CONTENTS,
        load_default=ENTRIES,
        metadata={"description": "Send entries, situations, or entries with a situation after the last of them"},
    )
