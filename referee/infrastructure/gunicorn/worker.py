"""Gunicorn's worker that runs the API: threads that wait for whole requests.

- The threads wait together for all connections (`ready_queue.py`). The one that takes a connection receives what has
  come. If that is a whole request (`whole_requests.py`), it answers, else it puts the connection back. So a request is
  never handed from thread to thread, and a client that sends slowly holds none.
- A body that is too long to be collected may hold a thread, but only a part of them, and not for long.
- The main thread accepts connections, and closes those that were waited for long enough.
- A client that keeps a finished connection open delays nobody (`lingering_close.py`).
- A request of plain form is read here (`plain_requests.py`), every other one by gunicorn's parser. What that cannot
  read is answered by the app like everything else, so it is a problem document, too.
"""

from __future__ import annotations

import contextlib
import errno
import http
import io
import os
import selectors
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from gunicorn import util
from gunicorn.http import wsgi
from gunicorn.http.errors import (
    ExpectationFailed,
    LimitRequestHeaders,
    LimitRequestLine,
    NoMoreData,
    ParseException,
)
from gunicorn.http.parser import RequestParser
from gunicorn.workers.base import Worker as BaseWorker

from referee.infrastructure.gunicorn.answer import Answer
from referee.infrastructure.gunicorn.connection import Connection, TimeoutSocket
from referee.infrastructure.gunicorn.lingering_close import LingeringCloser
from referee.infrastructure.gunicorn.plain_requests import PlainReader
from referee.infrastructure.gunicorn.ready_queue import ReadyQueue
from referee.infrastructure.gunicorn.whole_requests import Arrival, IncomingRequest

WHOLE_SECONDS = 15.0  # from the first byte of a request until it is whole
LONG_BODY_SECONDS = 60.0  # within which a body must come that is not collected
LONG_BODY_SHARE = 4  # a fourth of the threads at most read such bodies
DRAIN_SECONDS = 5.0  # within which the rest of a body must come that the app did not read
STOP_LINGER_SECONDS = 2.0  # for which a connection is waited for once the worker is to stop
LOOK_EVERY = 0.5  # seconds between two looks at connections whose time is up
UNREADABLE = "referee.unreadable"  # in the environ: the status of a request that could not be read
TRANSIENT_ERRNOS = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)
GONE_ERRNOS = (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN)


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


class Worker(BaseWorker):  # type: ignore[misc]
    """The worker that runs the API.

    `connections` are all that are open, `waiting` those that wait for the client, by their file number and in the order
    in which the wait began. The thread that takes a connection out of `waiting` has it to itself.
    """

    wsgi: Any
    ready: ReadyQueue
    reader: PlainReader

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.connections: set[Connection] = set()
        self.waiting: dict[int, Connection] = {}
        self.lingering = LingeringCloser()
        self.lock = threading.Lock()  # for the numbers of the next line
        self.threads = self.idle_threads = self.long_bodies = 0
        self.wait_until = float("inf")  # no client is waited for longer

    def run(self) -> None:
        """Accept connections until the worker is to stop, then finish."""
        self.ready, self.reader = ReadyQueue(), PlainReader(self.cfg)
        self._start_thread()
        accepting, next_look = False, 0.0
        with selectors.DefaultSelector() as chosen:
            chosen.register(self.PIPE[0], selectors.EVENT_READ)
            for listener in self.sockets:
                listener.setblocking(False)
            while self.alive and self.ppid == os.getppid():
                self.notify()
                if accepting is not (len(self.connections) < self.cfg.worker_connections):
                    accepting = not accepting
                    for listener in self.sockets:
                        chosen.register(listener, selectors.EVENT_READ) if accepting else chosen.unregister(listener)
                for key, _ in chosen.select(LOOK_EVERY):
                    if key.fd == self.PIPE[0]:
                        os.read(key.fd, 4096)  # a signal came, or there is room again
                    else:
                        self._accept(key.fileobj)
                if time.monotonic() >= next_look:
                    self._close_overdue()
                    self._close_longest_idle()
                    next_look = time.monotonic() + LOOK_EVERY
        self._finish()

    def _finish(self) -> None:
        """Answer what is under way or comes at once, on open connections only."""
        self.alive = False
        for listener in self.sockets:
            listener.close()
        self.wait_until = time.monotonic() + STOP_LINGER_SECONDS
        until = time.monotonic() + self.cfg.graceful_timeout
        while self.connections and time.monotonic() < until:
            self.notify()
            self._close_overdue()
            time.sleep(0.05)
        self.ready.close()

    def _accept(self, listener: Any) -> None:
        """Accept a connection, and wait for the client's first bytes."""
        try:
            plain, client = listener.accept()
        except OSError as wrong:
            if wrong.errno not in TRANSIENT_ERRNOS:
                raise
            return
        line = TimeoutSocket(fileno=plain.detach()).set_timeouts()
        line.setblocking(True)
        conn = Connection(line, client, listener.getsockname())
        self.connections.add(conn)
        self.waiting[line.fileno()] = conn
        self.ready.add(line.fileno())

    def _close_overdue(self) -> None:
        """Close the connections that were waited for long enough.

        One is spared on which something came that no thread has had the time to receive.
        """
        now = time.monotonic()
        for fd, conn in list(self.waiting.items()):
            if min(conn.deadline, self.wait_until) <= now and (claimed := self.waiting.pop(fd, None)):
                if claimed is conn and not conn.sock.has_more():
                    self._close(conn)
                else:
                    self._wait_for_more(claimed)

    def _close_longest_idle(self) -> None:
        """Close, of too many connections, those that were idle longest."""
        too_many = len(self.connections) - self.cfg.worker_connections * 9 // 10
        if too_many <= 0:
            return
        idle = [fd for fd, conn in list(self.waiting.items()) if conn.is_idle()]
        for fd in idle[:too_many]:
            if claimed := self.waiting.pop(fd, None):
                if claimed.is_idle():
                    self._close(claimed, gracefully=True)
                else:
                    self._wait_for_more(claimed)

    def _start_thread(self) -> None:
        """Start a thread that answers; without it, those there are go on."""
        try:
            threading.Thread(target=self._serve, name="request", daemon=True).start()
        except RuntimeError as wrong:
            self.log.error("%s", wrong)
            return
        self.threads, self.idle_threads = self.threads + 1, self.idle_threads + 1

    def _serve(self) -> None:
        """Take connections on which something came, until the worker ends."""
        while (fd := self.ready.take()) is not None:
            with self.lock:
                self.idle_threads -= 1
                if not self.idle_threads and self.threads < self.cfg.threads:
                    self._start_thread()
            if conn := self.waiting.pop(fd, None):
                try:
                    self._go_on(conn)
                except Exception:
                    self.log.exception("a connection broke off")
                    self._close(conn)
            with self.lock:
                self.idle_threads += 1

    def _go_on(self, conn: Connection) -> None:
        """Receive what has come, and answer if it is a whole request."""
        try:
            received = conn.sock.receive_at_once()
        except BlockingIOError:
            received = None
        except OSError:
            received = b""
        if received == b"":
            self._close(conn)
            return
        if received:
            if not conn.incoming.received:
                conn.deadline = time.monotonic() + WHOLE_SECONDS
            conn.incoming.add(received)
        arrival = conn.incoming.check_arrival()
        if arrival is Arrival.PART:
            self._wait_for_more(conn)
        elif not self._answer_next(conn, arrival):
            self._close(conn, gracefully=True)
        else:
            conn.answered += 1
            more = bool(conn.incoming.received)
            conn.deadline = time.monotonic() + (WHOLE_SECONDS if more else self.cfg.keepalive)
            self._wait_for_more(conn, at_once=more)  # behind all others, if the client has sent more already

    def _wait_for_more(self, conn: Connection, *, at_once: bool = False) -> None:
        """Leave a connection to the thread that gets what comes next."""
        fd = conn.sock.fileno()
        self.waiting[fd] = conn
        with contextlib.suppress(OSError):  # closed in this moment, because too many were open
            self.ready.add_again(fd, at_once=at_once)

    def _close(self, conn: Connection, *, gracefully: bool = False) -> None:
        was_full = len(self.connections) >= self.cfg.worker_connections
        self.connections.discard(conn)
        if was_full:
            with contextlib.suppress(BlockingIOError):  # the pipe is full, so the main thread will wake up anyway
                os.write(self.PIPE[1], b".")
        if gracefully:
            self.lingering.close_gracefully(conn.sock)
        else:
            conn.sock.close()

    def _answer_next(self, conn: Connection, arrival: Arrival) -> bool:
        """Answer a request, and return whether the connection stays open."""
        if arrival is Arrival.ENDLESS:
            line_ends = b"\r\n" in conn.incoming.received
            self.send_error_response(conn.sock, conn.client, 431 if line_ends else 414)
            return False
        if arrival is Arrival.LONG:
            with self.lock:
                if too_many := self.long_bodies >= max(1, self.cfg.threads // LONG_BODY_SHARE):
                    status = http.HTTPStatus.SERVICE_UNAVAILABLE
                else:
                    self.long_bodies += 1
            if too_many:
                self.send_error_response(conn.sock, conn.client, status)
                return False
            try:
                return self._answer_by_parser(conn, time.monotonic() + LONG_BODY_SECONDS)
            finally:
                with self.lock:
                    self.long_bodies -= 1
        if conn.environ is None and conn.answered == 0:
            conn.environ = self.reader.describe_connection(conn.client, conn.server)
        if conn.environ is None or (request := self.reader.read(conn.incoming.received, conn.environ)) is None:
            return self._answer_by_parser(conn, 0.0)
        conn.incoming = IncomingRequest(conn.incoming.received[request.length :])
        response = Answer(request, conn.sock, self.cfg)
        return self._answer(conn, lambda: (request, response, request.environ))

    def _answer_by_parser(self, conn: Connection, deadline: float) -> bool:
        """Answer a request that gunicorn's parser reads.

        Return whether the connection stays open.
        """
        line = conn.sock
        line.collected, line.deadline, conn.incoming = conn.incoming.received, deadline, IncomingRequest()
        parser = RequestParser(self.cfg, line, conn.client)
        parser.req_count = conn.answered

        def read() -> tuple[Any, Answer, dict[str, Any]]:
            request = next(parser)
            response, environ = wsgi.create(request, line, conn.client, conn.server, self.cfg, Answer)
            environ["wsgi.input"], environ["wsgi.multithread"] = RequestBody(environ["wsgi.input"]), True
            return request, response, environ

        if not self._answer(conn, read):
            return False
        try:
            if not parser.finish_body(time.monotonic() + DRAIN_SECONDS if deadline else None):
                return False
        except (OSError, ParseException):
            return False
        conn.incoming = IncomingRequest(parser.unreader.take_buffered() + line.take_collected())
        return True

    def _answer(self, conn: Connection, read: Callable[[], tuple[Any, Answer, dict[str, Any]]]) -> bool:
        """Have the app answer what is read, and return whether the connection stays open."""
        response = None
        try:
            request, response, environ = read()
            self._run_app(request, response, environ)
        except (NoMoreData, StopIteration) as gone:
            self.log.debug("no request came: %s", gone)
        except OSError as wrong:
            if wrong.errno not in GONE_ERRNOS:
                self.log.exception("an answer broke off")
        except (Exception, SystemExit) as wrong:
            if response is None or not response.headers_sent:
                self.handle_error(None, conn.sock, conn.client, wrong)
            else:
                self.log.exception("an answer broke off")
        else:
            return not response.should_close()
        return False

    def _run_app(self, request: Any, response: Answer, environ: dict[str, Any]) -> None:
        self.nr += 1
        if self.nr >= self.max_requests:
            self.alive = False
        if not self.alive or not self.cfg.keepalive:
            response.force_close()
        began = datetime.now()
        pieces = self.wsgi(environ, response.start_response)
        try:
            for piece in pieces:
                response.write(piece)
            response.close()
        finally:
            self.log.access(response, request, environ, datetime.now() - began)
            if hasattr(pieces, "close"):
                pieces.close()

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
