"""What a view is: a pure reckoning over the feed, kept beside its own cursor; and views that add up over matches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from referee.engine.codec import canonical
from referee.eventstore.contract import Write
from referee.ratings.projection_versions import DIGEST, DIGESTS
from workers.projections.public_match import Courses, Told

Fed = tuple[int, str, int]  # position, match, version
Kind = Literal["hash", "ranked"]
Sums = Mapping[str, Mapping[str, int]]  # by row of the sums, and within it by name


class Own(Protocol):
    """A view's own rows: all fields of a key, or those that are named."""

    def __call__(self, suffix: str, fields: Sequence[str] | None = None) -> dict[str, bytes]: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """What a view may be reckoned from: the courses of matches, and its own rows."""

    courses: Courses
    own: Own


class Projection(Protocol):
    """A view. `suffixes` are the keys it writes and what they hold; `build` changes when its reckoning does."""

    @property
    def name(self) -> str: ...
    @property
    def build(self) -> int: ...
    @property
    def suffixes(self) -> Mapping[str, Kind]: ...

    def writes(self, batch: Sequence[Fed], sources: Sources) -> Iterable[Write]:
        """The writes that these positions of the feed come to, in order."""
        ...


def latest(batch: Iterable[Fed]) -> dict[str, int]:
    """The matches of a batch, each with its last version there."""
    return {match: version for _position, match, version in batch}


class Tally:
    """A view that keeps a row for each match and the sums of what the rows add.

    A row is reckoned from the course alone, and what it adds from the row alone. So what a match added can be taken
    back when its course has changed, and in whatever order matches come, the sums are the same.
    """

    name: str
    build: int = 1
    suffixes: ClassVar[Mapping[str, Kind]] = {"matches": "hash", "sums": "hash"}

    def row(self, match: str, told: Told, sources: Sources) -> dict[str, Any] | None:
        """What is kept of a match as JSON data; None if nothing is."""
        raise TypeError(f"{type(self).__name__} has no rows")

    def adds(self, match: str, row: dict[str, Any]) -> Sums:
        """What a row adds to the sums."""
        raise TypeError(f"{type(self).__name__} adds nothing")

    def writes(self, batch: Sequence[Fed], sources: Sources) -> Iterator[Write]:
        ended = latest(batch)
        kept = sources.own("matches", tuple(ended))
        changes: dict[str, Counter[str]] = {}
        for match, version in ended.items():
            row = self.row(match, sources.courses.told(match, version), sources)
            body = None if row is None else canonical(row)
            if body == kept.get(match):
                continue
            yield Write("hdel", "matches", match) if body is None else Write("hset", "matches", match, body)
            if match in kept:
                _add(changes, self.adds(match, json.loads(kept[match])), -1)
            if row is not None:
                _add(changes, self.adds(match, row), 1)
        yield from self._summed(changes, sources)

    @staticmethod
    def _summed(changes: dict[str, Counter[str]], sources: Sources) -> Iterator[Write]:
        names = sorted(name for name, change in changes.items() if any(change.values()))
        before = sources.own("sums", names) if names else {}
        for name in names:
            sums = Counter(json.loads(before[name]) if name in before else {})
            for part, change in changes[name].items():
                sums[part] += change
                if part == DIGEST:
                    sums[part] %= DIGESTS
            left = {part: value for part, value in sums.items() if value}
            yield Write("hset", "sums", name, canonical(left)) if left else Write("hdel", "sums", name)


def _add(changes: dict[str, Counter[str]], sums: Sums, sign: int) -> None:
    for name, parts in sums.items():
        change = changes.setdefault(name, Counter())
        for part, value in parts.items():
            change[part] += sign * value
