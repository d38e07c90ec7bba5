"""The OpenAPI 3.1 contract, generated from the declared endpoints."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from flask import Flask
from marshmallow import Schema

from api.http.encoding.languages import CHOICES
from api.http.endpoint import ETAG_HEADER, GENERAL_PROBLEMS, NEEDS_TOKEN, format_problems
from api.http.problems import ProblemApi
from api.http.schemas.fields import PLAIN_COMPONENTS
from api.http.schemas.polymorphic import MoveUnion, UnionPlugin
from api.openapi.describing import describe_contract
from api.openapi.sharing import (
    copy_parts,
    open_answers,
    share_answers,
    share_members,
    share_parts,
    share_path_parameters,
    share_schemas,
    shorten,
    tell_defaults,
    type_seats,
)
from api.openapi.tags import list_tags
from api.resources.games.schemas import CARD_SCHEMA, name_settings
from api.resources.streams.schemas import MatchEventsSchema, PlayerEventsSchema
from api.resources.tournaments.tournament_stream import TournamentEventsSchema
from api.resources.webhooks.message_schemas import build_webhooks_section
from referee.games import load_games

TITLE = "Referee"
VERSION = "1.0.0"  # of the contract, not of the program; its first number is that of the addresses (`/v1`)
DESCRIPTION = """\
An event-sourced referee for tabletop games. It judges moves by the rules, and every ruling cites its clauses.

Every write carries an `Idempotency-Key` and may be repeated with the same key. A version is the number of entries in
a match's log. It is the ETag (`"v17"`, or `"v17-de"` of an answer in German) and the cursor (`after=17`), so every
entry makes a new one. What a match shows depends on who looks, and the parameter `viewer` says who: the public, a seat
or everything. Then the ETag says so too (`"v17-seat0-de"`). Each call says what its `If-Match` requires: that the log
is still at that version, or only that play is. Every error is a problem document (RFC 9457). A move that the rules
refuse is 409 `/problems/illegal-move`, with the ruling, its clauses and a way out."""
PLAY_PRECONDITION = (
    "It is met if play has not gone on since that version. Entries about other things do not count: takeback requests, "
    "disputes, testimony, votes, questions about bots, and seats that change hands"
)
IF_MATCH_PATTERN = r'^((W/)?"v[0-9]{1,15}(-(full|seat1?[0-9]))?(-(de|en))?"|\*)$'
PARAMETERS: dict[str, dict[str, Any]] = {
    "Lang": {
        "name": "lang",
        "in": "query",
        "required": False,
        "description": "The language of all texts; goes before `Accept-Language`",
        "schema": {"enum": list(CHOICES)},
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "New and random for each write, the same for each retry; with or without quotes",
        "schema": {"type": "string", "pattern": '^([A-Za-z0-9_-]{1,64}|"[A-Za-z0-9_-]{1,64}")$'},
    },
    "UnguessableKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "New and random for each write, the same for each retry. It alone protects the answer here, so "
        "it needs 22 characters or more",
        "schema": {"type": "string", "pattern": '^([A-Za-z0-9_-]{22,64}|"[A-Za-z0-9_-]{22,64}")$'},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "required": True,
        "description": "The version that the call is meant for",
        "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
        "example": '"v17"',
    },
    "IfMatchAllowed": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "A version that the match must have: 412 if it has another",
        "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
        "example": '"v17"',
    },
    "IfMatchOfPlay": {
        "name": "If-Match",
        "in": "header",
        "required": True,
        "description": f"The version that the call is meant for. {PLAY_PRECONDITION}",
        "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
        "example": '"v17"',
    },
    "IfMatchOfPlayAllowed": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": f"A version after which play must not have gone on: 412 if it has. {PLAY_PRECONDITION}",
        "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
        "example": '"v17"',
    },
    "IfMatchOfQuestionAllowed": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "A version whose open question must still be open: 412 if it has been replaced since",
        "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
        "example": '"v17"',
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The ETag that you have: 304 if it is still the current one",
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "description": "The version of the last entry that you have: the stream starts after it, without a snapshot",
        "schema": {"type": "string", "pattern": "^[0-9]{1,10}$"},
    },
    "LastStateId": {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "description": "The id of the last event that you have: if nothing changed since, no list is sent",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    },
    "Prefer": {
        "name": "Prefer",
        "in": "header",
        "required": False,
        "description": "`wait=20`: if there is nothing new, wait up to 20 seconds for it; 30 at most (RFC 7240)",
        "schema": {"type": "string"},
    },
    "PreferWhole": {
        "name": "Prefer",
        "in": "header",
        "required": False,
        "description": "`return=representation`: include the mover's situation after the move (RFC 7240)",
        "schema": {"type": "string"},
        "example": "return=representation",
    },
}
PROBLEM_HEADERS: dict[str, dict[str, Any]] = {
    "Retry-After": {
        "description": "After how many seconds to send the request again; with 429, 503 and wherever waiting helps",
        "schema": {"type": "integer", "minimum": 0},
    },
    "X-Request-Id": {
        "description": "The id of the request, or the one that it brought; `request_id` of the body",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "With 401: `Bearer`", "schema": {"type": "string"}},
    "Accept-Encoding": {
        "description": "With 415, if the body came with Content-Encoding: `identity`, as bodies are not packed",
        "schema": {"const": "identity"},
    },
    "ETag": {
        "description": "With 412 `stale-version`, 409 `overtaken` and `window-closed`: the present version",
        "schema": {"type": "string"},
    },
}


def init_app(app: Flask) -> ProblemApi:
    """Make an empty contract in the app; blueprints are registered with it."""
    app.config.update(API_TITLE=TITLE, API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
    api = ProblemApi(
        app,
        spec_kwargs={
            "marshmallow_plugin": UnionPlugin(schema_name_resolver=resolve_schema_name),
            "info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
            "servers": [{"url": "/"}],
            "security": NEEDS_TOKEN,  # a call that needs none says so
        },
    )
    for name, parameter in PARAMETERS.items():
        api.spec.components.parameters[name] = parameter
    api.spec.components.security_scheme(
        "bearer",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "`rfs_…`, issued when a match is opened or joined; `rfp_…` and "
            "`rfd_…`, of a player's account and its further devices",
        },
    )
    app.config["CONTRACT"] = partial(SPEC_CACHE.get_spec, api)
    return api


class SpecCache:
    """The contract of this process, made once when it is first needed.

    All apps of a process share it, because they have the same code.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, Any] | None = None

    def get_spec(self, api: ProblemApi) -> dict[str, Any]:
        """Return the contract, made from the endpoints of this app if there is none yet."""
        with self._lock:
            if self._made is None:
                self._made = build_spec(api)
            return self._made


SPEC_CACHE = SpecCache()


def resolve_schema_name(schema: Any) -> str:
    """Return the name of a schema in the contract: its class name without `Schema`."""
    kind = schema if isinstance(schema, type) else type(schema)
    return "Move" if kind is MoveUnion else kind.__name__.removesuffix("Schema")


def build_spec(api: ProblemApi) -> dict[str, Any]:
    """Return the contract as data, from the registered endpoints."""
    from api.openapi.answers import add_answers
    from api.openapi.examples import add_examples

    for events in (
        MatchEventsSchema,
        PlayerEventsSchema,
        TournamentEventsSchema,
    ):  # of streams, which are no JSON themselves
        api.spec.components.schema(resolve_schema_name(events), schema=events)
    data: dict[str, Any] = api.complete_spec().to_dict()
    data["tags"] = list_tags()
    data["webhooks"] = build_webhooks_section(api)
    components = data["components"]
    components.get("schemas", {}).pop("PaginationMetadata", None)
    components["responses"]["Problem"]["description"] = (
        "A problem. Each call names its own; these come with all calls that they can concern: "
        f"{format_problems(GENERAL_PROBLEMS)}"
    )
    components["responses"]["Problem"]["headers"] = PROBLEM_HEADERS
    components["responses"]["NotModified"] = {
        "description": "You have this version already",
        "headers": {"ETag": ETAG_HEADER},
    }
    bodies = split_body_by_game(components["schemas"]["MatchBody"])
    components["schemas"] |= PLAIN_COMPONENTS | {"Card": CARD_SCHEMA} | bodies
    components["schemas"] |= {name: load_games()[game].settings for game, name in name_settings().items()}
    components["schemas"]["MatchBody"] = build_body_union(bodies)
    for part in ("schemas", "responses", "parameters"):
        components.setdefault(part, {})
    data["paths"] = dict(sorted(data["paths"].items()))
    add_examples(data)
    data = copy_parts(data)  # games and fields keep what they gave
    components = data["components"]
    tell_defaults(components["schemas"])
    type_seats(components["schemas"])
    shorten(data)
    share_schemas(components["schemas"])
    open_answers(data)
    bases = find_bases(api, components["schemas"])
    describe_contract(data, bases)
    share_members(components["schemas"], bases)
    share_parts(data)
    share_path_parameters(data)
    share_answers(data)
    add_answers(data)
    for part, named in components.items():
        components[part] = dict(sorted(named.items()))
    return data


def find_bases(api: ProblemApi, schemas: dict[str, Any]) -> dict[str, str]:
    """Return the schema that each schema of the contract extends.

    Those that extend most come first: each is compared with its base before that is written in a shorter way.
    """
    depths: dict[str, tuple[int, str]] = {}
    for (kind, *_), name in api.ma_plugin.converter.refs.items():
        above = [resolve_schema_name(each) for each in kind.__mro__[1:] if issubclass(each, Schema)]
        if name in schemas and (base := next((each for each in above if each in schemas), None)):
            depths[name] = (len(above), base)
    return {name: depths[name][1] for name in sorted(depths, key=lambda each: (-depths[each][0], each))}


def split_body_by_game(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body that opens a match, once for each game.

    Each has the game's variants, settings, seats and devices, and a name of its own: client generators make a class of
    each and tell them apart by `game`.
    """
    options = {}
    for game in load_games().values():
        seats = {**body["properties"]["seats"], "minItems": game.min_seats, "maxItems": game.max_seats}
        devices = {device: {"enum": ["server", "table"]} for device in game.devices}
        by_device = {"type": "object", "properties": devices, "additionalProperties": False}
        own = {
            "game": {"type": "string", "const": game.name},
            "variant": {"enum": list(game.variants), "default": game.variants[0]},
            "settings": {"$ref": f"#/components/schemas/{name_settings()[game.name]}"},
            "seats": seats,
            "chance": {**body["properties"]["chance"], "oneOf": [{"enum": ["server", "table"]}, by_device]},
        }
        name = "".join(map(str.capitalize, game.name.split("_"))) + "MatchBody"
        options[name] = {**body, "properties": {**body["properties"], **own}}
    return options


def build_body_union(bodies: dict[str, Any]) -> dict[str, Any]:
    """Return the union of these bodies, with `game` as discriminator."""
    refs = {body["properties"]["game"]["const"]: f"#/components/schemas/{name}" for name, body in bodies.items()}
    return {
        "description": "A match to open.",
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "game", "mapping": refs},
    }
