"""The protocol of a match as a page to print: what `list_entries` gives to whoever prefers to read it."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from api import docs, door
from api.matches import described
from api.problems import language
from referee.desk import seeing
from referee.desk.clocks import deadline
from referee.desk.desk import Desk, Loaded
from referee.desk.protocol import page as pages
from referee.desk.protocol.words import Words
from referee.desk.seeing import EYES
from referee.hosting.times import Times

MOST = 1000  # entries on a page: beyond that no browser prints it in good time
BATCH = 200


def page(query: dict[str, Any], match: str, eyes: int, kinds: frozenset[str]) -> Response:
    """The course of a match as these eyes saw it, by turn: whole, or as far as a page goes. Raises as `seeing.latest`.

    A turn is told with its number, so all entries are read from the first one on, whichever are shown.
    """
    desk, lang = door.desk(), query.get("lang", language())
    last = seeing.latest(desk, match, eyes, None)
    entries = told(desk, last, eyes)
    wanted = pages.Asked(
        lang=lang, times=Times(), eyes=EYES.get(eyes, int(eyes)), after=query["after"], upto=query.get("upto"),
        most=min(query.get("limit", MOST), MOST), kinds=kinds, next_page=following, root=root(desk, last),
    )  # fmt: skip
    names = desk.log.names(match)
    about = described(last.match, last.version, deadline(last))
    response = docs.page(pages.page(Words(last.match.rules, names), about, entries, wanted))
    response.headers["Content-Language"] = lang
    response.headers["Content-Security-Policy"] = f"{pages.policy()}; frame-ancestors 'none'"
    response.vary.add("Accept-Language")
    return response


def told(desk: Desk, last: Loaded, eyes: int) -> list[dict[str, Any]]:
    """All entries of a match down to this version, as these eyes were told them.

    The match is read anew: of one as it was, late onlookers would be shown what was there still earlier.
    """
    found: list[dict[str, Any]] = []
    cursor: int | None = 0
    while cursor is not None:
        items, cursor = seeing.log(desk, last.match.id, eyes, cursor, last.version, BATCH)
        found += items
    return found


def root(desk: Desk, last: Loaded) -> str:
    """The root of the log with its entries down to this version: what a receipt of that version names."""
    (entry,) = desk.entries(last.match.id, last.version - 1, last.version)
    return entry.root.hex()


def following(after: int) -> str:
    """Where the page after this version is, as a link from this one."""
    query = {**request.args.to_dict(), "after": str(after)}
    return "?" + url_for(str(request.endpoint), **(request.view_args or {}), **query).partition("?")[2]
