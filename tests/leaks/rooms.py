"""A world to act in: the observer asks, others move, and what was said can be compared."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from werkzeug.test import TestResponse

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.seats import Seat
from referee.games import load_games
from referee.match.bots.decisions import BotDecision
from referee.queries import views
from referee.service.requests import MoveRequest
from tests.leaks.quarrels import said
from tests.leaks.recipes import Ask
from tests.leaks.sides import WORK, Side, Sitting
from tests.leaks.worlds import Course, Leak

LATER_MS = 3_600_000  # longer than any limit of time that a sitting sets
CHUNKS = 200  # of a stream that are read at most


@dataclass(frozen=True)
class Got:
    """An answer, whole, and what it took."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    work: dict[str, int]
    lines: tuple[Any, ...]


@dataclass(frozen=True)
class Asked:
    """Something the observer asked, and what he got."""

    ask: Ask
    got: Got


@dataclass(frozen=True)
class Moved:
    """Somebody else moved: `how` as a player, as a bot, or reporting what chance has shown (by seat `by`)."""

    version: int
    seat: Seat
    how: str
    by: int
    move: Move
    watched: Ask | None = None  # a long poll that waits for it
    got: Got | None = None


@dataclass(frozen=True)
class Did:
    """Something that happens alike in both worlds: `drain`, `later`, `start`, `end`, `listen`, `pass 2`."""

    what: str


@dataclass(frozen=True)
class Heard:
    """What the open stream has told up to a version."""

    version: int
    got: tuple[bytes, ...]


@dataclass
class Tape:
    """What was done and said in a world. `own`: the versions that the observer made."""

    sitting: Sitting
    items: list[Any] = field(default_factory=list)
    own: set[int] = field(default_factory=set)
    course: Course | None = None
    stops: list[int] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)


class Room:
    """A world, and the means to act in it."""

    def __init__(self, sitting: Sitting, lines: list[Any], told: Course | None = None) -> None:
        self.side, self.lines, self.course = Side(sitting, told), lines, told
        self.quarrels: list[tuple[str, int]] = []
        self.stream: TestResponse | None = None
        self.chunks: Iterator[bytes] = iter(())

    def ask(self, ask: Ask, weighed: bool = True) -> Got:
        """The answer to a request of the observer's."""
        person = self.side.table.anyone if ask.anonymous else self.side.observer
        if ask.path.startswith("/v1/standings"):
            weighed = False  # a process reckons on from what it reckoned before, so the work depends on who asked first
        if ask.method == "GET" and "/disputes" in ask.path:
            self.side.service.repository._views.clear()  # how much is read for them depends on the views that are kept
        before, said = WORK.copy(), len(self.lines)
        headers = {"X-Request-Id": "the-same", **ask.headers}
        response = person.ask(ask.method, ask.path, ask.body, **headers)
        if ask.until is not None and response.status_code == 200:
            body, weighed = until(iter(response.response), ask.until), False  # type: ignore[arg-type]
        else:
            body = response.data
        response.close()
        work = {name: count - before[name] for name, count in WORK.items() if count != before[name]}
        lines = tuple(
            {name: value for name, value in line.items() if name != "ms"}
            for line in self.lines[said:]
            if line.get("request_id") == "the-same"
        )
        kept = tuple(sorted(response.headers.items()))
        return Got(response.status_code, kept, body, work if weighed else {}, lines)

    def move(self, item: Moved) -> None:
        """Somebody else moves, as the course of this world has it."""
        move = item.move if self.course is None else self.course.move_at(item.version)
        if item.how == "bot":
            loaded = self.side.loaded()
            shown = views.view_response(loaded, item.seat)["view_hash"]
            scope, name = f"bot{int(item.seat)}", str(item.version)
            self.side.service.make_move(
                MoveRequest(
                    self.side.match,
                    item.seat,
                    move,
                    key=name,
                    scope=scope,
                    actor="bot",
                    seen=loaded.version,
                    decision=BotDecision(shown),
                )
            )
            return
        seat = "chance" if item.how == "report" else str(int(item.seat))
        done = self.side.people[item.by].post(
            f"{self.side.table.path}/seats/{seat}/moves",
            {"move": encode(move)},
            Idempotency_Key=f"move-{item.version}",
        )
        if done.status_code != 201:
            raise Leak(f"{move} of seat {item.seat} at {item.version} is granted in one world only: {done.text}")

    def did(self, what: str) -> None:
        """Something that happens alike in both worlds."""
        table = self.side.table
        if what == "drain":
            self.side.drain()
        elif what == "later":
            self.side.log.advance_clock(LATER_MS)
        elif what in ("start", "end"):
            body = {"reason": "abandoned"} if what == "end" else None
            done = table.host.post(f"{table.path}/{what}", body, If_Match="*", Idempotency_Key=f"to-{what}")
            assert done.status_code == 201, done.text
        elif what.startswith("court "):
            self.quarrel(*what.split()[1:])
        elif what == "listen":
            held = self.side.sitting.held
            address = f"{table.path}/stream?viewer=seat:{held[0]}&send=both" if held else f"{table.path}/stream"
            self.stream = self.side.observer.get(address, Last_Event_ID="0")
            self.chunks = iter(self.stream.response)  # type: ignore[arg-type]
        else:
            seat = int(what.removeprefix("pass "))
            kinds = list(load_games()[self.side.sitting.game].windows)
            done = self.side.people[seat].put(
                f"{table.path}/seats/{seat}/standing-passes",
                {"kinds": kinds, "until": "match"},
                Idempotency_Key=f"passes-of-{seat}",
            )
            assert done.status_code == 200, done.text

    def quarrel(self, what: str, by: str, about: str, *rest: str) -> None:
        """Somebody else disputes an entry or a refusal, or says something of it; it goes alike in both worlds."""
        person = self.side.table.host if by == "host" else self.side.people[int(by)]
        same = {"Idempotency_Key": "-".join((what, by, about, *rest, str(self.side.loaded().version)))}
        asked = said(self.side, self.course is None, what, by, about, rest)
        if asked.any_version:
            same["If_Match"] = "*"
        done = person.post(f"{self.side.table.path}/{asked.path}", asked.body, **same)
        if done.status_code not in (201, 409):
            raise AssertionError(done.text)
        self.quarrels.append((what, done.status_code))

    def heard(self, version: int) -> tuple[bytes, ...]:
        """What the open stream tells up to a version; who is there may come sooner or later."""
        return tuple(event for event in until(self.chunks, version).split(b"\n\n") if not event.startswith(b":"))

    def poll(self, ask: Ask, meanwhile: Moved) -> Got:
        """The answer to a long poll during which somebody moves."""
        got: list[Got] = []
        hub = self.side.app.config["CHANGE_FEED"]
        held = hub.held_slots
        thread = threading.Thread(target=lambda: got.append(self.ask(ask, weighed=False)))
        thread.start()
        until_s = time.monotonic() + 60
        while hub.held_slots == held and thread.is_alive() and time.monotonic() < until_s:
            time.sleep(0.001)
        self.move(meanwhile)
        thread.join()
        return got[0]

    def close(self) -> None:
        """Ends what is open."""
        if self.stream is not None:
            self.stream.close()
        self.side.close()


def until(chunks: Iterator[bytes], version: int) -> bytes:
    """A stream up to this version. Who looks on comes sooner or later, as threads have it: that is left out, and so is
    the work, which those who follow one match share. How many entries come at once is the threads' affair as well, and
    after each lot the deadline and the situation are told: the last one stands for all, and that there is no
    deadline any more for nothing."""
    told = b""
    for _, chunk in zip(range(CHUNKS), chunks, strict=False):
        told += chunk
        if b"id: %d\n" % version in chunk:
            break
    events = told.split(b"\n\n")
    deadlines = [event for event in events if event.startswith(b"event: deadline")]
    situations = [event for event in events if event.startswith(b"event: situation")]
    kept = [
        event for event in events if event.startswith((b"retry", b"event: entry", b"event: snapshot", b"event: end"))
    ]
    last = (event for event in deadlines[-1:] if b'"version":null' not in event)
    return b"\n\n".join([*kept, *situations[-1:], *last])


def compared(where: str, one: Got, other: Got) -> None:
    """Raises Leak unless both answers are the same in every way."""
    for part in ("status", "headers", "body", "lines", "work"):
        here, there = getattr(one, part), getattr(other, part)
        if here != there:
            raise Leak(f"{where}: {part} differs: {excerpt(here, there)}")


def excerpt(here: Any, there: Any) -> str:
    """Where two answers begin to differ."""
    one, other = str(here), str(there)
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 80) : at + 80]}… and …{other[max(0, at - 80) : at + 80]}…"
