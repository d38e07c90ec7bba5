"""The served program asked for more than it can do: it says so at once, never hangs, and is well again at once."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from referee.cli.client import ApiClient
from tests.cli.serving import Serving
from tests.cli.test_streaming import RATES, table

pytestmark = pytest.mark.deep

CLIENTS = 48
THREADS = 16
STORE_TIME = 3.0  # what a request waits for the store (clients.ANSWERS_WITHIN)
SLACK = 20.0  # what a busy machine may add


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    settings = {"REFEREE_LOG_LEVEL": "error", "REFEREE_THREADS": str(THREADS), **RATES}
    started = Serving(tmp_path / "bare", "--data-dir", str(tmp_path / "data"), **settings)
    assert started.told, started.end()
    yield started
    print(started.end())  # shown where the test fails


def server(serving: Serving, name: str) -> int:
    """The process of the embedded store or queue."""
    home = Path(serving.told["data_dir"]) / name
    for found in Path("/proc").glob("[0-9]*"):
        try:
            if (found / "cwd").readlink() == home:
                return int(found.name)
        except OSError:  # gone, or somebody else's
            continue
    raise LookupError(name)


@dataclass
class Asked:
    """What one request got: when it began, how long it took, and what came."""

    began: float
    took: float
    status: int
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def ended(self) -> float:
        return self.began + self.took


@dataclass
class Crowd:
    """Many clients that ask as fast as they are answered, each on a connection that it keeps."""

    where: tuple[str, int]
    path: str
    got: list[Asked] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def _ask(self) -> None:
        line = http.client.HTTPConnection(*self.where, timeout=60)
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                line.request("GET", self.path)
                answer = line.getresponse()
                body = json.loads(answer.read())
                took = time.monotonic() - began
                self.got.append(Asked(began, took, answer.status, dict(answer.getheaders()), body))
            except (OSError, http.client.HTTPException, ValueError) as wrong:
                self.broken.append(repr(wrong))
                line.close()
            self._stop.wait(0.02)  # they do not all stand at the door in the very same moment
        line.close()

    def __enter__(self) -> Crowd:
        self._threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(CLIENTS)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(STORE_TIME + SLACK)

    def since(self, moment: float, until: float = float("inf")) -> list[Asked]:
        """What was asked and answered between two moments."""
        return [each for each in self.got if each.began >= moment and each.ended <= until]

    def until(self, what: Callable[[], bool], within: float) -> float:
        """Waits for that; how long it took."""
        began = time.monotonic()
        while not what():
            assert time.monotonic() - began < within, (self.broken[:3], [each.status for each in self.got[-5:]])
            time.sleep(0.02)
        return time.monotonic() - began


def well_refused(answers: list[Asked], slug: str) -> None:
    """Each of these is a 503 of that kind in form."""
    for each in answers:
        assert each.status == 503, each
        assert each.headers["Content-Type"] == "application/problem+json"
        assert each.body["type"] == f"/problems/{slug}"
        assert int(each.headers["Retry-After"]) >= 1
        assert each.body["seconds"] >= 1
        assert slug != "overloaded" or each.body["limit"] == 12


def of_kind(answers: list[Asked], slug: str) -> list[Asked]:
    return [each for each in answers if each.body.get("type") == f"/problems/{slug}"]


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds the store's process by /proc")
def test_beyond_what_it_can_do_it_says_so_at_once_and_is_well_again_at_once(
    serving: Serving, record_property: Callable[[str, Any], None]
) -> None:
    path, _ = table(ApiClient(serving.told["url"]))
    host, port = serving.told["url"].removeprefix("http://").rsplit(":", 1)
    where, figures = (host, int(port)), {}
    with Crowd(where, f"{path}/view") as crowd:
        crowd.until(lambda: len(crowd.got) > 40 * CLIENTS, 180)
        loaded = list(crowd.got)
        refused = [each for each in loaded if each.status != 200]
        well_refused(refused, "overloaded")
        assert len(refused) < len(loaded)
        figures["under load: answered, refused"] = (len(loaded) - len(refused), len(refused))
        figures["a refusal, median and worst s"] = (
            round(median(each.took for each in refused), 3) if refused else None,
            round(max((each.took for each in refused), default=0), 3),
        )

        store = server(serving, "store")
        os.kill(store, signal.SIGSTOP)
        stopped = time.monotonic() + 0.2
        try:
            crowd.until(lambda: bool(of_kind(crowd.since(stopped), "store-away")), STORE_TIME + SLACK)
            time.sleep(STORE_TIME)
            assert ApiClient(serving.told["url"]).get("/healthz").body == {"status": "ok"}
            frozen = time.monotonic()
        finally:
            os.kill(store, signal.SIGCONT)
        during = crowd.since(stopped, frozen)
        away = of_kind(during, "store-away")
        well_refused(away, "store-away")
        well_refused([each for each in during if each not in away], "overloaded")
        assert max(each.took for each in during) < STORE_TIME + SLACK
        figures["store stopped: worst wait, s"] = round(max(each.took for each in during), 2)

        again = time.monotonic()
        crowd.until(lambda: any(each.status == 200 for each in crowd.since(again)), SLACK)
        first = min(each.ended for each in crowd.since(again) if each.status == 200)
        figures["store goes on: first answer after s"] = round(first - again, 3)
    assert not crowd.broken, crowd.broken[:3]

    alone = time.monotonic()
    assert ApiClient(serving.told["url"]).get(f"{path}/view").body["version"]
    figures["the crowd is gone: an answer after s"] = round(time.monotonic() - alone, 3)
    for name, value in figures.items():
        record_property(name, value)
    print(figures)
    assert time.monotonic() - alone < SLACK


def test_whoever_says_nothing_or_takes_ages_holds_nobody_up(serving: Serving) -> None:
    where = serving.told["url"].removeprefix("http://").rsplit(":", 1)

    def take_ten() -> float:
        began = time.monotonic()
        for _ in range(10):
            assert ApiClient(serving.told["url"]).get("/v1/games").body["items"]
        return time.monotonic() - began

    alone = take_ten()
    silent = [socket.create_connection((where[0], int(where[1])), timeout=60) for _ in range(4 * THREADS * 2)]
    try:
        assert take_ten() < 4 + 3 * alone, "a thread waits 5 s for a connection that says nothing"
        with socket.create_connection((where[0], int(where[1])), timeout=60) as half:
            began = time.monotonic()
            half.sendall(b"GET /v1/games HTTP/1.1\r\nHost: localhost\r\n")
            assert half.recv(100) == b"", "cut off, with no answer to half a question"
            assert 5 < time.monotonic() - began < 50
    finally:
        for line in silent:
            line.close()


@pytest.mark.parametrize(
    ("sent", "status", "slug"),
    [
        (b"GET /v1/games?q=" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, "uri-too-long"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + b"a" * 9000 + b"\r\n\r\n", 431, "headers-too-large"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 200 + b"\r\n", 431, "headers-too-large"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n", 417, "expectation-failed"),
        (b"HELLO\r\n\r\n", 400, "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: rfs_secret\r\n\r\n", 400, "bad-request"),
        (
            b"POST /v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: "
            + b"k" * 22
            + b"\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            400, "bad-request",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_answered_as_everything_else(
    shared: Serving, sent: bytes, status: int, slug: str
) -> None:
    where = shared.told["url"].removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((where[0], int(where[1])), timeout=20) as line:
        line.sendall(sent)
        answer = http.client.HTTPResponse(line)
        answer.begin()
        body = json.loads(answer.read())
    assert answer.status == status
    assert answer.getheader("Content-Type") == "application/problem+json"
    assert body["type"] == f"/problems/{slug}"
    assert body["request_id"] == answer.getheader("X-Request-Id")
    assert "default-src 'none'" in str(answer.getheader("Content-Security-Policy"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One server for all who only ask it a little."""
    folder = tmp_path_factory.mktemp("shared")
    (folder / "bare" / "notes").mkdir(parents=True)
    started = Serving(folder / "bare", "--data-dir", str(folder / "data"), REFEREE_THREADS="8")
    assert started.told, started.end()
    yield started
    said = started.end()
    assert "rfs_secret" not in said
    assert "a" * 50 not in said


def drip(where: tuple[str, int], head: bytes, count: int) -> list[socket.socket]:
    """Connections on each of which a request has begun that does not go on by itself."""
    lines = [socket.create_connection(where, timeout=30) for _ in range(count)]
    for line in lines:
        line.sendall(head)
    return lines


HEAD = (
    b"POST /v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: "
    + b"k" * 22
    + b"\r\n"
)


# a head, a body and a chunked body that have begun; and what comes of each from time to time
DRIPS = {
    b"POST /v1/join HTTP/1.1\r\nHos": b"t",
    HEAD + b"Content-Length: 60\r\n\r\n": b"1",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n": b"1\r\n1\r\n",
}
QUICK = 1.0  # seconds; where threads are held, a look takes many
BYTE_EVERY = 2.0  # seconds


def look(where: tuple[str, int], seconds: float, lines: dict[socket.socket, bytes]) -> float:
    """The time that 99 of 100 looks at the server's health take, while a byte comes on each line now and then."""
    until, next_byte, took = time.monotonic() + seconds, 0.0, []
    while (asked := time.monotonic()) < until:
        if asked >= next_byte:
            next_byte = asked + BYTE_EVERY
            for line, more in lines.items():
                with contextlib.suppress(OSError):  # it has been cut off
                    line.sendall(more)
            asked = time.monotonic()
        one = http.client.HTTPConnection(*where, timeout=30)
        with contextlib.closing(one):
            one.request("GET", "/healthz")
            assert one.getresponse().status == 200
        took.append(time.monotonic() - asked)
        time.sleep(0.02)
    return sorted(took)[int(0.99 * len(took))]


def test_clients_that_drip_hold_nobody_up(serving: Serving) -> None:
    """Connections by the number of all threads, once, twice and four times, the last past all deadlines of a head."""
    host, port = serving.told["url"].removeprefix("http://").rsplit(":", 1)
    where, threads = (host, int(port)), 2 * THREADS
    quiet, found = look(where, 4, {}), {}
    for times, seconds in ((1, 5), (2, 5), (4, 14)):
        lines = {line: more for head, more in DRIPS.items() for line in drip(where, head, 1 + times * threads // 3)}
        try:
            found[times] = look(where, seconds, lines)
        finally:
            for line in lines:
                line.close()
    print(f"healthz p99: {quiet:.3f} s alone, beside drips by threads: {found}")
    assert max(found.values()) < max(QUICK, 3 * quiet)  # a busy machine is slow alone too


def test_a_connection_is_kept_and_requests_may_follow_each_other_at_once(shared: Serving) -> None:
    host, port = shared.told["url"].removeprefix("http://").rsplit(":", 1)
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as line:
        for pause in (0.0, 4.0):  # gunicorn's own two seconds would have closed it
            time.sleep(pause)
            line.sendall(ask * 3 + ask[:10])
            line.sendall(ask[10:])
            seen = b""
            while seen.count(b"HTTP/1.1 200 OK") < 4 or not seen.endswith(b"}"):
                got = line.recv(65536)
                assert got, seen
                seen += got
