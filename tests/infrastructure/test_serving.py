"""The worker with real connections: what it answers and refuses, what it closes, how it stops."""

from __future__ import annotations

import contextlib
import http.client
import math
import os
import random
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from referee.infrastructure.gunicorn import connection, worker
from referee.infrastructure.gunicorn.answer import Answer
from referee.infrastructure.gunicorn.worker import UNREADABLE, Worker
from tests.infrastructure.machine import eventually

GET = b"GET /a HTTP/1.1\r\nHost: t\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: t\r\n"


class App:
    """Answers with method, path and body; some paths wait for `go`, or send an answer in pieces."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(path)
        if UNREADABLE in environ:
            start(f"{environ[UNREADABLE]} NO", [("Content-Type", "text/plain")])
            return [b"unreadable"]
        if path == "/wait":
            assert self.go.wait(60)
        if path == "/fail":
            raise LookupError
        if path == "/stream":
            start("200 OK", [])
            return self._stream()
        if path == "/304":
            start("304 NOT MODIFIED", [("ETag", '"v1"')])
            return []
        body = b"" if path == "/unread" else environ["wsgi.input"].read()
        said = f"{environ['REQUEST_METHOD']} {path} ".encode() + body
        start("200 OK", [("Content-Length", str(len(said)))])
        return [said]

    def _stream(self) -> Iterator[bytes]:
        yield b""
        assert self.go.wait(60)
        yield b"one"
        yield b"two"


class Served:
    """A worker that runs in a thread, without gunicorn's arbiter."""

    def __init__(self, **settings: Any) -> None:
        cfg = Config()
        for name, value in {"threads": 4, "keepalive": 75, "graceful_timeout": 60, **settings}.items():
            cfg.set(name, value)
        listener = socket.create_server(("127.0.0.1", 0))
        self.where = listener.getsockname()
        self.worker = Worker(0, os.getppid(), [listener], None, 30, cfg, Logger(cfg))
        self.app = self.worker.wsgi = App()
        self.worker.PIPE = os.pipe()
        os.set_blocking(self.worker.PIPE[1], False)
        self.thread = threading.Thread(target=self.worker.run, daemon=True)
        self.thread.start()

    def connect(self) -> socket.socket:
        return socket.create_connection(self.where, timeout=20)

    def ask(self, *sent: bytes) -> bytes:
        """Everything that comes until the server closes, after these bytes."""
        with self.connect() as line:
            for part in sent:
                line.sendall(part)
            return read_all(line)

    def stop(self) -> None:
        self.worker.alive = False
        os.write(self.worker.PIPE[1], b".")


@pytest.fixture
def served() -> Iterator[Served]:
    with serve() as started:
        yield started


@contextlib.contextmanager
def serve(**settings: Any) -> Iterator[Served]:
    started = Served(**settings)
    yield started
    started.app.go.set()
    started.stop()
    started.thread.join(60)
    assert not started.thread.is_alive()


def read_all(line: socket.socket) -> bytes:
    seen = b""
    while got := line.recv(65536):
        seen += got
    return seen


def read_answer(line: socket.socket, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    answer = http.client.HTTPResponse(line, method=method)
    answer.begin()
    body = answer.read()
    return answer.status, dict(answer.getheaders()), body


def test_a_connection_serves_one_request_after_another(served: Served) -> None:
    with served.connect() as line:
        for number in range(5):
            line.sendall(POST + b"Content-Length: 1\r\n\r\n%d" % number)
            assert read_answer(line)[::2] == (200, b"POST /a %d" % number)
        line.sendall(b"HEAD /a HTTP/1.1\r\n\r\n")
        status, headers, body = read_answer(line, "HEAD")
        assert (status, headers["Content-Length"], body) == (200, "8", b"")
        line.sendall(b"GET /304 HTTP/1.1\r\n\r\n")
        status, headers, body = read_answer(line)
        assert (status, headers["ETag"], headers["Connection"], body) == (304, '"v1"', "keep-alive", b"")
        line.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=1\r\nc\r\n0\r\n\r\n")
        assert read_answer(line)[2] == b"POST /a abc"
        line.sendall(POST.replace(b"/a", b"/unread") + b"Content-Length: 5\r\n\r\n12345" + GET)
        assert read_answer(line)[2] == b"POST /unread "
        assert read_answer(line)[2] == b"GET /a "
        line.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert read_answer(line)[1]["Connection"] == "close"
        assert line.recv(1) == b""


def test_requests_one_after_another_need_few_threads() -> None:
    with serve(threads=64) as served, served.connect() as line:
        for _ in range(50):
            line.sendall(GET)
            read_answer(line)
        assert served.worker.threads < 8


@pytest.mark.parametrize("cut", range(1, len(POST) + 20, 7))
def test_a_request_may_come_in_parts(served: Served, cut: int) -> None:
    sent = POST + b"Connection: close\r\nContent-Length: 3\r\n\r\nabc"
    with served.connect() as line:
        line.sendall(sent[:cut])
        time.sleep(0.01)
        line.sendall(sent[cut:])
        assert read_answer(line)[2] == b"POST /a abc"


def test_a_client_of_http_1_0_is_answered_in_its_way(served: Served) -> None:
    served.app.go.set()
    seen = served.ask(b"GET /stream HTTP/1.0\r\n\r\n")
    assert seen.endswith(b"\r\n\r\nonetwo")
    assert b"chunked" not in seen
    assert b"Connection: close" in seen


def test_a_client_that_waits_before_its_body_is_asked_for_it(served: Served) -> None:
    with served.connect() as line:
        line.sendall(POST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(b"ab")
        assert read_answer(line)[2] == b"POST /a ab"


def test_a_stream_sends_every_piece_at_once(served: Served) -> None:
    with served.connect() as line:
        line.sendall(b"GET /stream HTTP/1.1\r\n\r\n")
        head = line.recv(1000)
        assert b"Transfer-Encoding: chunked\r\n" in head
        assert head.endswith(b"\r\n\r\n"), "the head came before there was a body"
        served.app.go.set()
        seen = b""
        while not seen.endswith(b"0\r\n\r\n"):
            seen += line.recv(1000)
        assert seen == b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        line.sendall(GET)
        assert read_answer(line)[2] == b"GET /a "


def test_head_and_body_go_out_together() -> None:
    sent: list[bytes] = []
    request: Any = SimpleNamespace(method="GET", version=(1, 1), should_close=lambda: False)
    answer = Answer(request, SimpleNamespace(sendall=sent.append), Config())
    answer.start_response("200 OK", [("Content-Length", "2")])
    answer.write(b"ab")
    answer.close()
    assert len(sent) == 1
    assert sent[0].endswith(b"\r\n\r\nab")


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: t\r\n\r\n"


@pytest.mark.parametrize(
    "head",
    [
        POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        POST + b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
        POST + b"Content-Length: 0\r\ncontent-length: %d\r\n\r\n" % len(SMUGGLED),
        POST + b"Content-Length: 0, 0\r\n\r\n",
        POST + b"Content-Length: +0\r\n\r\n",
        POST + b"Content-Length : 0\r\n\r\n",
        POST + b"Content-Length:\r\n 0\r\n\r\n",
        POST + b"X: a\r\n Content-Length: 3\r\n\r\n",
        POST + b"Content-Length: \x0b0\r\n\r\n",
        POST + b"Transfer-Encoding: xchunked\r\n\r\n",
        POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: identity\r\n\r\n",
        b"POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /a HTTP/1.1\nHost: t\n\r\n\r\n",
        b"GET /a HTTP/1.1\r\nHost: t\nX: y\r\n\r\n",
        b"GET /a HTTP/1.1\r\nHost: t\x00\r\n\r\n",
        b"GET /a HTTP/1.1\r\nHost: t\rX: y\r\n\r\n",
        b"GET /a HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n",
        b"GET /a HTTP/1.1\r\n Host: t\r\n\r\n",
        b"GET /a  HTTP/1.1\r\nHost: t\r\n\r\n",
        b"GET /a HTTP/1.1 \r\nHost: t\r\n\r\n",
    ],
)
def test_what_another_could_read_otherwise_is_refused_and_ends_the_connection(served: Served, head: bytes) -> None:
    seen = served.ask(head + SMUGGLED)
    assert seen.startswith(b"HTTP/1.1 400 NO\r\n")
    assert seen.count(b"HTTP/1.1 ") == 1
    assert served.app.asked == ["/"]


def test_a_field_with_an_underscore_never_poses_as_one_with_a_dash(served: Served) -> None:
    environs: list[dict[str, Any]] = []

    def note(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        environs.append(environ)
        return served.app(environ, start)

    served.worker.wsgi = note
    served.ask(b"GET /a HTTP/1.1\r\nX_Forwarded_For: 1.2.3.4\r\nConnection: close\r\n\r\n")
    assert "HTTP_X_FORWARDED_FOR" not in environs[0]


@pytest.mark.parametrize(
    ("sent", "status"),
    [(b"GET /" + b"a" * 70000, 414), (b"GET / HTTP/1.1\r\n" + b"X: aaaa\r\n" * 8000, 431), (b"\r\n\r\n", 400)],
)
def test_a_head_without_end_is_refused(served: Served, sent: bytes, status: int) -> None:
    assert served.ask(sent).startswith(b"HTTP/1.1 %d NO\r\n" % status)


def test_a_body_that_does_not_come_holds_no_thread(monkeypatch: pytest.MonkeyPatch, served: Served) -> None:
    """Its length is one that the parser takes for 5, and the look at what has come does not."""
    monkeypatch.setattr(connection, "RECEIVE_TIMEOUT", 60)  # longer than anybody waits here
    lines = [served.connect() for _ in range(8)]
    for line in lines:
        line.sendall(POST + b"Content-Length: 00000000000000000000005\r\n\r\n1")
    with served.connect() as line:
        line.sendall(GET)
        assert read_answer(line)[2] == b"GET /a "
    for line in lines:
        assert b"200 OK" not in read_all(line)
        line.close()


def test_long_bodies_hold_a_fourth_of_the_threads(served: Served) -> None:
    with served.connect() as one, served.connect() as other:
        one.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n")
        eventually(lambda: served.worker.long_bodies == 1)
        other.sendall(POST + b"Content-Length: 1000000\r\n\r\n")
        assert read_answer(other)[0] == 503
        one.sendall(b"a\r\n0\r\n\r\n")
        assert read_answer(one)[2] == b"POST /a a"
    eventually(lambda: served.worker.long_bodies == 0)


def test_a_failure_of_the_app_is_answered(served: Served) -> None:
    assert served.ask(b"GET /fail HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 500 NO\r\n")
    assert served.ask(b"GET /a HTTP/1.0\r\n\r\n").endswith(b"GET /a ")


def test_many_requests_at_once_wait_in_line_with_those_of_others() -> None:
    with serve(threads=1) as served, served.connect() as greedy, served.connect() as other:
        greedy.sendall(GET.replace(b"/a", b"/wait") + GET * 99)
        eventually(lambda: served.app.asked and len(served.worker.connections) == 2)
        other.sendall(GET.replace(b"/a", b"/other"))
        served.app.go.set()
        assert read_answer(other)[2] == b"GET /other "
        assert served.app.asked.index("/other") < 10


def test_a_connection_that_waits_for_a_free_thread_is_not_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(threads=1) as served, served.connect() as busy, served.connect() as waiting:
        busy.sendall(GET.replace(b"/a", b"/wait"))
        waiting.sendall(GET)
        eventually(lambda: served.app.asked == ["/wait"] and served.worker.waiting)
        (held,) = served.worker.waiting.values()
        held.deadline = 0.0  # its time is up: the sweep that closes the silent connection below also meets this one
        monkeypatch.setattr(connection, "SILENCE_SECONDS", 0.2)
        with served.connect() as silent:
            assert read_all(silent) == b"", "nothing came from it"
        served.app.go.set()
        assert read_answer(waiting)[2] == b"GET /a "


def test_part_of_a_request_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch, served: Served) -> None:
    monkeypatch.setattr(connection, "SILENCE_SECONDS", 60)  # longer than anybody waits here
    monkeypatch.setattr(worker, "WHOLE_SECONDS", 0.3)
    with served.connect() as line:
        line.sendall(b"GET /a HTT")
        assert read_all(line) == b""
    assert not served.worker.connections


def test_of_too_many_connections_those_idle_longest_are_closed() -> None:
    with serve(worker_connections=10, threads=2) as served:
        lines = [served.connect() for _ in range(10)]
        for line in lines:
            line.sendall(GET)
            read_answer(line)
        closed = select.select(lines, [], [], 10)[0]
        assert len(closed) == 1
        assert closed[0] in lines[:5], "the first, or one of those answered at about the same time"
        assert closed[0].recv(1) == b""
        lines[-1].sendall(GET)
        assert read_answer(lines[-1])[0] == 200
        with served.connect() as line:
            line.sendall(GET)
            assert read_answer(line)[0] == 200
        for line in lines:
            line.close()


def test_a_stop_answers_what_is_under_way_and_takes_nothing_new(
    monkeypatch: pytest.MonkeyPatch, served: Served
) -> None:
    monkeypatch.setattr(worker, "STOP_LINGER_SECONDS", 60)
    with served.connect() as busy, served.connect() as idle, served.connect() as leaving:
        for line in (idle, leaving):
            line.sendall(GET)
            read_answer(line)
        busy.sendall(GET.replace(b"/a", b"/wait"))
        eventually(lambda: "/wait" in served.app.asked)
        served.stop()
        eventually(lambda: served.worker.sockets[0].fileno() == -1)
        leaving.sendall(GET)
        assert read_answer(leaving)[1]["Connection"] == "close"
        eventually(lambda: served.worker.wait_until < math.inf)
        served.worker.wait_until -= 60  # which have passed
        assert idle.recv(1) == b"", "it said nothing in that time"
        assert served.thread.is_alive()
        served.app.go.set()
        assert read_answer(busy)[2] == b"GET /wait "
    served.thread.join(30)
    assert not served.thread.is_alive()
    with pytest.raises(ConnectionRefusedError):
        served.connect()


def test_an_answer_that_does_not_end_is_given_up_with_the_grace_period() -> None:
    with serve(graceful_timeout=1) as served, served.connect() as line:
        line.sendall(GET.replace(b"/a", b"/wait"))
        eventually(lambda: served.app.asked == ["/wait"])
        served.stop()
        served.thread.join(30)
        assert not served.thread.is_alive()


def misbehave(served: Served, dice: random.Random, until: float) -> None:
    """Ask in parts, much at once, or wrongly, and leave at any moment, with or without form, until enough was asked."""
    ask = (GET, POST + b"Content-Length: 3\r\n\r\nabc", POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
    while time.monotonic() < until or len(served.app.asked) <= 1000:
        with served.connect() as line, contextlib.suppress(OSError):
            for _ in range(dice.randrange(6)):
                sent = b"".join(dice.choices((*ask, b"HELLO\r\n\r\n"), (9, 9, 3, 1), k=dice.randrange(1, 5)))
                cut = dice.randrange(len(sent))
                line.sendall(sent[:cut])
                if dice.random() < 0.2:
                    break
                line.sendall(sent[cut:])
                if dice.random() < 0.7:
                    line.recv(65536)
            if dice.random() < 0.3:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset


@pytest.mark.deep
def test_after_many_clients_of_all_kinds_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SILENCE_SECONDS", 0.3)
    monkeypatch.setattr(worker, "WHOLE_SECONDS", 0.3)
    with serve(threads=6, worker_connections=12) as served:
        until = time.monotonic() + 8
        each_with = [(served, random.Random(number), until) for number in range(16)]
        crowd = [threading.Thread(target=misbehave, args=one, daemon=True) for one in each_with]
        for each in crowd:
            each.start()
        for each in crowd:
            each.join(120)
            assert not each.is_alive(), len(served.app.asked)
        eventually(lambda: not served.worker.connections)
        eventually(lambda: served.worker.idle_threads == served.worker.threads <= 6)
        assert (served.worker.long_bodies, served.worker.waiting) == (0, {})
        for number in range(20):
            with served.connect() as line:
                line.sendall(POST + b"Content-Length: 2\r\n\r\n%02d" % number)
                assert read_answer(line)[2] == b"POST /a %02d" % number
