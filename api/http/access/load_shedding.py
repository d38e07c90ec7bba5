"""Load shedding: refuse a request at once when too many are under way.

A request that waited in a queue might wait for ever. Every request that holds a thread counts, streams too, until the
last byte of its answer is sent. Some threads are kept for refusals and for `/healthz`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, current_app, request
from werkzeug.wsgi import ClosingIterator

from api.http.problems import Problem

SPARE_THREADS = 4  # threads kept for refusals
RETRY_AFTER_SECONDS = 1  # seconds until another try is worthwhile
BUSY_REQUESTS_KEY = "referee.busy"  # in the environ: how many requests were under way, this one included
ALWAYS_SERVED_PATHS = ("/healthz",)


class RequestCounter:
    """A WSGI wrapper that counts the requests under way."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], noted: Callable[[int], None]) -> None:
        self._wsgi, self._on_change = wsgi, noted
        self._busy, self._lock = 0, threading.Lock()

    def _change_count(self, change: int) -> int:
        with self._lock:
            self._busy += change
            self._on_change(self._busy)
            return self._busy

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        environ[BUSY_REQUESTS_KEY] = self._change_count(1)
        done = threading.Lock()  # taken by the first close: a response may be closed twice

        def leave() -> None:
            if done.acquire(blocking=False):
                self._change_count(-1)

        try:
            return ClosingIterator(self._wsgi(environ, start), [leave])
        except BaseException:
            leave()
            raise


def compute_request_limit(threads: int) -> int:
    """Return how many requests a process with this many threads answers at a time."""
    return max(1, threads - min(SPARE_THREADS, threads // 4))


def refuse_overload() -> None:
    """Refuse the request if too many are under way. Raises Problem."""
    limit: int | None = current_app.config["MAX_REQUESTS"]
    busy: int = request.environ.get(BUSY_REQUESTS_KEY, 0)
    if limit is not None and busy > limit and request.path not in ALWAYS_SERVED_PATHS:
        raise build_overload_problem(limit)


def build_overload_problem(limit: int) -> Problem:
    """Return the problem that says how many requests are answered at a time."""
    return Problem(
        "overloaded",
        params={"limit": limit},
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
        limit=limit,
        seconds=RETRY_AFTER_SECONDS,
    )


def init_app(app: Flask) -> None:
    """Refuse overload before anything else is done."""
    app.before_request(refuse_overload)


def count_requests(app: Flask, noted: Callable[[int], None]) -> None:
    """Count every request of an app.

    `noted` is called with the number of requests under way at each change.
    """
    app.wsgi_app = RequestCounter(app.wsgi_app, noted)  # type: ignore[method-assign, assignment]
