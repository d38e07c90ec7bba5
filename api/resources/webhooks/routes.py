"""Webhooks: who wants to be told of what, and what became of each message. Workers send them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import Any

import orjson
from flask import Response, current_app, g, request

from api.http import endpoint
from api.http.access import tokens
from api.http.access.authorization import Args, Caller, Right
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer, moment
from api.resources.matches.routes import following
from api.resources.webhooks import schemas as shapes
from referee.engine.codec import canonical
from referee.infrastructure.webhooks.models import (
    BOTH_MS,
    LIFE_MS,
    MESSAGE_ID,
    MOST_PENDING,
    TEST,
    Delivery,
    Hook,
    home,
    hook_id,
    lives,
    message_id,
)
from referee.infrastructure.webhooks.registry import TRIES, Contended, Full, Register
from referee.infrastructure.webhooks.signing import secret_of, written
from referee.infrastructure.webhooks.url_policy import UrlRefused, target
from referee.service.match_service import UnknownMatch

ALL = "/v1/webhooks"
ONE = f"{ALL}/<word:webhook>"
MATCH = re.compile(rf"{shapes.MATCH}\Z")
KEPT_MS = 24 * 3600 * 1000  # how long the answer to a write is kept for a repeated request
room = Room("webhooks", "Who is told by HTTP what happens in matches: Standard Webhooks 1.0.")


def register() -> Register:
    """The webhooks of this server's store."""
    return Register(endpoint.desk().log)


def operator() -> bool:
    """Whether the request shows the operator's token."""
    token = endpoint.presented()
    return token is not None and bool(current_app.config["IS_OPERATOR"](token))


def keeper(caller: Caller, args: Args) -> None:
    """Lets in the operator, and the host for webhooks of his own match. Raises Problem.

    Whoever may not know of a webhook is told that there is none.
    """
    g.operator = operator()
    if "webhook" in args:
        hook = register().hook(args["webhook"])
        if hook is None or not (own(caller, hook) or (g.operator and tended(hook))):
            raise Problem("unknown-webhook")
        g.hook = hook
        return
    sent = getattr(g, "json", None) if request.method == "POST" else request.args.to_dict()
    match = sent.get("match") if isinstance(sent, dict) else None
    if match is None:
        if not g.operator:
            raise Problem("operator-only")
    elif not isinstance(match, str) or not MATCH.match(match):
        raise Problem("unknown-match")
    elif g.operator:
        if not known_to_all(match):
            raise Problem("unknown-match")
    else:
        asking = endpoint.recognised(endpoint.presented(), match, KEEPER)
        if not asking.admitted:
            raise Problem("unknown-match")
        if not asking.host:
            raise Problem("host-only")


def tended(hook: Hook) -> bool:
    """Whether the operator may do this with a webhook: of a private match he can take one away, and read nothing."""
    return hook.match is None or request.method == "DELETE" or known_to_all(hook.match)


def own(caller: Caller, hook: Hook) -> bool:
    """Whether the caller is the host who made it, or made one of the same match."""
    if hook.match is None or hook.owner != "host":
        return False
    return endpoint.known(caller.token, endpoint.desk().load(hook.match, grant=caller.token)).host


def known_to_all(match: str) -> bool:
    """Whether there is such a match, and it is public: of a private one only its own people are told."""
    try:
        return endpoint.desk().load(match).match.visibility == "public"
    except UnknownMatch:
        return False


KEEPER = Right(True, False, keeper)
YOURS = ("operator-only", "host-only", "unknown-match")


def refuse(url: str) -> None:
    """Raises Problem unless something may be sent to this URL, as far as its form tells."""
    try:
        target(url, current_app.config["WEBHOOK_ALLOW"])
    except UrlRefused as wrong:
        raise Problem("url-refused", errors=[{"pointer": "/url", "detail": str(wrong)}]) from None


def shown(hook: Hook, *, secret: bool = False) -> dict[str, Any]:
    """A webhook as its owner sees it; with its secret only where that is new."""
    health, now = register().health(hook.id), endpoint.desk().log.now()
    status = "paused" if hook.paused else "failing" if health.since_ms else "active"
    both = len(hook.generations(now)) > 1
    return {
        "id": hook.id,
        "url": hook.url,
        "events": hook.events,
        "match": hook.match,
        "status": "disabled" if health.disabled else status,
        "disabled_because": health.disabled or None,
        "failing_since": moment(health.since_ms) if health.since_ms else None,
        "created_at": moment(hook.made_ms),
        "expires_at": None if hook.expires_ms is None else moment(hook.expires_ms),
        "both_secrets_until": moment(hook.rotated_ms + BOTH_MS) if both else None,
        **({"secret": written(secret_of(webhook_key(), hook.id, hook.generation))} if secret else {}),
    }


def webhook_key() -> bytes:
    """The key behind all secrets of webhooks."""
    found: bytes = current_app.config["WEBHOOK_KEY"]
    return found


def hashed(*parts: str) -> str:
    """What is kept of a key or an ask."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def repeated(scope: str, key: str, ask: bytes) -> bool:
    """Whether this very request was answered before. Raises Problem if the key stands for another one."""
    kept = endpoint.desk().log.recalled(scope, key)
    if kept is not None and kept[0] != ask:
        raise Problem("idempotency-key-reused")
    return kept is not None


def done(scope: str, key: str, ask: bytes) -> None:
    """Notes that the request was answered. Raises Problem if another one was, under the same key."""
    if endpoint.desk().log.remember(scope, key, ask, b"", KEPT_MS)[0] != ask:
        raise Problem("idempotency-key-reused")


def replayed(before: bool) -> dict[str, str]:
    """The header that tells a repeated answer from a first one."""
    return {"Idempotency-Replayed": "true"} if before else {}


@room.call(
    "POST", ALL, "makeWebhook", KEEPER, body=shapes.WebhookBody, gives=(201, shapes.WebhookSchema), key=True,
    problems=[*YOURS, "webhook-limit", "url-refused", "idempotency-key-reused"],
)  # fmt: skip
def make_webhook(body: dict[str, Any]) -> Response:
    """Makes a webhook and shows its secret, this once. It is told what happens from now on.

    The operator's hears of all public matches, or of the one it names; a host's of his match, for a month from its last
    change. A repeated request gets the same answer, secret included.
    """
    refuse(body["url"])
    key, match, at = endpoint.key(), body.get("match"), register()
    owner = "operator" if g.operator else "host"
    ask = canonical(body)
    name = hook_id(tokens.digest(webhook_key(), "webhook", owner, match or "", key), match)
    scope = f"webhooks:{owner}:{match or ''}"
    before = repeated(scope, key, ask)
    now = endpoint.desk().log.now()
    hook = Hook(
        name,
        body["url"],
        list(body["events"]),
        now,
        owner=owner,
        match=match,
        expires_ms=None if match is None else now + LIFE_MS,
        since=at.since(match),
        ask=hashlib.sha256(ask).hexdigest(),
    )
    if not before:
        try:
            made = at.add(hook)
        except Full:
            raise Problem("webhook-limit") from None
        if made.ask != hook.ask:
            raise Problem("idempotency-key-reused")
        before = made != hook  # a request that died after it was kept
        done(scope, key, ask)
    else:
        made = at.hook(name) or hook  # as it is now; it may have been deleted since
    first = replace(made, generation=1, rotated_ms=0)
    return answer(shown(first, secret=True), 201, headers={"Location": f"{ALL}/{name}"} | replayed(before))


@room.call(
    "GET", ALL, "listWebhooks", KEEPER, query=shapes.WebhooksQuery, gives=(200, shapes.WebhooksSchema), problems=YOURS
)
def list_webhooks(query: dict[str, Any]) -> Response:
    """The webhooks of a match, or the operator's that belong to none."""
    match, at = query.get("match"), register()
    found = [hook for hook in at.hooks(lives(match)) if hook.match == match and (g.operator or hook.owner == "host")]
    return answer({"items": [shown(hook) for hook in found]})


@room.call("GET", ONE, "getWebhook", KEEPER, gives=(200, shapes.WebhookSchema), problems=["unknown-webhook"])
def get_webhook(webhook: str) -> Response:
    """A webhook, and how its receiver fares."""
    assert g.hook.id == webhook  # as the door has just read it
    return answer(shown(g.hook))


@room.call(
    "PATCH", ONE, "changeWebhook", KEEPER, body=shapes.WebhookChangeBody, gives=(200, shapes.WebhookSchema), key=True,
    problems=["unknown-webhook", "url-refused", "idempotency-key-reused"],
)  # fmt: skip
def change_webhook(body: dict[str, Any], webhook: str) -> Response:
    """Changes a webhook. A new secret is shown this once; for a day both sign.

    While it is paused nothing is sent, what happens is not kept for it, and what falls due is given up.
    """
    if "url" in body:
        refuse(body["url"])
    key, ask, scope = endpoint.key(), canonical(body), f"webhook:{webhook}"
    before = repeated(scope, key, ask)
    made: Hook | None = g.hook
    if not before:
        changes = {name: body[name] for name in ("url", "events", "paused") if name in body}
        rotate, revive = body.get("rotate_secret", False), body.get("paused") is False or "url" in body
        try:
            made = register().change(webhook, hashed(key), revive=revive, rotate=rotate, **changes)
        except Contended:
            raise Problem("store-away") from None
        if made is None:
            raise Problem("unknown-webhook")
        done(scope, key, ask)
    assert made is not None
    return answer(shown(made, secret=body.get("rotate_secret", False)), headers=replayed(before))


@room.call("DELETE", ONE, "deleteWebhook", KEEPER, gives=(204, None), problems=["unknown-webhook"])
def delete_webhook(webhook: str) -> Response:
    """Forgets a webhook, and all that was to be sent to it."""
    assert g.hook.id == webhook
    try:
        register().drop(g.hook)
    except Contended:
        raise Problem("store-away") from None
    return Response(status=204)


@room.call(
    "POST", f"{ONE}/test", "testWebhook", KEEPER, gives=(202, shapes.DeliverySchema), key=True,
    problems=["unknown-webhook", "webhook-off", "webhook-limit"],
)  # fmt: skip
def test_webhook(webhook: str) -> Response:
    """Sends a message of type `webhook.test`."""
    key, at, hook = endpoint.key(), register(), g.hook
    off(hook)
    place, now = home(webhook), endpoint.desk().log.now()
    name = message_id(webhook, place, TEST, key)
    there = at.deliveries(place, webhook)
    body = canonical({"type": TEST, "timestamp": moment(now), "data": {"webhook": webhook}}).decode()
    row = Delivery(name, webhook, TEST, body, now, now)
    if name not in there and sum(kept.status == "pending" for kept, _ in there.values()) >= MOST_PENDING:
        raise Problem("webhook-limit")
    before = name in there or not at.put(row, None)
    endpoint.desk().wake(place)
    return answer(told(there[name][0] if name in there else row), 202, headers=replayed(before))


@room.call(
    "GET", f"{ONE}/deliveries", "listDeliveries", KEEPER, query=shapes.DeliveriesQuery,
    gives=(200, shapes.DeliveriesSchema), problems=["unknown-webhook"],
)  # fmt: skip
def list_deliveries(query: dict[str, Any], webhook: str) -> Response:
    """What was sent, what waits, and what was given up: as much of it as is kept."""
    assert g.hook.id == webhook
    at = register()
    found = at.history(g.hook)
    after = [place for place, row in enumerate(found, 1) if row.id == query.get("after")]
    rest = found[after[0] :] if after else found
    page = rest[: query["limit"]]
    cursor = page[-1].id if len(rest) > len(page) else None
    body = {"items": [told(row) for row in page], "next_cursor": cursor, "lost": at.lost(g.hook)}
    return answer(body, headers=following(cursor))


@room.call(
    "POST", f"{ONE}/deliveries/<word:delivery>/redelivery", "redeliver", KEEPER, gives=(202, shapes.DeliverySchema),
    key=True, problems=["unknown-webhook", "unknown-delivery", "webhook-off"],
)  # fmt: skip
def redeliver(webhook: str, delivery: str) -> Response:
    """Sends a message once more, under the same id, with all its attempts."""
    key, at, hook = hashed(endpoint.key()), register(), g.hook
    if not MESSAGE_ID.fullmatch(delivery):
        raise Problem("unknown-delivery")
    off(hook)
    place = home(delivery)
    for _ in range(TRIES):
        row, held = at.deliveries(place, webhook).get(delivery, (None, None))
        if row is None:
            raise Problem("unknown-delivery")
        if row.by == key:
            return answer(told(row), 202, headers=replayed(True))
        again = replace(row, status="pending", tries=0, due_ms=endpoint.desk().log.now(), by=key)
        if at.put(again, held):
            at.fares(webhook, lambda was: replace(was, until_ms=0))  # it is asked for: nobody waits out a pause
            endpoint.desk().wake(place)
            return answer(told(again), 202)
    raise Problem("store-away")


def off(hook: Hook) -> None:
    """Raises Problem if nothing is sent to a webhook now."""
    if hook.paused or register().health(hook.id).disabled:
        raise Problem("webhook-off")


def told(row: Delivery) -> dict[str, Any]:
    """A delivery as the owner of the webhook sees it."""
    last = {"at": moment(row.tried_ms), "status": row.answer, "error": row.error or None}
    return {
        "id": row.id,
        "type": row.type,
        "status": row.status,
        "created_at": moment(row.made_ms),
        "attempts": row.tries,
        "next_attempt_at": moment(row.due_ms) if row.status == "pending" else None,
        "last_attempt": last if row.tried_ms else None,
        "message": orjson.loads(row.body),
    }
