"""What every answer carries, and the line that each request leaves in the log: never a token, code, name or card."""

from __future__ import annotations

import logging
import re
import sys
import time
import uuid

import structlog
from flask import Flask, Response, g, request
from structlog.tracebacks import ExceptionDictTransformer

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
ALWAYS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
PRIVATE, OPEN = "private, no-store", "no-cache"


def install(app: Flask) -> None:
    """Puts them before and after every request."""
    configure(app.config["LOG_LEVEL"])
    app.before_request(begin)
    app.after_request(end)


def configure(level: str) -> None:
    """JSON lines on standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),  # they hold hands
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def begin() -> None:
    """Names the request."""
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
    g.began = time.perf_counter()


def end(response: Response) -> Response:
    """Completes the answer and logs the request, by its rule: its path would tell match and invitation."""
    for name, value in ALWAYS.items():
        response.headers.setdefault(name, value)
    if "Cache-Control" not in response.headers:
        asked_as_somebody = "Authorization" in request.headers or request.method not in ("GET", "HEAD")
        response.headers["Cache-Control"] = PRIVATE if asked_as_somebody else OPEN
    response.headers["X-Request-Id"] = g.get("request_id", "")
    structlog.get_logger("referee.api").info(
        "request",
        method=request.method,
        rule=str(request.url_rule) if request.url_rule else None,
        status=response.status_code,
        problem=g.get("problem"),
        ms=round(1000 * (time.perf_counter() - g.get("began", time.perf_counter())), 2),
        request_id=g.get("request_id"),
    )
    return response
