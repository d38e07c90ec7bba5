"""Long polls: a call that finds nothing new waits a while for it, as `Prefer: wait=20` asks (RFC 7240)."""

from __future__ import annotations

import re
import time

from flask import current_app, request

from api import door
from api.hub import Hub
from referee.desk import seeing

LONGEST = 30  # seconds
WAIT = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,9})"?\s*(?=$|[,;])', re.IGNORECASE)


def hub() -> Hub:
    """The hub of this app."""
    found: Hub = current_app.config["HUB"]
    return found


def preferred() -> int | None:
    """How many seconds the request would wait; None if it does not say. A preference that cannot be read is none."""
    found = WAIT.search(request.headers.get("Prefer", ""))
    return None if found is None else min(int(found[1]), LONGEST)


def waited(match: str, eyes: int, after: int, upto: int | None) -> dict[str, str]:
    """Waits, if the request prefers so, until these eyes may see an entry after a version; the header that says so.

    Where every place is taken it does not wait, and says nothing. Who waited must have the right still: raises Problem,
    and whatever looking raises (`seeing.latest`).
    """
    seconds = preferred()
    if seconds is None or not hub().take():
        return {}
    watch = hub().watch(match)
    try:
        until, long = time.monotonic() + seconds, False
        while upto is None or upto > after:
            watch.tick()
            if seeing.latest(door.desk(), match, eyes, None).version > after:
                break
            left = until - time.monotonic()
            if left <= 0 or hub().closing:
                break
            watch.wait(left)
            long = True
    finally:
        watch.close()
        hub().leave()
    if long:
        door.enter_again()
    return {"Preference-Applied": f"wait={seconds}"}
