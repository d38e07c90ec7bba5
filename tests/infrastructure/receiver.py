"""A receiver of webhooks in a thread: keeps what came, and answers as it is told."""

from __future__ import annotations

import contextlib
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Got:
    """What came; names of headers in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Receiver:
    """`url` is where it listens; `answer` gives status, headers and body for what came (204 unless told)."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.got: list[Got] = []
        self.answer: Callable[[Got], tuple[int, Mapping[str, str], bytes]] = lambda _: (204, {}, b"")
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                got = Got(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                outer.got.append(got)
                status, headers, said = outer.answer(got)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(OSError):  # nobody reads what is said
                    self.wfile.write(said)

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # refused certificates end here
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        scheme = "http" if certificate is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Receiver:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
