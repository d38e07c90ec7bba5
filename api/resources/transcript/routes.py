"""The protocol of a match as a page to print: what `list_entries` gives to whoever prefers to read it."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from api.http import endpoint
from api.http.problems import language
from api.pages import pages as docs
from api.resources.matches.routes import described
from referee.engine.codec import encode
from referee.engine.game import Game
from referee.match.aggregate import TableFact
from referee.match.clocks import deadline
from referee.match.entries import Logged
from referee.queries import views
from referee.queries.views import EYES
from referee.rendering import texts
from referee.rendering.times import Times
from referee.service.match_service import Desk, Loaded
from referee.transcript import page as pages
from referee.transcript.wording import Words

MOST = 1000  # entries on a page: beyond that no browser prints it in good time


def page(query: dict[str, Any], match: str, eyes: int, kinds: frozenset[str]) -> Response:
    """The course of a match as these eyes saw it, by turn: whole, or as far as a page goes. Raises as `seeing.latest`.

    A turn is told with its number, so all entries are read from the first one on; told are those that are shown.
    """
    desk, lang = endpoint.desk(), query.get("lang", language())
    last = views.latest(desk, match, eyes, None)
    most = min(query.get("limit", MOST), MOST)
    entries = told(desk, last, eyes, range(query["after"] + 1, query["after"] + most + 1))
    wanted = pages.Asked(
        lang=lang, times=Times(), eyes=EYES.get(eyes, int(eyes)), after=query["after"], upto=query.get("upto"),
        most=most, kinds=kinds, next_page=following, root=root(desk, last),
    )  # fmt: skip
    names = desk.log.names(match)
    about = described(last.match, last.version, deadline(last))
    response = docs.page(pages.page(Words(last.match.rules, names), about, entries, wanted))
    response.headers["Content-Language"] = lang
    response.headers["Content-Security-Policy"] = f"{pages.policy()}; frame-ancestors 'none'"
    response.vary.add("Accept-Language")
    return response


def told(desk: Desk, last: Loaded, eyes: int, window: range) -> list[dict[str, Any]]:
    """All entries of a match down to this version, as these eyes were told them; those outside the window in brief."""
    rules = last.match.rules
    return [
        texts.entry(rules, entry, eyes) if entry.version in window else brief(rules, entry, eyes)
        for entry in desk.entries(last.match.id, 0, last.version)
    ]


def brief(rules: Game, entry: Logged, eyes: int) -> dict[str, Any]:
    """Of an entry that the page does not show what the rest of the course hangs on: turns, what was taken back, and
    disputes."""
    facts = enumerate(entry.seen_by(eyes)[1])
    kept = [(at, fact) for at, fact in facts if isinstance(fact, TableFact) or type(fact) in rules.begins]
    events = [{"n": f"{entry.version}.{at}", **encode(fact), "told": texts.told(rules, fact)} for at, fact in kept]
    return {"version": entry.version, "at_ms": entry.at_ms, "seat": texts.whose(entry.seat), "events": events}


def root(desk: Desk, last: Loaded) -> str:
    """The root of the log with its entries down to this version: what a receipt of that version names."""
    (entry,) = desk.entries(last.match.id, last.version - 1, last.version)
    return entry.root.hex()


def following(after: int) -> str:
    """Where the page after this version is, as a link from this one."""
    query = {**request.args.to_dict(), "after": str(after)}
    return "?" + url_for(str(request.endpoint), **(request.view_args or {}), **query).partition("?")[2]
