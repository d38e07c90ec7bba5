"""Routes for players' accounts, which are kept outside every log."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import orjson
from flask import Response, g

from api.http import consistency_token, context, preconditions
from api.http.access.authorization import ACCOUNT_OWNER, ACCOUNT_VIEWER, ANYONE
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import NEW_SECRET, format_time, json_response, replay_header
from api.http.schemas.paging import next_link_header
from api.resources.players import schemas as shapes
from api.resources.players.history import load_history_page
from referee.engine.codec import encode_canonical
from referee.infrastructure.webhooks.registry import WebhookRegistry
from referee.service.rights import tokens

PLAYERS_PATH = "/v1/players"
PLAYER_PATH = f"{PLAYERS_PATH}/<player:player>"
KEPT_MS = 24 * 3600 * 1000
blueprint = EndpointBlueprint("players")


def player_to_dict(player: str, record: bytes) -> dict[str, Any]:
    """Return an account as its owner sees it."""
    kept = orjson.loads(record)
    return {"id": player, "name": kept["name"], "lang": kept["lang"], "created_at": format_time(kept["since_ms"])}


@blueprint.declare(
    Endpoint(
        "POST",
        PLAYERS_PATH,
        "makePlayer",
        ANYONE,
        body=shapes.PlayerBody,
        response=(201, shapes.CreatedPlayerSchema),
        key=True,
        location=True,
        problems=["idempotency-key-reused"],
    )
)
def make_player(body: dict[str, Any]) -> Response:
    """Make an account and return its token this one time.

    Only the hash of the token is stored; a request repeated with the same key gets the token again. The key protects
    the answer, so it must be impossible to guess: 22 characters or more.
    """
    key, log = preconditions.require_idempotency_key(guarded=False), context.get_match_service().log
    request_hash = hashlib.sha256(encode_canonical(body)).digest()
    token = tokens.derive_player_token(context.get_secret(), key)
    player = tokens.derive_player_id(context.get_secret(), token)
    stored = log.find_answer("players", key)
    if stored is None:
        record = orjson.dumps({"name": body.get("name"), "lang": body.get("lang", "en"), "since_ms": log.now()})
        made = log.create_player(player, tokens.hash_token(token), record)
        kept = log.find_player(player)
        if not made and (kept is None or not is_same_account(kept[1], body)):
            raise Problem("idempotency-key-reused")  # its answer has expired, or was never stored
        since = orjson.loads(record if kept is None else kept[1])["since_ms"]
        # the answer is stored without the name, which could not be deleted there; a repeated request brings it again
        stored_hash, answered = log.remember_answer("players", key, request_hash, str(since).encode(), KEPT_MS)
    else:
        stored_hash, answered = stored
    if not hmac.compare_digest(stored_hash, request_hash):
        raise Problem("idempotency-key-reused")
    headers = {"Location": f"{PLAYERS_PATH}/{player}"} | replay_header(stored is not None)
    record = orjson.dumps({"name": body.get("name"), "lang": body.get("lang", "en"), "since_ms": int(answered)})
    return json_response({**player_to_dict(player, record), "token": token}, 201, headers=NEW_SECRET | headers)


def is_same_account(record: bytes, body: dict[str, Any]) -> bool:
    """Return whether an account is the one that a request made."""
    kept = orjson.loads(record)
    return bool(kept["name"] == body.get("name") and kept["lang"] == body.get("lang", "en"))


@blueprint.declare(Endpoint("GET", PLAYER_PATH, "getPlayer", ACCOUNT_OWNER, response=(200, shapes.PlayerSchema)))
def get_player(player: str) -> Response:
    """Return the account; only its owner may see it."""
    return json_response(player_to_dict(player, g.account))


@blueprint.declare(
    Endpoint(
        "PATCH",
        PLAYER_PATH,
        "changePlayer",
        ACCOUNT_OWNER,
        body=shapes.PlayerBody,
        response=(200, shapes.PlayerSchema),
        key=True,
        problems=["idempotency-key-reused"],
    )
)
def change_player(body: dict[str, Any], player: str) -> Response:
    """Change the name or the language of an account.

    What is left out stays; a name of null deletes the name. A repeated request changes nothing and shows the account as
    it is now, because a stored answer would keep the name.
    """
    key, log, request_hash = (
        preconditions.require_idempotency_key(),
        context.get_match_service().log,
        hashlib.sha256(encode_canonical(body)).digest(),
    )
    scope = f"player:{player}"
    stored = log.find_answer(scope, key)
    if stored is None:
        record = orjson.dumps({**orjson.loads(g.account), **body})
        if not log.change_player(player, record):
            raise Problem("unauthorized")
        log.remember_answer(scope, key, request_hash, b"", KEPT_MS)
        return json_response(player_to_dict(player, record))
    if stored[0] != request_hash:
        raise Problem("idempotency-key-reused")
    return json_response(player_to_dict(player, g.account), headers=replay_header(True))


@blueprint.declare(Endpoint("DELETE", PLAYER_PATH, "deletePlayer", ACCOUNT_OWNER, response=(204, None)))
def delete_player(player: str) -> Response:
    """Delete the account: name, token, and which seats were the player's.

    What happened in the matches stays. A seat that the player takes while this goes on is unlinked as well. A call that
    broke off can be repeated.
    """
    log = context.get_match_service().log
    while True:
        sittings = log.read_sittings(player)
        for sitting, note in sittings.items():
            match, _, version = sitting.partition(":")
            kept = orjson.loads(note)
            if kept["name"] is not None and log.read_seat_names(match).get(str(kept["seat"])) == kept["name"]:
                log.put_seat_names(match, {str(kept["seat"]): None})
            log.unlink_player(match, int(version))
        registry = WebhookRegistry(log)
        for hook in registry.list_account_hooks(player):
            registry.drop_hook(hook)
        if log.drop_player(player, len(sittings)):
            return Response(status=204)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{PLAYER_PATH}/matches",
        "listPlayerMatches",
        ACCOUNT_VIEWER,
        query=shapes.HistoryQuery,
        response=(200, shapes.HistorySchema),
        problems=["projection-behind", "as-of-unknown"],
    )
)
def list_player_matches(query: dict[str, Any], player: str) -> Response:
    """List the matches of a player, latest first.

    The player sees all of them, others only the public ones.
    """
    cursors = consistency_token.wait_for_projection("standings", query.get("at_least"))
    found, cursor = load_history_page(player, g.caller.player == player, query.get("after"), query["limit"])
    body = {"items": found, "next_cursor": cursor, "as_of": consistency_token.encode_consistency_token(cursors)}
    return json_response(body, headers=next_link_header(cursor))
