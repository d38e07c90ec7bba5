"""A WSGI callable in front of Flask that answers the calls which make up play.

Flask, its schemas and the contract stay the definition of these calls. The lane answers a request of usual form by the
same functions, with the same bytes; everything else goes on to Flask, and an error is told by Flask's own handlers. A
contract test compares both. The setting `hot_lane` turns it off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g

from api.http import metrics, request_log
from api.http.access.admission import caller_from_token
from api.http.access.hosts import is_allowed_host
from api.http.access.limits import COUNTED_KEY, get_client_name
from api.http.encoding.languages import NEGOTIATED_BY, format_content_language
from api.http.endpoint import find_endpoint
from api.http.metrics import Metrics
from api.lane.calls import CALLS, Admitted, LaneAnswer, LaneCall
from api.lane.request import LaneRequest, UnusualRequest, read_request
from referee.match.errors import UnknownMatch
from referee.match.loaded import LoadedMatch
from referee.service.rights import tokens

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
STATUS_LINES = {status.value: f"{status.value} {status.phrase.upper()}" for status in HTTPStatus}


class HotLane:
    """Answers the calls of `CALLS` for an app; every other request goes on to Flask."""

    def __init__(self, app: Flask) -> None:
        self._app, self._flask = app, app.wsgi_app
        config = app.config
        self._service, self._limits, self._clock = config["SERVICE"], config["LIMITS"], config["CLOCK"]
        self._metrics: Metrics = config["METRICS"]
        self._max_requests: int | None = config["MAX_REQUESTS"]
        rules = {rule.endpoint: rule.rule for rule in app.url_map.iter_rules()}
        self._rules = {call.endpoint: rules[call.endpoint] for call in CALLS.values()}
        self._deprecated = {name for name in self._rules if find_endpoint(app, name).deprecation is not None}
        self._metrics_port: str = config["METRICS_PORT"]
        self._host_names: frozenset[str] | None = config["HOST_NAMES"]
        self._vary = ("Origin",) if config["CORS_ORIGINS"] else ()
        self._always = [*request_log.SECURITY_HEADERS.items(), ("Cache-Control", request_log.PRIVATE_CACHE_CONTROL)]

    def __call__(self, environ: Environ, start: StartResponse) -> Iterable[bytes]:
        """Answer a request, as WSGI demands."""
        request = read_request(environ, self._max_requests)
        if request is None or (self._vary and "HTTP_ORIGIN" in environ) or not self._is_for_this_api(environ):
            return self._flask(environ, start)
        began, call = self._clock(), CALLS[request.call]
        if call.endpoint in self._deprecated:  # Flask says so in its answer
            return self._flask(environ, start)
        request_id = request_log.choose_request_id(request.header("HTTP_X_REQUEST_ID"))
        known: dict[str, Any] = {"request_id": request_id, "began": began}
        try:
            answer = self._answer(request, call, known)
        except UnusualRequest:
            environ[COUNTED_KEY] = known.get("counted")
            return self._flask(environ, start)
        except Exception as error:
            return self._tell_error(environ, start, error, known)
        self._record(call, answer, known)
        headers = [*answer.headers.items(), *self._always, ("X-Request-Id", request_id)]
        headers.append(("Vary", ", ".join((NEGOTIATED_BY, *answer.vary, *self._vary))))
        if answer.body is not None:
            headers.append(("Content-Language", format_content_language(request.language)))
            headers += ("Content-Type", "application/json"), ("Content-Length", str(len(answer.body)))
        start(STATUS_LINES[answer.status], headers)
        return () if answer.body is None else (answer.body,)

    def _is_for_this_api(self, environ: Environ) -> bool:
        """Return whether the request is for this API; if not, Flask says so."""
        if metrics.is_metrics_address(environ, self._metrics_port):
            return False
        host = environ.get("HTTP_HOST")
        return self._host_names is None or host is None or is_allowed_host(host, self._host_names)

    def _answer(self, request: LaneRequest, call: LaneCall, known: dict[str, Any]) -> LaneAnswer:
        """Count, admit and answer a request; `known` gets what an error is told with.

        Raises UnusualRequest if Flask has to answer, and whatever the call raises.
        """
        hashed = tokens.hash_token(request.token)
        counted = call.limit, get_client_name(hashed), request.address
        self._limits.count_request(*counted)
        known["counted"] = counted
        if call.answer_recalled is not None:
            recalled = self._service.repository.recall_match(request.match, hashed)
            asked = None if recalled is None else self._admit(request, hashed, recalled, known)
            if asked is not None and (answer := call.answer_recalled(asked)) is not None:
                return answer
        try:
            loaded = self._service.load_match(request.match, grant=hashed)
        except UnknownMatch:
            raise UnusualRequest from None
        asked = self._admit(request, hashed, loaded, known)
        if asked is None:
            raise UnusualRequest  # a proxy, the host at a table with one phone, or somebody who may not
        return call.answer(asked)

    def _admit(self, request: LaneRequest, hashed: str, loaded: LoadedMatch, known: dict[str, Any]) -> Admitted | None:
        """Return the request if the caller holds its seat, or None."""
        caller = caller_from_token(self._service.log, hashed, loaded)
        if request.seat not in caller.seats:
            return None
        known.update(caller=caller, table=loaded.match, loaded=loaded)
        return Admitted(self._service, request, caller, loaded)

    def _record(self, call: LaneCall, answer: LaneAnswer, known: dict[str, Any]) -> None:
        """Count and log an answer; one that cost nothing is given back to the client."""
        seconds, rule = self._clock() - known["began"], self._rules[call.endpoint]
        method = "POST" if answer.status == HTTPStatus.CREATED else "GET"
        if answer.status == HTTPStatus.NOT_MODIFIED:
            self._limits.give_back(*known["counted"])
        self._metrics.record_request(method, rule, answer.status, seconds)
        if answer.status == HTTPStatus.CREATED:
            outcome = metrics.made_move_outcome("Idempotency-Replayed" in answer.headers)
            self._metrics.record_move(known["table"].game, outcome)
        request_log.log_request(method, rule, answer.status, seconds, known["request_id"])

    def _tell_error(
        self, environ: Environ, start: StartResponse, error: Exception, known: dict[str, Any]
    ) -> Iterable[bytes]:
        """Answer with the problem document of an error, by Flask's handlers and hooks."""
        app = self._app
        with app.request_context(environ):
            for name, value in known.items():
                setattr(g, name, value)
            response: Response
            try:
                response = app.finalize_request(app.handle_user_exception(error))
            except Exception as unexpected:
                response = app.handle_exception(unexpected)
            return response(environ, start)


def init_app(app: Flask) -> None:
    """Put the lane in front of an app whose routes, limits and metrics are registered."""
    app.wsgi_app = HotLane(app)  # type: ignore[method-assign, assignment]
