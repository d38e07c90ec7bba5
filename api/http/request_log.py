"""Headers of every answer, and the log line of each request.

The line never holds a token, a code, a name or a card.
"""

from __future__ import annotations

import os
import re
from http import HTTPStatus

import structlog
from flask import Flask, Response, current_app, g, request

from api.http.access.load_shedding import build_overload_problem
from api.http.problems import SLUG_BY_STATUS, Problem
from referee.infrastructure import logs

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
UNREADABLE_KEY = "referee.unreadable"  # in the environ, from gunicorn/worker.py: what the server could not read
LOGGER = structlog.get_logger("referee.api")
PRIVATE_CACHE_CONTROL, PUBLIC_CACHE_CONTROL = "private, no-store", "no-cache"


def init_app(app: Flask) -> None:
    """Register the hooks before and after every request."""
    logs.configure_structlog(app.config["LOG_LEVEL"])
    app.before_request(begin_request)
    app.after_request(finish_request)


def begin_request() -> None:
    """Give the request its id. Raises Problem if the server could not read it."""
    g.request_id = choose_request_id(request.headers.get("X-Request-Id", ""))
    g.began = current_app.config["CLOCK"]()
    if unreadable := request.environ.get(UNREADABLE_KEY):
        request.url_rule = None  # an unreadable request has no route
        if unreadable == HTTPStatus.SERVICE_UNAVAILABLE:
            raise build_overload_problem(current_app.config["MAX_REQUESTS"] or 0)
        raise Problem(SLUG_BY_STATUS.get(unreadable, "internal-server-error"))


def choose_request_id(given: str) -> str:
    """Return the id that the client gave the request, or a fresh one."""
    return given if REQUEST_ID.fullmatch(given) else os.urandom(16).hex()


def finish_request(response: Response) -> Response:
    """Complete the headers of the answer and log the request.

    The log names the rule of the route, because the path would reveal match and invitation.
    """
    if request.method == "OPTIONS" or response.status_code == HTTPStatus.NO_CONTENT:
        response.headers.pop("Content-Type", None)  # Flask names one, though there is no body
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    if "Cache-Control" not in response.headers:
        asked_as_somebody = "Authorization" in request.headers or request.method not in ("GET", "HEAD")
        response.headers["Cache-Control"] = PRIVATE_CACHE_CONTROL if asked_as_somebody else PUBLIC_CACHE_CONTROL
    response.headers["X-Request-Id"] = g.get("request_id", "")
    rule = str(request.url_rule) if request.url_rule else None
    log_request(
        request.method, rule, response.status_code, compute_elapsed_seconds(), g.get("request_id"), g.get("problem")
    )
    return response


def log_request(
    method: str, rule: str | None, status: int, seconds: float, request_id: str | None, problem: str | None = None
) -> None:
    """Log a request by the rule of its route."""
    LOGGER.info(
        "request",
        method=method,
        rule=rule,
        status=status,
        problem=problem,
        ms=round(1000 * seconds, 2),
        request_id=request_id,
    )


def compute_elapsed_seconds() -> float:
    """Return the seconds since the request began."""
    now: float = current_app.config["CLOCK"]()
    return now - float(g.get("began", now))
