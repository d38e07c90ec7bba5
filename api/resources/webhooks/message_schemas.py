"""The `build_webhooks_section` section of the contract: what a receiver is sent, so that a generator of clients sees
it."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import Int, JsonField, Words
from api.resources.entries.schemas import OutcomeSchema
from referee.infrastructure.webhooks.models import EVENTS, TEST
from referee.match.events.dispute_state import CLAIMS, LEVELS, REMEDIES, VERDICTS


class MatchMessageData(Schema):
    """What every message about a match says: the match as an onlooker sees it after that entry."""

    match = fields.Str(required=True)
    url = fields.Str(required=True, metadata={"description": "Where to ask for more"})
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    version = Int(required=True, metadata={"description": "The entry by which it happened"})
    status = fields.Str(required=True)


class WebhookWindowSchema(MatchMessageData):
    """A window, by the event that opened it."""

    window = fields.Str(required=True, metadata={"pattern": r"^[0-9]+\.[0-9]+$"})
    kind = fields.Str(required=True, metadata={"description": "One of the game's `windows`"})


class OpenedWindowSchema(WebhookWindowSchema):
    """A window that was opened, and who is asked."""

    seats = fields.List(Int(), required=True)
    clauses = fields.List(fields.Str(), required=True)


class WebhookQuestionSchema(Schema):
    """What is asked."""

    name = fields.Str(required=True)
    asks = fields.Nested(Words, required=True)


class AwaitedSeatSchema(MatchMessageData):
    """A seat that is asked something new."""

    seat = Int(required=True)
    question = fields.Nested(WebhookQuestionSchema, required=True)
    window = fields.Str(required=True, allow_none=True, metadata={"description": "Its name, if a window asks"})


class EndedMatchSchema(MatchMessageData):
    """A match that is over."""

    outcome = fields.Nested(OutcomeSchema, required=True)


class WebhookDisputeSchema(MatchMessageData):
    """A dispute, by the entry that opened it, and the entry that it is about."""

    dispute = Int(required=True)
    about = Int(required=True)


class OpenedDisputeSchema(WebhookDisputeSchema):
    """A dispute that was opened; what it says in words is asked for at its address."""

    claim = fields.Str(required=True, metadata={"enum": list(CLAIMS)})
    by = fields.Str(required=True, metadata={"pattern": "^([0-9]+|host|arbiter)$"})
    parties = fields.List(Int(), required=True, metadata={"description": "The seats that it is between"})


class RuledDisputeSchema(WebhookDisputeSchema):
    """A ruling on a dispute, as far as everybody may know what it rests on."""

    court = fields.Str(required=True, metadata={"enum": list(LEVELS)})
    by = fields.Str(required=True, metadata={"description": "`referee`, `table`, `host` or `arbiter`"})
    verdict = fields.Str(required=True, metadata={"enum": list(VERDICTS)})
    remedy = JsonField(
        {"enum": [*REMEDIES, None], "description": "None while it is still to be chosen"},
        required=True,
        allow_none=True,
    )
    clauses = fields.List(fields.Str(), required=True)
    settled = fields.Bool(required=True, metadata={"description": "Whether no court is at this dispute any more"})


class AskedTakebackSchema(MatchMessageData):
    """A request to go back to just after an entry, which waits for the consent of the seats."""

    takeback = Int(required=True, metadata={"description": "The entry that asked"})
    seat = Int(required=True)
    to = Int(required=True)


class WebhookTestSchema(Schema):
    """Whose test it is."""

    webhook = fields.Str(required=True)


MESSAGE_TYPES: dict[str, tuple[str, type[Schema]]] = {
    "match.opened": ("A match was opened, or opened to all", MatchMessageData),
    "match.started": ("Play has begun", MatchMessageData),
    "match.ended": ("A match is over", EndedMatchSchema),
    "seat.awaited": ("A seat is asked something new", AwaitedSeatSchema),
    "window.opened": ("A window is open: what seats may answer or let pass", OpenedWindowSchema),
    "window.closed": ("A window is closed", WebhookWindowSchema),
    "dispute.opened": ("A dispute was opened", OpenedDisputeSchema),
    "dispute.ruled": ("A court has ruled on a dispute", RuledDisputeSchema),
    "takeback.asked": ("A seat asks to take back what was played", AskedTakebackSchema),
    TEST: ("A test that its owner asked for", WebhookTestSchema),
}
HEADERS = (
    ("webhook-id", "The message: the same at each attempt, so that a receiver can tell what it has had"),
    ("webhook-timestamp", "The second of this attempt, since 1970; refuse what is older than five minutes"),
    ("webhook-signature", "`v1,` and base64 of HMAC-SHA256 of `id.timestamp.body`; several, separated by blanks"),
)


STRING_SCHEMA = {"type": "string"}


def build_message_schema(kind: str, data: type[Schema]) -> type[Schema]:
    """The schema of a message of that type."""
    parts = {
        "type": fields.Str(required=True, validate=validate.Equal(kind), metadata={"const": kind}),
        "timestamp": fields.Str(required=True, metadata={"format": "date-time"}),
        "data": fields.Nested(data, required=True),
    }
    made: type[Schema] = Schema.from_dict(parts, name=f"{''.join(map(str.title, kind.split('.')))}Message")
    return made


def build_webhooks_section(api: Any) -> dict[str, Any]:
    """The section; the schemas are put among the components. Raises nothing."""
    assert set(MESSAGE_TYPES) == {*EVENTS, TEST}
    found: dict[str, Any] = {}
    for kind, (says, data) in MESSAGE_TYPES.items():
        made = build_message_schema(kind, data)
        name = made.__name__
        if name not in api.spec.components.schemas:
            api.spec.components.schema(name, schema=made)
        found[kind] = {
            "post": {
                "operationId": name,
                "summary": says,
                "description": "Sent to a webhook that asked for it, by Standard Webhooks 1.0, at least once.",
                "parameters": [
                    {"name": header, "in": "header", "required": True, "description": text, "schema": STRING_SCHEMA}
                    for header, text in HEADERS
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
                },
                "responses": {
                    "2XX": {"description": "Taken. Anything else, and silence of 15 seconds, is tried again for days."},
                    "410": {"description": "Nothing more is to be sent: the webhook is disabled."},
                },
            }
        }
    return found
