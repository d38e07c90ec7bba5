"""What a viewer sees of a match: view, legal moves, near misses, dry runs, log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from referee.arbitration.remedies import ladder
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Event, Move
from referee.engine.prompts import window_kind_of
from referee.engine.referee import (
    find_closest_legal,
    find_listing_limit,
    judge_candidates,
    judge_move,
    seats_that_must_act,
)
from referee.engine.rulings import IllegalMove, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match, MatchRewound
from referee.match.clocks import QuestionDeadline, find_deadline
from referee.match.entries import LogEntry
from referee.match.errors import UnknownVersion, WindowClosed
from referee.match.events.dispute_events import HistoryRestored, TableCorrected
from referee.match.events.dispute_state import Dispute
from referee.match.house_readings import HouseReadingAdopted
from referee.match.loaded import LoadedMatch
from referee.match.reported_moves import Report, foresee_reports
from referee.match.windows import find_open_window
from referee.queries.visible_entries import tell_entries
from referee.rendering import texts
from referee.service.match_service import MatchService

RESET_EVENT_TAGS = frozenset({MatchRewound.TAG, HistoryRestored.TAG, TableCorrected.TAG, HouseReadingAdopted.TAG})
VIEWER_NAMES = {int(BYSTANDER): "public", int(FULL_VIEWER): "full"}
# What `hash_view` hashes. The hashes of old entries rest on these names, so they never change.
HASHED_VIEW_FIELDS = ("match", "version", "status", "viewer", "table", "awaits")
HASHED_OUTCOME_FIELDS = ("winners", "placement", "clauses")


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of a seat at a version.

    `is_truncated`: there are more than are listed; `patterns` describe those.
    """

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
    list_remedies: Callable[[Dispute], tuple[str, ...]] = lambda _: ()  # that the table may choose for a dispute


@dataclass(frozen=True, slots=True)
class DryRun:
    """A move judged without being made.

    It holds the ruling, the events that the seat can foresee, the nearest legal moves, and what the seat would see of
    the table then (None: it cannot foresee that).
    """

    ruling: Ruling
    events: tuple[Event, ...]
    nearest_moves: tuple[Move, ...]
    match: Match
    version: int
    after: Any | None
    refused_at: int | None = None  # the place of the report that is refused, if it is not the move


def awaited_response(match: Match) -> list[int | str]:
    """Return who is awaited: seat numbers, `chance`, `clock`.

    Nobody is before the start, after the end, and while play is halted.
    """
    if match.state is None or match.status in FINAL_STATUSES or match.is_halted:
        return []
    return [texts.actor_label(seat) for seat in sorted(seats_that_must_act(match.state), reverse=True)]


def load_visible_version(
    service: MatchService, match: str | LoadedMatch, viewer: int, version: int | None
) -> LoadedMatch:
    """Return the match at a version, if the viewer may see that one.

    Spectators see the match late if it says so. `match` is its id, or (here and below) the match as it was just loaded.
    Raises UnknownMatch and UnknownVersion. Raises IllegalMove for the full viewer while the match runs, unless an
    arbiter looks at all cards because of a dispute; the API has checked that the caller is that arbiter.
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
    """Return the last version that a viewer may know of now.

    Spectators see the match late if it says so.
    """
    if viewer == BYSTANDER and now.match.status not in FINAL_STATUSES and now.match.state is not None:
        return max(1, now.version - now.match.spectator_delay)
    return now.version


def load_view(
    service: MatchService, match: str | LoadedMatch, viewer: int, version: int | None = None
) -> dict[str, Any]:
    """Return the table as a viewer saw it at a version: plain data, with its hash.

    Raises as `load_visible_version`.
    """
    return view_response(load_visible_version(service, match, viewer, version), viewer)


def view_response(loaded: LoadedMatch, viewer: int) -> dict[str, Any]:
    """Return a loaded match as a viewer sees it: plain data, with its hash."""
    return describe_view(loaded.match, loaded.version, viewer)


def describe_view(match: Match, version: int, viewer: int) -> dict[str, Any]:
    """Return a match at a version as a viewer sees it: plain data, with its hash."""
    seen = match.view_for(viewer)
    table = None if seen.state is None else encode(seen.state)
    asked = seen.state if seen.status not in FINAL_STATUSES and seen.state is not None and seen.state.agenda else None
    body = {
        "match": match.id,
        "version": version,
        "status": seen.status,
        "viewer": VIEWER_NAMES.get(viewer, int(viewer)),
        "table": table,
        "question": None if asked is None else texts.question_response(seen.rules, asked),
        "awaits": awaited_response(seen),
        "outcome": outcome_response(seen),
    }
    return {**body, "view_hash": hash_view(body)}


def hash_view(view: Mapping[str, Any]) -> str:
    """Return the hash of a view, over what is not prose.

    It is SHA-256 over canonical JSON (RFC 8785). Of the question only the name is hashed, of the outcome all but its
    reason. Bots seal this hash into their entries, and a text that is reworded must not break it. So the names of the
    hashed members may never change either.
    """
    question, outcome = view["question"], view["outcome"]
    hashed = {name: view[name] for name in HASHED_VIEW_FIELDS}
    hashed["question"] = None if question is None else question["name"]
    hashed["outcome"] = None if outcome is None else {name: outcome[name] for name in HASHED_OUTCOME_FIELDS}
    return hashlib.sha256(encode_canonical(hashed)).hexdigest()


def outcome_response(match: Match) -> dict[str, Any] | None:
    """Return how a match ended; None while it goes on."""
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
    """Return what a seat may do, from its view alone.

    The answer has at most `near` near misses, with the rulings against them. Raises as `load_visible_version`.
    """
    loaded = load_visible_version(service, match, seat, version)
    now = loaded.match

    def list_offered(dispute: Dispute) -> tuple[str, ...]:
        found = ladder.list_remedies(service.build_evidence(loaded), dispute, seat)
        return tuple(each.name for each in found if each.offered)

    if now.state is None or now.status in FINAL_STATUSES or now.is_halted or not now.state.agenda:
        return LegalMoves(loaded.version, False, None, (), False, (), (), now, list_remedies=list_offered)
    allowed: list[Move] = []
    misses: list[tuple[Move, Ruling]] = []
    most = find_listing_limit(now.state)
    seen = now.state.view_for(seat)
    for move, against in islice(judge_candidates(now.state, seat, complete=False), 20 * most):
        if kind and kind != move.TAG:
            continue
        if against is None:
            allowed.append(move)
        elif len(misses) < near and against.verdict == "refused":
            misses.append((move, judge_move(seen, seat, move)))
        if len(allowed) > most:
            break
    top = seen.agenda[-1]
    cut = len(allowed) > most or (bool(allowed) and top.lists_examples_only)
    patterns = tuple(top.move_patterns(seen, seat)) if cut else ()
    is_awaited = seat in seats_that_must_act(now.state)
    words = texts.question_response(now.rules, seen)
    name = find_open_window(now)
    window = {"id": name, "kind": window_kind_of(top)} if name else None
    due = find_deadline(loaded)
    return LegalMoves(
        loaded.version, is_awaited, words, tuple(allowed[:most]), cut, patterns, tuple(misses), now, window, due,
        list_offered,
    )  # fmt: skip


def dry_run_move(
    service: MatchService,
    match: str | LoadedMatch,
    seat: Seat,
    move: Move,
    window: str = "",
    reports: tuple[Report, ...] = (),
) -> DryRun:
    """Return the ruling on a move and those of its events that the seat can foresee.

    With `reports` it is that on the move and all of them.

    Nothing is drawn, and nothing but a refusal is kept. Raises WindowClosed if the move is meant for another window
    than the open one, and as `MatchService.make_move`.
    """
    loaded = service.load_match(match) if isinstance(match, str) else match
    service.appender.require_running(loaded.match)
    if window and window != find_open_window(loaded.match):
        service.refusals.record(loaded.match, seat, move, loaded.version, loaded.read_result.now_ms, "late")
        raise WindowClosed(window, loaded.version)
    if seat == CHANCE:
        service.appender.require_reportable(loaded.match)
    assert loaded.match.state is not None
    seen = loaded.match.state.view_for(seat)
    found = foresee_reports(loaded.match, seat, move, reports)
    given, after = found.ruling, found.after
    events = tuple(event.view_for(seat) for event in found.events)
    if given.granted or found.refused_at is not None:
        ways: tuple[Move, ...] = ()
    else:  # who is told no has something to dispute
        service.refusals.record(loaded.match, seat, move, loaded.version, loaded.read_result.now_ms)
        ways = find_closest_legal(seen, seat, move)
    return DryRun(given, events, ways, loaded.match, loaded.version, after, found.refused_at)


def list_entries(
    service: MatchService,
    match: str | LoadedMatch,
    viewer: int,
    after: int = 0,
    upto: int | None = None,
    limit: int = 50,
    steps: bool = False,
    says: bool = True,
) -> tuple[list[dict[str, Any]], int | None]:
    """Return entries after a version as a viewer saw them, and the next cursor.

    The cursor is None if there are no more now. `steps` as in `entry_response`; `says`: with what is said of each and
    the numbers that it changed. Raises as `load_visible_version`.
    """
    last = load_visible_version(service, match, viewer, None)
    end = last.version if upto is None else min(upto, last.version)
    rules, repository = last.match.rules, service.repository
    found: list[LogEntry] = []
    if after < end and says:
        before, found = repository.load_visible_entries(last.match.id, viewer, after, end, limit)
        items, there = tell_entries(repository, rules, before, found, viewer, steps)
        if found:
            repository.keep_view(found[-1], viewer, there)
    else:
        found = repository.load_entries(last.match.id, after, end, limit) if after < end else []
        items = [texts.entry_response(rules, entry, viewer, steps) for entry in found]
    cursor = found[-1].version if found and found[-1].version < end else None
    return items, cursor


def filter_events(items: list[dict[str, Any]], kinds: Iterable[str]) -> list[dict[str, Any]]:
    """Return the entries with only their events of these types; no types: with all.

    Entries without such events stay, so that versions have no gap.
    """
    wanted = set(kinds)
    if wanted:
        for item in items:
            item["events"] = [event for event in item["events"] if event["type"] in wanted]
    return items


def resets_table(item: dict[str, Any]) -> bool:
    """Tell whether an entry, as any viewer sees it, corrects or restores the table.

    A client that keeps a table by its events then has to read the view again.
    """
    return any(event["type"] in RESET_EVENT_TAGS for event in item["events"])
