"""Streams: the log as it grows, as server-sent events for one viewer.

An event `entry` is what `GET …/entries` shows the viewer of that version, byte for byte; its id is the version. A
stream that does not resume begins with a `snapshot`, which is the view. A `snapshot` also follows an entry that rewinds
or corrects the table (a takeback, a remedy), so that no client has to undo events. A client that resumes just after
such an entry gets the snapshot first.

`presence` says which seats are looking, and `deadline` until when the open question may be answered. They have no id,
because they are no part of the match, and onlookers who see the match late get none. When a match is over and no court
deals with it any more, `end` follows its last entry and the stream closes. A client that then resumes after that entry
gets 204, which tells it not to reconnect (WHATWG HTML, 9.2.1).
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
SLOT_RETRY_SECONDS = 5  # seconds until a slot may be free
KEPT = 256  # encoded entries that the streams of one match and viewer share
BATCH = 200
PRESENCE_BEATS = 3  # heartbeats for which a visit counts if it is not recorded again
NO_DEADLINE = dict.fromkeys(("version", "window", "at", "limit_ms"))
EVENT_ID_PATTERN = re.compile(r"[0-9]{1,10}")
LOGGER = structlog.get_logger("referee.api")
blueprint = EndpointBlueprint("streams", "Entries as they are written.")


def encode_event(kind: str, data: Any, version: int | None = None) -> bytes:
    """Return one server-sent event.

    JSON has no line breaks, so the data is one line.
    """
    number = b"" if version is None else b"id: %d\n" % version
    return b"event: " + kind.encode() + b"\n" + number + b"data: " + orjson.dumps(data) + b"\n\n"


@dataclass(frozen=True, slots=True)
class EntryEvent:
    """An entry as an event; `resets_view` says that it rewinds or corrects the table."""

    version: int
    event: bytes
    resets_view: bool


def load_entry_events(
    service: MatchService, match: str, viewer: int, after: int, upto: int | None = None
) -> list[EntryEvent]:
    """Return a batch of entries after a version, up to `upto`, as events.

    Raises the exceptions of `views.load_visible_version`.
    """
    items, _ = views.list_entries(service, match, viewer, after, upto, limit=BATCH)
    return [
        EntryEvent(
            item["version"], encode_event("entry", format_entry_time(item), item["version"]), views.resets_table(item)
        )
        for item in items
    ]


class MatchChannel:
    """The state that all streams of one match and viewer share.

    Each entry is read and encoded once for all of them.
    """

    def __init__(self, service: MatchService, match: str, viewer: int, version: int) -> None:
        self._service, self._match, self._viewer, self._last = service, match, viewer, version
        self._kept: deque[EntryEvent] = deque(maxlen=KEPT)
        self._lock, self._tick = threading.Lock(), -1
        self.present: frozenset[int] | None = None  # None: the viewer may not see it
        self.public = False
        self.deadline: dict[str, Any] | None = None
        self.ended: dict[str, Any] | None = None  # how the match ended, once all of it has been read

    def entries_after(self, version: int, tick: int) -> list[EntryEvent]:
        """Return the next entries after a version, from the log at this tick or later.

        The list is empty if there are none. Raises StoreUnavailable, and the exceptions of
        `views.load_visible_version`.
        """
        with self._lock:
            if tick > self._tick:
                self._read_new_entries(tick)
            if version >= self._last:
                return []
            if self._kept and self._kept[0].version <= version + 1:
                return [kept for kept in self._kept if kept.version > version]
            upto = self._last  # newer entries are sent later, with the deadline at that time
        return load_entry_events(self._service, self._match, self._viewer, version, upto)

    def _read_new_entries(self, tick: int) -> None:
        loaded = self._service.load_match(self._match)
        while batch := load_entry_events(self._service, self._match, self._viewer, self._last):
            self._kept.extend(batch)
            self._last = batch[-1].version
        over = loaded.match.status in FINAL_STATUSES
        # a late onlooker must not see who is present now
        hidden = self._viewer == BYSTANDER and loaded.match.spectator_delay and not over
        self.present = None if hidden else self._service.log.read_present_seats(self._match)
        self.deadline = None if hidden else build_deadline_event(loaded)
        self.public = loaded.match.visibility == "public"
        done = over and not loaded.match.has_open_dispute and loaded.version <= self._last
        self.ended = {"version": self._last, "status": loaded.match.status} if done else None
        self._tick = tick

    def encode_entry(self, entry: EntryEvent) -> bytes:
        """Return an entry as an event, followed by a snapshot if it resets the view.

        Raises the exceptions of `views.load_visible_version`.
        """
        return entry.event + (self.encode_snapshot(entry.version) if entry.resets_view else b"")

    def encode_snapshot(self, version: int) -> bytes:
        """Return the view at a version as an event.

        Raises the exceptions of `views.load_visible_version`.
        """
        shown = views.load_visible_version(self._service, self._match, self._viewer, version)
        return encode_event("snapshot", view_to_dict(shown, self._viewer), version)


def build_deadline_event(loaded: LoadedMatch) -> dict[str, Any] | None:
    """Return the deadline of the open question as streams send it.

    It holds no remaining time, so it stays the same until the deadline changes.
    """
    due = find_deadline(loaded)
    if due is None:
        return None
    window = find_open_window(loaded.match) or None
    return {"version": due.asked, "window": window, "at": format_time(due.at_ms), "limit_ms": due.limit_ms}


@dataclass
class EventStream:
    """One stream: its position, and what it needs to go on after its request is over."""

    change_feed: ChangeFeed
    slot: Slot
    subscription: Subscription
    channel: MatchChannel
    version: int
    is_allowed: Callable[[], bool]
    record_visit: Callable[[float], None]  # takes the seconds that the visit lasts; 0 ends it
    closed: bool = False

    def iterate_events(self, first: bytes) -> Iterator[bytes]:
        """Yield what the stream sends.

        It ends when the match is over, the viewer loses the permission, the server stops, or the store is unavailable.
        """
        yield b"retry: %d\n\n" % RETRY_MS + first
        sent_present: frozenset[int] | None = None
        sent_deadline: dict[str, Any] | None = None
        beat, sent_at, noted = self.change_feed.beat, time.monotonic(), time.monotonic()
        while not self.change_feed.closing:
            tick = self.subscription.arm_wakeup()
            try:
                if time.monotonic() - noted >= beat:
                    noted = time.monotonic()
                    self.record_visit(PRESENCE_BEATS * beat)
                entries, due = self.channel.entries_after(self.version, tick), self.channel.deadline
                present, ended = self.channel.present, None if entries else self.channel.ended
                late = time.monotonic() - sent_at >= beat
                news = entries or present != sent_present or due != sent_deadline or late or ended
                if news and not self.is_allowed():
                    return  # the next request gets the reason
                if ended is not None:
                    yield self.encode_end_event(ended)
                    return
                piece = b"".join(map(self.channel.encode_entry, entries))
            except (StoreUnavailable, MatchUnavailable) as away:  # the latter if its archive file is lost
                LOGGER.warning("a stream ends", cause=str(away))
                return
            except IllegalMove:  # the full view has ended: the match goes on, or the arbiter's dispute is settled
                return
            if present is not None and present != sent_present:
                piece += encode_event("presence", {"seats": sorted(present)})
            if due != sent_deadline:
                piece += encode_event("deadline", due or NO_DEADLINE)
            if piece or late:
                yield piece or b":\n\n"
                sent_at, sent_present, sent_deadline = time.monotonic(), present, due
            if entries:
                self.version = entries[-1].version  # there may be more
            else:
                self.subscription.wait(sent_at + beat - time.monotonic())

    def encode_end_event(self, ended: dict[str, Any]) -> bytes:
        """Return the `end` event, with a snapshot before it if the client missed the end.

        A client misses it if it resumed after a version that the match never reached.
        """
        unseen = self.version > ended["version"]
        return (self.channel.encode_snapshot(ended["version"]) if unseen else b"") + encode_event("end", ended)

    def close(self) -> None:
        """Give back slot and subscription, and end the visit.

        A response may be closed twice; the second time does nothing.
        """
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
    """Return the version after which the stream resumes; None for the present one.

    Raises Problem.
    """
    given = request.headers.get("Last-Event-ID")
    if given is None or given == "":
        return None
    if not EVENT_ID_PATTERN.fullmatch(given):
        raise Problem("header-malformed", params={"header": "Last-Event-ID"})
    return int(given)


def acquire_stream_slot() -> Slot:
    """Take a slot for this stream.

    Raises Problem if all slots are taken, or all that one token or one address may hold.
    """
    try:
        return prefer.acquire_request_slot("stream")
    except NoSlotError as none:
        slug = "streams-yours" if none.own else "streams-full"
        headers = {"Retry-After": str(SLOT_RETRY_SECONDS)}
        raise Problem(
            slug, params={"limit": none.limit}, headers=headers, limit=none.limit, seconds=SLOT_RETRY_SECONDS
        ) from None


def stream_entries(match: str, seat: int | None = None) -> Response:
    """Stream entries as server-sent events.

    The view comes first, unless `Last-Event-ID` names the version to resume after. After the last entry of a match that
    is over comes `end`. A client that resumes after that entry gets 204: there is nothing more.
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
    response.call_on_close(stream.close)  # even if no byte was sent
    return response


def open_stream(
    hub: ChangeFeed, place: Slot, watch: Subscription, match: str, seat: int | None, last: int | None
) -> tuple[EventStream, bytes]:
    """Open the stream, and return it with the first bytes that it sends.

    Everything that can be refused is raised here, before the first byte.
    """
    service, viewer, caller = context.get_match_service(), resolve_viewer(seat), g.caller
    right, args = g.entered
    latest = views.load_visible_version(service, match, viewer, None)
    late = viewer == BYSTANDER and caller.table.spectator_delay and caller.table.status not in FINAL_STATUSES
    first = b""
    if last is None or (last > latest.version and not late):  # a late onlooker may have seen more before
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
