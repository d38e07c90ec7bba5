"""A match as it was loaded from its log."""

from __future__ import annotations

from dataclasses import dataclass

from referee.eventstore.contract import Head, Reading
from referee.match.aggregate import Match
from referee.match.entries import Logged


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match at one version, with the head of its log as it was read, and what was written to it since that read."""

    match: Match
    version: int
    head: Head
    reading: Reading
    written: tuple[Logged, ...] = ()
