"""What gunicorn runs in each of its workers (`--config python:referee.hosting.gunicorn`)."""

from __future__ import annotations

from typing import Any

from referee.hosting import stopping


def post_worker_init(_worker: Any) -> None:
    """The worker has its app and its signal handlers, and runs in the main thread of its process."""
    stopping.heed()
