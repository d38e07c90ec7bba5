"""Pages of other origins: none, unless the settings name them (Fetch, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import Flask, Response
from flask_cors import CORS

EXPOSED_HEADERS = (
    *("ETag", "Location", "Link", "Retry-After", "X-Request-Id", "Idempotency-Replayed", "Preference-Applied"),
    "Receipt",
)
ALLOWED_HEADERS = (
    *("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Prefer"),
    "X-Request-Id",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
PREFLIGHT_SECONDS = 600


def init_app(app: Flask, origins: Sequence[str]) -> None:
    """Lets pages of these origins use the app. They bring tokens of their own, so no credentials are allowed."""
    if not origins:
        return
    CORS(
        app,
        origins=[re.compile(rf"{re.escape(origin)}\Z", re.IGNORECASE) for origin in origins],
        methods=METHODS,
        allow_headers=ALLOWED_HEADERS,
        expose_headers=EXPOSED_HEADERS,
        max_age=PREFLIGHT_SECONDS,
        supports_credentials=False,
        always_send=False,
    )
    app.after_request(add_vary_origin)


def add_vary_origin(response: Response) -> Response:
    """Says that the answer hangs on the origin, also where none was named: a cache may hand it to another."""
    response.vary.add("Origin")
    return response
