"""The load generator: many tables in one loop on plain sockets, so that it costs the machine little.

A table is a generator that plays on its wires: it sends on them, and yields until a message that it needs has come.
"""

from __future__ import annotations

import base64
import contextlib
import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import orjson

from tests.bench.driving import Reply

Play = Generator[None, None, Any]
Address = tuple[str, int]
CHUNK = 1 << 17
NOBODY = -1  # in place of a table: a wire that is only kept open


@dataclass
class Figures:
    """What was seen while it counted. `answered` ends when the mover has its answer, `seen` when all seats have it."""

    moves: int = 0
    requests: int = 0
    received: int = 0
    matches: int = 0
    answered: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    tables: set[int] = field(default_factory=set)  # those that have moved

    def add_move(self, table: int, answered: float, seen: float) -> None:
        self.moves += 1
        self.tables.add(table)
        self.answered.append(answered)
        self.seen.append(seen)

    def reset(self) -> None:
        self.moves = self.requests = self.received = self.matches = 0
        self.answered, self.seen, self.tables = [], [], set()


class Wire:
    """A connection: what was read from it and not yet taken lies in `inbox`."""

    def __init__(self, loop: Loop, address: Address) -> None:
        self.loop, self.address, self.table = loop, address, loop.current
        self.inbox: deque[Any] = deque()
        self.buffer = b""
        self.connect()

    def connect(self) -> None:
        self.socket = socket.create_connection(self.address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.loop.selector.register(self.socket, selectors.EVENT_READ, self)

    def close(self) -> None:
        if self.socket.fileno() >= 0:
            self.loop.selector.unregister(self.socket)
            self.socket.close()

    def read(self) -> None:
        """Put the messages that are whole by now into the inbox."""
        try:
            part = self.socket.recv(CHUNK)
        except ConnectionResetError:
            part = b""
        if not part:
            self.close()
            self.end()
            return
        self.loop.figures.received += len(part)
        self.buffer += part
        self.parse()

    def parse(self) -> None:
        """Take whole messages from the buffer."""
        raise NotImplementedError

    def end(self) -> None:
        """The server has closed the connection."""
        raise ConnectionError("the server closed a connection")

    def take(self) -> Generator[None, None, Any]:
        """Wait for the next message and return it."""
        while not self.inbox:
            yield
        return self.inbox.popleft()


class HttpWire(Wire):
    """Requests one after another; a connection that the server has closed meanwhile is opened again."""

    def __init__(self, loop: Loop, address: Address) -> None:
        self.asked, self.sent = b"", 0.0
        super().__init__(loop, address)

    def ask(self, asked: bytes) -> Generator[None, None, Reply]:
        """Send a request and return its answer."""
        self.asked, self.sent, self.buffer = asked, time.perf_counter(), b""
        self.loop.figures.requests += 1
        if self.socket.fileno() < 0:
            self.connect()
        try:
            self.socket.sendall(asked)
        except (BrokenPipeError, ConnectionResetError):
            self.close()
            self.end()
        reply: Reply = yield from self.take()
        return reply

    def end(self) -> None:
        if self.buffer:
            raise ConnectionError("the server closed a connection in the middle of an answer")
        if self.asked:  # it was closed as unused while the request was on its way; writes carry a key
            self.connect()
            self.socket.sendall(self.asked)

    def parse(self) -> None:
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        lower = head.lower()
        at = lower.find(b"content-length:")
        if len(body) < (0 if at < 0 else int(lower[at + 15 :].split(b"\r\n", 1)[0])):
            return
        self.inbox.append(Reply(int(head[9:12]), body, time.perf_counter() - self.sent))
        self.asked = self.buffer = b""
        if b"\r\nconnection: close" in lower:
            self.close()


class StreamWire(Wire):
    """Server-sent events: each is the tuple of its kind, its id (-1: none) and its data."""

    def __init__(self, loop: Loop, address: Address, asked: bytes) -> None:
        self.status, self.chunked, self.text, self.ended = 0, False, b"", False
        super().__init__(loop, address)
        self.socket.sendall(asked)

    def end(self) -> None:
        self.ended = True  # the match is over, or the server refused the stream

    def take(self) -> Generator[None, None, Any]:
        """Wait for the next event and return it; None if the stream has ended."""
        while not self.inbox:
            if self.ended:
                return None
            yield
        return self.inbox.popleft()

    def parse(self) -> None:
        if not self.status:
            head, found, self.buffer = self.buffer.partition(b"\r\n\r\n")
            if not found:
                self.buffer = head
                return
            self.status, self.chunked = int(head[9:12]), b"transfer-encoding: chunked" in head.lower()
        while self.chunked:
            size, found, rest = self.buffer.partition(b"\r\n")
            length = int(size, 16) if found else 0
            if not found or len(rest) < length + 2:
                break
            self.text, self.buffer = self.text + rest[:length], rest[length + 2 :]
        if not self.chunked:
            self.text, self.buffer = self.text + self.buffer, b""
        *events, self.text = self.text.split(b"\n\n")
        self.inbox.extend(parsed for parsed in map(parse_event, events) if parsed)


def parse_event(text: bytes) -> tuple[str, int, bytes] | None:
    """Return kind, id and data of a server-sent event; None for a comment or `retry`."""
    fields = dict(line.split(b": ", 1) for line in text.split(b"\n") if b": " in line)
    if b"event" not in fields:
        return None
    return fields[b"event"].decode(), int(fields.get(b"id", b"-1")), fields.get(b"data", b"")


class SocketIoWire(Wire):
    """A socket.io client (protocol 5, Engine.IO 4) on a WebSocket: a message is the list of its name and arguments."""

    def __init__(self, loop: Loop, address: Address, namespace: str) -> None:
        self.namespace, self.upgraded, self.connected = f"/{namespace},".encode(), False, False
        super().__init__(loop, address)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
            f"Host: {address[0]}:{address[1]}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        )
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")

    def emit(self, *message: Any) -> None:
        """Send an event."""
        self.loop.figures.requests += 1
        self.frame(b"42" + self.namespace + orjson.dumps(message))

    def frame(self, payload: bytes) -> None:
        """Send a text frame, masked with zeros: the server undoes the mask all the same."""
        size = len(payload)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.socket.sendall(head + b"\0\0\0\0" + payload)

    def parse(self) -> None:
        if not self.upgraded:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise ConnectionError(head.decode(errors="replace"))
            self.upgraded, self.buffer = True, rest
        while (payload := self.cut_frame()) is not None:
            if payload == b"2":
                self.frame(b"3")  # a ping and its answer
            elif payload.startswith(b"40"):
                self.connected = True
                self.inbox.append(["connected"])
            elif payload.startswith(b"42"):
                self.inbox.append(orjson.loads(payload[2 + len(self.namespace) :]))
            elif payload.startswith(b"0"):
                self.frame(b"40" + self.namespace)
            else:
                raise ConnectionError(payload.decode(errors="replace"))

    def cut_frame(self) -> bytes | None:
        """Take one whole text frame from the buffer. Raises ConnectionError for a frame of another kind."""
        data = self.buffer
        if len(data) < 2:
            return None
        if data[0] != 0x81:
            raise ConnectionError(f"unexpected WebSocket frame {data[:60]!r}")
        size, start = data[1], 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start or len(data) < start + size:
            return None
        self.buffer = data[start + size :]
        return data[start : start + size]


class Loop:
    """Runs tables side by side and counts what they see."""

    def __init__(self) -> None:
        self.selector, self.figures = selectors.DefaultSelector(), Figures()
        self.tables: list[Play] = []
        self.current = NOBODY  # the table that is playing
        self.running = 0

    def run(self, seconds: float, done: Callable[[], bool] | None = None) -> None:
        """Go on for some seconds at most, until it is done: by default until every table has ended."""
        until, done = time.perf_counter() + seconds, done or (lambda: not self.running)
        while not done() and time.perf_counter() < until:
            for key, _ in self.selector.select(0.1):
                wire: Wire = key.data
                if wire.socket is not key.fileobj or wire.socket.fileno() < 0:
                    continue  # a table has closed it since
                wire.read()
                if wire.table != NOBODY and (wire.inbox or wire.socket.fileno() < 0):
                    self.step(wire.table)

    def start(self, make: Callable[[], Play]) -> None:
        """Start a table; wires that it opens belong to it."""
        self.tables.append(make())
        self.running += 1
        self.step(len(self.tables) - 1)

    def step(self, table: int) -> None:
        """Let a table go on; one that has ended leaves no connections behind."""
        before, self.current = self.current, table
        try:
            next(self.tables[table])
        except StopIteration:
            self.running -= 1
            for key in list(self.selector.get_map().values()):
                if key.data.table == table:
                    key.data.close()
        finally:
            self.current = before

    def close(self) -> None:
        """Close all connections."""
        for key in list(self.selector.get_map().values()):
            with contextlib.suppress(OSError):
                key.data.close()
        self.selector.close()
