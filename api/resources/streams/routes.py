"""Streams: the log as it grows, by server-sent events, seen through one pair of eyes and numbered by the version.

An event `entry` is what `GET …/events` shows of that version, byte for byte what the same eyes would get. A stream that
does not resume begins with a `snapshot`, which is the view. After an entry that puts the table back or right (a
takeback, a remedy) comes a `snapshot` too, so that nobody has to fold backwards; who resumes just there gets it first.
`presence` says through whose eyes somebody looks, and `deadline` until when what is asked may be answered; they carry
no id, for they are no part of the match, and onlookers who come late are told none. After the last entry of a match
that is over, once no court is at it any more, comes `end`, and the stream closes; who then asks for what comes after
that entry gets 204, which tells a client to come no more (WHATWG HTML, 9.2.1).
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

from api.http import endpoint, prefer
from api.http.access.authorization import FULL, SEE
from api.http.change_feed import Hub, NoPlace, Place, Watch
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import moment, timed
from api.resources.entries.routes import EYES, looking, viewed
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import StoreAway
from referee.match.aggregate import OVER
from referee.match.clocks import deadline
from referee.match.windows import open_window
from referee.queries import views
from referee.service.match_service import Away, Desk, Loaded

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


@dataclass(frozen=True, slots=True)
class Written:
    """An entry as an event; `back`: it puts the table back or right."""

    version: int
    event: bytes
    back: bool


def written(desk: Desk, match: str, eyes: int, after: int, upto: int | None = None) -> list[Written]:
    """A batch of entries after a version, up to another, as events. Raises as `seeing.latest`."""
    items, _ = views.log(desk, match, eyes, after, upto, limit=BATCH)
    return [
        Written(item["version"], event("entry", timed(item), item["version"]), views.put_back(item)) for item in items
    ]


class Channel:
    """What all who follow one match with the same eyes have in common: each entry is read and written once for them."""

    def __init__(self, desk: Desk, match: str, eyes: int, version: int) -> None:
        self._desk, self._match, self._eyes, self._last = desk, match, eyes, version
        self._kept: deque[Written] = deque(maxlen=KEPT)
        self._lock, self._tick = threading.Lock(), -1
        self.present: frozenset[int] | None = None  # None: these eyes are not told
        self.public = False
        self.deadline: dict[str, Any] | None = None
        self.ended: dict[str, Any] | None = None  # how the match ended, once all of it has been read

    def after(self, version: int, tick: int) -> list[Written]:
        """The next entries after a version, as the log stood at this tick or later; none if there are none.

        Raises as `seeing.latest`, and StoreAway.
        """
        with self._lock:
            if tick > self._tick:
                self._look(tick)
            if version >= self._last:
                return []
            if self._kept and self._kept[0].version <= version + 1:
                return [kept for kept in self._kept if kept.version > version]
            upto = self._last  # what came since comes with the deadline that there is then
        return written(self._desk, self._match, self._eyes, version, upto)

    def _look(self, tick: int) -> None:
        loaded = self._desk.load(self._match)
        while batch := written(self._desk, self._match, self._eyes, self._last):
            self._kept.extend(batch)
            self._last = batch[-1].version
        over = loaded.match.status in OVER
        hidden = self._eyes == BYSTANDER and loaded.match.spectator_delay and not over  # for who comes and goes is now
        self.present = None if hidden else self._desk.log.attending(self._match)
        self.deadline = None if hidden else announced(loaded)
        self.public = loaded.match.visibility == "public"
        done = over and not loaded.match.contested and loaded.version <= self._last
        self.ended = {"version": self._last, "status": loaded.match.status} if done else None
        self._tick = tick

    def told(self, entry: Written) -> bytes:
        """An entry, and what comes with it. Raises as `seeing.latest`."""
        return entry.event + (self.snapshot(entry.version) if entry.back else b"")

    def snapshot(self, version: int) -> bytes:
        """The view at a version as an event. Raises as `seeing.latest`."""
        shown = views.latest(self._desk, self._match, self._eyes, version)
        return event("snapshot", viewed(shown, self._eyes), version)


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
    place: Place
    watch: Watch
    channel: Channel
    version: int
    allowed: Callable[[], bool]
    attend: Callable[[float], None]  # with how many seconds the visit lasts; 0 ends it
    closed: bool = False

    def events(self, first: bytes) -> Iterator[bytes]:
        """What goes over the line, until the match is over, the right is lost, the server stops, the store is away."""
        yield b"retry: %d\n\n" % RETRY_MS + first
        told: frozenset[int] | None = None
        counting: dict[str, Any] | None = None
        beat, spoken, noted = self.hub.beat, time.monotonic(), time.monotonic()
        while not self.hub.closing:
            tick = self.watch.tick()
            try:
                if time.monotonic() - noted >= beat:
                    noted = time.monotonic()
                    self.attend(VISITS * beat)
                entries, due = self.channel.after(self.version, tick), self.channel.deadline
                present, ended = self.channel.present, None if entries else self.channel.ended
                late = time.monotonic() - spoken >= beat
                if (entries or present != told or due != counting or late or ended) and not self.allowed():
                    return  # the next request will be told why
                if ended is not None:
                    yield self.last_words(ended)
                    return
                said = b"".join(map(self.channel.told, entries))
            except (StoreAway, Away) as away:  # or the archive that it is read from is lost
                LOGGER.warning("a stream ends", cause=str(away))
                return
            except Refused:  # these eyes see all no more: a match goes on, or an arbiter's dispute is settled
                return
            if present is not None and present != told:
                said += event("presence", {"seats": sorted(present)})
            if due != counting:
                said += event("deadline", due or NO_DEADLINE)
            if said or late:
                yield said or b":\n\n"
                spoken, told, counting = time.monotonic(), present, due
            if entries:
                self.version = entries[-1].version  # there may be more
            else:
                self.watch.wait(spoken + beat - time.monotonic())

    def last_words(self, ended: dict[str, Any]) -> bytes:
        """That the match is over; and how it stands, for whoever asked for what comes after a version that never was,
        and so was told nothing of the end."""
        unseen = self.version > ended["version"]
        return (self.channel.snapshot(ended["version"]) if unseen else b"") + event("end", ended)

    def close(self) -> None:
        """Gives everything back, once: a response may be closed again."""
        if self.closed:
            return
        self.closed = True
        self.watch.close()
        self.place.leave()
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


def held() -> Place:
    """A place for this stream. Raises Problem: all are taken, or all that one token or one address may hold."""
    try:
        return prefer.taken("stream")
    except NoPlace as none:
        slug = "streams-yours" if none.own else "streams-full"
        headers = {"Retry-After": str(FULL_RETRY)}
        raise Problem(
            slug, params={"limit": none.limit}, headers=headers, limit=none.limit, seconds=FULL_RETRY
        ) from None


def stream_entries(match: str, seat: int | None = None) -> Response:
    """Entries as they come, as server-sent events; the view first, unless `Last-Event-ID` names where to go on.

    After the last entry of a match that is over comes `end`. Who goes on after that entry gets 204: there is no more.
    """
    hub, last, table = prefer.hub(), resumed(), g.caller.table
    if table.status in OVER and not table.contested and last == endpoint.loaded(match).version:
        return Response(status=204)
    place = held()
    stream = None
    watch = hub.watch(match)
    try:
        stream, first = begun(hub, place, watch, match, seat, last)
    finally:
        if stream is None:
            watch.close()
            place.leave()
    response = Response(stream.events(first), mimetype=SSE)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(stream.close)  # also where not one byte was sent
    return response


def begun(hub: Hub, place: Place, watch: Watch, match: str, seat: int | None, last: int | None) -> tuple[Stream, bytes]:
    """The stream, and what it says first. Whatever is wrong is raised here, before the first byte."""
    desk, eyes, caller = endpoint.desk(), looking(seat), g.caller
    right, args = g.entered
    latest = views.latest(desk, match, eyes, None)
    late = eyes == BYSTANDER and caller.table.spectator_delay and caller.table.status not in OVER
    first = b""
    if last is None or (last > latest.version and not late):  # an onlooker who comes late may have seen more before
        view = viewed(latest, eyes)
        last, first = view["version"], event("snapshot", view, view["version"])
    elif 0 < last <= latest.version and any(map(views.put_back, views.log(desk, match, eyes, last - 1, last)[0])):
        first = event("snapshot", viewed(views.latest(desk, match, eyes, last), eyes), last)
    channel = hub.shared(match, eyes, lambda: Channel(desk, match, eyes, latest.version))
    attended, visit = seat in caller.seats, secrets.token_hex(8)

    def allowed() -> bool:
        return (right is SEE and channel.public) or endpoint.still(desk, caller.token, match, right, args)

    def attend(seconds: float) -> None:
        if attended and seat is not None:
            desk.log.attend(match, seat, visit, int(1000 * seconds))

    attend(VISITS * hub.beat)
    return Stream(hub, place, watch, channel, last, allowed, attend), first


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/stream", f"stream{each.name}Entries", each.right, gives=(200, {"type": "string"}),
        media=(SSE,), headers=("LastEventId",), also=[(204, None, SSE)],
        problems=[*wrong, "header-malformed", "streams-yours", "streams-full"],
    )(stream_entries)  # fmt: skip
