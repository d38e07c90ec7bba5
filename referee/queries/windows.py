"""The windows of a match as a viewer sees them, as plain data."""

from __future__ import annotations

from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.prompts import RoundPrompt, window_kind_of
from referee.engine.referee import build_view, find_timeout_move
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.clocks import find_deadline, find_default_move
from referee.match.entries import LogEntry
from referee.match.loaded import LoadedMatch
from referee.match.windows import Window, find_open_window, parse_place
from referee.queries.views import load_visible_version
from referee.rendering import texts
from referee.service.match_service import MatchService


class UnknownWindow(LookupError):
    """The match has no such window that the viewer may know of."""


def list_windows(
    service: MatchService,
    match: str | LoadedMatch,
    viewer: int,
    version: int | None,
    only_open: bool,
    after: str,
    limit: int,
) -> tuple[list[dict[str, Any]], str | None, int]:
    """Return windows as a viewer sees them, the next cursor, and the version.

    They come after the window named `after`; empty: from the first. Raises as `load_visible_version`.
    """
    loaded = load_visible_version(service, match, viewer, version)
    since = parse_place(after) if after else (0, -1)
    found = [window for window in service.windows.list_windows(loaded) if window.place > since]
    if only_open:
        found = [window for window in found if not window.closed_at]
    page = found[:limit]
    cursor = page[-1].name if len(found) > len(page) else None
    return windows_response(service, loaded, page, viewer), cursor, loaded.version


def load_window(
    service: MatchService, match: str | LoadedMatch, viewer: int, name: str, version: int | None
) -> tuple[dict[str, Any], int]:
    """Return one window as a viewer sees it, and the version.

    Raises UnknownWindow, and as `load_visible_version`.
    """
    loaded = load_visible_version(service, match, viewer, version)
    found = [window for window in service.windows.list_windows(loaded) if window.name == name]
    if not found:
        raise UnknownWindow(name)
    return windows_response(service, loaded, found, viewer)[0], loaded.version


def windows_response(
    service: MatchService, loaded: LoadedMatch, windows: list[Window], viewer: int
) -> list[dict[str, Any]]:
    """Return windows as a viewer sees them."""
    named = [n for window in windows for n in (window.triggered_at, *window.answers, window.closed_at) if n]
    entries: dict[int, LogEntry] = {}
    if named:
        read = service.repository.load_entries(loaded.match.id, min(named) - 1, max(named))
        entries = {entry.version: entry for entry in read}
    return [window_response(loaded, window, entries, viewer) for window in windows]


def window_response(loaded: LoadedMatch, window: Window, entries: dict[int, LogEntry], viewer: int) -> dict[str, Any]:
    """Return one window as a viewer sees it; `entries` has those that it names."""
    match, step = loaded.match, window.step.view_for(viewer)
    is_open = not window.closed_at and not match.is_halted and find_open_window(match) == window.name
    return {
        "id": window.name,
        "kind": window_kind_of(step),
        "status": "closed" if window.closed_at else "open" if is_open else "waiting",
        "trigger": trigger_response(match, entries[window.triggered_at], viewer) if window.triggered_at else None,
        "question": (
            texts.question_response(match.rules, match.state.view_for(viewer))
            if is_open and match.state
            else texts.step_question_response(match.rules, step)
        ),
        "clauses": texts.clauses_response(
            match.rules, match.state.cite_clauses(step.clauses) if match.state else step.clauses
        ),
        "order": "in_turn" if isinstance(step, RoundPrompt) else "at_once",
        "seats": list(window.seats),
        "awaits": [] if match.is_halted else list(window.awaits),
        "sealed": window.is_sealed,
        "default": default_move_response(match, window, viewer) if is_open else None,
        "limit_ms": window.limit_ms,
        "deadline": find_deadline(loaded) if is_open else None,
        "answers": answers_response(match, window, entries, viewer),
        "outcome": window_outcome_response(window, entries) if window.closed_at else None,
    }


def trigger_response(match: Match, entry: LogEntry, viewer: int) -> dict[str, Any]:
    """Return the entry that opened a window as a viewer sees it, without bookkeeping."""
    seen = texts.entry_response(match.rules, entry, viewer)
    events = [event for event in seen["events"] if event["told"] is not None]
    return {"version": seen["version"], "seat": seen["seat"], "move": seen["move"], "events": events}


def answers_response(match: Match, window: Window, entries: dict[int, LogEntry], viewer: int) -> dict[str, Any]:
    """Return the answers so far: how many, and those that the viewer may see.

    While they are sealed the viewer sees only its own.
    """
    seen = [texts.entry_response(match.rules, entries[version], viewer) for version in window.answers]
    if window.is_sealed:
        seen = [each for each in seen if each["seat"] == viewer]
    parts = [{name: each[name] for name in ("version", "seat", "actor", "move")} for each in seen]
    return {"count": len(window.answers), "seen": parts}


def window_outcome_response(window: Window, entries: dict[int, LogEntry]) -> dict[str, Any]:
    """Return how a window was closed, by which entry, and when."""
    return {"how": window.how, "version": window.closed_at, "at_ms": entries[window.closed_at].at_ms}


def default_move_response(match: Match, window: Window, viewer: int) -> dict[str, Any] | None:
    """Return what is played for a seat that does not answer.

    It is the same move for all seats. In a sealed window it is the one that the viewer's own view gives.
    """
    assert match.state is not None
    move: Move | None = None
    if not window.step.seals_answers:
        seen = build_view(match.state, BYSTANDER)
        move = next((find_timeout_move(seen, Seat(seat), guess=False) for seat in window.awaits), None)
    elif viewer in window.awaits:
        move = find_default_move(match, Seat(viewer))
    return None if move is None else {"move": encode(move), "told": texts.describe_event(match.rules, move)}
