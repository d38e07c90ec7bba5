"""The transcript of a match: the HTML page that `list_entries` returns."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from api.http import context
from api.http.encoding.languages import negotiate_language
from api.pages import pages as docs
from api.resources.matches.routes import match_to_dict
from referee.engine.codec import encode
from referee.engine.game import Game
from referee.match.aggregate import TableEvent
from referee.match.clocks import find_deadline
from referee.match.entries import LogEntry
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.queries.views import VIEWER_NAMES
from referee.rendering import texts
from referee.rendering.times import ZonedTimeFormat
from referee.service.match_service import MatchService
from referee.transcript import page as pages
from referee.transcript.wording import TranscriptWords

MAX_PAGE_ENTRIES = 1000  # entries on a page: a browser takes too long to print more


def transcript_response(query: dict[str, Any], match: str, viewer: int, kinds: frozenset[str]) -> Response:
    """Return the transcript of a match as the viewer saw it, by turn.

    It holds the whole match, or as many entries as fit on a page. Turns are numbered from the first entry, so all
    entries are read, even those that are not shown. Raises the exceptions of `views.load_visible_version`.
    """
    service, lang = context.get_match_service(), negotiate_language()
    last = views.load_visible_version(service, match, viewer, None)
    most = min(query.get("limit", MAX_PAGE_ENTRIES), MAX_PAGE_ENTRIES)
    entries = entries_for_viewer(service, last, viewer, range(query["after"] + 1, query["after"] + most + 1))
    wanted = pages.TranscriptRequest(
        lang=lang,
        times=ZonedTimeFormat(),
        viewer=VIEWER_NAMES.get(viewer, int(viewer)),
        after=query["after"],
        upto=query.get("upto"),
        max_entries=most,
        kinds=kinds,
        next_page=build_next_page_link,
        root=find_root(service, last),
    )
    names = service.log.read_seat_names(match)
    about = match_to_dict(last.match, last.version, find_deadline(last))
    response = docs.html_response(pages.render_page(TranscriptWords(last.match.rules, names), about, entries, wanted))
    response.headers["Content-Language"] = lang
    response.headers["Content-Security-Policy"] = f"{pages.content_policy()}; frame-ancestors 'none'"
    response.vary.add("Accept-Language")
    return response


def entries_for_viewer(service: MatchService, last: LoadedMatch, viewer: int, window: range) -> list[dict[str, Any]]:
    """Return all entries of a match up to a version, as the viewer saw them.

    Those outside the window are summarized.
    """
    rules = last.match.rules
    return [
        texts.entry_response(rules, entry, viewer) if entry.version in window else summarize_entry(rules, entry, viewer)
        for entry in service.repository.load_entries(last.match.id, 0, last.version)
    ]


def summarize_entry(rules: Game, entry: LogEntry, viewer: int) -> dict[str, Any]:
    """Return the part of an entry that other entries' presentation depends on.

    That is turns, takebacks and disputes. It serves for entries that the page does not show.
    """
    seen = enumerate(entry.view_for(viewer)[1])
    kept = [
        (at, event)
        for at, event in seen
        if isinstance(event, TableEvent) or type(event) in rules.narration.turn_start_events
    ]
    events = [
        {"n": f"{entry.version}.{at}", **encode(event), "told": texts.describe_event(rules, event)}
        for at, event in kept
    ]
    return {"version": entry.version, "at_ms": entry.at_ms, "seat": texts.actor_label(entry.seat), "events": events}


def find_root(service: MatchService, last: LoadedMatch) -> str:
    """Return the root of the log at this version, as a receipt of it says."""
    (entry,) = service.repository.load_entries(last.match.id, last.version - 1, last.version)
    return entry.root.hex()


def build_next_page_link(after: int) -> str:
    """Return the link from this page to the one after the given version."""
    values: dict[str, Any] = {**(request.view_args or {}), **request.args.to_dict(), "after": str(after)}
    return "?" + url_for(str(request.endpoint), **values).partition("?")[2]
