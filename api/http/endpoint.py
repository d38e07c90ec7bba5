"""Endpoints, each declared in one place: address, permission, input and output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from http import HTTPStatus
from typing import Any

from flask import Flask, after_this_request, g
from flask_smorest import Blueprint
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import MultiDict

from api.http.access.admission import admit_request
from api.http.access.authorization import ANYONE, Permission
from api.http.encoding.deprecation import HEADERS as DEPRECATION_HEADERS
from api.http.encoding.deprecation import Deprecation
from api.http.preconditions import IF_MATCH_PARAMETERS
from api.http.problems import PROBLEMS
from api.http.responses import JSON

ViewFunction = Callable[..., Any]
GENERAL_PROBLEMS = (  # which the contract names once for all calls
    *("bad-request", "not-json", "parameter-repeated", "idempotency-key-missing"),
    *("unauthorized", "not-found", "unknown-match", "unknown-player", "method-not-allowed", "not-acceptable"),
    *("archived", "match-moved", "content-too-large", "uri-too-long", "unsupported-media-type", "host-unknown"),
    *("invalid-input", "log-frozen", "if-match-missing", "too-many-requests", "headers-too-large"),
    *("internal-server-error", "overloaded", "store-full"),
)
NEEDS_TOKEN: list[dict[str, list[str]]] = [{"bearer": []}]
ETAG_HEADER = {"description": "The version; of a file, a picture or a form, its digest", "schema": {"type": "string"}}
LOCATION_HEADER = {"description": "The address of what was made", "schema": {"type": "string"}}
REPLAYED_HEADER = {
    "description": "Only if this key was used before: what was written then is answered again, and nothing is written",
    "schema": {"const": "true"},
}
NEXT_HEADER = {"description": 'The next page, with `rel="next"`, if there is one', "schema": {"type": "string"}}
NOT_ITS_TOKEN_HEADER = {
    "description": '`Bearer error="invalid_token"`: the token is none of this match, and the public is answered',
    "schema": {"type": "string"},
}
FILE_NAME_HEADER = {"description": "Under which name the file is saved (RFC 6266)", "schema": {"type": "string"}}
APPLIED_HEADER = {"description": "What of `Prefer` was followed (RFC 7240)", "schema": {"type": "string"}}
RECEIPT_HEADER = {
    "description": "A signed checkpoint of the log, if the call wrote to it: a C2SP note as byte sequence (RFC 9651)",
    "schema": {"type": "string", "pattern": "^:[A-Za-z0-9+/]+=*:$"},
}


class RequestParser(FlaskParser):
    """A webargs parser: it reuses the admitted body and refuses unknown parameters."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def load_querystring(self, req: Any, schema: Any) -> Any:
        """Return the query without `lang`, which every call takes."""
        return self._makeproxy(MultiDict(each for each in req.args.items(multi=True) if each[0] != "lang"), schema)

    def load_json(self, req: Any, schema: Any) -> Any:
        return g.json


@dataclass(frozen=True)
class Endpoint:
    """One call of the API, as the contract and `admit_request` need it.

    - `operation`: its operationId. `permission`: who may make it.
    - `body`, `query`: marshmallow schemas. `text`: the media type of a body that is not JSON, which the view reads;
      `parts`: the schema of the same body as `multipart/form-data`.
    - `response`: status and schema; `other_responses`: further statuses, each with schema and media type.
    - `key`: an Idempotency-Key is required. `precondition`: one of IF_MATCH_PARAMETERS.
    - `problems`: slugs beyond those that follow from the rest. `headers`: further request headers, by their names in
      the contract.
    - `etag`: the answer carries the version. `location`: it names what was made; every entry that is written is named.
    - `receipt`: the answer has no body, and its receipt in a header. `file`: it is a file, and named.
    - `takes_ticket`: a ticket in the query may stand for the token (`api/http/access/tickets.py`).
    - `writes_outside_log`: it writes outside the log of its match, which is allowed for an archived match.
    - `tag`: under what the contract lists it, if not under the tag of its blueprint.
    - `deprecation`: since when it is deprecated, if it is; its answers and the contract say so.
    """

    method: str
    rule: str
    operation: str
    permission: Permission = ANYONE
    body: Any = None
    query: Any = None
    text: str = ""
    parts: dict[str, Any] | None = None
    response: tuple[int, Any] = (200, None)
    other_responses: Sequence[tuple[int, Any, str]] = ()
    key: bool = False
    precondition: str = ""
    problems: Sequence[str] = ()
    examples: dict[str, Any] | None = None
    media: tuple[str, ...] = (JSON,)
    etag: bool = False
    location: bool = False
    headers: tuple[str, ...] = ()
    writes_outside_log: bool = False
    receipt: bool = False
    file: bool = False
    takes_ticket: bool = False
    tag: str = ""
    deprecation: Deprecation | None = None

    @property
    def writes_log(self) -> bool:
        """Whether the call would add to the log of the match in its address."""
        return self.permission.about_match and self.method != "GET" and not self.writes_outside_log

    def list_problems(self) -> list[str]:
        """Return the slugs of all problems that the call can answer with, each once."""
        return list(dict.fromkeys((*self._list_common_problems(), *self.problems)))

    def _list_common_problems(self) -> Iterator[str]:
        if self.key:
            yield "idempotency-key-missing"
        if self.permission.needs_token:
            yield "unauthorized"
        if self.permission.about_match:
            yield "unknown-match"
            yield "log-frozen"  # its archive is missing or damaged
        if self.writes_log:
            yield "archived"
        if self.writes_log or self.writes_outside_log:
            yield "match-moved"
        if self.permission.about_player:
            yield "unknown-player"
        yield from self.permission.problems
        yield "invalid-input"  # each takes `lang`
        if self.query is not None:
            yield "parameter-repeated"
        if self.precondition.startswith("required"):
            yield "if-match-missing"

    def list_answer_headers(self, status: int) -> dict[str, Any]:
        """Return the headers that a successful answer may have, for the contract."""
        written = status == HTTPStatus.CREATED and self.etag
        found = {
            "ETag": (ETAG_HEADER, self.etag or self.receipt),
            "Location": (LOCATION_HEADER, self.location or written),
            "Content-Disposition": (FILE_NAME_HEADER, self.file),
            "Receipt": (RECEIPT_HEADER, self.receipt),
            "Idempotency-Replayed": (REPLAYED_HEADER, self.key),
            "Link": (NEXT_HEADER, "next_cursor" in getattr(self.response[1], "_declared_fields", ())),
            "WWW-Authenticate": (NOT_ITS_TOKEN_HEADER, self.permission.about_match and not self.permission.needs_token),
            "Preference-Applied": (APPLIED_HEADER, any(name.startswith("Prefer") for name in self.headers)),
        }
        return {name: header for name, (header, is_given) in found.items() if is_given}

    def describe(self, doc: dict[str, Any], method: str) -> None:
        """Add to the operation `doc` what its schemas do not say.

        That is its token, key, precondition, headers and problems.
        """
        parameters = doc.setdefault("parameters", [])
        if self.key:
            parameters.append("IdempotencyKey" if self.permission.needs_token else "UnguessableKey")
        if self.precondition:
            parameters.append(IF_MATCH_PARAMETERS[self.precondition])
        parameters.extend(self.headers)
        parameters.append("Lang")
        if self.etag and method == "get":
            parameters.append("IfNoneMatch")
            doc["responses"][304] = {"$ref": "#/components/responses/NotModified"}
        if not self.permission.needs_token:  # else that of the whole contract
            doc["security"] = self._optional_security()
        for status in [status for status in doc["responses"] if str(status).startswith("4")]:
            del doc["responses"][status]  # what the library adds
        own = [slug for slug in self.list_problems() if slug not in GENERAL_PROBLEMS]
        told = {"description": format_problems(own)} if own else {}
        doc["responses"]["default"] = {"$ref": "#/components/responses/Problem", **told}
        if self.deprecation is not None:
            doc["deprecated"] = True
            parts = (doc.get("description", ""), self.deprecation.describe())
            doc["description"] = "\n\n".join(filter(None, parts))
            for status, answer in doc["responses"].items():
                if str(status).startswith("2"):
                    answer["headers"] = {**answer.get("headers", {}), **DEPRECATION_HEADERS}

    def _optional_security(self) -> list[dict[str, list[str]]]:
        permission = self.permission
        takes_token = permission.about_match or permission.about_player or permission.optional_token
        return [{}, *NEEDS_TOKEN] if takes_token else []


class EndpointBlueprint(Blueprint):
    """A blueprint whose calls are `Endpoint`s.

    `tag` is what the contract lists them under, one of `api/openapi/tags.py`; without one, the name of the blueprint.
    """

    ARGUMENTS_PARSER = RequestParser()

    def __init__(self, name: str, tag: str = "") -> None:
        super().__init__(name, name)
        self._tag = tag or name
        self._prepare_doc_cbks.append(describe_endpoint)

    def register_views_in_doc(self, api: Any, *args: Any, **kwargs: Any) -> None:
        """Put off the description of these calls until the contract is asked for."""
        api.defer_description(partial(super().register_views_in_doc, api, *args, **kwargs))

    def declare(self, endpoint: Endpoint) -> Callable[[ViewFunction], ViewFunction]:
        """Return a decorator that makes a view answer `endpoint`.

        The view itself stays as it is.
        """

        def decorate(view: ViewFunction) -> ViewFunction:
            made = self._guard_view(self._document(view, endpoint), endpoint)
            made._apidoc["endpoint"] = endpoint  # type: ignore[attr-defined]
            tags = [endpoint.tag or self._tag]
            self.add_url_rule(endpoint.rule, endpoint.operation, made, tags=tags, methods=[endpoint.method])
            return view

        return decorate

    def _document(self, view: ViewFunction, endpoint: Endpoint) -> ViewFunction:
        """Return the view with its arguments parsed and its description completed.

        The description gets the bodies, the answers and the operation id.
        """
        made = view
        for status, schema, media in endpoint.other_responses:
            made = self.alt_response(status, schema=schema, content_type=media, success=True)(made)
        status, schema = endpoint.response
        headers = endpoint.list_answer_headers(status)
        made = self.response(status, schema, content_type=endpoint.media[0], headers=headers or None)(made)
        if endpoint.body is not None:
            made = self.arguments(instantiate_schema(endpoint.body), examples=endpoint.examples)(made)
        if endpoint.query is not None:
            made = self.arguments(instantiate_schema(endpoint.query), location="query")(made)
        if endpoint.text:
            content: dict[str, Any] = {endpoint.text: {"schema": {"type": "string"}}}
            if endpoint.parts is not None:
                content["multipart/form-data"] = {"schema": endpoint.parts}
            made = self.doc(requestBody={"required": True, "content": content})(made)
        described: ViewFunction = self.doc(operationId=endpoint.operation)(made)
        return described

    @staticmethod
    def _guard_view(view: ViewFunction, endpoint: Endpoint) -> ViewFunction:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if endpoint.deprecation is not None:
                after_this_request(endpoint.deprecation.mark_response)
            admit_request(endpoint, kwargs)
            return view(*args, **kwargs)

        return guarded


def find_endpoint(app: Flask, name: str) -> Endpoint:
    """Return what a view of an app was declared with, by its name in the app."""
    view: Any = app.view_functions[name]
    found: Endpoint = view._apidoc["endpoint"]
    return found


def describe_endpoint(doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Return an operation's description `doc` with what its endpoint adds to it."""
    endpoint: Endpoint = doc_info["endpoint"]
    endpoint.describe(doc, kwargs["method"])
    return doc


def format_problems(slugs: Sequence[str]) -> str:
    """Return problems as the contract tells them: by status."""
    by_status: dict[int, list[str]] = {}
    for slug in slugs:
        by_status.setdefault(PROBLEMS[slug]["status"], []).append(f"`{slug}`")
    return "; ".join(f"{status} {', '.join(named)}" for status, named in sorted(by_status.items()))


def instantiate_schema(schema: Any) -> Any:
    """Return the schema as one instance for all requests.

    Making an instance for each request takes longer than the check itself.
    """
    return schema() if isinstance(schema, type) else schema
