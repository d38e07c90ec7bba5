"""An app served on a port of its own, for clients that were generated from the contract."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.serving import make_server

from tests.api import house

CONTRACT = Path(__file__).parents[2] / "openapi.yaml"


class BadLine:
    """A line to an app that breaks often: answers to moves are lost after the move was made, streams are cut."""

    def __init__(self, app: Any) -> None:
        self.app, self.lost, self.cut, self.away = app, 0, 0, 0
        self._moves, self._lock = itertools.count(1), threading.Lock()

    def __call__(self, env: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if env["PATH_INFO"].endswith("/stream"):
            return self._cut_stream(env, self.app(env, start_response))
        if env["REQUEST_METHOD"] == "POST" and env["PATH_INFO"].endswith("/moves"):
            with self._lock:
                number = next(self._moves)
            if number % 5 == 0:
                self.away += 1
                start_response("503 Service Unavailable", [("Retry-After", "1"), ("Content-Length", "0")])
                return []
            if number % 5 == 2:
                self.lost += 1
                list(self.app(env, lambda status, headers, wrong=None: None))
                self._break(env)
        return self.app(env, start_response)  # type: ignore[no-any-return]

    def _cut_stream(self, env: dict[str, Any], pieces: Any) -> Iterator[bytes]:
        """Sends three pieces, and of the fourth the first half."""
        try:
            for number, piece in enumerate(pieces):
                if number == 3:
                    self.cut += 1
                    yield piece[: len(piece) // 2]
                    self._break(env)
                yield piece
        finally:
            pieces.close()

    def _break(self, env: dict[str, Any]) -> None:
        env["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        raise ConnectionAbortedError


@contextmanager
def served(line: Callable[[Flask], Any] = lambda app: app) -> Iterator[tuple[str, Any]]:
    """An app over a store in memory, and its address; `line` lies between it and the client."""
    app = line(house.app())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", app
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
