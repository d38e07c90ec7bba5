"""Streams: the log as it grows, as server-sent events for one viewer.

An event `entry` is what `GET …/entries` shows the viewer of that version, byte for byte; its id is the version. A
stream that does not resume begins with a `snapshot`, which is the view. A `snapshot` also follows an entry that rewinds
or corrects the table (a takeback, a remedy), so that no client has to undo events. A client that resumes just after
such an entry gets the snapshot first.

A seat may ask for situations (`send`), instead of entries or beside them. An event `situation` is what
`GET …/situation` gives at that version. It comes at the start in place of the snapshot, and after the last of the new
entries whenever there are any: several entries that come at once have one situation. It comes again if a name changes.

`presence` says which seats are looking, and `deadline` until when the open question may be answered. They have no id,
because they are no part of the match, and onlookers who see the match late get none. When a match is over and no court
deals with it any more, `end` follows its last entry and the stream closes. A client that then resumes after that entry
gets 204, which tells it not to reconnect (WHATWG HTML, 9.2.1).
"""

from __future__ import annotations

import math
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import structlog
from flask import Response, g, request

from api.http import context, prefer
from api.http.access import admission
from api.http.access.authorization import ANY_VIEWER
from api.http.change_feed import ChangeFeed, NoSlotError, Slot, Subscription
from api.http.encoding.languages import Language, choose_language, cut_texts
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import language_headers
from api.resources.matches.routes import MATCH_PATH
from api.resources.streams.channel import MatchChannel, encode_event, find_end
from api.resources.streams.schemas import ENTRIES, SITUATIONS, StreamQuery, describe_stream
from referee.engine.rulings import IllegalMove
from referee.eventstore.contract import StoreFull, StoreUnavailable
from referee.match.aggregate import FINAL_STATUSES
from referee.match.errors import MatchUnavailable
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.queries.boards import is_late_onlooker

SSE = "text/event-stream"
RETRY_MS = 2000  # how long a client that lost its stream waits
SLOT_RETRY_SECONDS = 5  # seconds until a slot may be free
PRESENCE_BEATS = 3  # heartbeats for which a visit counts if it is not recorded again
NO_DEADLINE = dict.fromkeys(("version", "window", "at", "limit_ms"))
EVENT_ID_PATTERN = re.compile(r"[0-9]{1,10}")
LOGGER = structlog.get_logger("referee.api")
blueprint = EndpointBlueprint("streams")


@dataclass
class EventStream:
    """One stream: its position, and what it needs to go on after its request is over.

    `shown` are the root of the log and the names whose situation was sent last.
    """

    change_feed: ChangeFeed
    slot: Slot
    subscription: Subscription
    channel: MatchChannel
    version: int
    sends: str  # one of CONTENTS
    load_if_allowed: Callable[[int, bool], LoadedMatch | None]  # takes the tick, and whether a heartbeat is due
    record_visit: Callable[[float], None]  # takes the seconds that the visit lasts; 0 ends it
    is_visit: bool  # then each beat records it, and the store notes which visits have run out
    language: Language | None  # of the request; None: all
    shown: tuple[bytes, Mapping[str, str]] = (b"", {})
    closed: bool = False

    def iterate_events(self, first: bytes) -> Iterator[bytes]:
        """Yield what the stream sends, in the language of its request."""
        return (cut_texts(piece, self.language) for piece in self._iterate_whole_events(first))

    def _iterate_whole_events(self, first: bytes) -> Iterator[bytes]:
        """Yield what the stream sends, with the texts in all languages.

        It ends when the match is over, the viewer loses the permission, the server stops, or the store is unavailable.
        """
        yield b"retry: %d\n\n" % RETRY_MS + first
        first = b""  # a stream stays open for hours
        sent_present: frozenset[int] | None = None
        sent_deadline: dict[str, Any] | None = None
        beat, sent_at, noted = self.change_feed.beat, time.monotonic(), time.monotonic()
        while not self.change_feed.closing:
            tick, visits = self.subscription.arm_wakeup()
            late = time.monotonic() - sent_at >= beat
            try:
                if time.monotonic() - noted >= beat:
                    noted = time.monotonic()
                    self.record_visit(PRESENCE_BEATS * beat)
                loaded = self.load_if_allowed(tick, late)
                if loaded is None:
                    return  # the next request gets the reason
                piece, is_complete = self.encode_play(loaded)
                if not piece and (ended := find_end(loaded)) is not None:
                    yield self.encode_end_event(loaded, ended)
                    return
                due = self.channel.describe_deadline(loaded)
                present = self.channel.read_present_seats(loaded, visits, math.inf if self.is_visit else beat)
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
                piece = b""
                sent_at, sent_present, sent_deadline = time.monotonic(), present, due
            if is_complete and find_end(loaded) is None:  # of a match that is over there is only its end to tell
                self.subscription.wait(sent_at + beat - time.monotonic())

    def encode_play(self, loaded: LoadedMatch) -> tuple[bytes, bool]:
        """Return what is new in a match as events, and whether that is all of it.

        Raises the exceptions of `views.load_visible_version`.
        """
        piece = b""
        if self.sends != SITUATIONS:
            entries = self.channel.list_entries_after(loaded, self.version)
            for entry in entries:
                piece += entry.event
                if entry.resets_view and self.sends == ENTRIES:
                    piece += self.channel.encode_snapshot(loaded, entry.version)
                self.version = entry.version
            if entries and self.version < views.find_visible_version(loaded, self.channel.viewer):
                return piece, False
        if self.sends != ENTRIES and self.shown != (loaded.head.root, loaded.people.names):
            piece += self.encode_situation(loaded)
        return piece, True

    def encode_situation(self, loaded: LoadedMatch) -> bytes:
        """Return the situation as an event, and note that it was sent."""
        self.shown, self.version = (loaded.head.root, loaded.people.names), loaded.version
        return self.channel.encode_situation(loaded)

    def encode_end_event(self, loaded: LoadedMatch, ended: dict[str, Any]) -> bytes:
        """Return the `end` event, with a snapshot before it if the client missed the end.

        A client misses it if it resumed after a version that the match never reached.
        """
        is_missed = self.version > loaded.version
        return (self.channel.encode_snapshot(loaded, loaded.version) if is_missed else b"") + encode_event("end", ended)

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


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/stream",
        "streamEntries",
        ANY_VIEWER,
        query=StreamQuery,
        response=(200, describe_stream("MatchEvents")),
        media=(SSE,),
        headers=("LastEventId",),
        takes_ticket=True,
        other_responses=[(204, None, SSE)],
        problems=["header-malformed", "ticket-void", "streams-yours", "streams-full"],
    )
)
def stream_entries(query: dict[str, Any], match: str) -> Response:
    """Stream entries, situations or both as server-sent events.

    The view comes first, unless `Last-Event-ID` (or `after`, which a browser can send with a new ticket) names the
    version to resume after. After the last entry of a match that is over comes `end`. A client that resumes after that
    entry gets 204: there is nothing more.

    A seat may ask for situations. With `send=situations`, events `situation` come in place of entries and views; with
    `send=both`, after the entries. Each is the body of `GET …/situation` at the version that is its id. The first comes
    at once, or after the entries that were missed; the next whenever there is another version, or another name at a
    seat. Several entries that come at once have one situation. So a seat that makes its moves with
    `Prefer: return=minimal` needs no other request. The time left of a deadline (`left_ms`), and who is connected, are
    as they were when the situation was built; `presence` tells what changes.
    """
    hub, last, table = prefer.get_change_feed(), parse_last_event_id(), g.caller.table
    last = query.get("after") if last is None else last
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
        stream, first = open_stream(hub, place, watch, match, query["viewer"], last, query["send"])
    finally:
        if stream is None:
            watch.close()
            place.release()
    response = Response(stream.iterate_events(first), mimetype=SSE)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.headers.update(language_headers(stream.language))
    response.call_on_close(stream.close)  # even if no byte was sent
    return response


def open_stream(
    hub: ChangeFeed, place: Slot, watch: Subscription, match: str, viewer: int, last: int | None, sends: str
) -> tuple[EventStream, bytes]:
    """Open the stream, and return it with the first bytes that it sends.

    Everything that can be refused is raised here, before the first byte.
    """
    service, caller = context.get_match_service(), g.caller
    (right, args), loaded = g.entered, context.get_loaded_match(match)
    upto = views.load_visible_version(service, loaded, viewer, None).version
    channel = hub.get_or_create_shared(match, viewer, lambda: MatchChannel(service, match, viewer, upto))
    is_visit, visit = viewer in caller.seats, secrets.token_hex(8)

    def load_if_allowed(tick: int, late: bool) -> LoadedMatch | None:
        if right is ANY_VIEWER and not late:
            shared: LoadedMatch = channel.load_match(tick)
            if shared.match.visibility == "public":
                return shared
        return admission.load_if_still_admitted(service, caller, right, args)

    def attend(seconds: float) -> None:
        if not is_visit:
            return
        with suppress(StoreFull):  # a full disk keeps no visits, and nobody from reading
            service.log.record_visit(match, viewer, visit, int(1000 * seconds))

    version = upto if last is None else last
    stream = EventStream(
        hub, place, watch, channel, version, sends, load_if_allowed, attend, is_visit, choose_language()
    )
    first = b""
    if last is None or (last > upto and not is_late_onlooker(loaded, viewer)):  # such an onlooker may have seen more
        stream.version = upto
        first = channel.encode_snapshot(loaded, upto) if sends == ENTRIES else stream.encode_situation(loaded)
    elif sends == ENTRIES and 0 < last <= upto:
        resumed, _ = views.list_entries(service, loaded, viewer, last - 1, last)
        first = channel.encode_snapshot(loaded, last) if any(map(views.resets_table, resumed)) else b""
    attend(PRESENCE_BEATS * hub.beat)
    return stream, first
