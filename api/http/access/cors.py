"""CORS: pages of other origins may not use the API unless the settings name them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import Flask, Response
from flask_cors import CORS

EXPOSED_HEADERS = (
    *("ETag", "Location", "Link", "Retry-After", "X-Request-Id", "Idempotency-Replayed", "Preference-Applied"),
    *("Receipt", "Deprecation", "Sunset", "WWW-Authenticate"),
)
ALLOWED_HEADERS = (
    *("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Prefer"),
    "X-Request-Id",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
PREFLIGHT_SECONDS = 600


def init_app(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of these origins use the app.

    They bring tokens of their own, so no credentials are allowed.
    """
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
    """Add `Vary: Origin`, even if no origin was named.

    Otherwise a cache could give the answer to a page of another origin.
    """
    response.vary.add("Origin")
    return response
