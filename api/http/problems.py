"""The one place that maps exceptions to RFC 9457 problem documents and statuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import structlog
from apispec import APISpec
from flask import Flask, Response, current_app, g, request
from flask_smorest import Api
from flask_smorest.utils import prepare_response
from werkzeug.exceptions import HTTPException

from api.http.access import limits
from api.http.encoding.error_places import locate_as_written, locate_error
from api.http.encoding.languages import choose_language, encode_json, negotiate_language
from api.http.encoding.refusal_notes import write_refusal
from api.http.responses import format_entry_time, format_time, language_headers
from api.http.schemas.problems import ProblemSchema
from referee.engine.codec import escape_name
from referee.engine.game import Game
from referee.engine.referee import build_view
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.rulebook.messages import format_message
from referee.engine.rulings import (
    MAX_ERRORS,
    ContradictoryPosition,
    IllegalMove,
    MalformedInput,
    Ruling,
    UnjudgeablePosition,
)
from referee.engine.seats import Seat
from referee.eventstore.contract import StoreFull, StoreUnavailable
from referee.games import load_games
from referee.infrastructure.root_publisher import RootLogError
from referee.match.errors import (
    IdempotencyKeyConflict,
    MatchUnavailable,
    MoveRejected,
    ReportRejected,
    UnknownMatch,
    UnknownVersion,
    UnsupportedRuleset,
    VersionConflict,
    WindowClosed,
)
from referee.match.house_readings import cite_deciding_readings
from referee.match.loaded import LoadedMatch
from referee.position_rulings.facts import MissingFacts
from referee.position_rulings.request import MalformedQuestion
from referee.queries import contradictions, views, windows
from referee.rendering import texts
from referee.rendering.errors import translate_errors
from referee.rendering.house_rulings import house_notes_response
from referee.rendering.input_errors import translate_input_error

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEMS: dict[str, dict[str, Any]] = read_yaml(Path(__file__).parent / "problems.yaml")
RETRY_AFTER = 1  # seconds until an unavailable store is worth another try
MAX_LEGAL_MOVES, MAX_MISSED_ENTRIES = 20, 200  # that a refusal lists, and that a stale writer is shown at most
SLUG_BY_STATUS = {  # of errors that Flask and Werkzeug raise, by status
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
SLUG_BY_UNAVAILABILITY = {  # why the log takes no entry
    "frozen": "log-frozen",
    "fork": "log-frozen",
    "gone": "archived",
    "archived": "archived",
    "moved": "match-moved",
    "fenced": "store-away",
}
SLUG_BY_REASON = {  # reasons of the table whose problem has another name
    "court.deviation_impossible": "position-impossible",
    "court.deviation_needs_fix": "position-impossible",
    "court.needs_fix": "not-offered",
    "court.house_without_result": "not-covered",
    "court.deviation_overtaken": "overtaken",
    "court.deviation_closed": "closed",
    "court.no_say_in_deviation": "no-say",
    "court.no_say_in_office": "no-say",
    "court.no_say_in_end": "no-say",
    "court.no_say_in_transfer": "no-say",
    "no_such_transfer": "no-such-ending",
    "transfer_decided": "end-decided",
}
LOGGER = structlog.get_logger("referee.api")


class Problem(Exception):
    """An answer that is an error.

    `slug` names it in problems.yaml. `detail` replaces its text, and `more` are further members of its body.
    """

    def __init__(
        self, slug: str, *, detail: Text | None = None, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(slug)
        self.slug, self.detail, self.headers, self.more = slug, detail, headers or {}, more


def problem_response(problem: Problem) -> Response:
    """Return the problem document of a problem.

    `params` among the further members fills the placeholders of the text.
    """
    template, lang = PROBLEMS[problem.slug], negotiate_language()
    params = problem.more.pop("params", {})
    if template["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
        problem.more.setdefault("seconds", RETRY_AFTER)
    detail = (problem.detail or template["cause"])[lang]
    body = {
        "type": f"/problems/{problem.slug}",
        "title": template["title"][lang],
        "status": template["status"],
        "detail": detail.format(**params) if problem.detail is None else detail,
        "instance": quote(request.path),
        "request_id": getattr(g, "request_id", ""),
        **problem.more,
    }
    if "errors" in body:
        errors = body["errors"][:MAX_ERRORS]
        body["errors"] = [
            {**locate_as_written(each), "detail": translate_input_error(each["detail"], lang)} for each in errors
        ]
    response = Response(encode_json(body, choose_language()), template["status"], content_type=PROBLEM_MEDIA_TYPE)
    response.headers.update(language_headers(lang))
    if template["status"] == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    if template["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers.update(problem.headers)
    g.problem = problem.slug
    return response


def problem_from_illegal_move(error: IllegalMove) -> Problem:
    """Return the problem for a refused table command, with the ruling.

    It is named after the reason, if there is such a problem.
    """
    slug = SLUG_BY_REASON.get(error.ruling.reason, error.ruling.reason.removeprefix("court.").replace("_", "-"))
    problem = build_ruling_problem(slug if slug in PROBLEMS else "illegal-move", error.ruling, (), None)
    if "pointer" in error.ruling.params:  # the member of the body that is wrong
        assert problem.detail is not None
        problem.more["errors"] = [
            {"pointer": error.ruling.params["pointer"], "detail": problem.detail[negotiate_language()]}
        ]
    return problem


def problem_from_move_rejected(error: MoveRejected) -> Problem:
    """Return the problem for a refused move: ruling, way out, nearest legal moves.

    A proxy moves for a seat and does not see its hand. So a proxy is not shown what the hand would allow, nor why it
    does not allow the move. A proxy learns the reasons that are the same for any hand. Who is asked now follows from
    what the caller sees.
    """
    seat = (request.view_args or {}).get("seat")
    sees = isinstance(seat, int) and g.caller.may_view_as_seat(seat)
    viewer = find_reader()
    asked = texts.next_question_response(error.match.rules, error.find_view(viewer))
    told, ways = error.ruling, error.nearest_moves
    if not sees and isinstance(seat, int):
        public, ways = error.judge_publicly(), ()
        told = public if public.verdict == "refused" else Ruling(False, "proxy_not_told", ("TABLE-PROXY-1",))
    else:
        told = cite_deciding_readings(error.match.view_for(viewer), error.seat, error.move, told)
    found = contradictions.contradiction_response(current_app.config["SERVICE"], error, told, viewer)
    more = {**({} if found is None else {"contradiction": found}), **(write_refusal(error, told) if sees else {})}
    return build_ruling_problem("illegal-move", told, ways, error.version, next=asked, **more)


def problem_from_report_rejected(error: ReportRejected) -> Problem:
    """Return the problem for a report that a move carries and that is refused."""
    problem = build_ruling_problem("report-refused", error.ruling, (), error.version)
    assert problem.detail is not None
    pointer = f"/reports/{error.at}"
    problem.more["errors"] = [{"pointer": pointer, "detail": problem.detail[negotiate_language()]}]
    return problem


def build_foreign_move_problem(ruling: Ruling, loaded: LoadedMatch) -> Problem:
    """Return the problem for a move of another game, with who is asked now.

    No step of this game has judged it.
    """
    assert loaded.match.state is not None
    seen = build_view(loaded.match.state, Seat(find_reader()))
    asked = texts.next_question_response(loaded.match.rules, seen)
    return build_ruling_problem("illegal-move", ruling, (), loaded.version, next=asked)


def find_reader() -> int:
    """Return the viewer as whom the caller reads an answer.

    It is the seat of the address, if the caller may view as it.
    """
    seat = (request.view_args or {}).get("seat")
    return seat if isinstance(seat, int) and g.caller.may_view_as_seat(seat) else g.caller.own_viewer


def build_ruling_problem(slug: str, ruling: Any, ways: Any, version: int | None, **beside: Any) -> Problem:
    """Return a problem that carries a ruling on the match of this request.

    `beside` are further members of its body.
    """
    game, g.against = g.table.rules, ruling
    rendered = texts.ruling_response(game, ruling, ways, house_notes_response(g.table))
    more: dict[str, Any] = {"ruling": rendered}
    if slug == "illegal-move":
        more["legal"] = texts.legal_moves_response(game, ways[:MAX_LEGAL_MOVES])
    if version is not None:
        more["current_version"] = version
    return Problem(slug, detail=rendered["reason"], **more, **beside)


def problem_from_version_conflict(error: VersionConflict) -> Problem:
    """Return the problem for a version conflict, with the entries the caller missed.

    They are rendered as the caller may see them.
    """
    missed, _ = views.list_entries(
        current_app.config["SERVICE"],
        g.table.id,
        g.caller.own_viewer,
        after=max(0, error.seen),
        limit=MAX_MISSED_ENTRIES,
    )
    return Problem(
        "stale-version" if error.strict else "overtaken",
        params={"seen": error.seen, "current": error.version},
        headers={"ETag": f'"v{error.version}"'},
        current_version=error.version,
        missed=[format_entry_time(entry) for entry in missed],
    )


def problem_from_window_closed(error: WindowClosed) -> Problem:
    """Return the problem for a move meant for a window that is not open now.

    It says how and when the window was closed and when the move came, for the quarrel that may follow.
    """
    service, viewer = current_app.config["SERVICE"], g.caller.own_viewer
    came_ms, outcome, detail = service.log.now(), None, None
    with suppress(windows.UnknownWindow):  # there never was such a window, or the caller may not know of it
        outcome = windows.load_window(service, g.table.id, viewer, error.window, None)[0]["outcome"]
    if outcome is not None:
        values = {"window": error.window, "entry": outcome["version"], "how": outcome["how"]}
        late = {"late_ms": max(0, came_ms - outcome["at_ms"])}
        detail = {
            lang: format_message(PROBLEMS["window-closed"]["late"][lang], lang, values | late) for lang in LANGUAGES
        }
        outcome = {"how": outcome["how"], "version": outcome["version"], "at": format_time(outcome["at_ms"])}
    return Problem(
        "window-closed",
        detail=detail,
        params={"window": error.window},
        headers={"ETag": f'"v{error.version}"'},
        current_version=error.version,
        window=error.window,
        outcome=outcome,
        came_at=format_time(came_ms),
    )


def problem_from_unavailable_match(error: MatchUnavailable) -> Problem:
    """Return the problem for a match that cannot be written now.

    If it is archived, the problem says where it can be read; if it has moved, where it goes on.
    """
    slug = SLUG_BY_UNAVAILABILITY.get(error.reason, "entry-too-large")
    more: dict[str, Any] = {"bundle": f"/v1/matches/{error.match}/bundle"} if slug == "archived" and error.match else {}
    if slug == "match-moved" and error.new_home:
        more["new_home"] = error.new_home
    return Problem(slug, **more)


def problem_from_malformed_input(error: MalformedInput) -> Problem:
    """Return the problem for malformed input, or for an impossible position.

    Pointers lead into the body (RFC 6901).
    """
    lang = negotiate_language()
    if not g.get("position") or isinstance(error, MalformedQuestion):
        return Problem("invalid-input", errors=translate_errors(find_game(), error.errors, lang))
    if isinstance(error, MissingFacts):
        facts = [{**fact, "detail": fact["asks"][lang]} for fact in error.facts]
        return Problem("facts-missing", errors=[locate_error(fact) for fact in facts])
    slug = "position-impossible" if isinstance(error, ContradictoryPosition) else "position-malformed"
    if isinstance(error, UnjudgeablePosition):
        LOGGER.error("position_unjudgeable", path=request.path, exc_info=error.__cause__)
    return Problem(slug, errors=[locate_error(wrong) for wrong in translate_errors(find_game(), error.errors, lang)])


def find_game() -> Game | None:
    """Return the game that this request is about; None if it is about none."""
    if "table" in g:
        rules: Game = g.table.rules
        return rules
    return load_games().get((request.view_args or {}).get("game", ""))


def problem_from_rate_limit(error: limits.RateLimitExceeded) -> Problem:
    """Return the problem for too many requests: which limit, and how long to wait."""
    limit, seconds = error.limit.amount, error.limit.get_expiry()
    return Problem(
        "too-many-requests",
        params={"limit": limit, "seconds": seconds, "kind": error.name},
        headers={"Retry-After": str(error.wait)},
        kind=error.name,
        limit=limit,
        seconds=seconds,
    )


def problem_from_http_error(error: HTTPException) -> Problem:
    """Return the problem for an error of Flask, Werkzeug or webargs.

    The cause of a 500 is only logged.
    """
    status = error.code or 500
    data = getattr(error, "data", None) or {}
    slug = SLUG_BY_STATUS.get(status, "internal-server-error" if status >= 500 else "bad-request")
    more: dict[str, Any] = {}
    if "messages" in data:
        more["errors"] = list(islice(flatten_validation_errors(data["messages"]), MAX_ERRORS))
    kept = {key: value for key, value in error.get_headers(request.environ) if key in ("Allow", "Retry-After")}
    return Problem(slug, headers=kept, params={"offered": "application/json"}, **more)


def flatten_validation_errors(messages: Mapping[str, Any]) -> Any:
    """Yield the messages of webargs as `{pointer, detail}`; those of the query say so."""
    for location, below in messages.items():
        for error in flatten_messages(below):
            yield error if location == "json" else {**error, "in": location}


def flatten_messages(node: Any, path: str = "") -> Any:
    """Yield nested messages as a flat list; that of a union is a string."""
    if isinstance(node, dict):
        for key, below in node.items():
            yield from flatten_messages(below, path if key == "_schema" else f"{path}/{escape_name(str(key))}")
    else:
        yield from ({"pointer": path, "detail": str(each)} for each in ([node] if isinstance(node, str) else node))


def problem_from_unknown_version(error: UnknownVersion) -> Problem:
    """Return the problem for a version that the viewer may not see or the log lacks."""
    return Problem("unknown-version", params={"version": error.args[0]})


PROBLEM_BUILDERS: dict[type[Exception], Callable[[Any], Problem]] = {
    Problem: lambda error: error,
    IllegalMove: problem_from_illegal_move,
    MoveRejected: problem_from_move_rejected,
    ReportRejected: problem_from_report_rejected,
    VersionConflict: problem_from_version_conflict,
    WindowClosed: problem_from_window_closed,
    MatchUnavailable: problem_from_unavailable_match,
    MalformedInput: problem_from_malformed_input,
    UnknownMatch: lambda _: Problem("unknown-match"),
    UnknownVersion: problem_from_unknown_version,
    RootLogError: lambda _: Problem("roots-damaged"),
    windows.UnknownWindow: lambda error: Problem("unknown-window", params={"window": error.args[0]}),
    IdempotencyKeyConflict: lambda _: Problem("idempotency-key-reused"),
    UnsupportedRuleset: lambda error: Problem("rules-unknown", params={"unknown": error.unknown}),
    StoreUnavailable: lambda _: Problem("store-away"),
    StoreFull: lambda _: Problem("store-full"),
    limits.RateLimitExceeded: problem_from_rate_limit,
}


def build_problem(of: Callable[[Any], Problem], error: Exception) -> Problem:
    """Return the problem for an error, or that the store is away."""
    try:
        return of(error)
    except StoreUnavailable:  # it has to be read to say more
        return Problem("store-away")


class ProblemApi(Api):
    """flask-smorest with problem documents, in answers and in the contract."""

    ERROR_SCHEMA = ProblemSchema
    spec: APISpec

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._put_off: list[Callable[[], object]] = []
        super().__init__(*args, **kwargs)

    def defer_description(self, describing: Callable[[], object]) -> None:
        """Put off a part of the contract until the contract is asked for.

        Writing the contract takes four fifths of the time to make an app, and most processes never need it.
        """
        self._put_off.append(describing)

    def complete_spec(self) -> APISpec:
        """Return the whole contract, including what was put off.

        Only one thread at a time may call this.
        """
        while self._put_off:
            self._put_off.pop(0)()
        return self.spec

    def _register_responses(self) -> None:
        self.defer_description(self._describe_responses)

    def _describe_responses(self) -> None:
        for status in [*HTTPStatus, None]:
            bad = status is None or status >= HTTPStatus.BAD_REQUEST
            response: dict[str, Any] = {"description": status.phrase if status else "A problem"}
            if bad:
                response["schema"] = ProblemSchema
            prepare_response(response, self.spec, PROBLEM_MEDIA_TYPE if bad else "application/json")
            self.spec.components.response(status.name if status else "Problem", response, lazy=status is not None)

    def _register_error_handlers(self) -> None:
        app: Flask = self._app
        for kind, of in PROBLEM_BUILDERS.items():
            app.register_error_handler(kind, lambda error, of=of: problem_response(build_problem(of, error)))
        app.register_error_handler(HTTPException, self.handle_http_exception)

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Return the problem document of an HTTP error; log the cause of a 500."""
        if (error.code or 500) >= 500:
            cause = getattr(error, "original_exception", None) or error
            LOGGER.error("failed", rule=str(request.url_rule), request_id=g.get("request_id"), exc_info=cause)
        return problem_response(problem_from_http_error(error))
