"""Standings in this process, computed from a projection and again when it changes.

Nothing here is authoritative. Every number follows from the rows of the projection and the links of seats to accounts
(`referee.ratings.ratings`), so two processes that read the same rows show the same numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from referee.eventstore.contract import MatchLog
from referee.games import load_games
from referee.ratings import results
from referee.ratings.projection_versions import DIGEST_MODULUS, DIGEST_NAME, PROJECTION_VERSIONS
from referee.ratings.ratings import Ladder, build_result

VIEW = "standings"


@dataclass(frozen=True, slots=True)
class PartitionRows:
    """The rows of one partition that count for a game and variant, and their sums."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class LeaderboardSnapshot:
    """Standings, the sums behind them, and how far each partition was read."""

    cursors: tuple[int, ...]
    ladder: Ladder
    sums: Counter[str]


class Leaderboard:
    """The standings of one game and variant."""

    def __init__(self, log: MatchLog, game: str, variant: str) -> None:
        self._log, self._game, self._variant = log, game, variant
        self._lock = Lock()
        self._parts: dict[int, PartitionRows] = {}
        self._links = -1
        self._ladder = Ladder()

    def load_snapshot(self) -> LeaderboardSnapshot:
        """Return the standings as they are now. Raises StoreUnavailable."""
        name, build = f"{self._game}|{self._variant}", PROJECTION_VERSIONS[VIEW]
        with self._lock:
            links = self._log.read_links_version()  # before the links themselves: newer ones are then read next time
            partitions = self._log.read_across_partitions(VIEW, build, "sums", [name])
            digests = {
                part: json.loads(rows[name]).get(DIGEST_NAME, 0) if rows else 0
                for part, (_, rows) in partitions.items()
            }
            stale = [part for part, seen in digests.items() if seen != self._rows_of_partition(part).sums[DIGEST_NAME]]
            for part, (_, rows) in self._log.read_across_partitions(VIEW, build, "matches", only=stale).items():
                self._parts[part] = self._parse_rows(rows)
            if stale or links != self._links:
                self._recompute_ladder()
                self._links = links
            sums: Counter[str] = Counter()
            for each in self._parts.values():
                sums.update(each.sums)
            return LeaderboardSnapshot(tuple(partitions[part][0] for part in sorted(partitions)), self._ladder, sums)

    def _rows_of_partition(self, partition: int) -> PartitionRows:
        return self._parts.get(partition, PartitionRows())

    def _parse_rows(self, rows: dict[str, bytes]) -> PartitionRows:
        name, found = f"{self._game}|{self._variant}", PartitionRows()
        for match, body in rows.items():
            row = json.loads(body)
            added = results.compute_contributions(match, row).get(name)
            if added is not None:
                found.rows[match] = row
                found.sums.update(added)
        found.sums[DIGEST_NAME] %= DIGEST_MODULUS
        return found

    def _recompute_ladder(self) -> None:
        rows = {match: row for part in self._parts.values() for match, row in part.rows.items()}
        links = self._log.read_links(tuple(rows))
        together = self._variant in load_games()[self._game].cooperative_variants
        all_of_them = sorted(
            (build_result(match, row, links.get(match, {}), together) for match, row in rows.items()),
            key=lambda each: each.sort_key,
        )
        self._ladder = self._ladder.compute_standings(all_of_them)  # a new object: readers keep the old one


class LeaderboardCache:
    """The standings of every game and variant requested so far."""

    def __init__(self, log: MatchLog) -> None:
        self._log, self._lock = log, Lock()
        self._kept: dict[tuple[str, str], Leaderboard] = {}

    def get_leaderboard(self, game: str, variant: str) -> Leaderboard:
        """Return the standings of an existing game and variant."""
        with self._lock:
            return self._kept.setdefault((game, variant), Leaderboard(self._log, game, variant))
