"""Gunicorn's threaded worker, hardened in four places.

- A connection on which the client has sent nothing waits in the poller and holds no thread: browsers open some in
  advance.
- A client that is slow to send a request or to take an answer is cut off, so that no thread waits for it for ever.
- A client that keeps a finished connection open delays nobody (`lingering_close.py`).
- What cannot be read as HTTP is answered by the app like everything else, so it is a problem document, too.
"""

from __future__ import annotations

import errno
import http
import io
import selectors
import socket
import struct
import sys
import time
from functools import partial
from typing import Any

from gunicorn import util
from gunicorn.http.errors import (
    ExpectationFailed,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.workers.gthread import TConn, ThreadWorker

from referee.infrastructure.gunicorn.lingering_close import LingeringCloser

SILENCE_SECONDS = 10.0  # until a connection on which nothing was sent is closed
RECEIVE_TIMEOUT = 10  # seconds within which more of a request must come
SEND_TIMEOUT = 20  # seconds within which the client must take more of an answer
UNREADABLE = "referee.unreadable"  # in the environ: the status of a request that could not be read
TRANSIENT_ERRNOS = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)


class TimeoutSocket(socket.socket):
    """A connection that counts as broken when a wait has taken too long."""

    def set_timeouts(self) -> TimeoutSocket:
        """Set the time limits of this server, and return the socket."""
        self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", RECEIVE_TIMEOUT, 0))
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", SEND_TIMEOUT, 0))
        return self

    def _to_timeout_error(self, wrong: BlockingIOError) -> Exception:
        too_slow = ConnectionResetError(errno.ECONNRESET, "the other side is too slow")
        return wrong if self.gettimeout() == 0.0 else too_slow

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Receive as a socket does. Raises ConnectionResetError if nothing came in time."""
        try:
            return super().recv(size, flags)
        except BlockingIOError as wrong:
            raise self._to_timeout_error(wrong) from None

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send as a socket does. Raises ConnectionResetError if nothing was taken in time."""
        try:
            super().sendall(data, flags)
        except BlockingIOError as wrong:
            raise self._to_timeout_error(wrong) from None


class RequestBody:
    """The body of a request.

    A body that breaks the rules of its framing counts as broken off, because that is the client's fault and not the
    app's.
    """

    def __init__(self, given: Any) -> None:
        self._given = given

    def read(self, size: int | None = None) -> bytes:
        """Read at most `size` bytes. Raises OSError."""
        try:
            found: bytes = self._given.read(size)
        except ParseException as wrong:
            raise OSError("the body is malformed") from wrong
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._given, name)


class LingeringConnection(TConn):  # type: ignore[misc]
    """A connection that a thread of its own closes when it is finished."""

    lingering: LingeringCloser

    def close(self, graceful: bool = False) -> None:
        """Close it; if `graceful`, properly and without waiting for the client."""
        if graceful:
            self.lingering.close_gracefully(self.sock)
        else:
            super().close()


class Worker(ThreadWorker):  # type: ignore[misc]
    """The worker that runs the API."""

    wsgi: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lingering = LingeringCloser()

    def load_wsgi(self) -> None:
        """Load the app, and wrap the bodies of its requests."""
        super().load_wsgi()
        loaded: Any = self.wsgi

        def app(environ: dict[str, Any], start: Any) -> Any:
            environ["wsgi.input"] = RequestBody(environ["wsgi.input"])
            return loaded(environ, start)

        self.wsgi = app

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection, and wait in the poller for the client's first bytes."""
        try:
            plain, client = listener.accept()
        except OSError as wrong:
            if wrong.errno not in TRANSIENT_ERRNOS:
                raise
            return
        line = TimeoutSocket(fileno=plain.detach()).set_timeouts()
        conn = LingeringConnection(self.cfg, line, client, listener.getsockname())
        conn.lingering = self.lingering
        conn.timeout = time.monotonic() + SILENCE_SECONDS
        self.nr_conns += 1
        self.pending_conns.append(conn)
        self.poller.register(line, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def _cap_keepalive(self, deadline: float) -> None:
        """Wait for no client longer than this, once the worker is asked to stop.

        That covers idle connections and those on which nothing was sent yet.
        """
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Have the app answer a request that failed before it reached the app.

        A malformed request is not logged.
        """
        unreadable = isinstance(exc, ParseException)
        if not unreadable:
            self.log.error("an answer broke off: %s", type(exc).__name__, exc_info=exc)
        self.send_error_response(client, addr, status_for_error(exc) if unreadable else 500)

    def send_error_response(self, client: Any, addr: Any, status: int) -> None:
        """Send the app's answer to a request that could not be read, if it can be sent."""
        begun: list[tuple[str, list[tuple[str, str]]]] = []
        environ = {
            **{"REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": "/", "QUERY_STRING": ""},
            **{"SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1"},
            **{"wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.multithread": True, "wsgi.multiprocess": True},
            **{"wsgi.run_once": False, "wsgi.input": io.BytesIO(), "wsgi.errors": sys.stderr},
            **{"REMOTE_ADDR": addr[0] if addr else "", UNREADABLE: status},
        }
        body = self.wsgi(environ, lambda line, headers, _wrong=None: begun.append((line, headers)))
        try:
            content = b"".join(body)
        finally:
            if hasattr(body, "close"):
                body.close()
        line, headers = begun[-1]
        sent = [*(pair for pair in headers if pair[0].lower() != "content-length"), ("Connection", "close")]
        sent.append(("Content-Length", str(len(content))))
        head = "".join(f"{name}: {value}\r\n" for name, value in sent)
        try:
            util.write_nonblock(client, f"HTTP/1.1 {line}\r\n{head}\r\n".encode("latin-1") + content)
        except OSError as gone:
            self.log.debug("nobody there for the answer: %s", gone)


def status_for_error(exc: BaseException) -> int:
    """Return the status of a request that cannot be read (RFC 9110, RFC 6585)."""
    if isinstance(exc, LimitRequestLine):
        return http.HTTPStatus.REQUEST_URI_TOO_LONG
    if isinstance(exc, LimitRequestHeaders):
        return http.HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    if isinstance(exc, ExpectationFailed):
        return http.HTTPStatus.EXPECTATION_FAILED
    return http.HTTPStatus.BAD_REQUEST
