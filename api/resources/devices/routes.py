"""Routes for the devices of an account.

A device that is logged in makes a link; another one exchanges its secret for a token of its own. So a lost phone is
logged out alone, and nobody has to copy a token.
"""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from flask import Response, g

from api.http import context, preconditions
from api.http.access.authorization import ACCOUNT_OWNER, ANYONE
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, format_time, json_response, replay_header
from api.resources.devices import schemas as shapes
from api.resources.invitations.links import build_join_url, render_qr_code
from api.resources.players.routes import PLAYER_PATH
from api.resources.webhooks.routes import get_registry
from referee.engine.codec import encode_canonical
from referee.eventstore.accounts import ItemWriteStatus
from referee.service.rights import tokens
from referee.service.rights.device_tokens import log_out_device

LINK_MS = 10 * 60 * 1000
KEPT_MS = 24 * 3600 * 1000
MAX_DEVICES = 10  # besides the first
blueprint = EndpointBlueprint("devices")


def hash_link(secret: str) -> str:
    """Return the code under which a device link is kept; the secret itself is not."""
    return f"device-link:{hashlib.sha256(secret.encode()).hexdigest()}"


@blueprint.declare(
    Endpoint(
        "POST",
        f"{PLAYER_PATH}/device-links",
        "makeDeviceLink",
        ACCOUNT_OWNER,
        response=(201, shapes.DeviceLinkSchema),
        key=True,
    )
)
def link_device(player: str) -> Response:
    """Make a link by which another device logs in to the account.

    It is good once and for ten minutes. A repeated request gets the same link.
    """
    log, key = context.get_match_service().log, preconditions.require_idempotency_key()
    secret = tokens.derive_code(context.get_secret(), player, "device", key, 0, tokens.LINK_LENGTH)
    record = orjson.dumps({"player": player, "until_ms": log.now() + LINK_MS, "by": g.caller.token_hash})
    if log.add_invitation(hash_link(secret), record, 1, LINK_MS):
        kept = record
    else:
        kept = (log.find_invitation(hash_link(secret)) or (record, 0))[0]
    url = build_join_url(f"device={secret}")
    link = {
        "secret": secret,
        "expires_at": format_time(orjson.loads(kept)["until_ms"]),
        "url": url,
        "qr": render_qr_code(url).decode(),
    }
    return json_response(link, 201, headers=NEW_SECRET | replay_header(kept is not record))


@blueprint.declare(
    Endpoint(
        "POST",
        "/v1/devices",
        "addDevice",
        ANYONE,
        body=shapes.DeviceBody,
        response=(201, shapes.AddedDeviceSchema),
        key=True,
        problems=["device-link-void", "devices-full", "idempotency-key-reused"],
    )
)
def add_device(body: dict[str, Any]) -> Response:
    """Exchange the secret of a device link for a token of this device.

    The token is good for everything that the account's first token is good for.
    """
    key, log = preconditions.require_idempotency_key(guarded=False), context.get_match_service().log
    request_hash = hashlib.sha256(encode_canonical(body)).digest()
    stored = log.find_answer("devices", key)
    if stored is None:
        kept_hash, kept = log.remember_answer("devices", key, request_hash, redeem_link(body, key).encode(), KEPT_MS)
    else:
        kept_hash, kept = stored
    if kept_hash != request_hash:
        raise Problem("idempotency-key-reused")
    player = kept.decode()
    token = tokens.derive_device_token(context.get_secret(), player, key)
    added = {"player": player, "device": tokens.name_device(tokens.hash_token(token)), "token": token}
    return json_response(added, 201, headers=NEW_SECRET | replay_header(stored is not None))


def redeem_link(body: dict[str, Any], key: str) -> str:
    """Log a device in by the secret of a link, and return the account. Raises Problem."""
    log, code = context.get_match_service().log, hash_link(body["secret"])
    used = log.redeem_invitation(code, key)
    if used is None:
        raise Problem("device-link-void")
    link = orjson.loads(used[0])
    player: str = link["player"]
    if "by" in link and not tokens.is_account_token(log, player, link["by"]):  # made by a device that is logged out now
        raise Problem("device-link-void")
    token = tokens.derive_device_token(context.get_secret(), player, key)
    record = orjson.dumps({"label": body.get("label"), "since_ms": log.now()})
    done = log.put_account_item(player, tokens.DEVICE, tokens.hash_token(token), record, MAX_DEVICES)
    if done is ItemWriteStatus.FULL:
        log.release_invitation(code, key)
        raise Problem("devices-full", params={"limit": MAX_DEVICES})
    if done is ItemWriteStatus.GONE:
        raise Problem("device-link-void")
    return player


@blueprint.declare(
    Endpoint("GET", f"{PLAYER_PATH}/devices", "listDevices", ACCOUNT_OWNER, response=(200, shapes.DevicesSchema))
)
def list_devices(player: str) -> Response:
    """List the devices that are logged in to the account."""
    log = context.get_match_service().log
    account = log.find_player(player)
    found = []
    if account is not None and account[0]:
        found.append((account[0], {"label": None, "since_ms": orjson.loads(account[1])["since_ms"]}))
    added = [(hashed, orjson.loads(record)) for hashed, record in log.list_account_items(player, tokens.DEVICE).items()]
    found += sorted(added, key=lambda device: (device[1]["since_ms"], device[0]))
    items = [
        {
            "id": tokens.name_device(hashed),
            "label": kept["label"],
            "created_at": format_time(kept["since_ms"]),
            "first": account is not None and hashed == account[0],
            "current": hashed == g.caller.token_hash,
        }
        for hashed, kept in found
    ]
    return json_response({"items": items})


@blueprint.declare(
    Endpoint(
        "DELETE",
        f"{PLAYER_PATH}/devices/<word:device>",
        "deleteDevice",
        ACCOUNT_OWNER,
        response=(204, None),
        problems=["unknown-device"],
    )
)
def remove_device(player: str, device: str) -> Response:
    """Log a device out: nothing that it has is good for anything any longer.

    That is its token, those that it got at tables (of a host too), its open streams, and links for further devices. The
    account keeps its seats and its matches, and its other devices go on.
    """
    log = context.get_match_service().log
    account = log.find_player(player)
    first = account is not None and tokens.name_device(account[0]) == device
    added = [hashed for hashed in log.list_account_items(player, tokens.DEVICE) if tokens.name_device(hashed) == device]
    if not first and not added:
        raise Problem("unknown-device")
    log_out_device(context.get_match_service(), context.get_secret(), player, device)
    registry = get_registry()
    for hook in registry.list_account_hooks(player):
        if hook.device == device:
            registry.drop_hook(hook)
    if first:
        log.revoke_first_token(player)
    for hashed in added:
        log.drop_account_item(player, tokens.DEVICE, hashed)
    return Response(status=204)
