"""What a pair of eyes sees of a match: the view, the legal moves and the near misses, a move tried out, the log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Event, Move
from referee.engine.prompts import window_kind_of
from referee.engine.referee import (
    find_closest_legal,
    find_listing_limit,
    judge_candidates,
    rule_on_move,
    seats_that_must_act,
)
from referee.engine.rulings import IllegalMove, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match, MatchRewound
from referee.match.clocks import QuestionDeadline, find_deadline
from referee.match.errors import UnknownVersion, WindowClosed
from referee.match.events.dispute_events import HistoryRestored, TableCorrected
from referee.match.loaded import LoadedMatch
from referee.match.windows import find_open_window
from referee.rendering import texts
from referee.service.match_service import MatchService

RESET_EVENT_TAGS = frozenset({MatchRewound.TAG, HistoryRestored.TAG, TableCorrected.TAG})
VIEWER_NAMES = {int(BYSTANDER): "public", int(FULL_VIEWER): "full"}


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of a seat at a version; `is_truncated` if there are more than are listed (then `patterns`
    tell)."""

    version: int
    awaited: bool
    question: dict[str, Any] | None
    legal: tuple[Move, ...]
    is_truncated: bool
    patterns: tuple[dict[str, Any], ...]
    near_misses: tuple[tuple[Move, Ruling], ...]
    match: Match
    window: dict[str, Any] | None = None
    deadline: QuestionDeadline | None = None


@dataclass(frozen=True, slots=True)
class DryRun:
    """A move judged without being made: the ruling, the facts as far as the seat can foresee them, the ways out."""

    ruling: Ruling
    events: tuple[Event, ...]
    nearest_moves: tuple[Move, ...]
    match: Match
    version: int


def awaited_response(match: Match) -> list[int | str]:
    """Who is awaited: seat numbers, `chance`, `clock`; nobody before the start and after the end."""
    if match.state is None or match.status in FINAL_STATUSES or match.is_halted:
        return []
    return [texts.actor_label(seat) for seat in sorted(seats_that_must_act(match.state), reverse=True)]


def load_visible_version(
    service: MatchService, match: str | LoadedMatch, viewer: int, version: int | None
) -> LoadedMatch:
    """The match at a version as far as these eyes may look: onlookers come late if the match says so.

    `match`: its id, or (here and below) the match as it was just loaded.

    Raises UnknownMatch, UnknownVersion, and IllegalMove for the eyes that see all while the match runs, unless an
    arbiter looks at all because of a dispute; whose eyes they are the door knows.
    """
    now = service.load_match(match) if isinstance(match, str) else match
    if viewer == FULL_VIEWER and now.match.status not in FINAL_STATUSES and not now.match.is_inspected:
        raise IllegalMove("still_running", "TABLE-END-1")
    upto = find_visible_version(now, viewer)
    if version is None:
        version = upto
    if version > upto:
        raise UnknownVersion(version)
    return now if version == now.version else service.load_version(now, version)


def find_visible_version(now: LoadedMatch, viewer: int) -> int:
    """The last version that these eyes may know of by now: onlookers come late if the match says so."""
    if viewer == BYSTANDER and now.match.status not in FINAL_STATUSES and now.match.state is not None:
        return max(1, now.version - now.match.spectator_delay)
    return now.version


def load_view(
    service: MatchService, match: str | LoadedMatch, viewer: int, version: int | None = None
) -> dict[str, Any]:
    """The table as these eyes saw it at a version: plain data, with its hash. Raises as `load_visible_version`."""
    return view_response(load_visible_version(service, match, viewer, version), viewer)


def view_response(loaded: LoadedMatch, viewer: int) -> dict[str, Any]:
    """A match that has been loaded, as these eyes see it: plain data, with its hash."""
    seen = loaded.match.view_for(viewer)
    table = None if seen.state is None else encode(seen.state)
    top = seen.state.agenda[-1] if seen.state is not None and seen.state.agenda else None
    body = {
        "match": loaded.match.id,
        "version": loaded.version,
        "status": seen.status,
        "viewer": VIEWER_NAMES.get(viewer, int(viewer)),
        "table": table,
        "question": None if top is None or seen.status in FINAL_STATUSES else texts.question_response(seen.rules, top),
        "awaits": awaited_response(seen),
        "outcome": outcome_response(seen),
    }
    return {**body, "view_hash": hashlib.sha256(encode_canonical(body)).hexdigest()}


def outcome_response(match: Match) -> dict[str, Any] | None:
    """How a match ended; None while it goes on."""
    if match.end is None:
        return None
    return {
        "winners": list(match.end.winners),
        "placement": [list(place) for place in match.end.placement],
        "reason": texts.render_text(match.rules, match.end.reason),
        "clauses": list(match.end.clauses),
    }


def list_legal_moves(
    service: MatchService,
    match: str | LoadedMatch,
    seat: Seat,
    near: int = 5,
    version: int | None = None,
    kind: str = "",
) -> LegalMoves:
    """What a seat may do, from its view alone; `near_misses` near misses with the rulings against them. Raises as
    `load_visible_version`."""
    loaded = load_visible_version(service, match, seat, version)
    now = loaded.match
    if now.state is None or now.status in FINAL_STATUSES or now.is_halted or not now.state.agenda:
        return LegalMoves(loaded.version, False, None, (), False, (), (), now)
    allowed: list[Move] = []
    misses: list[tuple[Move, Ruling]] = []
    most = find_listing_limit(now.state)
    for move, against in islice(judge_candidates(now.state, seat), 20 * most):
        if kind and kind != move.TAG:
            continue
        if against is None:
            allowed.append(move)
        elif len(misses) < near and against.verdict == "refused":
            misses.append((move, against))
        if len(allowed) > most:
            break
    seen = now.state.view_for(seat)
    top = seen.agenda[-1]
    cut = len(allowed) > most or (bool(allowed) and top.lists_examples_only)
    patterns = tuple(top.move_patterns(seen, seat)) if cut else ()
    asked = seat in seats_that_must_act(now.state)
    words = texts.question_response(now.rules, top)
    name = find_open_window(now)
    window = {"id": name, "kind": window_kind_of(top)} if name else None
    due = find_deadline(loaded)
    return LegalMoves(
        loaded.version, asked, words, tuple(allowed[:most]), cut, patterns, tuple(misses), now, window, due
    )


def dry_run_move(service: MatchService, match: str | LoadedMatch, seat: Seat, move: Move, window: str = "") -> DryRun:
    """A dry run: the ruling and the facts as far as this seat can foresee them. Nothing is kept, nothing is drawn.

    Raises WindowClosed if the move is meant for another window than the open one; else as `MatchService.make_move`
    does.
    """
    loaded = service.load_match(match) if isinstance(match, str) else match
    service.appender.require_running(loaded.match)
    if window and window != find_open_window(loaded.match):
        raise WindowClosed(window, loaded.version)
    if seat == CHANCE:
        service.appender.require_reportable(loaded.match)
    assert loaded.match.state is not None
    seen = loaded.match.state.view_for(seat)
    given, events = rule_on_move(seen, seat, move)
    events = tuple(event.view_for(seat) for event in events)
    ways = () if given.granted else find_closest_legal(seen, seat, move)
    return DryRun(given, events, ways, loaded.match, loaded.version)


def list_entries(
    service: MatchService,
    match: str | LoadedMatch,
    viewer: int,
    after: int = 0,
    upto: int | None = None,
    limit: int = 50,
) -> tuple[list[dict[str, Any]], int | None]:
    """Entries after a version as these eyes saw them, and the cursor of the next page (None: no more now).

    Raises as `load_visible_version`.
    """
    last = load_visible_version(service, match, viewer, None)
    end = last.version if upto is None else min(upto, last.version)
    found = service.repository.load_entries(last.match.id, after, end, limit) if after < end else []
    rules = last.match.rules
    items = [texts.entry_response(rules, entry, viewer) for entry in found]
    cursor = found[-1].version if found and found[-1].version < end else None
    return items, cursor


def filter_events(items: list[dict[str, Any]], kinds: Iterable[str]) -> list[dict[str, Any]]:
    """Entries with those of their events that are of these types, be they emptied, so that versions have no gap; no
    types: with all."""
    wanted = set(kinds)
    if wanted:
        for item in items:
            item["events"] = [event for event in item["events"] if event["type"] in wanted]
    return items


def resets_table(item: dict[str, Any]) -> bool:
    """Whether an entry, as any eyes see it, puts the table back or right: who keeps a table by the facts he is told
    needs the view anew."""
    return any(event["type"] in RESET_EVENT_TAGS for event in item["events"])
