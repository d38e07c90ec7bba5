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

from referee.engine.codec import canonical
from referee.eventstore.contract import Lead, MatchLog, StoreAway, Write, checked, fitting
from referee.match.aggregate import OVER, Match
from referee.ratings.projection_versions import BUILDS
from workers.projections.base import Fed, Kind, Own, Projection, Sources, latest
from workers.projections.public_match import Courses, Told
from workers.projections.statistics import Cards, Dice, Standings

__all__ = [
    "LIVE", "Awaited", "Caught", "Fed", "Kind", "Lobby", "Projection", "Sources", "Summary", "catch_up", "latest",
]  # fmt: skip
LOGGER = logging.getLogger("referee.workers.projections")
BATCH = 100  # feed positions that are worked through at a time


class Rows:
    """A view that has one row per match, reckoned from what the log tells of it up to the feed's position."""

    name: str
    build: int = 1
    suffixes: ClassVar[Mapping[str, Kind]] = {"matches": "hash"}

    def writes(self, batch: Sequence[Fed], sources: Sources) -> Iterable[Write]:
        for match, version in latest(batch).items():
            yield Write("hset", "matches", match, canonical(self.row(match, sources.courses.told(match, version))))

    def row(self, match: str, told: Told) -> dict[str, Any]:
        """The row of a match as JSON data."""
        raise TypeError(f"{type(self).__name__} has no rows")


class Lobby(Rows):
    """Who plays what, where one may still sit down, and whom each match awaits."""

    name = "lobby"
    build = BUILDS["lobby"]

    def row(self, match: str, told: Told) -> dict[str, Any]:
        table = told.match
        return {
            "match": match,
            "game": table.game,
            "variant": table.variant,
            "status": condition(table),
            "free_seats": free_seats(table),
            "visibility": table.visibility,
            "version": shown_version(told),
            "seats": seats(table),
            "awaits": [] if comes_late(table) else told.awaits,
            "outcome": outcome(table),
        }


class Summary(Rows):
    """What became of each match: how long it is, who moved how often, how it ended. While it runs and is shown late,
    how often and when somebody moved is not told (None)."""

    name = "summary"
    build = BUILDS["summary"]

    def row(self, match: str, told: Told) -> dict[str, Any]:
        table, late = told.match, comes_late(told.match)
        moves = [dict(told.moves).get(seat, 0) for seat in range(len(table.chairs))]
        return {
            "match": match,
            "game": table.game,
            "variant": table.variant,
            "edition": table.edition,
            "ruleset": table.ruleset,
            "status": condition(table),
            "seats": seats(table),
            "started_at_ms": told.started_ms,
            "last_at_ms": None if late else told.last_ms,
            "entries": shown_version(told),
            "moves": None if late else moves,
            "outcome": outcome(table),
        }


class Awaited:
    """The matches that a worker may have to move on, ranked by the time of their last entry (ms, `since`); and those in
    which a court waits for the table while play goes on or is over, by the time until which it does (`courts`): then no
    deadline of the match tells when to look."""

    name = "awaited"
    build = BUILDS["awaited"]
    suffixes: ClassVar[Mapping[str, Kind]] = {"since": "ranked", "courts": "ranked"}

    def writes(self, batch: Sequence[Fed], sources: Sources) -> Iterable[Write]:
        for match, version in latest(batch).items():
            told = sources.courses.told(match, version)
            times = {"since": told.last_ms if told.awaits_us else None, "courts": told.court_until_ms}
            for suffix, time_ms in times.items():
                if time_ms is None:
                    yield Write("zrem", suffix, match)
                else:
                    yield Write("zadd", suffix, match, str(time_ms).encode())


LIVE: tuple[Projection, ...] = (Lobby(), Summary(), Awaited(), Standings(), Cards(), Dice())


def comes_late(table: Match) -> bool:
    """Whether onlookers see this match late just now: it is being played, and they are to learn nothing in time."""
    return table.spectator_delay > 0 and table.state is not None and table.status not in OVER


def condition(table: Match) -> str:
    """The status of a match as onlookers may know it now."""
    return table.status if comes_late(table) else table.condition


def shown_version(told: Told) -> int:
    """The version that onlookers may know of."""
    return max(1, told.version - told.match.spectator_delay) if comes_late(told.match) else told.version


def seats(table: Match) -> list[dict[str, Any]]:
    """The seats of a match: kind, level of a bot, and whether somebody sits there."""
    return [
        {"seat": seat, "kind": chair.kind, "level": chair.level, "taken": chair.taken}
        for seat, chair in enumerate(table.chairs)
    ]


def free_seats(table: Match) -> int:
    """How many seats wait for a person."""
    return sum(chair.kind == "human" and not chair.taken for chair in table.chairs)


def outcome(table: Match) -> dict[str, Any] | None:
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
class Caught:
    """How far a catching up came: the matches it met, each with its last version there; whether it reached the end in
    time; and what made views stop."""

    met: Mapping[str, int]
    whole: bool
    failures: tuple[Exception, ...]

    def or_raise(self) -> Caught:
        """This, unless a view has stopped: then ExceptionGroup tells why."""
        if self.failures:
            raise ExceptionGroup("views are stuck", self.failures)
        return self


def catch_up(
    log: MatchLog,
    partition: int,
    courses: Courses,
    projections: Sequence[Projection] = LIVE,
    seconds: float = float("inf"),
) -> Caught:
    """Leads these views of a partition to the end of its feed, or as far as the time allows.

    Those furthest behind go first, in step with the next, so that a course is folded once for all of them; all that a
    batch comes to is written by one call. A view that fails is left where it is, and the others go on.

    Raises StoreAway.
    """
    until = time.monotonic() + seconds
    going = list(projections)
    met: dict[str, int] = {}
    failures: list[Exception] = []
    whole = False
    while going and not whole:
        cursors = log.read_upto(partition, [(view.name, view.build) for view in going])
        low = min(cursors)
        wanted = min((at - low for at in cursors if at > low), default=BATCH)
        batch = log.feed(partition, low, min(BATCH, wanted))
        if not batch:
            whole = True
            break
        if time.monotonic() > until:
            break
        behind = [view for view, at in zip(going, cursors, strict=True) if at == low]
        done, failed = led(log, partition, behind, courses, low, batch)
        for view, failure in failed:
            LOGGER.error(
                "view %s:%d is stuck at %d of partition %d", view.name, view.build, low, partition, exc_info=failure
            )
            failures.append(failure)
            going.remove(view)
        met |= latest(batch)
        # in step, and the feed had no more than that: whoever has added to it since has asked for a new look
        whole = done and len(behind) == len(cursors) and len(batch) < BATCH
    return Caught(met, whole, tuple(failures))


def led(
    log: MatchLog, partition: int, views: Sequence[Projection], courses: Courses, seen: int, batch: Sequence[Fed]
) -> tuple[bool, list[tuple[Projection, Exception]]]:
    """Reckons a batch that follows on the cursor `seen`, and writes it; whether all views that did not fail were
    written, so that no other projector was faster, and those that failed. Raises StoreAway."""
    ready: list[Lead] = []
    failed: list[tuple[Projection, Exception]] = []
    for view in views:
        try:
            writes = checked(list(view.writes(batch, Sources(courses, own_rows(log, partition, view)))))
        except StoreAway:
            raise
        except Exception as failure:
            failed.append((view, failure))
        else:
            ready.append(Lead(view.name, view.build, seen, batch[-1][0], writes))
    done = log.lead(partition, ready)
    by_name = {view.name: view for view in views}
    for lead, each in zip(ready, done, strict=True):
        try:
            fitting(each, lead.name, lead.build)
        except ValueError as failure:
            failed.append((by_name[lead.name], failure))
    return False not in done, failed


def own_rows(log: MatchLog, partition: int, view: Projection) -> Own:
    """What a view has written in a partition so far."""

    def own(suffix: str, fields: Sequence[str] | None = None) -> dict[str, bytes]:
        return log.projected(partition, view.name, view.build, suffix, fields)

    return own
