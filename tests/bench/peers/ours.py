"""Tables of our own server: Here to Slay, two seats, random legal moves, through the public contract alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import orjson

from tests.bench.driving import Reply, request
from tests.bench.peers.wire import Address, HttpWire, Loop, Play, StreamWire

GAME, VARIANT = "here_to_slay", "standard"
PATTERNS = ("two", "stream")
PROBE_SECONDS = 3.0


@dataclass(frozen=True)
class Seat:
    """A seat of a match: where it asks, and with which token."""

    match: str
    number: int
    token: str

    def read(self, known: str = "") -> bytes:
        """Return the request for its situation, without near misses: the peers have none either."""
        return request("GET", f"{self.match}/seats/{self.number}/situation?near=0", self.token, known=known)

    def post(self, move: Any, prefer: str) -> bytes:
        return request("POST", f"{self.match}/seats/{self.number}/moves", self.token, {"move": move}, prefer=prefer)

    def follow(self, query: str) -> bytes:
        """Return the request for its stream."""
        return request("GET", f"{self.match}/stream?viewer=seat:{self.number}{query}", self.token).replace(
            b"application/json", b"text/event-stream"
        )


def ask(wire: HttpWire, asked: bytes, expected: int = 200) -> Generator[None, None, Reply]:
    """Send a request and return its answer. Raises RuntimeError if it has another status."""
    reply = yield from wire.ask(asked)
    if reply.status != expected:
        raise RuntimeError(f"{asked[:300]!r} was answered {reply.status}: {reply.body[:600]!r}")
    return reply


def open_match(wire: HttpWire) -> Generator[None, None, list[Seat]]:
    """Open and start a private match of two people."""
    body = {"game": GAME, "variant": VARIANT, "seats": [{"kind": "human"}] * 2, "visibility": "private"}
    made = (yield from ask(wire, request("POST", "/v1/matches", body=body), 201)).json()
    name, seats = f"/v1/matches/{made['match']}", []
    for number in (0, 1):
        code = {"code": made["invitations"][number]["code"]}
        joined = (yield from ask(wire, request("POST", "/v1/join", body=code), 201)).json()
        seats.append(Seat(name, number, joined["token"]))
    yield from ask(wire, request("POST", f"{name}/start", made["token"], {}, match='"v3"'), 201)
    return seats


def choose(offers: list[Any], dice: random.Random) -> tuple[int, Any]:
    """Return a seat that is awaited and one of its legal moves; nobody gives up as long as there is another."""
    seat = dice.choice([seat for seat, offer in enumerate(offers) if offer["legal"] and offer["awaited"]])
    legal = offers[seat]["legal"]
    usual = [each for each in legal if each["flag"] != "gives_up" and not each["move"]["type"].endswith("leave")]
    return seat, dice.choice(usual or legal)["move"]


def read_offer(reply: Reply) -> Any:
    """Return the legal moves in the answer that is a situation."""
    return reply.json()["moves"]


def play_two(loop: Loop, address: Address, dice: random.Random) -> Play:
    """Two requests a move: the answer holds the mover's situation, the other seat reads its own."""
    lines = [HttpWire(loop, address) for _ in (0, 1)]
    while True:
        seats = yield from open_match(lines[0])
        offers = []
        for line, seat in zip(lines, seats, strict=True):
            offers.append(read_offer((yield from ask(line, seat.read()))))
        while any(offer["legal"] for offer in offers):
            mover, move = choose(offers, dice)
            other = 1 - mover
            began = time.perf_counter()
            asked = seats[mover].post(move, "return=representation")
            moved = yield from ask(lines[mover], asked, 201)
            answered = time.perf_counter() - began
            read = yield from ask(lines[other], seats[other].read())
            loop.figures.add_move(loop.current, answered, time.perf_counter() - began)
            offers[mover], offers[other] = moved.json()["situation"]["moves"], read_offer(read)
        loop.figures.matches += 1


def play_stream(loop: Loop, address: Address, dice: random.Random, query: str = "", carries: bool = False) -> Play:
    """One request a move, answered as shortly as possible; the other seat hears of it on its stream.

    If the stream carries situations, both seats have theirs from it. If not, the other seat reads its situation when
    the stream has said that there is a new version, and the mover reads its own only if the other has nothing to do.
    """
    lines = [HttpWire(loop, address) for _ in (0, 1)]
    while True:
        seats = yield from open_match(lines[0])
        streams = [StreamWire(loop, address, seat.follow(query)) for seat in seats]
        for stream in streams:
            yield from stream.take()  # from its first event on it misses nothing
        offers = []
        for line, seat in zip(lines, seats, strict=True):
            offers.append(read_offer((yield from ask(line, seat.read()))))
        while any(offer["legal"] for offer in offers):
            mover, move = choose(offers, dice)
            other = 1 - mover
            began = time.perf_counter()
            moved = yield from ask(lines[mover], seats[mover].post(move, "return=minimal"), 201)
            answered, version = time.perf_counter() - began, moved.json()["version"]
            if carries:
                for number in (other, mover):
                    offers[number] = yield from take_situation(streams[number], version)
            else:
                yield from take_version(streams[other], version)
                offers[other] = read_offer((yield from ask(lines[other], seats[other].read())))
                if offers[other]["legal"] and offers[other]["awaited"]:
                    offers[mover] = {"legal": [], "awaited": False}
                else:
                    offers[mover] = read_offer((yield from ask(lines[mover], seats[mover].read())))
            loop.figures.add_move(loop.current, answered, time.perf_counter() - began)
            streams[mover].inbox.clear()
        for stream in streams:
            stream.close()
        loop.figures.matches += 1


def take_version(stream: StreamWire, version: int) -> Play:
    """Wait until the stream has said that there is this version. Raises ConnectionError if it ends before."""
    while (event := (yield from stream.take())) is not None:
        if event[1] >= version:
            return
    raise ConnectionError(f"a stream was answered {stream.status} and ended before version {version}")


def take_situation(stream: StreamWire, version: int) -> Generator[None, None, Any]:
    """Wait for the situation at this version or later and return its legal moves.

    Raises ConnectionError if the stream ends before.
    """
    while (event := (yield from stream.take())) is not None:
        found = find_situation(event[2])
        if found is not None and found["version"] >= version:
            return found["moves"]
    raise ConnectionError(f"a stream was answered {stream.status} and ended before version {version}")


def find_situation(data: bytes) -> Any:
    """Return the situation that the data of an event is or holds, or None."""
    if b'"legal"' not in data:
        return None
    found = orjson.loads(data)
    found = found.get("situation", found)
    return found if "legal" in (found.get("moves") or {}) else None


def probe_stream(address: Address, query: str) -> bool:
    """Return whether the stream carries situations: play one move and look at what comes."""
    loop, heard = Loop(), []

    def play() -> Play:
        line = HttpWire(loop, address)
        seats = yield from open_match(line)
        streams = [StreamWire(loop, address, seat.follow(query)) for seat in seats]
        for stream in streams:
            yield from stream.take()
        offers = []
        for seat in seats:
            offers.append(read_offer((yield from ask(line, seat.read()))))
        mover, move = choose(offers, random.Random(1))
        version = (yield from ask(line, seats[mover].post(move, "return=minimal"), 201)).json()["version"]
        while (event := (yield from streams[1 - mover].take())) is not None:
            found = find_situation(event[2])
            if event[1] >= version or (found and found["version"] >= version):
                heard.append(found is not None)

    try:
        loop.start(play)
        loop.run(PROBE_SECONDS, lambda: any(heard))
    finally:
        loop.close()
    if not heard:
        raise ConnectionError("the stream says nothing of a move")
    return any(heard)


def make_table(
    loop: Loop, address: Address, seed: int, pattern: str, query: str = "", carries: bool = False
) -> Callable[[], Play]:
    """Return what starts a table that plays in this pattern."""
    dice = random.Random(seed)
    if pattern == "two":
        return lambda: play_two(loop, address, dice)
    return lambda: play_stream(loop, address, dice, query, carries)
