"""Streams: the log as it grows, by server-sent events, seen through one pair of eyes and numbered by the version.

An event `entry` is what `GET …/events` shows of that version, byte for byte what the same eyes would get. A stream that
does not resume begins with a `snapshot`, which is the view. `presence` says through whose eyes somebody looks, and
`deadline` until when what is asked may be answered; they carry no id, for they are no part of the match.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from flask import Response, g, request

from api import door, waiting
from api.answers import moment, timed
from api.door import Room
from api.hub import Hub, Watch
from api.log import EYES, looking, viewed
from api.problems import Problem
from api.rights import FULL, SEE
from referee.desk import seeing
from referee.desk.clocks import deadline
from referee.desk.desk import Desk, Loaded
from referee.desk.matches import OVER
from referee.desk.windows import open_window
from referee.kernel.seats import BYSTANDER
from referee.store.base import StoreAway

SSE = "text/event-stream"
RETRY_MS = 2000  # how long a client that lost its stream waits
FULL_RETRY = 5  # seconds until a place may be free
KEPT = 256  # entries that those who follow one match with the same eyes have in common
BATCH = 200
VISITS = 3  # beats for which a visit counts that is not noted again
NO_DEADLINE = dict.fromkeys(("version", "window", "at", "limit_ms"))
LAST = re.compile(r"[0-9]{1,10}")
LOGGER = structlog.get_logger("referee.api")
room = Room("streams", "What happens, as it happens.")


def event(kind: str, data: Any, version: int | None = None) -> bytes:
    """One server-sent event; JSON has no line breaks, so its data is one line."""
    number = b"" if version is None else b"id: %d\n" % version
    return b"event: " + kind.encode() + b"\n" + number + b"data: " + orjson.dumps(data) + b"\n\n"


def written(desk: Desk, match: str, eyes: int, after: int) -> list[tuple[int, bytes]]:
    """A batch of entries after a version as events, each with its version. Raises as `seeing.latest`."""
    items, _ = seeing.log(desk, match, eyes, after, limit=BATCH)
    return [(item["version"], event("entry", timed(item), item["version"])) for item in items]


class Channel:
    """What all who follow one match with the same eyes have in common: each entry is read and written once for them."""

    def __init__(self, desk: Desk, match: str, eyes: int, version: int) -> None:
        self._desk, self._match, self._eyes, self._last = desk, match, eyes, version
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._lock, self._tick = threading.Lock(), -1
        self.present: frozenset[int] = frozenset()
        self.public = False
        self.deadline: dict[str, Any] | None = None

    def after(self, version: int, tick: int) -> list[tuple[int, bytes]]:
        """The next entries after a version, as the log stood at this tick or later; none if there are none.

        Raises as `seeing.latest`, and StoreAway.
        """
        with self._lock:
            if tick > self._tick:
                self._look(tick)
            if version >= self._last:
                return []
            if self._kept and self._kept[0][0] <= version + 1:
                return [kept for kept in self._kept if kept[0] > version]
        return written(self._desk, self._match, self._eyes, version)

    def _look(self, tick: int) -> None:
        while batch := written(self._desk, self._match, self._eyes, self._last):
            self._kept.extend(batch)
            self._last = batch[-1][0]
        self.present = self._desk.log.attending(self._match)
        loaded = self._desk.load(self._match)
        self.public = loaded.match.visibility == "public"
        late = self._eyes == BYSTANDER and loaded.match.spectator_delay
        self.deadline = None if late else announced(loaded)
        self._tick = tick


def announced(loaded: Loaded) -> dict[str, Any] | None:
    """The deadline of what is asked, as a stream tells it: the same whenever it is told."""
    due = deadline(loaded)
    if due is None:
        return None
    window = open_window(loaded.match) or None
    return {"version": due.asked, "window": window, "at": moment(due.at_ms), "limit_ms": due.limit_ms}


@dataclass
class Stream:
    """One stream: where it stands, and what it needs to go on once its request is over."""

    hub: Hub
    watch: Watch
    channel: Channel
    version: int
    allowed: Callable[[], bool]
    attend: Callable[[float], None]  # with how many seconds the visit lasts; 0 ends it
    closed: bool = False

    def events(self, first: bytes) -> Iterator[bytes]:
        """What goes over the line, until the server stops, the right is lost, or the store is away."""
        yield b"retry: %d\n\n" % RETRY_MS + first
        beat, told, spoken, noted = self.hub.beat, None, time.monotonic(), time.monotonic()
        counting: dict[str, Any] | None = None
        while not self.hub.closing:
            tick = self.watch.tick()
            try:
                if time.monotonic() - noted >= beat:
                    noted = time.monotonic()
                    self.attend(VISITS * beat)
                entries, present = self.channel.after(self.version, tick), self.channel.present
                due = self.channel.deadline
                late = time.monotonic() - spoken >= beat
                if (entries or present != told or due != counting or late) and not self.allowed():
                    return  # the next request will be told why
            except StoreAway as away:
                LOGGER.warning("a stream ends", cause=str(away))
                return
            said = b"".join(written for _, written in entries)
            if present != told:
                said += event("presence", {"seats": sorted(present)})
            if due != counting:
                said += event("deadline", due or NO_DEADLINE)
            if said or late:
                yield said or b":\n\n"
                spoken, told, counting = time.monotonic(), present, due
            if entries:
                self.version = entries[-1][0]  # there may be more
            else:
                self.watch.wait(spoken + beat - time.monotonic())

    def close(self) -> None:
        """Gives everything back, once: a response may be closed again."""
        if self.closed:
            return
        self.closed = True
        self.watch.close()
        self.hub.leave()
        try:
            self.attend(0)
        except StoreAway as away:
            LOGGER.warning("a visit runs out by itself", cause=str(away))


def resumed() -> int | None:
    """The version that the stream goes on after; None: from now. Raises Problem."""
    given = request.headers.get("Last-Event-ID")
    if given is None or given == "":
        return None
    if not LAST.fullmatch(given):
        raise Problem("header-malformed", params={"header": "Last-Event-ID"})
    return int(given)


def stream_entries(match: str, seat: int | None = None) -> Response:
    """Entries as they come, as server-sent events; the view first, unless `Last-Event-ID` names where to go on."""
    hub, last = waiting.hub(), resumed()
    if not hub.take():
        headers = {"Retry-After": str(FULL_RETRY)}
        raise Problem(
            "streams-full", params={"limit": hub.places}, headers=headers, limit=hub.places, seconds=FULL_RETRY
        )
    stream = None
    watch = hub.watch(match)
    try:
        stream, first = begun(hub, watch, match, seat, last)
    finally:
        if stream is None:
            watch.close()
            hub.leave()
    response = Response(stream.events(first), mimetype=SSE)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(stream.close)  # also where not one byte was sent
    return response


def begun(hub: Hub, watch: Watch, match: str, seat: int | None, last: int | None) -> tuple[Stream, bytes]:
    """The stream, and what it says first. Whatever is wrong is raised here, before the first byte."""
    desk, eyes, caller = door.desk(), looking(seat), g.caller
    right, args = g.entered
    latest = seeing.latest(desk, match, eyes, None)
    late = eyes == BYSTANDER and caller.table.spectator_delay and caller.table.status not in OVER
    first = b""
    if last is None or (last > latest.version and not late):  # an onlooker who comes late may have seen more before
        view = viewed(latest, eyes)
        last, first = view["version"], event("snapshot", view, view["version"])
    channel = hub.shared(match, eyes, lambda: Channel(desk, match, eyes, latest.version))
    attended, visit = seat in caller.seats, secrets.token_hex(8)

    def allowed() -> bool:
        return (right is SEE and channel.public) or door.still(desk, caller.token, match, right, args)

    def attend(seconds: float) -> None:
        if attended and seat is not None:
            desk.log.attend(match, seat, visit, int(1000 * seconds))

    attend(VISITS * hub.beat)
    return Stream(hub, watch, channel, last, allowed, attend), first


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/stream", f"stream{each.name}Entries", each.right, gives=(200, {"type": "string"}),
        media=(SSE,), headers=("LastEventId",), problems=[*wrong, "header-malformed", "streams-full"],
    )(stream_entries)  # fmt: skip
