"""Schemas of the subscriptions of devices, and of the webhooks of accounts."""

from __future__ import annotations

from marshmallow import Schema, fields

from api.http.schemas.fields import Body, Int, WholeText
from api.resources.webhooks.schemas import time_field, url_field

KEY_PATTERN = r"[A-Za-z0-9_-]{16,120}={0,2}"


class PushKeySchema(Schema):
    """The key of this server, which a browser needs to subscribe."""

    key = fields.Str(required=True, metadata={"description": "`applicationServerKey`, as base64url"})


class PushKeysBody(Body):
    """The keys of a subscription, as the browser gives them."""

    p256dh = fields.Str(required=True, validate=WholeText(KEY_PATTERN))
    auth = fields.Str(required=True, validate=WholeText(KEY_PATTERN))


class PushSubscriptionBody(Body):
    """A subscription, as `PushSubscription.toJSON()` gives it."""

    endpoint = url_field(required=True)
    keys = fields.Nested(PushKeysBody, required=True)
    expirationTime = Int(allow_none=True, metadata={"description": "Not looked at"})  # the browser's name


class PushSubscriptionSchema(Schema):
    """A device to which messages are pushed."""

    id = fields.Str(required=True)
    service = fields.Str(required=True, metadata={"description": "The host of the push service"})
    device = fields.Str(required=True, metadata={"description": "The device of the account that subscribed"})
    created_at = time_field()
    expires_at = time_field()


class PushSubscriptionsSchema(Schema):
    """The devices to which messages are pushed, the oldest first."""

    items = fields.List(fields.Nested(PushSubscriptionSchema), required=True)


class PlayerWebhookBody(Body):
    """Where to send what the account is asked for."""

    url = url_field(required=True)
