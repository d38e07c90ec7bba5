"""Views of all matches that readers list: each is a pure reckoning over the feed, kept beside its own cursor.

A view's rows and its cursor are written in one act that checks the cursor first. So an entry counts exactly once,
whenever a projector dies and however many run at a time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import encode_canonical
from referee.eventstore.contract import (
    MatchLog,
    ProjectionBatch,
    ProjectionWrite,
    StoreUnavailable,
    require_matching_key_kinds,
    require_valid_writes,
)
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from workers.projections.base import FeedItem, KeyKind, OwnRowsReader, Projection, Sources, latest_versions
from workers.projections.public_match import PublicMatch, PublicMatches
from workers.projections.statistics import CardsProjection, DiceProjection, StandingsProjection

__all__ = [
    "LIVE_PROJECTIONS",
    "AwaitedProjection",
    "CatchUpResult",
    "FeedItem",
    "KeyKind",
    "LobbyProjection",
    "Projection",
    "Sources",
    "SummaryProjection",
    "catch_up",
    "latest_versions",
]
LOGGER = logging.getLogger("referee.workers.projections")
BATCH = 100  # feed positions that are worked through at a time


class RowProjection:
    """A view that has one row per match, reckoned from what the log tells of it up to the feed's position."""

    name: str
    build: int = 1
    suffixes: ClassVar[Mapping[str, KeyKind]] = {"matches": "hash"}

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterable[ProjectionWrite]:
        for match, version in latest_versions(batch).items():
            yield ProjectionWrite(
                "hset",
                "matches",
                match,
                encode_canonical(self.build_row(match, sources.public_matches.load_match(match, version))),
            )

    def build_row(self, match: str, told: PublicMatch) -> dict[str, Any]:
        """The row of a match as JSON data."""
        raise TypeError(f"{type(self).__name__} has no rows")


class LobbyProjection(RowProjection):
    """Who plays what, where one may still sit down, and whom each match awaits."""

    name = "lobby"
    build = PROJECTION_VERSIONS["lobby"]

    def build_row(self, match: str, told: PublicMatch) -> dict[str, Any]:
        table = told.match
        return {
            "match": match,
            "game": table.game,
            "variant": table.variant,
            "status": public_status(table),
            "free_seats": count_free_seats(table),
            "visibility": table.visibility,
            "version": public_version(told),
            "seats": seats_to_dicts(table),
            "awaits": [] if is_delayed(table) else told.awaited,
            "outcome": outcome_to_dict(table),
        }


class SummaryProjection(RowProjection):
    """What became of each match: how long it is, who moved how often, how it ended. While it runs and is shown late,
    how often and when somebody moved is not told (None)."""

    name = "summary"
    build = PROJECTION_VERSIONS["summary"]

    def build_row(self, match: str, told: PublicMatch) -> dict[str, Any]:
        table, late = told.match, is_delayed(told.match)
        moves = [dict(told.moves).get(seat, 0) for seat in range(len(table.chairs))]
        return {
            "match": match,
            "game": table.game,
            "variant": table.variant,
            "edition": table.edition,
            "ruleset": table.ruleset,
            "status": public_status(table),
            "seats": seats_to_dicts(table),
            "started_at_ms": told.started_ms,
            "last_at_ms": None if late else told.last_ms,
            "entries": public_version(told),
            "moves": None if late else moves,
            "outcome": outcome_to_dict(table),
        }


class AwaitedProjection:
    """The matches that a worker may have to move on, ranked by the time of their last entry (ms, `since`); and those in
    which a court waits for the table while play goes on or is over, by the time until which it does (`courts`): then no
    deadline of the match tells when to look."""

    name = "awaited"
    build = PROJECTION_VERSIONS["awaited"]
    suffixes: ClassVar[Mapping[str, KeyKind]] = {"since": "ranked", "courts": "ranked"}

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterable[ProjectionWrite]:
        for match, version in latest_versions(batch).items():
            told = sources.public_matches.load_match(match, version)
            times = {"since": told.last_ms if told.needs_worker else None, "courts": told.court_until_ms}
            for suffix, time_ms in times.items():
                if time_ms is None:
                    yield ProjectionWrite("zrem", suffix, match)
                else:
                    yield ProjectionWrite("zadd", suffix, match, str(time_ms).encode())


LIVE_PROJECTIONS: tuple[Projection, ...] = (
    LobbyProjection(),
    SummaryProjection(),
    AwaitedProjection(),
    StandingsProjection(),
    CardsProjection(),
    DiceProjection(),
)


def is_delayed(table: Match) -> bool:
    """Whether onlookers see this match late just now: it is being played, and they are to learn nothing in time."""
    return table.spectator_delay > 0 and table.state is not None and table.status not in FINAL_STATUSES


def public_status(table: Match) -> str:
    """The status of a match as onlookers may know it now."""
    return table.status if is_delayed(table) else table.public_status


def public_version(told: PublicMatch) -> int:
    """The version that onlookers may know of."""
    return max(1, told.version - told.match.spectator_delay) if is_delayed(told.match) else told.version


def seats_to_dicts(table: Match) -> list[dict[str, Any]]:
    """The seats of a match: kind, level of a bot, and whether somebody sits there."""
    return [
        {"seat": seat, "kind": chair.kind, "level": chair.level, "taken": chair.taken}
        for seat, chair in enumerate(table.chairs)
    ]


def count_free_seats(table: Match) -> int:
    """How many seats wait for a person."""
    return sum(chair.kind == "human" and not chair.taken for chair in table.chairs)


def outcome_to_dict(table: Match) -> dict[str, Any] | None:
    """How a match ended. The reason stays a key: its texts are the reader's, so that a new text needs no rebuild."""
    if table.end is None:
        return None
    return {
        "winners": list(table.end.winners),
        "placement": [list(place) for place in table.end.placement],
        "reason": table.end.reason,
        "clauses": list(table.end.clauses),
    }


@dataclass(frozen=True, slots=True)
class CatchUpResult:
    """How far a catching up came: the matches it met, each with its last version there; whether it reached the end in
    time; and what made views stop."""

    latest_seen: Mapping[str, int]
    reached_end: bool
    failures: tuple[Exception, ...]

    def raise_failures(self) -> CatchUpResult:
        """This, unless a view has stopped: then ExceptionGroup tells why."""
        if self.failures:
            raise ExceptionGroup("views are stuck", self.failures)
        return self


def catch_up(
    log: MatchLog,
    partition: int,
    courses: PublicMatches,
    projections: Sequence[Projection] = LIVE_PROJECTIONS,
    seconds: float = float("inf"),
) -> CatchUpResult:
    """Leads these views of a partition to the end of its feed, or as far as the time allows.

    Those furthest behind go first, in step with the next, so that a course is folded once for all of them; all that a
    batch comes to is written by one call. A view that fails is left where it is, and the others go on.

    Raises StoreUnavailable.
    """
    until = time.monotonic() + seconds
    going = list(projections)
    met: dict[str, int] = {}
    failures: list[Exception] = []
    whole = False
    while going and not whole:
        cursors = log.read_view_cursors(partition, [(view.name, view.build) for view in going])
        low = min(cursors)
        wanted = min((at - low for at in cursors if at > low), default=BATCH)
        batch = log.read_feed(partition, low, min(BATCH, wanted))
        if not batch:
            whole = True
            break
        if time.monotonic() > until:
            break
        behind = [view for view, at in zip(going, cursors, strict=True) if at == low]
        done, failed = project_batch(log, partition, behind, courses, low, batch)
        for view, failure in failed:
            LOGGER.error(
                "view %s:%d is stuck at %d of partition %d", view.name, view.build, low, partition, exc_info=failure
            )
            failures.append(failure)
            going.remove(view)
        met |= latest_versions(batch)
        # in step, and the feed had no more than that: whoever has added to it since has asked for a new look
        whole = done and len(behind) == len(cursors) and len(batch) < BATCH
    return CatchUpResult(met, whole, tuple(failures))


def project_batch(
    log: MatchLog,
    partition: int,
    views: Sequence[Projection],
    courses: PublicMatches,
    seen: int,
    batch: Sequence[FeedItem],
) -> tuple[bool, list[tuple[Projection, Exception]]]:
    """Reckons a batch that follows on the cursor `seen`, and writes it; whether all views that did not fail were
    written, so that no other projector was faster, and those that failed. Raises StoreUnavailable."""
    ready: list[ProjectionBatch] = []
    failed: list[tuple[Projection, Exception]] = []
    for view in views:
        try:
            writes = require_valid_writes(
                list(view.compute_writes(batch, Sources(courses, build_row_reader(log, partition, view))))
            )
        except StoreUnavailable:
            raise
        except Exception as failure:
            failed.append((view, failure))
        else:
            ready.append(ProjectionBatch(view.name, view.build, seen, batch[-1][0], writes))
    done = log.apply_projections(partition, ready)
    by_name = {view.name: view for view in views}
    for lead, each in zip(ready, done, strict=True):
        try:
            require_matching_key_kinds(each, lead.name, lead.build)
        except ValueError as failure:
            failed.append((by_name[lead.name], failure))
    return False not in done, failed


def build_row_reader(log: MatchLog, partition: int, view: Projection) -> OwnRowsReader:
    """What a view has written in a partition so far."""

    def own(suffix: str, fields: Sequence[str] | None = None) -> dict[str, bytes]:
        return log.read_projection(partition, view.name, view.build, suffix, fields)

    return own
