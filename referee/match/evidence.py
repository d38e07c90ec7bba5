"""What a court may look at: the match, its whole log, and the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.match.aggregate import Match, MatchEnded, MatchStarted
from referee.match.entries import LogEntry, effective_entries, replay_entries, up_to_event


def keep_match_rules(match: Match) -> Match:
    """The match by the rules it is played by."""
    return match


@dataclass(frozen=True)
class Evidence:
    """A match at its last version, the time of the store (ms), and what is left of the open question's time (ms).

    `log` reads all entries from the first, whether or not they still count; it is asked once, and only if needed.
    `reinterpret`: how a match as it stood is read, where other rules are tried than those it was played by.
    """

    match: Match
    version: int
    now_ms: int
    left_ms: int | None
    log: Callable[[], list[LogEntry]] = field(repr=False)
    reinterpret: Callable[[Match], Match] = field(default=keep_match_rules, repr=False)
    cache: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # found before

    @cached_property
    def entries(self) -> list[LogEntry]:
        """All entries, from the first."""
        return self.log()

    @cached_property
    def effective_entries(self) -> list[LogEntry]:
        """The entries that still count."""
        return effective_entries(self.entries)

    @cached_property
    def start_version(self) -> int:
        """The version of the start; 0 if play has not begun. No remedy goes back before it."""
        return next(
            (
                entry.version
                for entry in self.effective_entries
                if any(isinstance(f, MatchStarted) for f in entry.events)
            ),
            0,
        )

    @cached_property
    def ended_ms(self) -> int:
        """When the match ended, by the store's clock (ms); 0 if it has not."""
        ends = (
            entry.at_ms
            for entry in self.effective_entries
            if any(isinstance(event, MatchEnded) for event in entry.events)
        )
        return max(ends, default=0)

    def find_entry(self, version: int) -> LogEntry | None:
        """The entry of this version, if there is one and it still counts whole."""
        found = next((each for each in self.effective_entries if each.version == version), None)
        written = self.entries[version - 1] if 0 < version <= len(self.entries) else None
        return found if found is not None and written is not None and found.events == written.events else None

    def replay_to(self, version: int) -> Match:
        """The match after entry `version` of the valid course, without what came later."""
        return self.reinterpret(
            replay_entries(Match(), (entry for entry in self.effective_entries if entry.version <= version))
        )

    def replay_as_written(self, version: int, at: int | None = None) -> Match:
        """The match as it stood when entry `version` had been written, whether or not that still counts; `replay_to`:
        when it had been written up to that of its facts."""
        told = self.entries[:version]
        if at is not None:
            told = [*told[:-1], up_to_event(told[-1], at)]
        return self.reinterpret(replay_entries(Match(), effective_entries(told)))

    def list_entries_since(self, version: int) -> list[LogEntry]:
        """The entries of the valid course after a version."""
        return [entry for entry in self.effective_entries if entry.version > version]
