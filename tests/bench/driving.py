"""Many matches at once over HTTP by one process: each on connections of its own, all in one loop.

It costs the machine little beside the server: requests are bytes put together by hand, and of an answer only what is
needed is read.
"""

from __future__ import annotations

import contextlib
import random
import selectors
import socket
import time
import uuid
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

Ask = tuple[int, bytes]  # which of a match's connections, and the request
Play = Generator[list[Ask], "list[Reply]", None]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its status, its body's bytes, the seconds it took."""

    status: int
    body: bytes
    took: float

    def json(self) -> Any:
        """The body as data."""
        return orjson.loads(self.body)


def request(
    method: str, path: str, token: str = "", body: Any = None, match: str = "", prefer: str = "", known: str = ""
) -> bytes:
    """A request as bytes; a POST gets a fresh idempotency key.

    `match` becomes If-Match, `known` If-None-Match, `prefer` Prefer.
    """
    content = b"" if body is None else orjson.dumps(body)
    head = [f"{method} {path} HTTP/1.1", "Host: localhost", "Accept: application/json"]
    if token:
        head.append(f"Authorization: Bearer {token}")
    if method != "GET":
        head.append(f"Idempotency-Key: {uuid.uuid4().hex}")
    if match:
        head.append(f"If-Match: {match}")
    if known:
        head.append(f"If-None-Match: {known}")
    if prefer:
        head.append(f"Prefer: {prefer}")
    if body is not None:
        head += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + content


class Line:
    """One connection: at most one request under way."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.sent = b"", 0.0

    def send(self, asked: bytes) -> None:
        self.buffer, self.sent = b"", time.perf_counter()
        self.socket.sendall(asked)

    def receive(self) -> Reply | None:
        """The answer if it is whole by now. Raises ConnectionError if the server has closed."""
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("the server closed the connection")
        self.buffer += part
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        lower = head.lower()
        at = lower.find(b"content-length:")
        length = 0 if at < 0 else int(lower[at + 15 :].split(b"\r\n", 1)[0])
        if len(body) < length:
            return None
        return Reply(int(head[9:12]), body, time.perf_counter() - self.sent)


@dataclass
class Figures:
    """What was seen while it counted: seconds per request by its kind, and the moves that were accepted."""

    moves: int = 0
    refused: int = 0
    matches: int = 0
    took: dict[str, list[float]] = field(default_factory=dict)

    def add(self, kind: str, reply: Reply) -> None:
        self.took.setdefault(kind, []).append(reply.took)

    def at(self, kind: str, part: float) -> float:
        """The time in ms that this part of the requests of a kind stayed under."""
        ordered = sorted(self.took.get(kind, [0.0]))
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000


def table(game: str, variant: str, dice: random.Random, figures: Figures, serve: str) -> Play:
    """A match of two after another for ever: after each move both seats get their view and their legal moves.

    `serve`: `each` asks for view and moves of both seats after each move, which makes five requests; `together` has
    those of the mover in the answer to the move, and those of the other seat by one request.
    """
    while True:
        seats = [{"kind": "human"}, {"kind": "human"}]
        ask = {"game": game, "variant": variant, "seats": seats, "visibility": "private"}
        (opened,) = yield [(0, request("POST", "/v1/matches", body=ask))]
        made = opened.json()
        name, tokens = f"/v1/matches/{made['match']}", []
        for seat in (0, 1):
            (joined,) = yield [(seat, request("POST", "/v1/join", body={"code": made["invitations"][seat]["code"]}))]
            tokens.append(joined.json()["token"])
        (begun,) = yield [(0, request("POST", f"{name}/start", made["token"], {}, match='"v3"'))]
        assert begun.status == 201, begun.body
        mine = [f"{name}/seats/{seat}" for seat in (0, 1)]
        listing = [request("GET", f"{mine[seat]}/moves", tokens[seat]) for seat in (0, 1)]
        showing = [request("GET", f"{name}/view?viewer=seat:{seat}", tokens[seat]) for seat in (0, 1)]
        standing = [request("GET", f"{mine[seat]}/situation", tokens[seat]) for seat in (0, 1)]
        offers: list[Any] = [reply.json() for reply in (yield [(0, listing[0]), (1, listing[1])])]
        while any(offer["legal"] for offer in offers):
            seat = dice.choice([seat for seat in (0, 1) if offers[seat]["legal"] and offers[seat]["awaited"]])
            usual = [each["move"] for each in offers[seat]["legal"] if not each["move"]["type"].endswith("leave")]
            body = {"move": dice.choice(usual or [offers[seat]["legal"][0]["move"]])}
            prefer = "return=representation" if serve == "together" else ""
            (moved,) = yield [(seat, request("POST", f"{mine[seat]}/moves", tokens[seat], body, prefer=prefer))]
            figures.add("move", moved)
            if moved.status != 201:
                figures.refused += 1
                raise AssertionError((body, moved.body))
            figures.moves += 1
            if serve == "together":
                (other,) = yield [(1 - seat, standing[1 - seat])]
                figures.add("situation", other)
                offers[seat], offers[1 - seat] = moved.json()["situation"]["moves"], other.json()["moves"]
                continue
            for reply in (yield [(0, showing[0]), (1, showing[1])]):
                figures.add("view", reply)
            replies = yield [(0, listing[0]), (1, listing[1])]
            for reply in replies:
                figures.add("legal", reply)
            offers = [reply.json() for reply in replies]
        figures.matches += 1


def drive(
    address: tuple[str, int],
    plays: Iterable[Play],
    until: float,
    warm: float = 0.0,
    begin: Callable[[], None] | None = None,
) -> None:
    """Runs plays side by side until that `time.perf_counter()`; what is under way then is left. Once it is `warm`,
    `begin` is called: by then matches are open."""
    with contextlib.ExitStack() as ends, selectors.DefaultSelector() as chosen:
        waiting: dict[int, tuple[Play, dict[int, Line], list[Reply | None], list[int]]] = {}

        def go(number: int, asks: list[Ask]) -> None:
            play, lines, _, _ = waiting[number]
            order = [index for index, _ in asks]
            waiting[number] = (play, lines, [None] * len(asks), order)
            for index, asked in asks:
                if index not in lines:
                    line = lines[index] = Line(address)
                    ends.callback(line.socket.close)
                    chosen.register(line.socket, selectors.EVENT_READ, (number, index))
                lines[index].send(asked)

        for number, play in enumerate(plays):
            waiting[number] = (play, {}, [], [])
            go(number, next(play))
        while (now := time.perf_counter()) < until:
            if begin is not None and now >= warm:
                begin()
                begin = None
            for key, _ in chosen.select(0.1):
                number, index = key.data
                play, lines, replies, order = waiting[number]
                reply = lines[index].receive()
                if reply is None:
                    continue
                replies[order.index(index)] = reply
                if all(each is not None for each in replies):
                    go(number, play.send([each for each in replies if each is not None]))
