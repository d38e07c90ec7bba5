"""The Prefer header (RFC 7240): `wait=20` and `return=representation`."""

from __future__ import annotations

import re
import time
from contextlib import suppress

from flask import current_app, g, request

from api.http import context
from api.http.access import admission, limits
from api.http.change_feed import ChangeFeed, NoSlotError, Slot
from referee.eventstore.contract import StoreFull
from referee.queries import views

LONGEST_WAIT = 30  # seconds
PRESENCE_SECONDS = 5.0  # seconds after a long poll in which the next one is expected
WAIT_PATTERN = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,9})"?\s*(?=$|[,;])', re.IGNORECASE)

REPRESENTATION_PATTERN = re.compile(r'(?:^|[,;\s])return\s*=\s*"?representation"?\s*(?=$|[,;])', re.IGNORECASE)
MINIMUM_PATTERN = re.compile(r'(?:^|[,;\s])return\s*=\s*"?minimal"?\s*(?=$|[,;])', re.IGNORECASE)
APPLIED_HEADER = "Preference-Applied"


def get_change_feed() -> ChangeFeed:
    """Return the change feed of this app."""
    found: ChangeFeed = current_app.config["CHANGE_FEED"]
    return found


def acquire_request_slot(kind: str) -> Slot:
    """Take a slot for this request. Raises NoSlotError."""
    return get_change_feed().acquire_slot(kind, token=g.caller.token_hash, address=limits.get_client_address())


def record_presence(match: str, viewer: int, seconds: float) -> None:
    """Record that the caller looks as a seat, if the caller is its player.

    All polls of a token are one visit. A poll that follows soon continues it, so that nobody sees the player leave and
    return between two polls.
    """
    if viewer not in g.caller.seats:
        return
    with suppress(StoreFull):  # a full disk keeps no visits, and nobody from reading
        context.get_match_service().log.record_visit(
            match, viewer, f"poll-{g.caller.token_hash[:16]}", int(1000 * seconds)
        )


def asks_for_representation(prefer: str) -> bool:
    """Return whether the value of a Prefer header asks for the resulting state."""
    return REPRESENTATION_PATTERN.search(prefer) is not None


def asks_for_minimum(prefer: str) -> bool:
    """Return whether the value of a Prefer header asks for as little as possible."""
    return MINIMUM_PATTERN.search(prefer) is not None


def parse_wait_preference() -> int | None:
    """Return how many seconds the request wants to wait, or None.

    A preference that cannot be read counts as none.
    """
    found = WAIT_PATTERN.search(request.headers.get("Prefer", ""))
    return None if found is None else min(int(found[1]), LONGEST_WAIT)


def wait_for_new_entry(match: str, viewer: int, after: int, upto: int | None) -> dict[str, str]:
    """Wait, if the request prefers it, until the viewer may see a newer entry.

    Newer means after version `after`. Return the header that confirms the wait; it is empty if all slots are taken and
    nothing waited. A seat that waits is present. After a wait the permission is checked again. Raises Problem, and the
    exceptions of `views.load_visible_version`.
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
