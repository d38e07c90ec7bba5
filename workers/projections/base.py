"""What a projection is, and the base of those that sum over matches.

A projection is a pure computation over the feed, stored with its own cursor.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from referee.engine.codec import encode_canonical
from referee.eventstore.contract import ProjectionWrite
from referee.ratings.projection_versions import DIGEST_MODULUS, DIGEST_NAME
from referee.tournament.state import is_tournament_id
from workers.projections.public_match import PublicMatch, PublicMatches

FeedItem = tuple[int, str, int]  # position, match, version
KeyKind = Literal["hash", "ranked"]
Sums = Mapping[str, Mapping[str, int]]  # by row of the sums, and within it by name


class OwnRowsReader(Protocol):
    """Reads a projection's own rows: all fields of a key, or those named."""

    def __call__(self, suffix: str, fields: Sequence[str] | None = None) -> dict[str, bytes]: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """What a projection may read: the public matches, and its own rows."""

    public_matches: PublicMatches
    read_own_rows: OwnRowsReader


class Projection(Protocol):
    """A read model computed from the feed.

    `suffixes` are the keys that it writes, with their kinds. `build` is the version of the computation.
    """

    @property
    def name(self) -> str: ...
    @property
    def build(self) -> int: ...
    @property
    def suffixes(self) -> Mapping[str, KeyKind]: ...

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterable[ProjectionWrite]:
        """Return the writes for these positions of the feed, in order."""
        ...


def latest_versions(batch: Iterable[FeedItem]) -> dict[str, int]:
    """Return the logs of a batch, each with its last version there."""
    return {name: version for _position, name, version in batch}


def select_matches(batch: Iterable[FeedItem]) -> list[FeedItem]:
    """Return a batch without the entries of tournaments, which no projection reads."""
    return [item for item in batch if not is_tournament_id(item[1])]


class MatchProjection:
    """A projection computed from each match of a batch, as it is after the batch.

    What such projections need can be read for many of them together.
    """

    def plan_row_reads(self, batch: Sequence[FeedItem]) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Return which of its own rows a batch needs: keys by suffix, and fields."""
        return ()


class CounterProjection(MatchProjection):
    """A projection with a row for each match, and sums of what the rows contribute.

    A row is computed from the match alone, and its contribution from the row alone. So the contribution can be
    subtracted when the match changes, and the sums do not depend on the order of the matches.
    """

    name: str
    build: int = 1
    suffixes: ClassVar[Mapping[str, KeyKind]] = {"matches": "hash", "sums": "hash"}

    def plan_row_reads(self, batch: Sequence[FeedItem]) -> Sequence[tuple[str, tuple[str, ...]]]:
        return (("matches", tuple(latest_versions(batch))),)

    def build_row(self, match: str, told: PublicMatch, sources: Sources) -> dict[str, Any] | None:
        """Return the row of a match as JSON data, or None if it has none."""
        raise TypeError(f"{type(self).__name__} has no rows")

    def compute_sums(self, match: str, row: dict[str, Any]) -> Sums:
        """Return what a row contributes to the sums."""
        raise TypeError(f"{type(self).__name__} adds nothing")

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterator[ProjectionWrite]:
        ended = latest_versions(batch)
        kept = sources.read_own_rows("matches", tuple(ended))
        changes: dict[str, Counter[str]] = {}
        for match, version in ended.items():
            row = self.build_row(match, sources.public_matches.load_match(match, version), sources)
            body = None if row is None else encode_canonical(row)
            if body == kept.get(match):
                continue
            yield (
                ProjectionWrite("hdel", "matches", match)
                if body is None
                else ProjectionWrite("hset", "matches", match, body)
            )
            if match in kept:
                _add_sums(changes, self.compute_sums(match, json.loads(kept[match])), -1)
            if row is not None:
                _add_sums(changes, self.compute_sums(match, row), 1)
        yield from self._write_sums(changes, sources)

    @staticmethod
    def _write_sums(changes: dict[str, Counter[str]], sources: Sources) -> Iterator[ProjectionWrite]:
        names = sorted(name for name, change in changes.items() if any(change.values()))
        before = sources.read_own_rows("sums", names) if names else {}
        for name in names:
            sums = Counter(json.loads(before[name]) if name in before else {})
            for part, change in changes[name].items():
                sums[part] += change
                if part == DIGEST_NAME:
                    sums[part] %= DIGEST_MODULUS
            left = {part: value for part, value in sums.items() if value}
            yield (
                ProjectionWrite("hset", "sums", name, encode_canonical(left))
                if left
                else ProjectionWrite("hdel", "sums", name)
            )


def _add_sums(changes: dict[str, Counter[str]], sums: Sums, sign: int) -> None:
    for name, parts in sums.items():
        change = changes.setdefault(name, Counter())
        for part, value in parts.items():
            change[part] += sign * value
