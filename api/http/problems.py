"""Where errors become answers: the one place that maps what went wrong to a status, as RFC 9457 problem documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import structlog
from apispec import APISpec
from flask import Flask, Response, current_app, g, request
from flask_smorest import Api
from flask_smorest.utils import prepare_response
from werkzeug.exceptions import HTTPException

from api.http.access import limits
from api.http.responses import timed
from api.http.schemas.problems import ProblemSchema
from referee.engine.codec import encode
from referee.engine.game import Impossible, Malformed
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.rulings import Refused, Ruling
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import StoreAway
from referee.infrastructure.root_publisher import RootsDamaged
from referee.match.errors import NewerRules
from referee.position_rulings.request import Misasked
from referee.queries import views
from referee.queries.windows import UnknownWindow
from referee.rendering import texts
from referee.service.match_service import (
    Away,
    Behind,
    IllegalMove,
    KeyReused,
    UnknownMatch,
    UnknownVersion,
    WindowClosed,
)

MEDIA = "application/problem+json"
PROBLEMS: dict[str, dict[str, Any]] = read_yaml(Path(__file__).parent / "problems.yaml")
RETRY_AFTER = 1  # seconds until a store that was away is worth asking again
OF_ALL = frozenset({"KERNEL-TURN-1", "KERNEL-OVER-1"})  # refusals by what everybody sees
NEAREST = 20  # legal moves that a refusal lists
MISSED = 200  # entries that a stale writer is shown at most
SLUGS = {  # of errors that Flask and Werkzeug raise, by status
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "content-too-large",
    414: "uri-too-long",
    415: "unsupported-media-type",
    417: "expectation-failed",
    422: "invalid-input",
    431: "headers-too-large",
}
AWAY = {  # why the log takes no entry
    "frozen": "log-frozen",
    "fork": "log-frozen",
    "gone": "archived",
    "archived": "archived",
    "moved": "match-moved",
    "fenced": "store-away",
}
KNOWN_AS = {  # reasons of the table whose problem has another name
    "court.deviation_impossible": "position-impossible",
    "court.deviation_needs_fix": "position-impossible",
    "court.needs_fix": "not-offered",
    "court.deviation_overtaken": "overtaken",
    "court.deviation_closed": "closed",
    "court.no_say_in_deviation": "no-say",
}
LOGGER = structlog.get_logger("referee.api")


class Problem(Exception):
    """An answer that is an error: its slug in problems.yaml, parameters of its text, further members of its body."""

    def __init__(
        self, slug: str, *, detail: Text | None = None, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(slug)
        self.slug, self.detail, self.headers, self.more = slug, detail, headers or {}, more


def language() -> str:
    """The language in which this request wants its titles: English unless it prefers German."""
    for wanted, quality in request.accept_languages:  # the best first; Werkzeug's own match lets en;q=0.1 beat de-DE
        primary = wanted.partition("-")[0].lower()
        if primary in LANGUAGES and quality > 0:
            return primary
    return "en"


def answered(problem: Problem) -> Response:
    """The problem document. `params` among the further members fills the placeholders of the text."""
    known, lang = PROBLEMS[problem.slug], language()
    params = problem.more.pop("params", {})
    if known["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
        problem.more.setdefault("seconds", RETRY_AFTER)
    detail = (problem.detail or known["cause"])[lang]
    body = {
        "type": f"/problems/{problem.slug}",
        "title": known["title"][lang],
        "status": known["status"],
        "detail": detail.format(**params) if problem.detail is None else detail,
        "instance": quote(request.path),
        "request_id": getattr(g, "request_id", ""),
        **problem.more,
    }
    response = Response(orjson.dumps(body), known["status"], content_type=MEDIA)
    response.headers["Content-Language"] = lang
    response.vary.add("Accept-Language")
    if known["status"] == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    if known["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers.update(problem.headers)
    g.problem = problem.slug
    return response


def of_refusal(error: Refused) -> Problem:
    """The table refuses: a problem named after the reason, with the ruling."""
    slug = KNOWN_AS.get(error.ruling.reason, error.ruling.reason.removeprefix("court.").replace("_", "-"))
    problem = ruled(slug if slug in PROBLEMS else "illegal-move", error.ruling, (), None)
    if "pointer" in error.ruling.params:  # the member of the body that it is about
        problem.more["errors"] = [{"pointer": error.ruling.params["pointer"], "detail": problem.detail[language()]}]
    return problem


def of_illegal_move(error: IllegalMove) -> Problem:
    """The rules refuse: the ruling with its way out, and the nearest legal moves.

    A proxy moves for a seat and does not see its hand, so it is told neither what the hand would allow nor why it does
    not: only that the move is refused, and where that is so whatever is held, why.
    """
    seat = (request.view_args or {}).get("seat")
    blind = isinstance(seat, int) and not g.caller.eyes_of(seat)
    if not blind:
        return ruled("illegal-move", error.ruling, error.ways, error.version)
    open_to_all = not OF_ALL.isdisjoint(error.ruling.clauses)
    ruling = error.ruling if open_to_all else Ruling(False, "proxy_not_told", ("TABLE-PROXY-1",))
    return ruled("illegal-move", ruling, (), error.version)


def ruled(slug: str, ruling: Any, ways: Any, version: int | None) -> Problem:
    """A problem that carries a ruling on the match of this request."""
    game, g.against = g.table.rules, ruling
    said = texts.ruling(game, ruling, ways)
    more: dict[str, Any] = {"ruling": said}
    if slug == "illegal-move":
        more["legal"] = [{"move": encode(way), "told": texts.told(game, way)} for way in ways[:NEAREST]]
    if version is not None:
        more["current_version"] = version
    return Problem(slug, detail=said["reason"], **more)


def of_behind(error: Behind) -> Problem:
    """The log has moved on: what the caller missed, as the caller's own eyes see it."""
    caller = g.caller
    eyes = min(caller.seats) if caller.seats else BYSTANDER
    missed, _ = views.log(current_app.config["DESK"], g.table.id, eyes, after=max(0, error.seen), limit=MISSED)
    return Problem(
        "stale-version" if error.strict else "overtaken",
        params={"seen": error.seen, "current": error.current},
        headers={"ETag": f'"v{error.current}"'},
        current_version=error.current,
        missed=[timed(entry) for entry in missed],
    )


def of_window_closed(error: WindowClosed) -> Problem:
    """The move was meant for a window that is not open now."""
    return Problem(
        "window-closed",
        params={"window": error.window},
        headers={"ETag": f'"v{error.current}"'},
        current_version=error.current,
        window=error.window,
    )


def of_away(error: Away) -> Problem:
    """The match cannot be written now; if it is archived, here is where it can be read whole; if it has moved, where it
    goes on."""
    slug = AWAY.get(error.why, "entry-too-large")
    more = {"bundle": f"/v1/matches/{error.match}/bundle"} if slug == "archived" and error.match else {}
    if slug == "match-moved" and error.new_home:
        more["new_home"] = error.new_home
    return Problem(slug, **more)


def of_malformed(error: Malformed) -> Problem:
    """A setting or a position has the wrong form, or a position cannot be. Pointers lead into the body (RFC 6901)."""
    if not g.get("position") or isinstance(error, Misasked):
        return Problem("invalid-input", errors=error.errors)
    slug = "position-impossible" if isinstance(error, Impossible) else "position-malformed"
    beside = g.get("beside", ())
    errors = [
        wrong if wrong["pointer"].split("/")[1:2] in ([name] for name in beside) else
        {**wrong, "pointer": f"/position{wrong['pointer']}"}
        for wrong in error.errors
    ]  # fmt: skip
    return Problem(slug, errors=errors)


def of_rate(error: limits.Exceeded) -> Problem:
    """Too many requests: which limit, and how long to wait."""
    limit, seconds = error.limit.amount, error.limit.get_expiry()
    return Problem(
        "too-many-requests",
        params={"limit": limit, "seconds": seconds},
        headers={"Retry-After": str(error.wait)},
        limit=limit,
        seconds=seconds,
    )


def of_http(error: HTTPException) -> Problem:
    """An error of Flask, Werkzeug or webargs; what a 500 was about stays in the log."""
    status = error.code or 500
    data = getattr(error, "data", None) or {}
    slug = SLUGS.get(status, "internal-server-error" if status >= 500 else "bad-request")
    more: dict[str, Any] = {}
    if "messages" in data:
        more["errors"] = list(errors_of(data["messages"]))
    kept = {key: value for key, value in error.get_headers(request.environ) if key in ("Allow", "Retry-After")}
    return Problem(slug, headers=kept, params={"offered": "application/json"}, **more)


def errors_of(messages: Mapping[str, Any]) -> Any:
    """webargs' messages as `{pointer, detail}`; those about the query say so."""
    for location, below in messages.items():
        for error in flatten(below):
            yield error if location == "json" else {**error, "in": location}


def flatten(node: Any, path: str = "") -> Any:
    """Nested messages as a flat list; a union's own message is a string, not a list."""
    if isinstance(node, dict):
        for key, below in node.items():
            step = str(key).replace("~", "~0").replace("/", "~1")
            yield from flatten(below, path if key == "_schema" else f"{path}/{step}")
    else:
        yield from ({"pointer": path, "detail": str(each)} for each in ([node] if isinstance(node, str) else node))


def of_unknown_version(error: UnknownVersion) -> Problem:
    """The log has no such version, as far as these eyes may look."""
    return Problem("unknown-version", params={"version": error.args[0]})


OF: dict[type[Exception], Callable[[Any], Problem]] = {
    Problem: lambda error: error,
    Refused: of_refusal,
    IllegalMove: of_illegal_move,
    Behind: of_behind,
    WindowClosed: of_window_closed,
    Away: of_away,
    Malformed: of_malformed,
    UnknownMatch: lambda _: Problem("unknown-match"),
    UnknownVersion: of_unknown_version,
    RootsDamaged: lambda _: Problem("roots-damaged"),
    UnknownWindow: lambda error: Problem("unknown-window", params={"window": error.args[0]}),
    KeyReused: lambda _: Problem("idempotency-key-reused"),
    NewerRules: lambda error: Problem("rules-unknown", params={"unknown": error.unknown}),
    StoreAway: lambda _: Problem("store-away"),
    limits.Exceeded: of_rate,
}


class ProblemApi(Api):
    """flask-smorest with problem documents, in what it answers and in what the contract promises."""

    ERROR_SCHEMA = ProblemSchema
    spec: APISpec

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._put_off: list[Callable[[], object]] = []
        super().__init__(*args, **kwargs)

    def put_off(self, describing: Callable[[], object]) -> None:
        """Keeps a part of the contract's writing for when somebody asks for it: most processes are never asked, and it
        is four fifths of the making of an app."""
        self._put_off.append(describing)

    def described(self) -> APISpec:
        """All of the contract, also what was put off. One thread at a time may ask."""
        while self._put_off:
            self._put_off.pop(0)()
        return self.spec

    def _register_responses(self) -> None:
        self.put_off(self._describe_responses)

    def _describe_responses(self) -> None:
        for status in [*HTTPStatus, None]:
            bad = status is None or status >= HTTPStatus.BAD_REQUEST
            response: dict[str, Any] = {"description": status.phrase if status else "A problem"}
            if bad:
                response["schema"] = ProblemSchema
            prepare_response(response, self.spec, MEDIA if bad else "application/json")
            self.spec.components.response(status.name if status else "DEFAULT_ERROR", response, lazy=True)

    def _register_error_handlers(self) -> None:
        app: Flask = self._app
        for kind, of in OF.items():
            app.register_error_handler(kind, lambda error, of=of: answered(of(error)))
        app.register_error_handler(HTTPException, self.handle_http_exception)

    def handle_http_exception(self, error: HTTPException) -> Response:
        """The problem document of an HTTP error; a 500 is logged with its cause, and answered without."""
        if (error.code or 500) >= 500:
            cause = getattr(error, "original_exception", None) or error
            LOGGER.error("failed", rule=str(request.url_rule), request_id=g.get("request_id"), exc_info=cause)
        return answered(of_http(error))
