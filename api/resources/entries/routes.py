"""The log and the view, each for three pairs of eyes: the onlookers', a seat's, and all of it after the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import Response, g, request, stream_with_context

from api.http import endpoint, prefer
from api.http.access.authorization import FULL, SEAT, SEE, Right
from api.http.endpoint import Room
from api.http.responses import JSON, NDJSON, answer, counted, lines, timed
from api.pages.pages import HTML
from api.resources.entries import schemas as shapes
from api.resources.matches.routes import MATCH, following
from api.resources.transcript import routes
from referee.engine.seats import BYSTANDER
from referee.engine.seats import FULL as EVERYTHING
from referee.match.aggregate import OVER
from referee.match.clocks import deadline
from referee.queries import views
from referee.service.match_service import Loaded, UnknownVersion

PAGE = 50
MEDIA = (JSON, NDJSON, HTML)
BATCH = 200
FOR_GOOD = "public, max-age=31536000, immutable"
room = Room("log", "What happened, and the table as it was seen.")


@dataclass(frozen=True, slots=True)
class Eyes:
    """A pair of eyes: its name in operation ids, its address, who may look through it."""

    name: str
    path: str
    right: Right


EYES = (
    Eyes("", MATCH, SEE),
    Eyes("Seat", f"{MATCH}/seats/<seat:seat>", SEAT),
    Eyes("Full", f"{MATCH}/full", FULL),
)


def looking(seat: int | None) -> int:
    """The eyes of this request's address."""
    if seat is not None:
        return seat
    return EVERYTHING if request.path.split("/")[4:5] == ["full"] else BYSTANDER


def get_view(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """The table as these eyes saw it at a version; what is hidden stands as its back."""
    eyes = looking(seat)
    found = viewed(views.latest(endpoint.desk(), endpoint.loaded(match), eyes, query.get("version")), eyes)
    return answer(found, version=found["version"], ticking=found["deadline"] is not None)


def viewed(loaded: Loaded, eyes: int) -> dict[str, Any]:
    """The view of these eyes, and beside it, no part of what its hash is of, the deadline of what is asked."""
    return {**views.shown(loaded, eyes), "deadline": counted(deadline(loaded))}


def list_entries(query: dict[str, Any], match: str, seat: int | None = None) -> Response:
    """Entries as these eyes saw them. Versions have no gaps: what does not concern these eyes comes emptied.

    As data, or for whoever prefers one as a page to print: the protocol, by turn, whole in itself.

    Where one of them puts the table back or right, the view after the last of them comes along, so that nobody has to
    fold backwards: in JSON as `snapshot`, in NDJSON as one more line at the end, `{"snapshot": …}`, which has no
    `version` of its own beside it, as every line that is an entry has. With `Prefer: wait=20` an answer without entries
    waits that long for one.
    """
    eyes = looking(seat)
    applied = prefer.waited(match, eyes, query["after"], query.get("upto"))
    response = page(query, match, eyes, query["after"])
    response.vary.add("Accept")
    response.headers.update(applied)
    return response


def page(query: dict[str, Any], match: str, eyes: int, after: int) -> Response:
    """The entries that are there, in the form that was asked for."""
    kinds = [kind for kind in query.get("type", "").split(",") if kind]
    asked_for = request.accept_mimetypes.best_match(MEDIA)
    if asked_for == HTML:
        return routes.page(query, match, eyes, frozenset(kinds))
    if asked_for == NDJSON:
        entries = streamed(match, eyes, after, upto=query.get("upto"), limit=query.get("limit"), kinds=kinds)
        first = list(next_batch(entries))  # a refusal has to come before the first byte
        return Response(stream_with_context(lines(chained(first, entries))), mimetype=NDJSON)
    limit = query.get("limit", PAGE)
    items, cursor = views.log(endpoint.desk(), match, eyes, after, query.get("upto"), limit)
    view = None
    if any(map(views.put_back, items)):
        view = viewed(views.latest(endpoint.desk(), match, eyes, items[-1]["version"]), eyes)
    found = [timed(item) for item in views.only(items, kinds)]
    body = {"items": found, "next_cursor": cursor, "snapshot": view}
    return answer(body, headers=following(cursor))


def streamed(
    match: str, eyes: int, after: int, *, upto: int | None, limit: int | None, kinds: list[str]
) -> Iterator[dict[str, Any]]:
    """All entries up to the end of the log as it is found, a batch at a time; and if one of them puts the table back or
    right, the view after the last of them."""
    cursor: int | None = after
    last, back = after, False
    while cursor is not None and (limit is None or limit > 0):
        wanted = BATCH if limit is None else min(BATCH, limit)
        items, cursor = views.log(endpoint.desk(), match, eyes, cursor, upto, wanted)
        if items:
            last, back = items[-1]["version"], back or any(map(views.put_back, items))
        yield from map(timed, views.only(items, kinds))
        limit = None if limit is None else limit - len(items)
    if back:
        yield {"snapshot": viewed(views.latest(endpoint.desk(), match, eyes, last), eyes)}


def next_batch(entries: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The first entry, if there is one."""
    for entry in entries:
        yield entry
        return


def chained(first: list[dict[str, Any]], rest: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """These entries, then the others."""
    yield from first
    yield from rest


def get_entry(match: str, n: int, seat: int | None = None) -> Response:
    """One entry as these eyes saw it then; it never changes."""
    items, _ = views.log(endpoint.desk(), endpoint.loaded(match), looking(seat), n - 1, n, 1)
    if not items:
        raise UnknownVersion(n)
    table = g.caller.table
    for_good = looking(seat) == BYSTANDER and table.visibility == "public" and table.status in OVER
    return answer(timed(items[0]), version=n, headers={"Cache-Control": FOR_GOOD} if for_good else {})


for each in EYES:
    wrong = ["still-running"] if each.right is FULL else []
    room.call(
        "GET", f"{each.path}/view", f"get{each.name}View", each.right, query=shapes.ViewQuery, etag=True,
        gives=(200, shapes.ViewSchema), problems=[*wrong, "unknown-version"],
    )(get_view)  # fmt: skip
    room.call(
        "GET", f"{each.path}/events", f"list{each.name}Entries", each.right, query=shapes.LogQuery,
        gives=(200, shapes.LogSchema), media=MEDIA, problems=wrong,
        also=[(200, {"type": "string"}, NDJSON), (200, {"type": "string"}, HTML)], headers=("Prefer",),
    )(list_entries)  # fmt: skip
    room.call(
        "GET", f"{each.path}/events/<int(min=1, max=2147483647):n>", f"get{each.name}Entry", each.right, etag=True,
        gives=(200, shapes.EntrySchema), problems=[*wrong, "unknown-version"],
    )(get_entry)  # fmt: skip
