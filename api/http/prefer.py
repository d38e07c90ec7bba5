"""What a request would prefer (RFC 7240): to wait for what is new (`wait=20`), or to be answered with the whole state
that it leads to (`return=representation`)."""

from __future__ import annotations

import re
import time

from flask import current_app, g, request

from api.http import endpoint
from api.http.access import limits
from api.http.change_feed import Hub, NoPlace, Place
from referee.queries import views

LONGEST = 30  # seconds
LINGERS = 5.0  # seconds after a long poll in which the next one is expected
WAIT = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,9})"?\s*(?=$|[,;])', re.IGNORECASE)

WHOLE = re.compile(r'(?:^|[,;\s])return\s*=\s*"?representation"?\s*(?=$|[,;])', re.IGNORECASE)
APPLIED = "Preference-Applied"


def hub() -> Hub:
    """The hub of this app."""
    found: Hub = current_app.config["HUB"]
    return found


def taken(kind: str) -> Place:
    """A place for this request. Raises NoPlace."""
    return hub().take(kind, token=g.caller.token, address=limits.address())


def present(match: str, eyes: int, seconds: float) -> None:
    """Notes that somebody looks through the eyes of a seat, if it is its player. Every poll of a token is one visit:
    one that follows soon goes on with it, so that nobody is told of a coming and going between two polls."""
    if eyes in g.caller.seats:
        endpoint.desk().log.attend(match, eyes, f"poll-{g.caller.token[:16]}", int(1000 * seconds))


def whole() -> bool:
    """Whether the request would have the state that it leads to in the answer: `Prefer: return=representation`."""
    return WHOLE.search(request.headers.get("Prefer", "")) is not None


def preferred() -> int | None:
    """How many seconds the request would wait; None if it does not say. A preference that cannot be read is none."""
    found = WAIT.search(request.headers.get("Prefer", ""))
    return None if found is None else min(int(found[1]), LONGEST)


def waited(match: str, eyes: int, after: int, upto: int | None) -> dict[str, str]:
    """Waits, if the request prefers so, until these eyes may see an entry after a version; the header that says so.

    Where every place is taken it does not wait, and says nothing. A seat that waits is present. Who waited must have
    the right still: raises Problem, and whatever looking raises (`seeing.latest`).
    """
    seconds = preferred()
    if seconds is None:
        return {}
    try:
        place = taken("poll")
    except NoPlace:
        return {}
    watch = hub().watch(match)
    try:
        until, long = time.monotonic() + seconds, False
        while upto is None or upto > after:
            watch.tick()
            if views.latest(endpoint.desk(), match, eyes, None).version > after:
                break
            left = until - time.monotonic()
            if left <= 0 or hub().closing:
                break
            if not long:
                present(match, eyes, left + LINGERS)
            long = True
            watch.wait(left)
        if long:
            present(match, eyes, LINGERS)
    finally:
        watch.close()
        place.leave()
    if long:
        endpoint.enter_again()
    return {APPLIED: f"wait={seconds}"}
