"""The class `LoadedMatch`: a match as it was loaded from its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.eventstore.contract import Head, People, ReadResult
from referee.match.aggregate import Match
from referee.match.entries import LogEntry


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match at one version, with the head of its log when it was read.

    `new_entries` are the entries written by this process since that read, and `origin` the match before the first of
    them. `passes` are the standing passes after the last, `people_now` those who sat there then; None: as they were
    read.
    """

    match: Match
    version: int
    head: Head
    read_result: ReadResult
    new_entries: tuple[LogEntry, ...] = ()
    passes: Mapping[int, bytes] | None = None
    people_now: People | None = None
    origin: Match | None = None

    @property
    def people(self) -> People:
        """Names and presence by seat, as of the last read or write."""
        return self.read_result.people if self.people_now is None else self.people_now
