"""The `webhooks` section of the contract: the messages that a receiver gets.

With it, client generators make classes for them.
"""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import SEAT_OR_ROLE, Int, JsonField, Words, refer, status_field
from api.resources.entries.schemas import OutcomeSchema
from referee.infrastructure.webhooks.models import ASKED, EVENTS, TEST
from referee.match.events.dispute_state import CLAIMS, LEVELS, REMEDIES, VERDICTS


class MatchMessageData(Schema):
    """The data of every message about a match, as an onlooker sees it after the entry."""

    match = fields.Str(required=True)
    url = fields.Str(required=True, metadata={"description": "The address of the match"})
    game = fields.Str(required=True)
    variant = fields.Str(required=True)
    version = Int(required=True, metadata={"description": "The entry by which it happened"})
    status = status_field()


class AskedPlayerSchema(Schema):
    """What a seat of an account is asked for; it holds nothing of the game.

    Webhooks of accounts and subscribed devices get it, the latter encrypted.
    """

    match = fields.Str(required=True)
    url = fields.Str(required=True, metadata={"description": "The address of the match"})
    game = fields.Str(required=True)
    version = Int(required=True, metadata={"description": "The entry by which it is asked"})
    seat = Int(required=True)
    asks = fields.List(
        fields.Str(), required=True, metadata={"description": "`move`, or what the table asks: `votes`, `takeback`, …"}
    )
    text = fields.Nested(Words, required=True)


class WebhookWindowSchema(MatchMessageData):
    """A window, named after the event that opened it."""

    window = fields.Str(required=True, metadata={"pattern": r"^[0-9]+\.[0-9]+$"})
    kind = fields.Str(required=True, metadata={"description": "One of the game's `windows`"})


class OpenedWindowSchema(WebhookWindowSchema):
    """A window that opened, and the seats that are asked."""

    seats = fields.List(Int(), required=True)
    clauses = fields.List(fields.Str(), required=True)


class WebhookQuestionSchema(Schema):
    """The question that is asked."""

    name = fields.Str(required=True)
    asks = fields.Nested(Words, required=True)


class AwaitedSeatSchema(MatchMessageData):
    """A seat that is asked something new."""

    seat = Int(required=True)
    question = fields.Nested(WebhookQuestionSchema, required=True)
    window = fields.Str(
        required=True, allow_none=True, metadata={"description": "The window that asks; null: none does"}
    )


class EndedMatchSchema(MatchMessageData):
    """A match that is over."""

    outcome = fields.Nested(OutcomeSchema, required=True)


class WebhookDisputeSchema(MatchMessageData):
    """A dispute, by the entry that opened it, and the entry that it is about."""

    dispute = Int(required=True)
    about = Int(required=True)


class OpenedDisputeSchema(WebhookDisputeSchema):
    """A dispute that was opened; its words are only at its address."""

    claim = fields.Str(required=True, metadata={"enum": list(CLAIMS)})
    by = JsonField(SEAT_OR_ROLE, required=True)
    parties = fields.List(Int(), required=True, metadata={"description": "The seats between which the dispute is"})


class RuledDisputeSchema(WebhookDisputeSchema):
    """A ruling on a dispute, with only what everybody may know of its reasons."""

    court = fields.Str(required=True, metadata={"enum": list(LEVELS)})
    by = fields.Str(required=True, metadata={"description": "`referee`, `table`, `host` or `arbiter`"})
    verdict = fields.Str(required=True, metadata={"enum": list(VERDICTS)})
    remedy = JsonField(
        {"enum": [*REMEDIES, None], "description": "null: it is still to be chosen"},
        required=True,
        allow_none=True,
    )
    clauses = fields.List(fields.Str(), required=True)
    settled = fields.Bool(
        required=True, metadata={"description": "Whether the dispute is over: no court has to decide any more"}
    )


class AskedTakebackSchema(MatchMessageData):
    """A request to go back to just after an entry; it waits for the seats' consent."""

    takeback = Int(required=True, metadata={"description": "The entry of the request"})
    seat = Int(required=True)
    to = Int(required=True)


class WebhookTestSchema(Schema):
    """The webhook that is tested."""

    webhook = fields.Str(required=True)


MESSAGE_TYPES: dict[str, tuple[str, type[Schema]]] = {
    "match.opened": ("A match was opened, or made public", MatchMessageData),
    "match.started": ("Play has begun", MatchMessageData),
    "match.ended": ("A match is over", EndedMatchSchema),
    "seat.awaited": ("A seat is asked something new", AwaitedSeatSchema),
    "window.opened": ("A window opened: seats may react or pass", OpenedWindowSchema),
    "window.closed": ("A window closed", WebhookWindowSchema),
    "dispute.opened": ("A dispute was opened", OpenedDisputeSchema),
    "dispute.ruled": ("A court has ruled on a dispute", RuledDisputeSchema),
    "takeback.asked": ("A seat asks to take back what was played", AskedTakebackSchema),
    ASKED: ("A seat of the account is asked for something", AskedPlayerSchema),
    TEST: ("A test that the owner of the webhook requested", WebhookTestSchema),
}
HEADERS = (
    ("webhook-id", "The id of the message: the same at each attempt, so that a receiver knows repeated messages"),
    ("webhook-timestamp", "The time of this attempt, in seconds since 1970; refuse one older than five minutes"),
    ("webhook-signature", "`v1,` and base64 of HMAC-SHA256 of `id.timestamp.body`; several are separated by spaces"),
)


STRING_SCHEMA = {"type": "string"}
ANSWERS = {  # what a receiver may answer: name in the contract, and what it means
    "2XX": ("Received", "Received. Another answer, or none within 15 seconds, is retried for days."),
    "410": ("SendNothingMore", "Send nothing more. The webhook is then disabled."),
}


def build_message_schema(kind: str, says: str, data: type[Schema]) -> type[Schema]:
    """Return the schema of a message of this type."""
    parts = {
        "type": fields.Str(required=True, validate=validate.Equal(kind), metadata={"const": kind}),
        "timestamp": fields.Str(required=True, metadata={"format": "date-time"}),
        "data": fields.Nested(data, required=True),
    }
    made: type[Schema] = Schema.from_dict(parts, name=f"{''.join(map(str.title, kind.split('.')))}Message")
    made.__doc__ = f"{says}."
    return made


def build_webhooks_section(api: Any) -> dict[str, Any]:
    """Return the section, and add its schemas to the components."""
    assert set(MESSAGE_TYPES) == {*EVENTS, TEST, ASKED}
    found: dict[str, Any] = {}
    for name, text in ANSWERS.values():
        api.spec.components.response(name, {"description": text})
    for kind, (says, data) in MESSAGE_TYPES.items():
        made = build_message_schema(kind, says, data)
        name = made.__name__
        if name not in api.spec.components.schemas:
            api.spec.components.schema(name, schema=made)
        found[kind] = {
            "post": {
                "operationId": name,
                "summary": says,
                "security": [],
                "description": "Sent at least once, by Standard Webhooks 1.0, to each webhook with this event type.",
                "parameters": [
                    {"name": header, "in": "header", "required": True, "description": text, "schema": STRING_SCHEMA}
                    for header, text in HEADERS
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
                },
                "responses": {code: {"$ref": f"#/components/responses/{name}"} for code, (name, _) in ANSWERS.items()},
            }
        }
    schemas = {kind: operation["post"]["operationId"] for kind, operation in found.items()}
    mapping = {kind: refer(name)["$ref"] for kind, name in schemas.items()}
    api.spec.components.schema(
        "WebhookMessage",
        {
            "oneOf": [refer(name) for name in schemas.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
        },
    )
    return found
