"""Gunicorn's threaded worker, hardened in four places.

- A connection waits in the poller until a whole request has come (`whole_requests.py`), and holds no thread before. A
  body that is too long to be collected may hold one, but only a part of the threads, and not for long.
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
from collections import deque
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
from referee.infrastructure.gunicorn.whole_requests import Arrival, IncomingRequest

SILENCE_SECONDS = 10.0  # until a connection on which nothing was sent is closed
WHOLE_SECONDS = 15.0  # from the first byte of a request until it is whole
LONG_BODY_SECONDS = 60.0  # within which a body must come that is not collected
LONG_BODY_SHARE = 4  # a fourth of the threads at most read such bodies
RECEIVE_BYTES = 64 * 1024
RECEIVE_TIMEOUT = 10  # seconds within which more of a request must come
SEND_TIMEOUT = 20  # seconds within which the client must take more of an answer
UNREADABLE = "referee.unreadable"  # in the environ: the status of a request that could not be read
TRANSIENT_ERRNOS = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)


class TimeoutSocket(socket.socket):
    """A connection that counts as broken when a wait has taken too long.

    What was collected of a request is received first. `deadline` limits all waits together.
    """

    collected: bytearray | None = None
    deadline: float | None = None

    def take_collected(self) -> bytes:
        """Return what was collected and not received yet."""
        taken, self.collected = bytes(self.collected or b""), None
        return taken

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
        if self.collected:
            found, self.collected = bytes(self.collected[:size]), self.collected[size:]
            return found
        if self.deadline is not None and self.gettimeout() != 0.0:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise ConnectionResetError(errno.ECONNRESET, "the request took too long")
            wait = max(1, int(1e6 * min(left, RECEIVE_TIMEOUT)))
            self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", *divmod(wait, 1_000_000)))
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
    """A connection that a thread of its own closes when it is finished.

    `incoming` is what has come of its next request, `is_long` whether that has a body that is not collected.
    """

    lingering: LingeringCloser
    incoming: IncomingRequest
    is_long = False

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
        self.partial_conns: deque[LingeringConnection] = deque()  # of whose next request a part has come
        self.long_bodies = 0  # threads that read a body which was not collected

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
        conn.incoming = IncomingRequest()
        self.nr_conns += 1
        self.pending_conns.append(conn)
        self.poller.register(line, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: LingeringConnection, client: socket.socket) -> None:
        """Begin to collect the first request of a connection."""
        self.pending_conns.remove(conn)
        self._begin_request(conn)

    def on_client_socket_readable(self, conn: LingeringConnection, client: socket.socket) -> None:
        """Begin to collect the next request of a connection that was kept open."""
        self.keepalived_conns.remove(conn)
        conn.incoming = IncomingRequest()
        self._begin_request(conn)

    def _begin_request(self, conn: LingeringConnection) -> None:
        """Collect a request whose first bytes are there; the poller knows the connection."""
        conn.timeout = time.monotonic() + WHOLE_SECONDS
        self.partial_conns.append(conn)
        self.poller.modify(conn.sock, selectors.EVENT_READ, partial(self.on_partial_socket_readable, conn))
        self.on_partial_socket_readable(conn, conn.sock)

    def on_partial_socket_readable(self, conn: LingeringConnection, client: socket.socket) -> None:
        """Collect more of a request, and hand it to a thread when it is whole."""
        try:
            received = conn.sock.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if received:
            conn.incoming.add(received)
            self._hand_over_if_whole(conn)
        else:
            self._drop(conn)

    def _hand_over_if_whole(self, conn: LingeringConnection) -> None:
        arrived = conn.incoming.check_arrival()
        if arrived is Arrival.PART:
            return
        self.poller.unregister(conn.sock)
        self.partial_conns.remove(conn)
        conn.sock.collected, conn.data_ready = conn.incoming.received, True
        conn.is_long, conn.sock.deadline = arrived is Arrival.LONG, None
        if conn.is_long:
            if self.long_bodies >= max(1, self.cfg.threads // LONG_BODY_SHARE):
                self.send_error_response(conn.sock, conn.client, http.HTTPStatus.SERVICE_UNAVAILABLE)
                self.nr_conns -= 1
                conn.close(graceful=True)
                return
            self.long_bodies += 1
            conn.sock.deadline = time.monotonic() + LONG_BODY_SECONDS
        self.enqueue_req(conn)

    def finish_request(self, conn: LingeringConnection, fs: Any) -> None:
        """Keep a connection open after its answer, or close it.

        If the client has sent more with the request, its next one is collected from that.
        """
        if conn.is_long:
            self.long_bodies, conn.is_long = self.long_bodies - 1, False
        more = b""
        if not fs.cancelled() and fs.exception() is None and fs.result() is True:
            more = conn.parser.unreader.take_buffered() + conn.sock.take_collected()
        if not more:
            super().finish_request(conn, fs)
            return
        conn.incoming, conn.timeout = IncomingRequest(more), time.monotonic() + WHOLE_SECONDS
        conn.sock.setblocking(False)
        self.partial_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_partial_socket_readable, conn))
        self._hand_over_if_whole(conn)

    def _drop(self, conn: LingeringConnection) -> None:
        """Close a connection of whose request only a part has come."""
        self.poller.unregister(conn.sock)
        self.partial_conns.remove(conn)
        self.nr_conns -= 1
        conn.close()

    def murder_keepalived(self, force: bool = False) -> None:
        """Close connections kept open long enough and, of too many, the oldest."""
        super().murder_keepalived(force)
        for _ in range(min(len(self.keepalived_conns), self.nr_conns - self.worker_connections * 9 // 10)):
            conn = self.keepalived_conns.popleft()
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            conn.close(graceful=True)

    def murder_pending(self) -> None:
        """Close the connections on which nothing was sent in time, or no whole request."""
        super().murder_pending()
        now = time.monotonic()
        for conn in [conn for conn in self.partial_conns if conn.timeout <= now]:
            self._drop(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """Wait for no client longer than this, once the worker is asked to stop.

        That covers idle connections and those on which nothing was sent yet.
        """
        super()._cap_keepalive(deadline)
        for conn in (*self.pending_conns, *self.partial_conns):
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
