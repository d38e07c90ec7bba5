"""What a view is: a pure reckoning over the feed, kept beside its own cursor; and views that add up over matches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from referee.engine.codec import encode_canonical
from referee.eventstore.contract import ProjectionWrite
from referee.ratings.projection_versions import DIGEST_MODULUS, DIGEST_NAME
from workers.projections.public_match import PublicMatch, PublicMatches

FeedItem = tuple[int, str, int]  # position, match, version
KeyKind = Literal["hash", "ranked"]
Sums = Mapping[str, Mapping[str, int]]  # by row of the sums, and within it by name


class OwnRowsReader(Protocol):
    """A view's own rows: all fields of a key, or those that are named."""

    def __call__(self, suffix: str, fields: Sequence[str] | None = None) -> dict[str, bytes]: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """What a view may be reckoned from: the courses of matches, and its own rows."""

    public_matches: PublicMatches
    read_own_rows: OwnRowsReader


class Projection(Protocol):
    """A view. `suffixes` are the keys it writes and what they hold; `build` changes when its reckoning does."""

    @property
    def name(self) -> str: ...
    @property
    def build(self) -> int: ...
    @property
    def suffixes(self) -> Mapping[str, KeyKind]: ...

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> Iterable[ProjectionWrite]:
        """The writes that these positions of the feed come to, in order."""
        ...


def latest_versions(batch: Iterable[FeedItem]) -> dict[str, int]:
    """The matches of a batch, each with its last version there."""
    return {match: version for _position, match, version in batch}


class CounterProjection:
    """A view that keeps a row for each match and the sums of what the rows add.

    A row is reckoned from the course alone, and what it adds from the row alone. So what a match added can be taken
    back when its course has changed, and in whatever order matches come, the sums are the same.
    """

    name: str
    build: int = 1
    suffixes: ClassVar[Mapping[str, KeyKind]] = {"matches": "hash", "sums": "hash"}

    def build_row(self, match: str, told: PublicMatch, sources: Sources) -> dict[str, Any] | None:
        """What is kept of a match as JSON data; None if nothing is."""
        raise TypeError(f"{type(self).__name__} has no rows")

    def compute_sums(self, match: str, row: dict[str, Any]) -> Sums:
        """What a row adds to the sums."""
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
