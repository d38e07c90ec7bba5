"""The served program with two hundred streams open: it answers, tells everybody everything once, and stops in time."""

from __future__ import annotations

import http.client
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import pytest

from referee.cli.client import ApiClient
from tests.cli.serving import Serving

pytestmark = pytest.mark.deep

STREAMS = 200
SHARE = {"REFEREE_STREAMS_PER_ADDRESS": "240"}  # all of them come from one address here
MOVES = 10
SOON = 20.0  # seconds: on a busy machine the ending of a dozen processes takes some
RATES = {f"REFEREE_RATE_{name}": "100000" for name in ("READS", "WRITES", "DRY_RUNS", "JOINS", "MATCHES")} | SHARE


class Listeners:
    """Many open streams, read by one thread; what each of them has said so far."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.where = (str(parts.hostname), int(parts.port or 80))
        self.said: list[bytearray] = []
        self.ended: list[bool] = []
        self._ready = selectors.DefaultSelector()
        self._sockets: list[socket.socket] = []

    def open(self, path: str, **headers: str) -> int:
        """Opens one more stream; its number."""
        line = socket.create_connection(self.where, timeout=60)
        sent = {"Host": "localhost", "Accept": "text/event-stream", **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        line.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        line.setblocking(False)
        number = len(self.said)
        self._ready.register(line, selectors.EVENT_READ, number)
        self._sockets.append(line)
        self.said.append(bytearray())
        self.ended.append(False)
        return number

    def until(self, done: Callable[[], bool], seconds: float) -> float:
        """Reads until that holds; how long it took. Raises TimeoutError."""
        began = time.monotonic()
        while not done():
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"after {seconds} s: {sorted(map(bytes, self.said), key=len)[:3]}")
            for key, _ in self._ready.select(0.05):
                got = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                self.said[key.data] += got
                if not got:
                    self.ended[key.data] = True
                    self._ready.unregister(key.fileobj)
        return time.monotonic() - began

    def versions(self, number: int) -> list[int]:
        """The versions of the entries that a stream has told, in the order in which it did."""
        told = bytes(self.said[number]).split(b"event: entry\nid: ")[1:]
        return [int(each.partition(b"\n")[0]) for each in told]

    def all_heard(self, version: int) -> bool:
        """Whether every stream has told that version."""
        return all(b"\nid: %d\n" % version in said for said in self.said)

    def close(self) -> None:
        """Leaves all."""
        for line in self._sockets:
            line.close()
        self._ready.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    started = Serving(tmp_path / "bare", "--data-dir", str(tmp_path / "data"), REFEREE_LOG_LEVEL="warning", **RATES)
    assert started.told, started.end()
    yield started
    print(started.end())  # shown where the test fails


def table(client: ApiClient) -> tuple[str, list[str]]:
    """A running duel that everybody may watch: its path, and the tokens of the two players."""
    opened = client.post(
        "/v1/matches", {"game": "monster_combat", "seats": [{"kind": "human"}] * 2, "visibility": "public"}
    ).body
    path = f"/v1/matches/{opened['match']}"
    players = [client.post("/v1/join", {"code": each["code"]}).body["token"] for each in opened["invitations"]]
    host = client.with_token(opened["token"])
    host.post(f"{path}/start", {}, if_match=host.get(path).etag)
    return path, players


def moved(path: str, players: list[ApiClient]) -> int:
    """Some move of whoever is awaited; the version after it."""
    seat = next(seat for seat in players[0].get(path).body["awaits"] if isinstance(seat, int))
    legal = players[seat].get(f"{path}/seats/{seat}/moves").body["legal"]
    return int(players[seat].post(f"{path}/seats/{seat}/moves", {"move": legal[0]["move"]}).body["version"])


def pings(where: tuple[str, int], path: str, many: int) -> list[float]:
    """How many ms each of so many GETs took."""
    line, took = http.client.HTTPConnection(*where, timeout=60), []
    for _ in range(many):
        began = time.perf_counter()
        line.request("GET", path)
        answer = line.getresponse()
        answer.read()
        assert answer.status == 200
        took.append(1000 * (time.perf_counter() - began))
    line.close()
    return took


def test_with_200_streams_open_it_answers_tells_all_and_stops_soon(
    serving: Serving, record_property: Callable[[str, Any], None]
) -> None:
    client = ApiClient(serving.told["url"])
    path, tokens = table(client)
    players = [client.with_token(token) for token in tokens]
    start = int(players[0].get(path).body["version"])
    streams = Listeners(serving.told["url"])
    try:
        quiet = pings(streams.where, path, 40)
        for seat, token in enumerate(tokens):
            streams.open(f"{path}/stream?viewer=seat:{seat}", Authorization=f"Bearer {token}")
        for _ in range(STREAMS - len(players)):
            streams.open(f"{path}/stream")
        streams.until(lambda: all(b"event: presence" in said for said in streams.said), 120)
        assert all(said.startswith(b"HTTP/1.1 200 OK\r\n") for said in streams.said)
        assert all(b"event: snapshot\nid: %d\n" % start in said for said in streams.said)

        busy = pings(streams.where, path, 40)
        last, delays = start, []
        for _ in range(MOVES):
            last = moved(path, players)
            delays.append(streams.until(partial(streams.all_heard, last), 60))
        wanted = list(range(start + 1, last + 1))
        assert [streams.versions(number) for number in range(STREAMS)] == [wanted] * STREAMS
        while_moving = pings(streams.where, path, 10)

        began = time.monotonic()
        assert serving.stop() == 0
        stopped = time.monotonic() - began
        assert stopped < SOON
        streams.until(lambda: all(streams.ended), 60)
        assert all(said.endswith(b"0\r\n\r\n") for said in streams.said), "ended, not cut off"
    finally:
        streams.close()
    figures = {
        "GET without streams, median ms": median(quiet),
        "GET with 200 streams, median ms": median(busy),
        "GET with 200 streams, worst ms": max(busy + while_moving),
        "a move until all 200 have it, median ms": 1000 * median(delays),
        "a move until all 200 have it, worst ms": 1000 * max(delays),
        "stop, s": stopped,
    }
    for name, value in figures.items():
        record_property(name, round(value, 2))
    print(figures)
    assert median(busy) < max(100, 5 * median(quiet)), figures  # a slow machine is slow without streams too
    assert "killed" not in serving.end()
