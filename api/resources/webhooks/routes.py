"""Webhooks and the deliveries of their messages; workers send them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import Any

import orjson
from flask import Response, current_app, g, request

from api.http import context, preconditions
from api.http.access import admission
from api.http.access.authorization import Caller, PathArguments, Permission
from api.http.access.tickets import Bearer
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, format_time, json_response, replay_header
from api.http.schemas.paging import next_link_header
from api.resources.webhooks import schemas as shapes
from referee.engine.codec import encode_canonical
from referee.infrastructure.webhooks.models import (
    ACCOUNTS,
    ASKED,
    HOOK_LIFETIME_MS,
    MAX_PENDING_DELIVERIES,
    MESSAGE_ID,
    PLAYER,
    PUSH,
    SECRET_OVERLAP_MS,
    TEST,
    Delivery,
    WebhookRecord,
    build_hook_id,
    build_message_id,
    partition_for_hooks,
    partition_of_id,
)
from referee.infrastructure.webhooks.registry import MAX_ATTEMPTS, ContentionError, LimitReached, WebhookRegistry
from referee.infrastructure.webhooks.signing import derive_secret, encode_secret
from referee.infrastructure.webhooks.url_policy import UrlRefusedError, parse_target
from referee.match.errors import UnknownMatch
from referee.service.rights import tokens

WEBHOOKS_PATH = "/v1/webhooks"
WEBHOOK_PATH = f"{WEBHOOKS_PATH}/<word:webhook>"
MATCH_ID_PATTERN = re.compile(rf"{shapes.MATCH_ID_PATTERN}\Z")
KEPT_MS = 24 * 3600 * 1000  # how long the answer to a write is kept for a repeated request
blueprint = EndpointBlueprint("webhooks")


def get_registry() -> WebhookRegistry:
    """Return the webhooks of this server's store."""
    return WebhookRegistry(context.get_match_service().log)


def check_webhook_access(caller: Caller, args: PathArguments) -> None:
    """Admit the operator, and the host for webhooks of the host's own match.

    A caller who may not know of a webhook gets the same answer as if there were none. Raises Problem.
    """
    g.operator = admission.is_operator()
    if "webhook" in args:
        hook = get_registry().find_hook(args["webhook"])
        if hook is None or not (is_own_webhook(caller, hook) or (g.operator and may_operator_manage(hook))):
            raise Problem("unknown-webhook")
        g.hook = hook
        return
    sent = getattr(g, "json", None) if request.method == "POST" else request.args.to_dict()
    match = sent.get("match") if isinstance(sent, dict) else None
    if match is None:
        if not g.operator:
            raise Problem("operator-only")
    elif not isinstance(match, str) or not MATCH_ID_PATTERN.match(match):
        raise Problem("unknown-match")
    elif g.operator:
        if not is_public_match(match):
            raise Problem("unknown-match")
    else:
        asking = admission.resolve_caller(admission.identify_bearer(admission.bearer_token()), match, WEBHOOK_MANAGER)
        if not asking.is_admitted:
            raise Problem("unknown-match")
        if not asking.is_host:
            raise Problem("host-only")


def may_operator_manage(hook: WebhookRecord) -> bool:
    """Return whether the operator may do this with a webhook.

    The operator may delete a webhook of a private match, but not read it.
    """
    if hook.owner in (PLAYER, ACCOUNTS):
        return False
    return hook.match is None or request.method == "DELETE" or is_public_match(hook.match)


def is_own_webhook(caller: Caller, hook: WebhookRecord) -> bool:
    """Return whether the webhook is the caller's, as host or as a player."""
    if hook.player:
        return hook.player == caller.account and hook.kind != PUSH
    if hook.match is None or hook.owner != "host":
        return False
    person = admission.find_account_person(hook.match, caller.account)
    service = context.get_match_service()
    bearer = Bearer(caller.token_hash, caller.account)
    return admission.load_caller(service, hook.match, bearer, person)[0].is_host


def is_public_match(match: str) -> bool:
    """Return whether the match exists and is public.

    Only the people of a private match may know of it.
    """
    try:
        return context.get_match_service().load_match(match).match.visibility == "public"
    except UnknownMatch:
        return False


WEBHOOK_MANAGER = Permission(True, False, check_webhook_access)
ACCESS_PROBLEMS = ("operator-only", "host-only", "unknown-match")


def check_url(url: str, pointer: str = "/url") -> None:
    """Refuse a URL whose form forbids to send anything to it. Raises Problem."""
    try:
        parse_target(url, current_app.config["WEBHOOK_ALLOW"])
    except UrlRefusedError as wrong:
        raise Problem("url-refused", errors=[{"pointer": pointer, "detail": str(wrong)}]) from None


def webhook_to_dict(hook: WebhookRecord, *, secret: bool = False) -> dict[str, Any]:
    """Return a webhook as its owner sees it; `secret` includes its secret."""
    health, now = get_registry().read_health(hook.id), context.get_match_service().log.now()
    status = "paused" if hook.paused else "failing" if health.since_ms else "active"
    both = len(hook.find_signing_generations(now)) > 1
    return {
        "id": hook.id,
        "url": hook.url,
        "events": hook.events,
        "match": hook.match,
        "status": "disabled" if health.disabled else status,
        "disabled_because": health.disabled or None,
        "failing_since": format_time(health.since_ms) if health.since_ms else None,
        "created_at": format_time(hook.made_ms),
        "expires_at": None if hook.expires_ms is None else format_time(hook.expires_ms),
        "both_secrets_until": format_time(hook.rotated_ms + SECRET_OVERLAP_MS) if both else None,
        **({"secret": encode_secret(derive_secret(get_webhook_key(), hook.id, hook.generation))} if secret else {}),
    }


def get_webhook_key() -> bytes:
    """Return the key from which all webhook secrets are derived."""
    found: bytes = current_app.config["WEBHOOK_KEY"]
    return found


def hash_parts(*parts: str) -> str:
    """Return the hash that is stored of a key or a request."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def is_repeated_request(scope: str, key: str, ask: bytes) -> bool:
    """Return whether this same request was answered before.

    Raises Problem if the key belongs to another request.
    """
    kept = context.get_match_service().log.find_answer(scope, key)
    if kept is not None and kept[0] != ask:
        raise Problem("idempotency-key-reused")
    return kept is not None


def remember_request(scope: str, key: str, ask: bytes) -> None:
    """Record that the request was answered.

    Raises Problem if another request was answered under the same key.
    """
    if context.get_match_service().log.remember_answer(scope, key, ask, b"", KEPT_MS)[0] != ask:
        raise Problem("idempotency-key-reused")


@blueprint.declare(
    Endpoint(
        "POST",
        WEBHOOKS_PATH,
        "makeWebhook",
        WEBHOOK_MANAGER,
        body=shapes.WebhookBody,
        response=(201, shapes.WebhookSchema),
        key=True,
        location=True,
        problems=[*ACCESS_PROBLEMS, "webhook-limit", "url-refused", "idempotency-key-reused"],
    )
)
def make_webhook(body: dict[str, Any]) -> Response:
    """Make a webhook, and show its secret this one time.

    It gets messages about what happens from now on. The operator's webhook is about all public matches, or about the
    one that it names. A host's webhook is about the host's match, and lives for a month after its last change. A
    repeated request gets the same answer, secret included.
    """
    check_url(body["url"])
    key, match, at = preconditions.require_idempotency_key(), body.get("match"), get_registry()
    owner = "operator" if g.operator else "host"
    ask = encode_canonical(body)
    name = build_hook_id(tokens.compute_hmac(get_webhook_key(), "webhook", owner, match or "", key), match)
    scope = f"webhooks:{owner}:{match or ''}"
    before = is_repeated_request(scope, key, ask)
    now = context.get_match_service().log.now()
    hook = WebhookRecord(
        name,
        body["url"],
        list(body["events"]),
        now,
        owner=owner,
        match=match,
        expires_ms=None if match is None else now + HOOK_LIFETIME_MS,
        since=at.read_feed_positions(match),
        ask=hashlib.sha256(ask).hexdigest(),
    )
    if not before:
        try:
            made = at.add_hook(hook)
        except LimitReached:
            raise Problem("webhook-limit") from None
        if made.ask != hook.ask:
            raise Problem("idempotency-key-reused")
        before = made != hook  # an earlier request stored it, then failed
        remember_request(scope, key, ask)
    else:
        made = at.find_hook(name) or hook  # as it is now; it may have been deleted since
    first = replace(made, generation=1, rotated_ms=0)
    return json_response(
        webhook_to_dict(first, secret=True),
        201,
        headers={"Location": f"{WEBHOOKS_PATH}/{name}"} | NEW_SECRET | replay_header(before),
    )


@blueprint.declare(
    Endpoint(
        "GET",
        WEBHOOKS_PATH,
        "listWebhooks",
        WEBHOOK_MANAGER,
        query=shapes.WebhooksQuery,
        response=(200, shapes.WebhooksSchema),
        problems=ACCESS_PROBLEMS,
    )
)
def list_webhooks(query: dict[str, Any]) -> Response:
    """List the webhooks of a match, or the operator's webhooks for all public matches."""
    match, at = query.get("match"), get_registry()
    found = [
        hook
        for hook in at.list_hooks(partition_for_hooks(match))
        if hook.match == match and hook.owner != ACCOUNTS and (g.operator or hook.owner == "host")
    ]
    return json_response({"items": [webhook_to_dict(hook) for hook in found]})


@blueprint.declare(
    Endpoint(
        "GET",
        WEBHOOK_PATH,
        "getWebhook",
        WEBHOOK_MANAGER,
        response=(200, shapes.WebhookSchema),
        problems=["unknown-webhook"],
    )
)
def get_webhook(webhook: str) -> Response:
    """Return a webhook, and whether its receiver answers."""
    assert g.hook.id == webhook  # as admission has just read it
    return json_response(webhook_to_dict(g.hook))


@blueprint.declare(
    Endpoint(
        "PATCH",
        WEBHOOK_PATH,
        "changeWebhook",
        WEBHOOK_MANAGER,
        body=shapes.WebhookChangeBody,
        response=(200, shapes.WebhookSchema),
        key=True,
        problems=["unknown-webhook", "url-refused", "idempotency-key-reused"],
    )
)
def change_webhook(body: dict[str, Any], webhook: str) -> Response:
    """Change a webhook.

    A new secret is shown this one time; for a day, both the old and the new secret sign. While a webhook is paused,
    nothing is sent, what happens is not stored for it, and messages that fall due are given up.
    """
    if "url" in body:
        check_url(body["url"])
    if "events" in body and g.hook.player:  # an account's webhook has one type of message, so none to choose
        detail = f"A webhook of an account gets only `{ASKED}`."
        raise Problem("invalid-input", errors=[{"pointer": "/events", "detail": detail}])
    key, ask, scope = preconditions.require_idempotency_key(), encode_canonical(body), f"webhook:{webhook}"
    before = is_repeated_request(scope, key, ask)
    made: WebhookRecord | None = g.hook
    if not before:
        changes = {name: body[name] for name in ("url", "events", "paused") if name in body}
        rotate, revive = body.get("rotate_secret", False), body.get("paused") is False or "url" in body
        try:
            made = get_registry().change_hook(webhook, hash_parts(key), revive=revive, rotate=rotate, **changes)
        except ContentionError:
            raise Problem("store-away") from None
        if made is None:
            raise Problem("unknown-webhook")
        remember_request(scope, key, ask)
    assert made is not None
    return json_response(
        webhook_to_dict(made, secret=body.get("rotate_secret", False)), headers=NEW_SECRET | replay_header(before)
    )


@blueprint.declare(
    Endpoint(
        "DELETE", WEBHOOK_PATH, "deleteWebhook", WEBHOOK_MANAGER, response=(204, None), problems=["unknown-webhook"]
    )
)
def delete_webhook(webhook: str) -> Response:
    """Delete a webhook and everything that was to be sent to it."""
    assert g.hook.id == webhook
    try:
        get_registry().drop_hook(g.hook)
    except ContentionError:
        raise Problem("store-away") from None
    return Response(status=204)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{WEBHOOK_PATH}/test",
        "testWebhook",
        WEBHOOK_MANAGER,
        response=(202, shapes.DeliverySchema),
        key=True,
        problems=["unknown-webhook", "webhook-off", "webhook-limit"],
    )
)
def test_webhook(webhook: str) -> Response:
    """Send a message of type `webhook.test`."""
    key, at, hook = preconditions.require_idempotency_key(), get_registry(), g.hook
    require_enabled_webhook(hook)
    place, now = partition_of_id(webhook), context.get_match_service().log.now()
    name = build_message_id(webhook, place, TEST, key)
    there = at.read_deliveries(place, webhook)
    body = encode_canonical({"type": TEST, "timestamp": format_time(now), "data": {"webhook": webhook}}).decode()
    row = Delivery(name, webhook, TEST, body, now, now)
    if name not in there and sum(kept.status == "pending" for kept, _ in there.values()) >= MAX_PENDING_DELIVERIES:
        raise Problem("webhook-limit")
    before = name in there or not at.put_delivery(row, None)
    context.get_match_service().appender.wake(place)
    return json_response(delivery_to_dict(there[name][0] if name in there else row), 202, headers=replay_header(before))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{WEBHOOK_PATH}/deliveries",
        "listDeliveries",
        WEBHOOK_MANAGER,
        query=shapes.DeliveriesQuery,
        response=(200, shapes.DeliveriesSchema),
        problems=["unknown-webhook"],
    )
)
def list_deliveries(query: dict[str, Any], webhook: str) -> Response:
    """List the messages that were sent, that wait or that were given up.

    Old deliveries are not kept.
    """
    assert g.hook.id == webhook
    at = get_registry()
    found = at.list_all_deliveries(g.hook)
    if "after" in query:  # what followed a message that is no longer kept was older still, and is gone as well
        places = [place for place, row in enumerate(found, 1) if row.id == query["after"]]
        found = found[places[0] :] if places else []
    page = found[: query["limit"]]
    cursor = page[-1].id if len(found) > len(page) else None
    body = {
        "items": [delivery_to_dict(row) for row in page],
        "next_cursor": cursor,
        "lost": at.count_lost_messages(g.hook),
    }
    return json_response(body, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "POST",
        f"{WEBHOOK_PATH}/deliveries/<word:delivery>/redelivery",
        "redeliverMessage",
        WEBHOOK_MANAGER,
        response=(202, shapes.DeliverySchema),
        key=True,
        problems=["unknown-webhook", "unknown-delivery", "webhook-off"],
    )
)
def redeliver(webhook: str, delivery: str) -> Response:
    """Send a message again, under the same id, with all its attempts."""
    key, at, hook = hash_parts(preconditions.require_idempotency_key()), get_registry(), g.hook
    if not MESSAGE_ID.fullmatch(delivery):
        raise Problem("unknown-delivery")
    require_enabled_webhook(hook)
    place = partition_of_id(delivery)
    for _ in range(MAX_ATTEMPTS):
        row, held = at.read_deliveries(place, webhook).get(delivery, (None, None))
        if row is None:
            raise Problem("unknown-delivery")
        if row.by == key:
            return json_response(delivery_to_dict(row), 202, headers=replay_header(True))
        again = replace(row, status="pending", tries=0, due_ms=context.get_match_service().log.now(), by=key)
        if at.put_delivery(again, held):
            at.update_health(webhook, lambda was: replace(was, until_ms=0))  # a requested message waits for no pause
            context.get_match_service().appender.wake(place)
            return json_response(delivery_to_dict(again), 202)
    raise Problem("store-away")


def require_enabled_webhook(hook: WebhookRecord) -> None:
    """Refuse if nothing is sent to a webhook now. Raises Problem."""
    if hook.paused or get_registry().read_health(hook.id).disabled:
        raise Problem("webhook-off")


def delivery_to_dict(row: Delivery) -> dict[str, Any]:
    """Return a delivery as the owner of the webhook sees it."""
    last = {"at": format_time(row.tried_ms), "status": row.answer, "error": row.error or None}
    return {
        "id": row.id,
        "type": row.type,
        "status": row.status,
        "created_at": format_time(row.made_ms),
        "attempts": row.tries,
        "next_attempt_at": format_time(row.due_ms) if row.status == "pending" else None,
        "last_attempt": last if row.tried_ms else None,
        "message": orjson.loads(row.body),
    }
