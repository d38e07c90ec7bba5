"""The contract: OpenAPI 3.1, generated from the calls as the rooms declare them. `as_yaml()` is what is committed."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from flask import Flask

from api.http.problems import ProblemApi
from api.http.schemas.polymorphic import MoveUnion, UnionPlugin
from api.resources.webhooks.message_schemas import build_webhooks_section
from referee.games import load_games

TITLE = "Referee"
VERSION = "0.1.0"
DESCRIPTION = """\
An event-sourced referee for tabletop games. It judges moves by the rules, and every ruling cites its clauses.

Every write carries an `Idempotency-Key` and may be repeated with the same one. A version is the number of entries in a
match's log; it is the ETag (`"v17"`) and the cursor (`after=17`), so every entry brings a new one. What an `If-Match`
insists on each call says: the log at that version, or the play. Every error is a problem document (RFC 9457); a move
that the rules refuse is 409 `/problems/illegal-move` with the ruling, its clauses and the way out."""
PLAY_PRECONDITION = (
    "It is met as long as play stands where it stood then: entries that the table has written beside the play since "
    "(requests to go back, disputes, testimony, votes, questions about bots, seats that change hands) do not count"
)
PARAMETERS: dict[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "Fresh and random for each new write, the same for each retry; bare or in quotes",
        "schema": {"type": "string", "pattern": '^([A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}")$'},
    },
    "UnguessableKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "As with every write; without a token it protects the answer, and needs 22 characters or more",
        "schema": {"type": "string", "pattern": '^([A-Za-z0-9_-]{22,64}|"[A-Za-z0-9_-]{22,64}")$'},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "required": True,
        "description": "The version that the call is meant for",
        "schema": {"type": "string", "pattern": '^("v[0-9]{1,15}"|\\*)$'},
        "example": '"v17"',
    },
    "IfMatchAllowed": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "Insists on a version: 412 if another stands there",
        "schema": {"type": "string", "pattern": '^("v[0-9]{1,15}"|\\*)$'},
        "example": '"v17"',
    },
    "IfMatchOfPlay": {
        "name": "If-Match",
        "in": "header",
        "required": True,
        "description": f"The version that the call is meant for. {PLAY_PRECONDITION}",
        "schema": {"type": "string", "pattern": '^("v[0-9]{1,15}"|\\*)$'},
        "example": '"v17"',
    },
    "IfMatchOfPlayAllowed": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": f"Insists on the play as it stood at a version: 412 if it has gone on. {PLAY_PRECONDITION}",
        "schema": {"type": "string", "pattern": '^("v[0-9]{1,15}"|\\*)$'},
        "example": '"v17"',
    },
    "IfMatchOfQuestionAllowed": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "Insists on the question that was open at a version: 412 if another has taken its place since",
        "schema": {"type": "string", "pattern": '^("v[0-9]{1,15}"|\\*)$'},
        "example": '"v17"',
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The version that you have: 304 if it is still this one",
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "description": "The version of the last entry that you have: the stream goes on after it, without a snapshot",
        "schema": {"type": "string", "pattern": "^[0-9]{1,10}$"},
    },
    "Prefer": {
        "name": "Prefer",
        "in": "header",
        "required": False,
        "description": "`wait=20`: where there is nothing new, wait so many seconds for it, 30 at most (RFC 7240)",
        "schema": {"type": "string"},
    },
    "PreferWhole": {
        "name": "Prefer",
        "in": "header",
        "required": False,
        "description": "`return=representation`: also tell where the mover stands after the move (RFC 7240)",
        "schema": {"type": "string"},
        "example": "return=representation",
    },
}


def init_app(app: Flask) -> ProblemApi:
    """An empty contract in the app; rooms are registered with it."""
    app.config.update(API_TITLE=TITLE, API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
    api = ProblemApi(
        app,
        spec_kwargs={
            "marshmallow_plugin": UnionPlugin(schema_name_resolver=resolve_schema_name),
            "info": {"description": DESCRIPTION},
            "servers": [{"url": "/"}],
        },
    )
    for name, parameter in PARAMETERS.items():
        api.spec.components.parameters[name] = parameter
    api.spec.components.security_scheme(
        "bearer",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "`rfs_…`, given when a match is opened or joined; `rfp_…` of a player",
        },
    )
    app.config["CONTRACT"] = partial(SPEC_CACHE.get_spec, api)
    return api


class SpecCache:
    """The contract, made when it is first asked for, by one thread, for all apps of a process: they have one code."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, Any] | None = None

    def get_spec(self, api: ProblemApi) -> dict[str, Any]:
        """The contract; if nobody has asked yet, from the calls of this app."""
        with self._lock:
            if self._made is None:
                self._made = build_spec(api)
            return self._made


SPEC_CACHE = SpecCache()


def resolve_schema_name(schema: Any) -> str:
    """The name of a schema in the contract: that of its class, less what says that it is one."""
    kind = schema if isinstance(schema, type) else type(schema)
    return "Move" if kind is MoveUnion else kind.__name__.removesuffix("Schema")


def build_spec(api: ProblemApi) -> dict[str, Any]:
    """The contract as data, from the calls that are registered."""
    from api.openapi.examples import add_examples

    data: dict[str, Any] = api.complete_spec().to_dict()
    data["webhooks"] = build_webhooks_section(api)
    components = data["components"]
    components.get("schemas", {}).pop("PaginationMetadata", None)
    bodies = split_body_by_game(components["schemas"]["MatchBody"])
    components["schemas"] |= bodies
    components["schemas"]["MatchBody"] = build_body_union(bodies)
    for part in ("schemas", "responses", "parameters"):
        components[part] = dict(sorted(components.get(part, {}).items()))
    data["paths"] = dict(sorted(data["paths"].items()))
    return add_examples(data)


def split_body_by_game(body: dict[str, Any]) -> dict[str, Any]:
    """The body that opens a match, once for each game: its variants, its settings, its seats, its devices.

    Each has a name of its own: generators of clients make a class of each, and know it by its `game`.
    """
    options = {}
    for game in load_games().values():
        seats = {**body["properties"]["seats"], "minItems": game.min_seats, "maxItems": game.max_seats}
        devices = {device: {"enum": ["server", "table"]} for device in game.devices}
        by_device = {"type": "object", "properties": devices, "additionalProperties": False}
        own = {
            "game": {"type": "string", "const": game.name},
            "variant": {"enum": list(game.variants), "default": game.variants[0]},
            "settings": game.settings,
            "seats": seats,
            "chance": {**body["properties"]["chance"], "oneOf": [{"enum": ["server", "table"]}, by_device]},
        }
        name = "".join(map(str.capitalize, game.name.split("_"))) + "MatchBody"
        options[name] = {**body, "properties": {**body["properties"], **own}}
    return options


def build_body_union(bodies: dict[str, Any]) -> dict[str, Any]:
    """The union of these bodies, told apart by their game."""
    refs = {body["properties"]["game"]["const"]: f"#/components/schemas/{name}" for name, body in bodies.items()}
    return {
        "description": "A match to open.",
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "game", "mapping": refs},
    }
