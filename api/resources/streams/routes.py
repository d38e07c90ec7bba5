"""Streams: the log as it grows, by server-sent events, seen through one pair of eyes and numbered by the version.

An event `entry` is what `GET …/entries` shows that viewer of the version, byte for byte. A stream that does not resume
begins with a `snapshot`, which is the view. After an entry that puts the table back or right (a takeback, a remedy)
comes a `snapshot` too, so that no client has to fold backwards; a client that resumes just there gets it first.
`presence` says which viewer is looking, and `deadline` until when what is asked may be answered; they carry no id, for
they are no part of the match, and onlookers who come late are told none. After the last entry of a match that is over,
once no court is at it any more, comes `end`, and the stream closes; who then asks for what comes after that entry gets
204, which tells a client to come no more (WHATWG HTML, 9.2.1).
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

from api.http import context, prefer
from api.http.access import admission
from api.http.access.authorization import FULL_VIEWER, MATCH_VIEWER
from api.http.change_feed import ChangeFeed, NoSlotError, Slot, Subscription
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import format_entry_time, format_time
from api.resources.entries.routes import VIEWER_ROUTES, resolve_viewer, view_to_dict
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import StoreUnavailable
from referee.match.aggregate import FINAL_STATUSES
from referee.match.clocks import find_deadline
from referee.match.errors import MatchUnavailable
from referee.match.loaded import LoadedMatch
from referee.match.windows import find_open_window
from referee.queries import views
from referee.service.match_service import MatchService

SSE = "text/event-stream"
RETRY_MS = 2000  # how long a client that lost its stream waits
SLOT_RETRY_SECONDS = 5  # seconds until a place may be free
KEPT = 256  # entries that those who follow one match with the same eyes have in common
BATCH = 200
PRESENCE_BEATS = 3  # beats for which a visit counts that is not noted again
NO_DEADLINE = dict.fromkeys(("version", "window", "at", "limit_ms"))
EVENT_ID_PATTERN = re.compile(r"[0-9]{1,10}")
LOGGER = structlog.get_logger("referee.api")
blueprint = EndpointBlueprint("streams", "What happens, as it happens.")


def encode_event(kind: str, data: Any, version: int | None = None) -> bytes:
    """One server-sent event; JSON has no line breaks, so its data is one line."""
    number = b"" if version is None else b"id: %d\n" % version
    return b"event: " + kind.encode() + b"\n" + number + b"data: " + orjson.dumps(data) + b"\n\n"


@dataclass(frozen=True, slots=True)
class EntryEvent:
    """An entry as an event; `resets_view`: it puts the table back or right."""

    version: int
    event: bytes
    resets_view: bool


def load_entry_events(
    service: MatchService, match: str, viewer: int, after: int, upto: int | None = None
) -> list[EntryEvent]:
    """A batch of entries after a version, up to another, as events. Raises as `seeing.latest`."""
    items, _ = views.list_entries(service, match, viewer, after, upto, limit=BATCH)
    return [
        EntryEvent(
            item["version"], encode_event("entry", format_entry_time(item), item["version"]), views.resets_table(item)
        )
        for item in items
    ]


class MatchChannel:
    """What all who follow one match with the same eyes have in common: each entry is read and written once for them."""

    def __init__(self, service: MatchService, match: str, viewer: int, version: int) -> None:
        self._desk, self._match, self._eyes, self._last = service, match, viewer, version
        self._kept: deque[EntryEvent] = deque(maxlen=KEPT)
        self._lock, self._tick = threading.Lock(), -1
        self.present: frozenset[int] | None = None  # None: these eyes are not told
        self.public = False
        self.deadline: dict[str, Any] | None = None
        self.ended: dict[str, Any] | None = None  # how the match ended, once all of it has been read

    def entries_after(self, version: int, tick: int) -> list[EntryEvent]:
        """The next entries after a version, as the log stood at this tick or later; none if there are none.

        Raises as `seeing.latest`, and StoreAway.
        """
        with self._lock:
            if tick > self._tick:
                self._read_new_entries(tick)
            if version >= self._last:
                return []
            if self._kept and self._kept[0].version <= version + 1:
                return [kept for kept in self._kept if kept.version > version]
            upto = self._last  # what came since comes with the deadline that there is then
        return load_entry_events(self._desk, self._match, self._eyes, version, upto)

    def _read_new_entries(self, tick: int) -> None:
        loaded = self._desk.load_match(self._match)
        while batch := load_entry_events(self._desk, self._match, self._eyes, self._last):
            self._kept.extend(batch)
            self._last = batch[-1].version
        over = loaded.match.status in FINAL_STATUSES
        hidden = self._eyes == BYSTANDER and loaded.match.spectator_delay and not over  # for who comes and goes is now
        self.present = None if hidden else self._desk.log.read_present_seats(self._match)
        self.deadline = None if hidden else build_deadline_event(loaded)
        self.public = loaded.match.visibility == "public"
        done = over and not loaded.match.has_open_dispute and loaded.version <= self._last
        self.ended = {"version": self._last, "status": loaded.match.status} if done else None
        self._tick = tick

    def encode_entry(self, entry: EntryEvent) -> bytes:
        """An entry, and what comes with it. Raises as `seeing.latest`."""
        return entry.event + (self.encode_snapshot(entry.version) if entry.resets_view else b"")

    def encode_snapshot(self, version: int) -> bytes:
        """The view at a version as an event. Raises as `seeing.latest`."""
        shown = views.load_visible_version(self._desk, self._match, self._eyes, version)
        return encode_event("snapshot", view_to_dict(shown, self._eyes), version)


def build_deadline_event(loaded: LoadedMatch) -> dict[str, Any] | None:
    """The deadline of what is asked, as a stream tells it: the same whenever it is told."""
    due = find_deadline(loaded)
    if due is None:
        return None
    window = find_open_window(loaded.match) or None
    return {"version": due.asked, "window": window, "at": format_time(due.at_ms), "limit_ms": due.limit_ms}


@dataclass
class EventStream:
    """One stream: where it stands, and what it needs to go on once its request is over."""

    change_feed: ChangeFeed
    slot: Slot
    subscription: Subscription
    channel: MatchChannel
    version: int
    is_allowed: Callable[[], bool]
    record_visit: Callable[[float], None]  # with how many seconds the visit lasts; 0 ends it
    closed: bool = False

    def iterate_events(self, first: bytes) -> Iterator[bytes]:
        """What goes over the line, until the match is over, the right is lost, the server stops, the store is away."""
        yield b"retry: %d\n\n" % RETRY_MS + first
        told: frozenset[int] | None = None
        counting: dict[str, Any] | None = None
        beat, spoken, noted = self.change_feed.beat, time.monotonic(), time.monotonic()
        while not self.change_feed.closing:
            tick = self.subscription.arm_wakeup()
            try:
                if time.monotonic() - noted >= beat:
                    noted = time.monotonic()
                    self.record_visit(PRESENCE_BEATS * beat)
                entries, due = self.channel.entries_after(self.version, tick), self.channel.deadline
                present, ended = self.channel.present, None if entries else self.channel.ended
                late = time.monotonic() - spoken >= beat
                if (entries or present != told or due != counting or late or ended) and not self.is_allowed():
                    return  # the next request will be told why
                if ended is not None:
                    yield self.encode_end_event(ended)
                    return
                said = b"".join(map(self.channel.encode_entry, entries))
            except (StoreUnavailable, MatchUnavailable) as away:  # or the archive that it is read from is lost
                LOGGER.warning("a stream ends", cause=str(away))
                return
            except IllegalMove:  # these eyes see all no more: a match goes on, or an arbiter's dispute is settled
                return
            if present is not None and present != told:
                said += encode_event("presence", {"seats": sorted(present)})
            if due != counting:
                said += encode_event("deadline", due or NO_DEADLINE)
            if said or late:
                yield said or b":\n\n"
                spoken, told, counting = time.monotonic(), present, due
            if entries:
                self.version = entries[-1].version  # there may be more
            else:
                self.subscription.wait(spoken + beat - time.monotonic())

    def encode_end_event(self, ended: dict[str, Any]) -> bytes:
        """That the match is over; and how it stands, for whoever asked for what comes after a version that never was,
        and so was told nothing of the end."""
        unseen = self.version > ended["version"]
        return (self.channel.encode_snapshot(ended["version"]) if unseen else b"") + encode_event("end", ended)

    def close(self) -> None:
        """Gives everything back, once: a response may be closed again."""
        if self.closed:
            return
        self.closed = True
        self.subscription.close()
        self.slot.release()
        try:
            self.record_visit(0)
        except StoreUnavailable as away:
            LOGGER.warning("a visit runs out by itself", cause=str(away))


def parse_last_event_id() -> int | None:
    """The version that the stream goes on after; None: from now. Raises ProblemError."""
    given = request.headers.get("Last-Event-ID")
    if given is None or given == "":
        return None
    if not EVENT_ID_PATTERN.fullmatch(given):
        raise Problem("header-malformed", params={"header": "Last-Event-ID"})
    return int(given)


def acquire_stream_slot() -> Slot:
    """A place for this stream. Raises ProblemError: all are taken, or all that one token or one address may hold."""
    try:
        return prefer.acquire_request_slot("stream")
    except NoSlotError as none:
        slug = "streams-yours" if none.own else "streams-full"
        headers = {"Retry-After": str(SLOT_RETRY_SECONDS)}
        raise Problem(
            slug, params={"limit": none.limit}, headers=headers, limit=none.limit, seconds=SLOT_RETRY_SECONDS
        ) from None


def stream_entries(match: str, seat: int | None = None) -> Response:
    """Entries as they come, as server-sent events; the view first, unless `Last-Event-ID` names where to go on.

    After the last entry of a match that is over comes `end`. Who goes on after that entry gets 204: there is no more.
    """
    hub, last, table = prefer.get_change_feed(), parse_last_event_id(), g.caller.table
    if (
        table.status in FINAL_STATUSES
        and not table.has_open_dispute
        and last == context.get_loaded_match(match).version
    ):
        return Response(status=204)
    place = acquire_stream_slot()
    stream = None
    watch = hub.subscribe_to_match(match)
    try:
        stream, first = open_stream(hub, place, watch, match, seat, last)
    finally:
        if stream is None:
            watch.close()
            place.release()
    response = Response(stream.iterate_events(first), mimetype=SSE)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(stream.close)  # also where not one byte was sent
    return response


def open_stream(
    hub: ChangeFeed, place: Slot, watch: Subscription, match: str, seat: int | None, last: int | None
) -> tuple[EventStream, bytes]:
    """The stream, and what it says first. Whatever is wrong is raised here, before the first byte."""
    service, viewer, caller = context.get_match_service(), resolve_viewer(seat), g.caller
    right, args = g.entered
    latest = views.load_visible_version(service, match, viewer, None)
    late = viewer == BYSTANDER and caller.table.spectator_delay and caller.table.status not in FINAL_STATUSES
    first = b""
    if last is None or (last > latest.version and not late):  # an onlooker who comes late may have seen more before
        view = view_to_dict(latest, viewer)
        last, first = view["version"], encode_event("snapshot", view, view["version"])
    elif 0 < last <= latest.version and any(
        map(views.resets_table, views.list_entries(service, match, viewer, last - 1, last)[0])
    ):
        first = encode_event(
            "snapshot", view_to_dict(views.load_visible_version(service, match, viewer, last), viewer), last
        )
    channel = hub.get_or_create_shared(match, viewer, lambda: MatchChannel(service, match, viewer, latest.version))
    attended, visit = seat in caller.seats, secrets.token_hex(8)

    def allowed() -> bool:
        return (right is MATCH_VIEWER and channel.public) or admission.is_still_admitted(
            service, caller.token_hash, match, right, args
        )

    def attend(seconds: float) -> None:
        if attended and seat is not None:
            service.log.record_visit(match, seat, visit, int(1000 * seconds))

    attend(PRESENCE_BEATS * hub.beat)
    return EventStream(hub, place, watch, channel, last, allowed, attend), first


for each in VIEWER_ROUTES:
    wrong = ["still-running"] if each.permission is FULL_VIEWER else []
    blueprint.declare(
        Endpoint(
            "GET",
            f"{each.path}/stream",
            f"stream{each.name}Entries",
            each.permission,
            response=(200, {"type": "string"}),
            media=(SSE,),
            headers=("LastEventId",),
            other_responses=[(204, None, SSE)],
            problems=[*wrong, "header-malformed", "streams-yours", "streams-full"],
        )
    )(stream_entries)
