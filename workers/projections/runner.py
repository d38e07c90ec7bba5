"""The projections that readers list, and one partition brought up to date."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from referee.engine.codec import encode_canonical
from referee.eventstore.contract import MatchLog, ProjectionWrite
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from workers.projections.base import FeedItem, KeyKind, MatchProjection, Projection, Sources, latest_versions
from workers.projections.follower import CatchUpResult, FeedFollower
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


class RowProjection(MatchProjection):
    """A projection with one row per match, up to the feed's position."""

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
        """Return the row of a match as JSON data."""
        raise TypeError(f"{type(self).__name__} has no rows")


class LobbyProjection(RowProjection):
    """Who plays what, which seats are free, and whom each match awaits."""

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
    """How long each match is, how many moves each seat made, and how it ended.

    While spectators see a running match with a delay, the number and time of the moves are None.
    """

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


class AwaitedProjection(MatchProjection):
    """The matches that a worker may have to act on, ranked by time in ms.

    - `since`: matches that await a bot or chance, by the time of their last entry.
    - `courts`: matches in which a court waits for the table while play goes on or is over, by the time when it stops
      waiting. No deadline of the match covers it.
    """

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
    """Whether spectators see this match with a delay now.

    The delay applies while the match is being played.
    """
    return table.spectator_delay > 0 and table.state is not None and table.status not in FINAL_STATUSES


def public_status(table: Match) -> str:
    """Return the status of a match as spectators may know it now."""
    return table.status if is_delayed(table) else table.public_status


def public_version(told: PublicMatch) -> int:
    """Return the highest version that spectators may know of."""
    return max(1, told.version - told.match.spectator_delay) if is_delayed(told.match) else told.version


def seats_to_dicts(table: Match) -> list[dict[str, Any]]:
    """Return the seats of a match: kind, a bot's level, and whether each is taken."""
    return [
        {"seat": seat, "kind": chair.kind, "level": chair.level, "taken": chair.taken}
        for seat, chair in enumerate(table.chairs)
    ]


def count_free_seats(table: Match) -> int:
    """Return how many seats wait for a person."""
    return sum(chair.kind == "human" and not chair.taken for chair in table.chairs)


def outcome_to_dict(table: Match) -> dict[str, Any] | None:
    """Return the outcome of a match, or None before its end.

    The reason stays a key. Its text is added when it is read, so that a new text needs no rebuild.
    """
    if table.end is None:
        return None
    return {
        "winners": list(table.end.winners),
        "placement": [list(place) for place in table.end.placement],
        "reason": table.end.reason,
        "clauses": list(table.end.clauses),
    }


def catch_up(
    log: MatchLog,
    partition: int,
    courses: PublicMatches,
    projections: Sequence[Projection] = LIVE_PROJECTIONS,
    seconds: float = float("inf"),
) -> CatchUpResult:
    """Bring these projections of a partition to the end of its feed, if time allows.

    A projection that fails stays where it is, and the others go on. Raises StoreUnavailable.
    """
    until = time.monotonic() + seconds
    follower = FeedFollower(log, courses, projections)
    follower.add_partitions([partition])
    result = CatchUpResult({}, False, ())
    while not result.reached_end:
        found = follower.advance(until).results
        result = result.join(found.get(partition, CatchUpResult({}, True, ())))
        if time.monotonic() > until:
            break
    return result
