"""How answers are written: JSON by orjson, the version as the ETag, 304 where the caller has it already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import Response, request
from flask.json.provider import JSONProvider

from referee.match.clocks import Deadline

JSON = "application/json"
NDJSON = "application/x-ndjson"


class OrjsonProvider(JSONProvider):
    """Flask's JSON by orjson."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(orjson.dumps(self._prepare_response_obj(args, kwargs)), mimetype=JSON)


def etag(version: int) -> str:
    """A version as an ETag."""
    return f'"v{version}"'


def answer(
    body: Any,
    status: int = 200,
    *,
    version: int | None = None,
    headers: Mapping[str, str] | None = None,
    ticking: bool = False,
) -> Response:
    """Plain data as JSON. With a version it gets an ETag, and is 304 if the caller named that one in If-None-Match;
    not while a clock is `ticking`, whose deadline is no part of the version."""
    tags = {} if version is None else {"ETag": etag(version)}
    if version is not None and status == 200 and not ticking and known(version):
        return unchanged(version)
    response = Response(orjson.dumps(body), status, mimetype=JSON)
    response.headers.update(tags)
    response.headers.update(headers or {})
    return response


def unchanged(version: int, headers: Mapping[str, str] | None = None) -> Response:
    """That the caller has this version already."""
    return Response(status=304, headers={"ETag": etag(version), **(headers or {})})


def known(version: int) -> bool:
    """Whether If-None-Match names this version; a proxy that compresses may have added a suffix to it."""
    given = request.headers.get("If-None-Match", "")
    names = (part.strip().removeprefix("W/").strip('"').partition(":")[0] for part in given.split(","))
    return request.method in ("GET", "HEAD") and any(name in (f"v{version}", "*") for name in names)


def lines(items: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Each item as a line of JSON."""
    for item in items:
        yield orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE)


def timed(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with its time as people and RFC 3339 write it, instead of in milliseconds."""
    return {"version": entry["version"], "at": moment(entry["at_ms"])} | {
        key: value for key, value in entry.items() if key not in ("version", "at_ms")
    }


def counted(deadline: Deadline | None) -> dict[str, Any] | None:
    """A deadline as people and RFC 3339 write it; what is left of it spares the reader a clock that is right."""
    if deadline is None:
        return None
    return {"at": moment(deadline.at_ms), "limit_ms": deadline.limit_ms, "left_ms": deadline.left_ms}


def when(ms: int | None) -> str | None:
    """A time in ms as `moment` writes it; None where there is none."""
    return None if ms is None else moment(ms)


def moment(ms: int) -> str:
    """A time in ms as RFC 3339 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
