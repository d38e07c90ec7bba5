"""What a pair of eyes is shown of the windows of a match: plain data, from what the log tells them."""

from __future__ import annotations

from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.prompts import AskRound, kind_of
from referee.engine.referee import least, view
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.clocks import at_least, deadline
from referee.match.entries import Logged
from referee.match.windows import Window, open_window, place
from referee.queries.views import latest
from referee.rendering import texts
from referee.service.match_service import Desk, Loaded


class UnknownWindow(LookupError):
    """The match had no such window, as far as these eyes may look."""


def listed(
    desk: Desk, match: str | Loaded, eyes: int, version: int | None, only_open: bool, after: str, limit: int
) -> tuple[list[dict[str, Any]], str | None, int]:
    """Windows after one of them (empty: from the first) as these eyes see them, the cursor of the next page, and the
    version of it all. Raises as `seeing.latest`."""
    loaded = latest(desk, match, eyes, version)
    since = place(after) if after else (0, -1)
    found = [window for window in desk.windows.upto(loaded) if window.at > since]
    if only_open:
        found = [window for window in found if not window.closed]
    page = found[:limit]
    cursor = page[-1].opened if len(found) > len(page) else None
    return told(desk, loaded, page, eyes), cursor, loaded.version


def one(desk: Desk, match: str | Loaded, eyes: int, name: str, version: int | None) -> tuple[dict[str, Any], int]:
    """One window as these eyes see it, and the version of that. Raises UnknownWindow, and as `seeing.latest`."""
    loaded = latest(desk, match, eyes, version)
    found = [window for window in desk.windows.upto(loaded) if window.opened == name]
    if not found:
        raise UnknownWindow(name)
    return told(desk, loaded, found, eyes)[0], loaded.version


def told(desk: Desk, loaded: Loaded, windows: list[Window], eyes: int) -> list[dict[str, Any]]:
    """Windows as these eyes see them."""
    named = [n for window in windows for n in (window.trigger, *window.answers, window.closed) if n]
    entries: dict[int, Logged] = {}
    if named:
        read = desk.entries(loaded.match.id, min(named) - 1, max(named))
        entries = {entry.version: entry for entry in read}
    return [shown(loaded, window, entries, eyes) for window in windows]


def shown(loaded: Loaded, window: Window, entries: dict[int, Logged], eyes: int) -> dict[str, Any]:
    """One window as these eyes see it; `entries` has those that it names."""
    match, step = loaded.match, window.step.seen_by(eyes)
    is_open = not window.closed and not match.halted and open_window(match) == window.opened
    return {
        "id": window.opened,
        "kind": kind_of(step),
        "status": "closed" if window.closed else "open" if is_open else "waiting",
        "trigger": trigger(match, entries[window.trigger], eyes) if window.trigger else None,
        "question": texts.question(match.rules, step),
        "clauses": texts.cited(match.rules, match.state.cited(step.clauses) if match.state else step.clauses),
        "order": "in_turn" if isinstance(step, AskRound) else "at_once",
        "seats": list(window.seats),
        "awaits": [] if match.halted else list(window.awaits),
        "sealed": window.sealed,
        "default": by_default(match, window, eyes) if is_open else None,
        "limit_ms": window.limit_ms,
        "deadline": deadline(loaded) if is_open else None,
        "answers": answers(match, window, entries, eyes),
        "outcome": outcome(window, entries) if window.closed else None,
    }


def trigger(match: Match, entry: Logged, eyes: int) -> dict[str, Any]:
    """What brought the question about: an entry as these eyes see it, without its bookkeeping."""
    seen = texts.entry(match.rules, entry, eyes)
    events = [event for event in seen["events"] if event["told"] is not None]
    return {"version": seen["version"], "seat": seen["seat"], "move": seen["move"], "events": events}


def answers(match: Match, window: Window, entries: dict[int, Logged], eyes: int) -> dict[str, Any]:
    """The answers so far: how many, and those that these eyes may see. While they are sealed that is one's own."""
    seen = [texts.entry(match.rules, entries[version], eyes) for version in window.answers]
    if window.sealed:
        seen = [each for each in seen if each["seat"] == eyes]
    parts = [{name: each[name] for name in ("version", "seat", "actor", "move")} for each in seen]
    return {"count": len(window.answers), "seen": parts}


def outcome(window: Window, entries: dict[int, Logged]) -> dict[str, Any]:
    """How a window was closed, by which entry, and when."""
    return {"how": window.how, "version": window.closed, "at_ms": entries[window.closed].at_ms}


def by_default(match: Match, window: Window, eyes: int) -> dict[str, Any] | None:
    """What is done for whoever does not answer: in a window the same for all, sealed what the own view says."""
    assert match.state is not None
    move: Move | None = None
    if not window.step.sealed:
        seen = view(match.state, BYSTANDER)
        move = next((least(seen, Seat(seat), guess=False) for seat in window.awaits), None)
    elif eyes in window.awaits:
        move = at_least(match, Seat(eyes))
    return None if move is None else {"move": encode(move), "told": texts.told(match.rules, move)}
