"""Standings as this process keeps them: reckoned from what a projection holds, anew only where that has changed.

Nothing kept here is the truth: every figure follows from the rows of the projection and the links of seats to accounts
(`referee.ratings.ratings`), and two processes that read the same rows show the same figures.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from referee.eventstore.contract import MatchLog
from referee.games import games
from referee.ratings import results
from referee.ratings.projection_versions import BUILDS, DIGEST, DIGESTS
from referee.ratings.ratings import Ladder, result

VIEW = "standings"


@dataclass(frozen=True, slots=True)
class Part:
    """What one partition adds to the standings of a game and variant: the rows that count, and their sums."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Found:
    """Standings, the sums behind them, and how far each partition was read."""

    cursors: tuple[int, ...]
    ladder: Ladder
    sums: Counter[str]


class Standings:
    """The standings of one game and variant."""

    def __init__(self, log: MatchLog, game: str, variant: str) -> None:
        self._log, self._game, self._variant = log, game, variant
        self._lock = Lock()
        self._parts: dict[int, Part] = {}
        self._links = -1
        self._ladder = Ladder()

    def found(self) -> Found:
        """As they are now. Raises StoreAway."""
        name, build = f"{self._game}|{self._variant}", BUILDS[VIEW]
        with self._lock:
            links = self._log.links_changed()  # before the links are read: who is linked meanwhile is read next time
            told = self._log.across(VIEW, build, "sums", [name])
            digests = {part: json.loads(rows[name]).get(DIGEST, 0) if rows else 0 for part, (_, rows) in told.items()}
            stale = [part for part, seen in digests.items() if seen != self._part(part).sums[DIGEST]]
            for part, (_, rows) in self._log.across(VIEW, build, "matches", only=stale).items():
                self._parts[part] = self._read(rows)
            if stale or links != self._links:
                self._reckon()
                self._links = links
            sums: Counter[str] = Counter()
            for each in self._parts.values():
                sums.update(each.sums)
            return Found(tuple(told[part][0] for part in sorted(told)), self._ladder, sums)

    def _part(self, partition: int) -> Part:
        return self._parts.get(partition, Part())

    def _read(self, rows: dict[str, bytes]) -> Part:
        name, found = f"{self._game}|{self._variant}", Part()
        for match, body in rows.items():
            row = json.loads(body)
            added = results.added(match, row).get(name)
            if added is not None:
                found.rows[match] = row
                found.sums.update(added)
        found.sums[DIGEST] %= DIGESTS
        return found

    def _reckon(self) -> None:
        rows = {match: row for part in self._parts.values() for match, row in part.rows.items()}
        links = self._log.links(tuple(rows))
        together = self._variant in games()[self._game].together
        all_of_them = sorted(
            (result(match, row, links.get(match, {}), together) for match, row in rows.items()),
            key=lambda each: each.order,
        )
        self._ladder = self._ladder.reckoned(all_of_them)  # readers keep the old one


class AllStandings:
    """The standings of every game and variant that was asked for."""

    def __init__(self, log: MatchLog) -> None:
        self._log, self._lock = log, Lock()
        self._kept: dict[tuple[str, str], Standings] = {}

    def of(self, game: str, variant: str) -> Standings:
        """Those of a game and variant, which exist."""
        with self._lock:
            return self._kept.setdefault((game, variant), Standings(self._log, game, variant))
