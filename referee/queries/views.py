"""What a pair of eyes sees of a match: the view, the legal moves and the near misses, a move tried out, the log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from referee.engine.codec import canonical, encode
from referee.engine.events import Event, Move
from referee.engine.prompts import kind_of
from referee.engine.referee import awaited, considered, listed, nearest, ruled
from referee.engine.rulings import Refused, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, FULL, Seat
from referee.match.aggregate import OVER, Match, Rewound
from referee.match.clocks import Deadline, deadline
from referee.match.events.dispute_events import Corrected, Restored
from referee.match.windows import open_window
from referee.rendering import texts
from referee.service.match_service import Desk, Loaded, UnknownVersion, WindowClosed

PUT_BACK = frozenset({Rewound.TAG, Restored.TAG, Corrected.TAG})
EYES = {int(BYSTANDER): "public", int(FULL): "full"}


@dataclass(frozen=True, slots=True)
class Listing:
    """The legal moves of a seat at a version; `cut` if there are more than are listed (then `patterns` tell)."""

    version: int
    awaited: bool
    question: dict[str, Any] | None
    legal: tuple[Move, ...]
    cut: bool
    patterns: tuple[dict[str, Any], ...]
    near: tuple[tuple[Move, Ruling], ...]
    match: Match
    window: dict[str, Any] | None = None
    deadline: Deadline | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """A move judged without being made: the ruling, the facts as far as the seat can foresee them, the ways out."""

    ruling: Ruling
    facts: tuple[Event, ...]
    ways: tuple[Move, ...]
    match: Match
    version: int


def awaits(match: Match) -> list[int | str]:
    """Who is awaited: seat numbers, `chance`, `clock`; nobody before the start and after the end."""
    if match.state is None or match.status in OVER or match.halted:
        return []
    return [texts.whose(seat) for seat in sorted(awaited(match.state), reverse=True)]


def latest(desk: Desk, match: str | Loaded, eyes: int, version: int | None) -> Loaded:
    """The match at a version as far as these eyes may look: onlookers come late if the match says so.

    `match`: its id, or (here and below) the match as it was just loaded.

    Raises UnknownMatch, UnknownVersion, and Refused for the eyes that see all while the match runs, unless an arbiter
    looks at all because of a dispute; whose eyes they are the door knows.
    """
    now = desk.load(match) if isinstance(match, str) else match
    if eyes == FULL and now.match.status not in OVER and not now.match.looked_into:
        raise Refused("still_running", "TABLE-END-1")
    upto = shown_upto(now, eyes)
    if version is None:
        version = upto
    if version > upto:
        raise UnknownVersion(version)
    return now if version == now.version else desk.at(now, version)


def shown_upto(now: Loaded, eyes: int) -> int:
    """The last version that these eyes may know of by now: onlookers come late if the match says so."""
    if eyes == BYSTANDER and now.match.status not in OVER and now.match.state is not None:
        return max(1, now.version - now.match.spectator_delay)
    return now.version


def view(desk: Desk, match: str | Loaded, eyes: int, version: int | None = None) -> dict[str, Any]:
    """The table as these eyes saw it at a version: plain data, with its hash. Raises as `latest`."""
    return shown(latest(desk, match, eyes, version), eyes)


def shown(loaded: Loaded, eyes: int) -> dict[str, Any]:
    """A match that has been loaded, as these eyes see it: plain data, with its hash."""
    seen = loaded.match.seen_by(eyes)
    table = None if seen.state is None else encode(seen.state)
    top = seen.state.agenda[-1] if seen.state is not None and seen.state.agenda else None
    body = {
        "match": loaded.match.id,
        "version": loaded.version,
        "status": seen.status,
        "eyes": EYES.get(eyes, int(eyes)),
        "table": table,
        "question": None if top is None or seen.status in OVER else texts.question(seen.rules, top),
        "awaits": awaits(seen),
        "outcome": outcome(seen),
    }
    return {**body, "view_hash": hashlib.sha256(canonical(body)).hexdigest()}


def outcome(match: Match) -> dict[str, Any] | None:
    """How a match ended; None while it goes on."""
    if match.end is None:
        return None
    return {
        "winners": list(match.end.winners),
        "placement": [list(place) for place in match.end.placement],
        "reason": texts.texts(match.rules, match.end.reason),
        "clauses": list(match.end.clauses),
    }


def listing(
    desk: Desk, match: str | Loaded, seat: Seat, near: int = 5, version: int | None = None, kind: str = ""
) -> Listing:
    """What a seat may do, from its view alone; `near` near misses with the rulings against them. Raises as `latest`."""
    loaded = latest(desk, match, seat, version)
    now = loaded.match
    if now.state is None or now.status in OVER or now.halted or not now.state.agenda:
        return Listing(loaded.version, False, None, (), False, (), (), now)
    allowed: list[Move] = []
    misses: list[tuple[Move, Ruling]] = []
    most = listed(now.state)
    for move, against in islice(considered(now.state, seat), 20 * most):
        if kind and kind != move.TAG:
            continue
        if against is None:
            allowed.append(move)
        elif len(misses) < near and against.verdict == "refused":
            misses.append((move, against))
        if len(allowed) > most:
            break
    seen = now.state.seen_by(seat)
    top = seen.agenda[-1]
    cut = len(allowed) > most or (bool(allowed) and top.examples)
    patterns = tuple(top.patterns(seen, seat)) if cut else ()
    asked = seat in awaited(now.state)
    words = texts.question(now.rules, top)
    name = open_window(now)
    window = {"id": name, "kind": kind_of(top)} if name else None
    due = deadline(loaded)
    return Listing(loaded.version, asked, words, tuple(allowed[:most]), cut, patterns, tuple(misses), now, window, due)


def tried(desk: Desk, match: str | Loaded, seat: Seat, move: Move, window: str = "") -> Tried:
    """A dry run: the ruling and the facts as far as this seat can foresee them. Nothing is kept, nothing is drawn.

    Raises WindowClosed if the move is meant for another window than the open one; else as `Desk.move` does.
    """
    loaded = desk.load(match) if isinstance(match, str) else match
    desk.running(loaded.match)
    if window and window != open_window(loaded.match):
        raise WindowClosed(window, loaded.version)
    if seat == CHANCE:
        desk.reportable(loaded.match)
    assert loaded.match.state is not None
    seen = loaded.match.state.seen_by(seat)
    given, facts = ruled(seen, seat, move)
    facts = tuple(fact.seen_by(seat) for fact in facts)
    ways = () if given.granted else nearest(seen, seat, move)
    return Tried(given, facts, ways, loaded.match, loaded.version)


def log(
    desk: Desk,
    match: str | Loaded,
    eyes: int,
    after: int = 0,
    upto: int | None = None,
    limit: int = 50,
) -> tuple[list[dict[str, Any]], int | None]:
    """Entries after a version as these eyes saw them, and the cursor of the next page (None: no more now).

    Raises as `latest`.
    """
    last = latest(desk, match, eyes, None)
    end = last.version if upto is None else min(upto, last.version)
    found = desk.entries(last.match.id, after, end, limit) if after < end else []
    rules = last.match.rules
    items = [texts.entry(rules, entry, eyes) for entry in found]
    cursor = found[-1].version if found and found[-1].version < end else None
    return items, cursor


def only(items: list[dict[str, Any]], kinds: Iterable[str]) -> list[dict[str, Any]]:
    """Entries with those of their events that are of these types, be they emptied, so that versions have no gap; no
    types: with all."""
    wanted = set(kinds)
    if wanted:
        for item in items:
            item["events"] = [event for event in item["events"] if event["type"] in wanted]
    return items


def put_back(item: dict[str, Any]) -> bool:
    """Whether an entry, as any eyes see it, puts the table back or right: who keeps a table by the facts he is told
    needs the view anew."""
    return any(event["type"] in PUT_BACK for event in item["events"])
