"""What the streams of one match and viewer share.

Entries, situations and the list of those present are made once for all of them.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import orjson

from api.http.responses import format_entry_time, format_time
from api.resources.entries.routes import view_to_dict
from api.resources.moves.routes import build_situation
from referee.match.aggregate import FINAL_STATUSES
from referee.match.clocks import find_deadline
from referee.match.loaded import LoadedMatch
from referee.match.windows import find_open_window
from referee.queries import views
from referee.queries.boards import is_late_onlooker, mark_people
from referee.service.match_service import MatchService

KEPT = 64  # encoded entries that the streams of one match and viewer share
BATCH = 200
LEFT_MS = 1000  # how long the time left of a situation's deadline is near enough


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


@dataclass(frozen=True, slots=True)
class SituationEvent:
    """A situation as an event, and when it was built.

    It is that of the log with this root and of the people with this mark.
    """

    root: bytes
    mark: str
    at_ms: int
    event: bytes


@dataclass(frozen=True, slots=True)
class Presence:
    """The seats that were present at a count of visits, and when that was read."""

    count: int
    read_at: float
    seats: frozenset[int]


class MatchChannel:
    """The state that all streams of one match and viewer share.

    A stream hands in the match as it has loaded it together with its permission, and gets nothing that is newer.
    """

    def __init__(self, service: MatchService, match: str, viewer: int, version: int) -> None:
        self.viewer = viewer
        self._service, self._match, self._last = service, match, version
        self._kept: deque[EntryEvent] = deque(maxlen=KEPT)
        self._lock, self._tick = threading.Lock(), -1
        self._loaded: LoadedMatch | None = None
        self._situation: SituationEvent | None = None
        self._presence: Presence | None = None

    def load_match(self, tick: int) -> LoadedMatch:
        """Return the match as it stood at this tick or later, read once for all.

        For viewers who need no permission. Raises as `MatchService.load_match`.
        """
        with self._lock:
            if self._loaded is None or tick > self._tick:
                self._loaded, self._tick = self._service.load_match(self._match), tick
            return self._loaded

    def list_entries_after(self, loaded: LoadedMatch, version: int) -> list[EntryEvent]:
        """Return the next entries after a version, as far as the match was loaded.

        The list is empty if there are none. Raises StoreUnavailable, and the exceptions of
        `views.load_visible_version`.
        """
        upto = views.find_visible_version(loaded, self.viewer)
        with self._lock:
            while self._last < upto:
                batch = self._load_entries(loaded, max(self._last, upto - KEPT), upto)
                if not batch:
                    break
                if batch[0].version > self._last + 1:  # nobody asked for those between
                    self._kept.clear()
                self._kept.extend(batch)
                self._last = batch[-1].version
            if version >= upto:
                return []
            if self._kept and self._kept[0].version <= version + 1:
                return [kept for kept in self._kept if version < kept.version <= upto]
        return self._load_entries(loaded, version, upto)

    def _load_entries(self, loaded: LoadedMatch, after: int, upto: int) -> list[EntryEvent]:
        items, _ = views.list_entries(self._service, loaded, self.viewer, after, upto, limit=BATCH)
        return [
            EntryEvent(
                item["version"],
                encode_event("entry", format_entry_time(item), item["version"]),
                views.resets_table(item),
            )
            for item in items
        ]

    def encode_situation(self, loaded: LoadedMatch) -> bytes:
        """Return the situation of the seat as an event, as `GET …/situation` gives it.

        It is built again if the time left of its deadline is no longer right, or who is there.
        """
        root, now_ms, mark = loaded.head.root, loaded.read_result.now_ms, mark_people(loaded, self.viewer)
        with self._lock:
            kept = self._situation
            is_late = kept is not None and now_ms > kept.at_ms + LEFT_MS and find_deadline(loaded) is not None
            if kept is None or (kept.root, kept.mark) != (root, mark) or is_late:
                event = encode_event("situation", build_situation(self._service, loaded, self.viewer), loaded.version)
                kept = self._situation = SituationEvent(root, mark, now_ms, event)
            return kept.event

    def encode_snapshot(self, loaded: LoadedMatch, version: int) -> bytes:
        """Return the view at a version as an event.

        Raises the exceptions of `views.load_visible_version`.
        """
        shown = views.load_visible_version(self._service, loaded, self.viewer, version)
        return encode_event("snapshot", view_to_dict(shown, self.viewer), version)

    def read_present_seats(self, loaded: LoadedMatch, count: int, max_age: float) -> frozenset[int] | None:
        """Return which seats are present; None if the viewer may not see it.

        They are read again after a visit (`count`), and after `max_age` seconds. Raises StoreUnavailable.
        """
        if is_late_onlooker(loaded, self.viewer):
            return None
        with self._lock:
            kept, now = self._presence, time.monotonic()
            if kept is None or count > kept.count or now - kept.read_at >= max_age:
                kept = self._presence = Presence(count, now, self._service.log.read_present_seats(self._match))
            return kept.seats

    def describe_deadline(self, loaded: LoadedMatch) -> dict[str, Any] | None:
        """Return the deadline of the open question as streams send it.

        None if the viewer may not see it. It holds no remaining time, so it stays the same until the deadline changes.
        """
        due = find_deadline(loaded)
        if due is None or is_late_onlooker(loaded, self.viewer):
            return None
        window = find_open_window(loaded.match) or None
        return {"version": due.asked, "window": window, "at": format_time(due.at_ms), "limit_ms": due.limit_ms}


def find_end(loaded: LoadedMatch) -> dict[str, Any] | None:
    """Return how a match ended; None while it goes on or a court deals with it."""
    if loaded.match.status not in FINAL_STATUSES or loaded.match.has_open_dispute:
        return None
    return {"version": loaded.version, "status": loaded.match.status}
