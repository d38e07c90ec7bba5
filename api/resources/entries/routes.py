"""Routes for the log and the view, for each kind of viewer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response, g, request, stream_with_context

from api.http import context, prefer
from api.http.access.authorization import ANY_VIEWER
from api.http.encoding.languages import choose_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import (
    JSON,
    NDJSON,
    deadline_to_dict,
    encode_ndjson,
    format_entry_time,
    json_response,
    language_headers,
)
from api.http.schemas.paging import next_link_header
from api.http.schemas.viewers import ViewerQuery
from api.pages.pages import HTML
from api.resources.entries import schemas as shapes
from api.resources.matches.routes import MATCH_PATH
from api.resources.transcript import routes
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import FINAL_STATUSES
from referee.match.clocks import find_deadline
from referee.match.errors import UnknownVersion
from referee.match.loaded import LoadedMatch
from referee.queries import views

PAGE_SIZE = 50
ENTRY_MEDIA_TYPES = (JSON, NDJSON, HTML)
READ_BATCH = 200
CACHE_FOREVER = "public, max-age=31536000, immutable"
blueprint = EndpointBlueprint("log", tag="entries")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/view",
        "getView",
        ANY_VIEWER,
        query=shapes.ViewQuery,
        etag=True,
        response=(200, shapes.ViewSchema),
        problems=["unknown-version"],
        tag="boards",
    )
)
def get_view(query: dict[str, Any], match: str) -> Response:
    """Return the table as the viewer saw it at a version.

    A hidden card shows its back.
    """
    viewer = query["viewer"]
    found = view_to_dict(
        views.load_visible_version(
            context.get_match_service(), context.get_loaded_match(match), viewer, query.get("version")
        ),
        viewer,
    )
    return json_response(found, version=found["version"], ticking=found["deadline"] is not None)


def view_to_dict(loaded: LoadedMatch, viewer: int) -> dict[str, Any]:
    """Return the viewer's view, with the deadline of the open question.

    The deadline is not part of what the view's hash covers.
    """
    return {**views.view_response(loaded, viewer), "deadline": deadline_to_dict(find_deadline(loaded))}


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/entries",
        "listEntries",
        ANY_VIEWER,
        query=shapes.EntriesQuery,
        response=(200, shapes.EntriesSchema),
        media=ENTRY_MEDIA_TYPES,
        other_responses=[(200, {"type": "string"}, NDJSON), (200, {"type": "string"}, HTML)],
        headers=("Prefer",),
    )
)
def list_entries(query: dict[str, Any], match: str) -> Response:
    """List entries as the viewer saw them.

    Versions have no gaps: an entry that does not concern the viewer comes without its content.

    The answer is data, or if the request prefers HTML, a transcript to print: one self-contained page, by turn.

    If one of the entries rewinds or corrects the table, the view after the last entry comes along, so that no client
    has to undo events. In JSON it is `snapshot`; in NDJSON it is one more line at the end, `{"snapshot": …}`, without
    the member `version` that every entry has. With `Prefer: wait=20` an answer without entries waits that long for one.
    """
    viewer = query["viewer"]
    applied = prefer.wait_for_new_entry(match, viewer, query["after"], query.get("upto"))
    response = entries_response(query, match, viewer, query["after"])
    response.vary.add("Accept")
    response.headers.update(applied)
    return response


def entries_response(query: dict[str, Any], match: str, viewer: int, after: int) -> Response:
    """Return the entries in the requested media type."""
    kinds = [kind for kind in query.get("type", "").split(",") if kind]
    asked_for = request.accept_mimetypes.best_match(ENTRY_MEDIA_TYPES)
    if asked_for == HTML:
        return routes.transcript_response(query, match, viewer, frozenset(kinds))
    lang = choose_language()
    if asked_for == NDJSON and "limit" not in query:
        entries = iterate_entries(
            match, viewer, after, upto=query.get("upto"), steps=query["steps"], says=query["says"], kinds=kinds
        )
        first = list(take_first(entries))  # a refusal has to come before the first byte
        lines = encode_ndjson(prepend_entries(first, entries), lang)
        return Response(stream_with_context(lines), mimetype=NDJSON, headers=language_headers(lang))
    limit = query.get("limit", PAGE_SIZE)
    items, cursor = views.list_entries(
        context.get_match_service(), match, viewer, after, query.get("upto"), limit, query["steps"], query["says"]
    )
    view = None
    if any(map(views.resets_table, items)):
        view = view_to_dict(
            views.load_visible_version(context.get_match_service(), match, viewer, items[-1]["version"]), viewer
        )
    found = [format_entry_time(item) for item in views.filter_events(items, kinds)]
    link = next_link_header(cursor)
    if asked_for == NDJSON:
        page = [*found, *([] if view is None else [{"snapshot": view}])]
        return Response(b"".join(encode_ndjson(page, lang)), mimetype=NDJSON, headers=language_headers(lang) | link)
    return json_response({"items": found, "next_cursor": cursor, "snapshot": view}, headers=link)


def iterate_entries(
    match: str,
    viewer: int,
    after: int,
    *,
    upto: int | None,
    steps: bool,
    says: bool,
    kinds: list[str],
) -> Iterator[dict[str, Any]]:
    """Yield entries up to the present end of the log, read in batches.

    If one of them rewinds or corrects the table, the view after the last of them follows.
    """
    cursor: int | None = after
    last, back = after, False
    while cursor is not None:
        items, cursor = views.list_entries(
            context.get_match_service(), match, viewer, cursor, upto, READ_BATCH, steps, says
        )
        if items:
            last, back = items[-1]["version"], back or any(map(views.resets_table, items))
        yield from map(format_entry_time, views.filter_events(items, kinds))
    if back:
        yield {
            "snapshot": view_to_dict(
                views.load_visible_version(context.get_match_service(), match, viewer, last), viewer
            )
        }


def take_first(entries: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the first entry, if there is one."""
    for entry in entries:
        yield entry
        return


def prepend_entries(first: list[dict[str, Any]], rest: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield these entries, then the others."""
    yield from first
    yield from rest


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/entries/<int(min=1, max=2147483647):entry>",
        "getEntry",
        ANY_VIEWER,
        query=ViewerQuery,
        etag=True,
        response=(200, shapes.EntrySchema),
        problems=["unknown-version"],
    )
)
def get_entry(query: dict[str, Any], match: str, entry: int) -> Response:
    """Return one entry, with all its events, as the viewer saw it then.

    It never changes.
    """
    items, _ = views.list_entries(
        context.get_match_service(), context.get_loaded_match(match), query["viewer"], entry - 1, entry, 1, steps=True
    )
    if not items:
        raise UnknownVersion(entry)
    table = g.caller.table
    for_good = query["viewer"] == BYSTANDER and table.visibility == "public" and table.status in FINAL_STATUSES
    return json_response(
        format_entry_time(items[0]), version=entry, headers={"Cache-Control": CACHE_FOREVER} if for_good else {}
    )
