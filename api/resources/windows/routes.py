"""Routes for reaction windows: question, deadline and answers, for each viewer."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from api.http import context
from api.http.access.authorization import ANY_SEAT, ANY_VIEWER, REPORTER, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import deadline_to_dict, format_time, json_response
from api.http.schemas.paging import next_link_header
from api.resources.matches.routes import (
    MATCH_PATH,
    entry_written_response,
    execute_table_command,
)
from api.resources.matches.schemas import WriteResultSchema
from api.resources.takebacks.routes import resolve_takeback_seat
from api.resources.windows import schemas as shapes
from referee.match.events.reaction_events import DeclareNoReaction, ObjectToSilence
from referee.queries import windows

WINDOW_PATH = f"{MATCH_PATH}/windows/<window:window>"
HALTED_PROBLEMS = ("in-dispute", "official-called", "witness-awaited", "match-over", "not-running")
blueprint = EndpointBlueprint("windows")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/windows",
        "listWindows",
        ANY_VIEWER,
        query=shapes.WindowsQuery,
        response=(200, shapes.WindowsSchema),
        problems=["unknown-version"],
    )
)
def list_windows(query: dict[str, Any], match: str) -> Response:
    """List windows in the order in which they were opened.

    Seats are asked whether or not they hold a fitting card. The answer changes with the clock as well as with the
    version, so it has no ETag.
    """
    found, cursor, version = windows.list_windows(
        context.get_match_service(),
        context.get_loaded_match(match),
        query["viewer"],
        query.get("version"),
        query.get("open", False),
        query.get("after", ""),
        query["limit"],
    )
    body = {"items": [format_window_times(window) for window in found], "next_cursor": cursor, "version": version}
    return json_response(body, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "GET",
        WINDOW_PATH,
        "getWindow",
        ANY_VIEWER,
        query=shapes.WindowQuery,
        response=(200, shapes.WindowSchema),
        problems=["unknown-version", "unknown-window"],
    )
)
def get_window(query: dict[str, Any], match: str, window: str) -> Response:
    """Return one window as the viewer sees it."""
    found, _ = windows.load_window(
        context.get_match_service(),
        context.get_loaded_match(match),
        query["viewer"],
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


@blueprint.declare(
    Endpoint(
        "POST",
        f"{WINDOW_PATH}/no-reaction",
        "declareNoReaction",
        REPORTER,
        key=True,
        etag=True,
        response=(201, WriteResultSchema),
        problems=[
            "window-closed",
            "nobody-speaks-for-all",
            "all-object",
            "spoken-already",
            "idempotency-key-reused",
            *HALTED_PROBLEMS,
        ],
    )
)
def declare_no_reaction(match: str, window: str) -> Response:
    """Say for all people at a real table that nobody reacts to this window.

    The window is passed for each of their seats that has not objected when `objection_ms` of the match is over. Each
    pass is an entry of its own, and its actor is who said so. Bots answer for themselves.
    """
    caller: Caller = g.caller
    by = str(min(caller.seats)) if caller.seats else "host"
    done = execute_table_command(match, DeclareNoReaction(by, window), f"report{by}", None)
    return entry_written_response(done, caller.own_viewer)


@blueprint.declare(
    Endpoint(
        "POST",
        f"{WINDOW_PATH}/objections",
        "objectInWindow",
        ANY_SEAT,
        body=shapes.ObjectionBody,
        key=True,
        etag=True,
        response=(201, WriteResultSchema),
        problems=[
            "not-your-seat",
            "unknown-seat",
            "not-spoken-for",
            "objected-already",
            "too-late-to-object",
            "idempotency-key-reused",
            *HALTED_PROBLEMS,
        ],
    )
)
def object_in_window(body: dict[str, Any], match: str, window: str) -> Response:
    """Say that a seat has not passed: it wants to react, or to think.

    An open window is then not passed for it by somebody else. A window that somebody else has passed for it is open
    again, until the end of the turn, if chance has shown nothing since and nobody has seen what was hidden.
    """
    seat = resolve_takeback_seat(g.caller, body.get("seat"))
    done = execute_table_command(match, ObjectToSilence(seat, window), f"seat{seat}", None)
    return entry_written_response(done, seat)
