"""Reaction windows: what was asked of whom, until when, what was answered; for three pairs of eyes, like the log."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.http import endpoint
from api.http.access.authorization import FULL
from api.http.endpoint import Room
from api.http.responses import answer, counted, moment
from api.resources.entries.routes import EYES, looking
from api.resources.matches.routes import following
from api.resources.windows import schemas as shapes
from referee.queries import windows

room = Room("windows", "Reactions that are asked for, each window named after the event that opened it.")


def list_windows(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """Windows in the order in which they were opened. Whoever is asked is asked whether or not a card is held.

    The answer changes with the clock as well as with the version, so it has no ETag.
    """
    found, cursor, version = windows.listed(
        endpoint.desk(),
        endpoint.loaded(match),
        looking(seat),
        query.get("version"),
        query.get("open", False),
        query.get("after", ""),
        query["limit"],
    )
    body = {"items": [timed(window) for window in found], "next_cursor": cursor, "version": version}
    return answer(body, headers=following(cursor))


def get_window(query: dict[str, Any], match: str, window: str, seat: int | None = None) -> Response:
    """One window as these eyes see it."""
    found, _ = windows.one(endpoint.desk(), endpoint.loaded(match), looking(seat), window, query.get("version"))
    return answer(timed(found))


def timed(window: dict[str, Any]) -> dict[str, Any]:
    """A window with its times as people and RFC 3339 write them."""
    outcome = window["outcome"]
    if outcome is not None:
        outcome = {"how": outcome["how"], "version": outcome["version"], "at": moment(outcome["at_ms"])}
    return {**window, "deadline": counted(window["deadline"]), "outcome": outcome}


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/windows", f"list{each.name}Windows", each.right, query=shapes.WindowsQuery,
        gives=(200, shapes.WindowsSchema), problems=[*wrong, "unknown-version"],
    )(list_windows)  # fmt: skip
    room.call(
        "GET", f"{each.path}/windows/<window:window>", f"get{each.name}Window", each.right, query=shapes.WindowQuery,
        gives=(200, shapes.WindowSchema), problems=[*wrong, "unknown-version", "unknown-window"],
    )(get_window)  # fmt: skip
