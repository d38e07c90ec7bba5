"""Schemas of webhooks and deliveries."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from api.http.schemas.fields import Body, Bool, Int, JsonField, WholeText, query_integer_field, refer
from api.resources.standing_passes.schemas import validate_unique
from referee.infrastructure.webhooks.models import EVENTS
from referee.infrastructure.webhooks.url_policy import MAX_URL_LENGTH

MATCH_ID_PATTERN = "(?:[0-5][0-9]|6[0-3])-[a-z]{26}"
MESSAGE_ID_PATTERN = "msg_[0-9]{2}[a-z2-7]{24}"


def url_field(**kwargs: object) -> fields.Str:
    """Return the field of a receiver's URL; the route checks more than its form."""
    form = [validate.Length(min=1, max=MAX_URL_LENGTH), WholeText(r"https?://[\x21-\x7e]+")]
    metadata = {"description": "https, a public name, no user, no fragment"}
    return fields.Str(validate=form, metadata=metadata, **kwargs)  # type: ignore[arg-type]


def event_types_field(**kwargs: object) -> fields.List[Any]:
    """Return the field of the event types to send."""
    kinds = fields.Str(validate=validate.OneOf(EVENTS))
    rules = [validate.Length(min=1, max=len(EVENTS)), validate_unique]
    return fields.List(kinds, validate=rules, metadata={"uniqueItems": True}, **kwargs)  # type: ignore[arg-type]


def time_field(**kwargs: object) -> fields.Str:
    """Return the field of a time in an answer."""
    return fields.Str(required=True, metadata={"format": "date-time"}, **kwargs)  # type: ignore[arg-type]


class WebhookBody(Body):
    """A webhook to make: a host's for one match, or the operator's for public matches."""

    url = url_field(required=True)
    events = event_types_field(required=True)
    match = fields.Str(validate=WholeText(MATCH_ID_PATTERN))


class WebhookChangeBody(Body):
    """What to change; what is left out stays as it is.

    Any change lets the webhook of a match live for another month.
    """

    url = url_field()
    events = event_types_field()
    paused = Bool(metadata={"description": "False also enables a disabled webhook again"})
    rotate_secret = Bool(metadata={"description": "Make a new secret; the old one signs as well for a day"})


class WebhookSchema(Schema):
    """A webhook."""

    id = fields.Str(required=True)
    url = fields.Str(required=True)
    events = fields.List(fields.Str(), required=True)
    match = fields.Str(required=True, allow_none=True, metadata={"description": "null: all public matches"})
    status = fields.Str(required=True, metadata={"enum": ["active", "failing", "paused", "disabled"]})
    disabled_because = fields.Str(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["gone", "exhausted", None],
            "description": "`gone`: it answered 410; `exhausted`: it failed for three days",
        },
    )
    failing_since = time_field(allow_none=True)
    created_at = time_field()
    expires_at = time_field(allow_none=True)
    both_secrets_until = time_field(allow_none=True)
    secret = fields.Str(metadata={"description": "`whsec_…`; only while it is new"})


class WebhooksSchema(Schema):
    """Webhooks, the oldest first."""

    items = fields.List(fields.Nested(WebhookSchema), required=True)


class WebhooksQuery(Schema):
    """Whose webhooks to list."""

    match = fields.Str(
        validate=WholeText(MATCH_ID_PATTERN),
        metadata={"description": "The match whose host asks; left out by the operator, for all public matches"},
    )


class DeliveryAttemptSchema(Schema):
    """The last attempt to send a message."""

    at = time_field()
    status = Int(
        required=True, allow_none=True, metadata={"description": "The status that the receiver answered; null: none"}
    )
    error = fields.Str(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["unreachable", "tls", "timeout", "broken", "refused", "paused", "gone", "exhausted", None],
            "description": "`unreachable`: no public address answers under this name; `refused`: not a 2xx status",
        },
    )


class DeliverySchema(Schema):
    """A message and its deliveries. Its id is the `webhook-id` of each attempt."""

    id = fields.Str(required=True)
    type = fields.Str(required=True)
    status = fields.Str(required=True, metadata={"enum": ["pending", "delivered", "failed"]})
    created_at = time_field()
    attempts = Int(required=True)
    next_attempt_at = time_field(allow_none=True)
    last_attempt = fields.Nested(DeliveryAttemptSchema, required=True, allow_none=True)
    message = JsonField({**refer("WebhookMessage"), "description": "What is sent"}, required=True)


class DeliveriesSchema(Schema):
    """Deliveries, newest first; `lost` messages were not stored: too many waited."""

    items = fields.List(fields.Nested(DeliverySchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)
    lost = Int(required=True)


class DeliveriesQuery(Schema):
    """Which part of the list."""

    after = fields.Str(
        validate=WholeText(MESSAGE_ID_PATTERN), metadata={"description": "The next_cursor of the page before"}
    )
    limit = query_integer_field(1, 200, load_default=50)
