"""Routes for push messages to devices of an account, and for its webhooks."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import urlsplit

from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import ACCOUNT_OWNER, ANYONE
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, format_time, json_response, replay_header
from api.resources.players.routes import PLAYER_PATH
from api.resources.push import schemas as shapes
from api.resources.webhooks.routes import check_url, get_registry, get_webhook_key, webhook_to_dict
from api.resources.webhooks.schemas import WebhookSchema, WebhooksSchema
from referee.engine.codec import encode_canonical
from referee.infrastructure.webhooks.models import (
    ASKED,
    HOOK_LIFETIME_MS,
    PLAYER,
    PUSH,
    PUSH_LIFETIME_MS,
    WebhookRecord,
    build_account_hook_id,
)
from referee.infrastructure.webhooks.registry import ContentionError, LimitReached
from referee.infrastructure.webhooks.web_push import PushKeys, PushKeysRefusedError, encode_vapid_public_key
from referee.service.rights import tokens

SUBSCRIPTIONS_PATH = f"{PLAYER_PATH}/push-subscriptions"
HOOKS_PATH = f"{PLAYER_PATH}/webhooks"
blueprint = EndpointBlueprint("push", tag="notifications")


def build_account_hook(player: str, url: str, name: str, lifetime_ms: int, **more: Any) -> WebhookRecord:
    """Return a webhook or a device of an account; it gets what happens from now on."""
    log = context.get_match_service().log
    since = {str(partition): position for partition, position in enumerate(log.read_positions())}
    now = log.now()
    return WebhookRecord(
        name, url, [ASKED], now, owner=PLAYER, player=player, expires_ms=now + lifetime_ms, since=since, **more
    )


def keep_account_hook(hook: WebhookRecord) -> WebhookRecord:
    """Keep a webhook or a device, and return what is kept. Raises Problem."""
    try:
        return get_registry().put_account_hook(hook)
    except LimitReached:
        raise Problem("webhook-limit") from None
    except ContentionError:
        raise Problem("store-away") from None


def subscription_to_dict(hook: WebhookRecord) -> dict[str, Any]:
    """Return a subscription as its owner sees it.

    The address itself is not shown: with it others could push to the device.
    """
    assert hook.expires_ms is not None
    return {
        "id": hook.id,
        "service": urlsplit(hook.url).hostname or "",
        "device": hook.device,
        "created_at": format_time(hook.made_ms),
        "expires_at": format_time(hook.expires_ms),
    }


@blueprint.declare(Endpoint("GET", "/v1/push-key", "getPushKey", ANYONE, response=(200, shapes.PushKeySchema)))
def get_push_key() -> Response:
    """Return the key of this server for `pushManager.subscribe` (VAPID, RFC 8292)."""
    return json_response({"key": encode_vapid_public_key(get_webhook_key())})


@blueprint.declare(
    Endpoint(
        "POST",
        SUBSCRIPTIONS_PATH,
        "makePushSubscription",
        ACCOUNT_OWNER,
        body=shapes.PushSubscriptionBody,
        response=(201, shapes.PushSubscriptionSchema),
        key=True,
        problems=["url-refused", "webhook-limit"],
    )
)
def subscribe_device(body: dict[str, Any], player: str) -> Response:
    """Push messages to this device when a seat of the account is asked for something.

    A message (`player.asked`) says which match and what for, and nothing of the game. None comes while the seat is
    looked at. Of one match a device that is away gets the last. Subscribe again with every start of the app: that
    renews the subscription for 90 days, whatever the key.
    """
    preconditions.require_idempotency_key()
    check_url(body["endpoint"], "/endpoint")
    keys = body["keys"]
    try:
        PushKeys.parse(keys["p256dh"], keys["auth"])
    except PushKeysRefusedError:
        raise Problem(
            "invalid-input", errors=[{"pointer": "/keys", "detail": "Not the keys of a subscription."}]
        ) from None
    name = build_account_hook_id(tokens.compute_hmac(get_webhook_key(), "push", player, body["endpoint"]), player)
    device = tokens.name_device(g.caller.token_hash)
    parts = {"kind": PUSH, "keys": [keys["p256dh"], keys["auth"]], "device": device}
    hook = build_account_hook(player, body["endpoint"], name, PUSH_LIFETIME_MS, **parts)
    return json_response(subscription_to_dict(keep_account_hook(hook)), 201)


@blueprint.declare(
    Endpoint(
        "GET",
        SUBSCRIPTIONS_PATH,
        "listPushSubscriptions",
        ACCOUNT_OWNER,
        response=(200, shapes.PushSubscriptionsSchema),
    )
)
def list_subscriptions(player: str) -> Response:
    """List the devices to which messages are pushed."""
    found = [hook for hook in get_registry().list_account_hooks(player) if hook.kind == PUSH]
    return json_response({"items": [subscription_to_dict(hook) for hook in found]})


@blueprint.declare(
    Endpoint(
        "DELETE",
        f"{SUBSCRIPTIONS_PATH}/<word:webhook>",
        "deletePushSubscription",
        ACCOUNT_OWNER,
        response=(204, None),
        problems=["unknown-webhook"],
    )
)
def unsubscribe_device(player: str, webhook: str) -> Response:
    """Push nothing more to a device."""
    found = [hook for hook in get_registry().list_account_hooks(player) if hook.kind == PUSH and hook.id == webhook]
    if not found:
        raise Problem("unknown-webhook")
    get_registry().drop_hook(found[0])
    return Response(status=204)


@blueprint.declare(
    Endpoint(
        "POST",
        HOOKS_PATH,
        "makePlayerWebhook",
        ACCOUNT_OWNER,
        body=shapes.PlayerWebhookBody,
        response=(201, WebhookSchema),
        key=True,
        location=True,
        problems=["url-refused", "webhook-limit", "idempotency-key-reused"],
    )
)
def make_player_webhook(body: dict[str, Any], player: str) -> Response:
    """Make a webhook of the account, and show its secret this one time.

    It gets a message `player.asked` whenever a seat of the account is asked for something. It lives for a month after
    its last change; `/v1/webhooks/{webhook}` reads, changes, tests and deletes it.
    """
    check_url(body["url"])
    key, ask = preconditions.require_idempotency_key(), hashlib.sha256(encode_canonical(body)).hexdigest()
    name = build_account_hook_id(tokens.compute_hmac(get_webhook_key(), "webhook", PLAYER, player, key), player)
    hook = build_account_hook(player, body["url"], name, HOOK_LIFETIME_MS, ask=ask)
    made = keep_account_hook(hook)
    if made.ask != ask:
        raise Problem("idempotency-key-reused")
    headers = {"Location": f"/v1/webhooks/{name}"} | NEW_SECRET | replay_header(made != hook)
    return json_response(webhook_to_dict(made, secret=True), 201, headers=headers)


@blueprint.declare(Endpoint("GET", HOOKS_PATH, "listPlayerWebhooks", ACCOUNT_OWNER, response=(200, WebhooksSchema)))
def list_player_webhooks(player: str) -> Response:
    """List the webhooks of the account."""
    found = [hook for hook in get_registry().list_account_hooks(player) if hook.kind != PUSH]
    return json_response({"items": [webhook_to_dict(hook) for hook in found]})
