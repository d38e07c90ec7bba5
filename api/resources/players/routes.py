"""Accounts of players, apart from every log: made, looked at, changed, deleted; and what a player has played."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import orjson
from flask import Response, g

from api.http import consistency_token, endpoint
from api.http.access import tokens
from api.http.access.authorization import ACCOUNT, ANYONE, SELF
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer, moment
from api.resources.matches.routes import following
from api.resources.players import schemas as shapes
from api.resources.players.history import items_of
from referee.engine.codec import canonical

ALL = "/v1/players"
ONE = f"{ALL}/<player:player>"
KEPT_MS = 24 * 3600 * 1000
room = Room("players", "Accounts of players; no log of a match knows them.")


def shown(player: str, record: bytes) -> dict[str, Any]:
    """An account as its owner sees it."""
    kept = orjson.loads(record)
    return {"player": player, "name": kept["name"], "lang": kept["lang"], "since": moment(kept["since_ms"])}


@room.call(
    "POST", ALL, "makePlayer", ANYONE, body=shapes.PlayerBody, gives=(201, shapes.MadePlayerSchema), key=True,
    problems=["idempotency-key-reused"],
)  # fmt: skip
def make_player(body: dict[str, Any]) -> Response:
    """Makes an account and gives its token, once: only its hash is kept. Repeated with the same key it gives it again.

    The key protects the answer, so it has to be unguessable: 22 characters or more.
    """
    key, log = endpoint.key(guarded=False), endpoint.desk().log
    ask = hashlib.sha256(canonical(body)).digest()
    token = tokens.player_token(endpoint.secret(), key)
    player = tokens.player_of(endpoint.secret(), token)
    known = log.recalled("players", key)
    if known is None:
        record = orjson.dumps({"name": body.get("name"), "lang": body.get("lang", "en"), "since_ms": log.now()})
        made = log.make_player(player, tokens.hashed(token), record)
        kept = log.player(player)
        if not made and (kept is None or not same(kept[1], body)):
            raise Problem("idempotency-key-reused")  # its answer was forgotten, or never written down
        since = orjson.loads(record if kept is None else kept[1])["since_ms"]
        # no name is kept where it could not be forgotten: the same request brings the same name along
        known_ask, answered = log.remember("players", key, ask, str(since).encode(), KEPT_MS)
    else:
        known_ask, answered = known
    if not hmac.compare_digest(known_ask, ask):
        raise Problem("idempotency-key-reused")
    headers = {"Location": f"{ALL}/{player}"} | ({} if known is None else {"Idempotency-Replayed": "true"})
    record = orjson.dumps({"name": body.get("name"), "lang": body.get("lang", "en"), "since_ms": int(answered)})
    return answer({**shown(player, record), "token": token}, 201, headers=headers)


def same(record: bytes, body: dict[str, Any]) -> bool:
    """Whether an account is the one that a request made."""
    kept = orjson.loads(record)
    return kept["name"] == body.get("name") and kept["lang"] == body.get("lang", "en")


@room.call("GET", ONE, "getPlayer", SELF, gives=(200, shapes.PlayerSchema))
def get_player(player: str) -> Response:
    """The account, for its owner."""
    return answer(shown(player, g.account))


@room.call(
    "PATCH", ONE, "changePlayer", SELF, body=shapes.PlayerBody, gives=(200, shapes.PlayerSchema), key=True,
    problems=["idempotency-key-reused"],
)  # fmt: skip
def change_player(body: dict[str, Any], player: str) -> Response:
    """Changes name or language; what is left out stays, and a name of null is forgotten.

    A repeated request changes nothing, and shows the account as it is now: an answer that was kept would keep the name.
    """
    key, log, ask = endpoint.key(), endpoint.desk().log, hashlib.sha256(canonical(body)).digest()
    scope = f"player:{player}"
    known = log.recalled(scope, key)
    if known is None:
        record = orjson.dumps({**orjson.loads(g.account), **body})
        if not log.change_player(player, record):
            raise Problem("unauthorized")
        log.remember(scope, key, ask, b"", KEPT_MS)
        return answer(shown(player, record))
    if known[0] != ask:
        raise Problem("idempotency-key-reused")
    return answer(shown(player, g.account), headers={"Idempotency-Replayed": "true"})


@room.call("DELETE", ONE, "deletePlayer", SELF, gives=(204, None))
def delete_player(player: str) -> Response:
    """Forgets the account: name, token, and which seats were his. What happened in the matches stays, as facts do.

    Whoever sat down while this goes on is forgotten as well; a call that broke off can be repeated.
    """
    log = endpoint.desk().log
    while True:
        sittings = log.enlisted(player)
        for sitting, note in sittings.items():
            match, _, version = sitting.partition(":")
            kept = orjson.loads(note)
            if kept["name"] is not None and log.names(match).get(str(kept["seat"])) == kept["name"]:
                log.put_names(match, {str(kept["seat"]): None})
            log.unlink(match, int(version))
        if log.drop_player(player, len(sittings)):
            return Response(status=204)


@room.call(
    "GET", f"{ONE}/matches", "listPlayerMatches", ACCOUNT, query=shapes.HistoryQuery, gives=(200, shapes.HistorySchema),
    problems=["projection-behind", "as-of-unknown"],
)  # fmt: skip
def list_player_matches(query: dict[str, Any], player: str) -> Response:
    """What a player has played, the latest first: all of it for himself, the public matches for anybody."""
    cursors = consistency_token.waited("standings", query.get("at_least"))
    found, cursor = items_of(player, g.caller.player == player, query.get("after"), query["limit"])
    body = {"items": found, "next_cursor": cursor, "as_of": consistency_token.written(cursors)}
    return answer(body, headers=following(cursor))
