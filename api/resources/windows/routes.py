"""Routes for reaction windows: question, deadline and answers, for each viewer."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.http import context
from api.http.access.authorization import FULL_VIEWER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import deadline_to_dict, format_time, json_response
from api.resources.entries.routes import VIEWER_ROUTES, resolve_viewer
from api.resources.matches.routes import next_link_header
from api.resources.windows import schemas as shapes
from referee.queries import windows

blueprint = EndpointBlueprint(
    "windows", "Reactions that seats are asked for; each window is named after the event that opened it."
)


def list_windows(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """List windows in the order in which they were opened.

    Seats are asked whether or not they hold a fitting card. The answer changes with the clock as well as with the
    version, so it has no ETag.
    """
    found, cursor, version = windows.list_windows(
        context.get_match_service(),
        context.get_loaded_match(match),
        resolve_viewer(seat),
        query.get("version"),
        query.get("open", False),
        query.get("after", ""),
        query["limit"],
    )
    body = {"items": [format_window_times(window) for window in found], "next_cursor": cursor, "version": version}
    return json_response(body, headers=next_link_header(cursor))


def get_window(query: dict[str, Any], match: str, window: str, seat: int | None = None) -> Response:
    """Return one window as the viewer sees it."""
    found, _ = windows.load_window(
        context.get_match_service(),
        context.get_loaded_match(match),
        resolve_viewer(seat),
        window,
        query.get("version"),
    )
    return json_response(format_window_times(found))


def format_window_times(window: dict[str, Any]) -> dict[str, Any]:
    """Return a window with its times in RFC 3339."""
    outcome = window["outcome"]
    if outcome is not None:
        outcome = {"how": outcome["how"], "version": outcome["version"], "at": format_time(outcome["at_ms"])}
    return {**window, "deadline": deadline_to_dict(window["deadline"]), "outcome": outcome}


for each in VIEWER_ROUTES:
    wrong = ["still-running"] if each.permission is FULL_VIEWER else []
    blueprint.declare(
        Endpoint(
            "GET",
            f"{each.path}/windows",
            f"list{each.name}Windows",
            each.permission,
            query=shapes.WindowsQuery,
            response=(200, shapes.WindowsSchema),
            problems=[*wrong, "unknown-version"],
        )
    )(list_windows)
    blueprint.declare(
        Endpoint(
            "GET",
            f"{each.path}/windows/<window:window>",
            f"get{each.name}Window",
            each.permission,
            query=shapes.WindowQuery,
            response=(200, shapes.WindowSchema),
            problems=[*wrong, "unknown-version", "unknown-window"],
        )
    )(get_window)
