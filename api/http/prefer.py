"""What a request would prefer (RFC 7240): to wait for what is new (`wait=20`), or to be answered with the whole state
that it leads to (`return=representation`)."""

from __future__ import annotations

import re
import time

from flask import current_app, g, request

from api.http import context
from api.http.access import admission, limits
from api.http.change_feed import ChangeFeed, NoSlotError, Slot
from referee.queries import views

LONGEST_WAIT = 30  # seconds
PRESENCE_SECONDS = 5.0  # seconds after a long poll in which the next one is expected
WAIT_PATTERN = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,9})"?\s*(?=$|[,;])', re.IGNORECASE)

REPRESENTATION_PATTERN = re.compile(r'(?:^|[,;\s])return\s*=\s*"?representation"?\s*(?=$|[,;])', re.IGNORECASE)
APPLIED_HEADER = "Preference-Applied"


def get_change_feed() -> ChangeFeed:
    """The hub of this app."""
    found: ChangeFeed = current_app.config["HUB"]
    return found


def acquire_request_slot(kind: str) -> Slot:
    """A place for this request. Raises NoSlotError."""
    return get_change_feed().acquire_slot(kind, token=g.caller.token_hash, address=limits.get_client_address())


def record_presence(match: str, viewer: int, seconds: float) -> None:
    """Notes that somebody looks through the eyes of a seat, if it is its player. Every poll of a token is one visit:
    one that follows soon goes on with it, so that nobody is told of a coming and going between two polls."""
    if viewer in g.caller.seats:
        context.get_match_service().log.record_visit(
            match, viewer, f"poll-{g.caller.token_hash[:16]}", int(1000 * seconds)
        )


def prefers_representation() -> bool:
    """Whether the request would have the state that it leads to in the answer: `Prefer: return=representation`."""
    return REPRESENTATION_PATTERN.search(request.headers.get("Prefer", "")) is not None


def parse_wait_preference() -> int | None:
    """How many seconds the request would wait; None if it does not say. A preference that cannot be read is none."""
    found = WAIT_PATTERN.search(request.headers.get("Prefer", ""))
    return None if found is None else min(int(found[1]), LONGEST_WAIT)


def wait_for_new_entry(match: str, viewer: int, after: int, upto: int | None) -> dict[str, str]:
    """Waits, if the request prefers so, until these eyes may see an entry after a version; the header that says so.

    Where every place is taken it does not wait, and says nothing. A seat that waits is present. Who waited must have
    the right still: raises Problem, and whatever looking raises (`seeing.latest`).
    """
    seconds = parse_wait_preference()
    if seconds is None:
        return {}
    try:
        place = acquire_request_slot("poll")
    except NoSlotError:
        return {}
    watch = get_change_feed().subscribe_to_match(match)
    try:
        until, long = time.monotonic() + seconds, False
        while upto is None or upto > after:
            watch.arm_wakeup()
            if views.load_visible_version(context.get_match_service(), match, viewer, None).version > after:
                break
            left = until - time.monotonic()
            if left <= 0 or get_change_feed().closing:
                break
            if not long:
                record_presence(match, viewer, left + PRESENCE_SECONDS)
            long = True
            watch.wait(left)
        if long:
            record_presence(match, viewer, PRESENCE_SECONDS)
    finally:
        watch.close()
        place.release()
    if long:
        admission.readmit_request()
    return {APPLIED_HEADER: f"wait={seconds}"}
