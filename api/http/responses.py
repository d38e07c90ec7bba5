"""Responses: JSON by orjson, the version as ETag, 304 for a version already known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import Response, g, request
from flask.json.provider import JSONProvider

from api.http.encoding.languages import NEGOTIATED_BY, Language, choose_language, encode_json, format_content_language
from api.http.schemas.viewers import tag_viewer
from referee.engine.seats import BYSTANDER
from referee.match.clocks import QuestionDeadline

JSON = "application/json"
NDJSON = "application/x-ndjson"
NEW_SECRET = {"Cache-Control": "private, no-store, no-transform"}  # of an answer with a new token or code: never packed


class OrjsonProvider(JSONProvider):
    """Flask's JSON provider on top of orjson."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(orjson.dumps(self._prepare_response_obj(args, kwargs)), mimetype=JSON)


def format_etag(version: int, lang: Language | None = None, viewer: int = BYSTANDER, mark: str = "") -> str:
    """Return the version as an ETag.

    It names the viewer and the language of the answer, if it is not the public, or all languages. `mark` stands for
    what the answer shows besides the version, such as names.
    """
    tag = "-".join(filter(None, (f"v{version}", tag_viewer(viewer), lang)))
    return f'"{tag}{f".{mark}" if mark else ""}"'


def find_named_viewer() -> int:
    """Return the viewer whom the query of this request names, or the public."""
    return int(g.get("viewer", BYSTANDER))


def json_response(
    body: Any,
    status: int = 200,
    *,
    version: int | None = None,
    headers: Mapping[str, str] | None = None,
    ticking: bool = False,
    mark: str = "",
) -> Response:
    """Return a response with plain data as JSON, in the language asked for.

    With a version (and a `mark`, as in `format_etag`) it gets an ETag, and becomes 304 if If-None-Match names it. It
    stays 200 while a clock is `ticking`, because the deadline is not part of the version.
    """
    if version is not None and status == 200 and not ticking and etag_matches(version, mark):
        return not_modified_response(version, mark=mark)
    lang = choose_language()
    response = Response(encode_json(body, lang), status, mimetype=JSON)
    response.headers.update(language_headers(lang))
    if version is not None:
        response.headers["ETag"] = format_etag(version, lang, find_named_viewer(), mark)
    response.headers.update(headers or {})
    return response


def not_modified_response(version: int, headers: Mapping[str, str] | None = None, mark: str = "") -> Response:
    """Return a 304 response: the client has this version already."""
    tags = {"ETag": format_etag(version, choose_language(), find_named_viewer(), mark), "Vary": NEGOTIATED_BY}
    return Response(status=304, headers={**tags, **(headers or {})})


def whole_response(body: Any) -> Response:
    """Return a response with data whose texts stay as they are."""
    return Response(orjson.dumps(body), mimetype=JSON)


def language_headers(lang: Language | None) -> dict[str, str]:
    """Return the headers that say in which language an answer is."""
    return {"Content-Language": format_content_language(lang), "Vary": NEGOTIATED_BY}


def etag_matches(version: int, mark: str = "") -> bool:
    """Return whether If-None-Match names this version and mark, as it was asked for.

    That is for the viewer and in the language of the request.
    A proxy that compresses may have added a suffix to it.
    """
    given = request.headers.get("If-None-Match", "")
    return (
        bool(given)
        and request.method in ("GET", "HEAD")
        and names_version(given, version, choose_language(), find_named_viewer(), mark)
    )


def names_version(
    if_none_match: str, version: int, lang: Language | None, viewer: int = BYSTANDER, mark: str = ""
) -> bool:
    """Return whether an If-None-Match header names this answer."""
    wanted = format_etag(version, lang, viewer, mark).strip('"')
    names = (part.strip().removeprefix("W/").strip('"').partition(":")[0] for part in if_none_match.split(","))
    return any(name in (wanted, "*") for name in names)


def encode_ndjson(items: Iterable[dict[str, Any]], lang: Language | None) -> Iterator[bytes]:
    """Yield each item as a line of JSON, its texts in one language or in all."""
    for item in items:
        yield encode_json(item, lang) + b"\n"


def format_entry_time(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with its time in RFC 3339 instead of milliseconds."""
    return {"version": entry["version"], "at": format_time(entry["at_ms"])} | {
        key: value for key, value in entry.items() if key not in ("version", "at_ms")
    }


def deadline_to_dict(deadline: QuestionDeadline | None) -> dict[str, Any] | None:
    """Return a deadline with its time in RFC 3339 and the time left.

    With the time left, a client needs no exact clock of its own.
    """
    if deadline is None:
        return None
    return {"at": format_time(deadline.at_ms), "limit_ms": deadline.limit_ms, "left_ms": deadline.left_ms}


def format_optional_time(ms: int | None) -> str | None:
    """Return a time in ms as `format_time` writes it, or None."""
    return None if ms is None else format_time(ms)


def format_time(ms: int) -> str:
    """Return a time in ms as RFC 3339 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def replay_header(is_replay: bool) -> dict[str, str]:
    """Return the header that marks a repeated answer; nothing if it is the first."""
    return {"Idempotency-Replayed": "true"} if is_replay else {}
