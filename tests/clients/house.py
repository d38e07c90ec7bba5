"""An app served on a port of its own, for clients that were generated from the contract."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from werkzeug.serving import make_server

from tests.api import house

CONTRACT = Path(__file__).parents[2] / "openapi.yaml"


@contextmanager
def served() -> Iterator[tuple[str, Flask]]:
    """An app over a store in memory, and its address."""
    app = house.app()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", app
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
