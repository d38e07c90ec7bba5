"""The class `Evidence`: what a court may look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.match.aggregate import Match, MatchEnded, MatchStarted
from referee.match.entries import LogEntry, effective_entries, replay_entries, up_to_event


def keep_match_rules(match: Match) -> Match:
    """Return the match unchanged, under the rules it is played by."""
    return match


@dataclass(frozen=True)
class Evidence:
    """A match at its last version, with its log and the time.

    - `now_ms`: the time of the store. `left_ms`: what is left of the open question's time.
    - `log`: reads all entries from the first, whether or not they still count. It is called once, and only if needed.
    - `reinterpret`: turns a match as it stood into one under other rules, to try those.
    - `cache`: results that have been computed from this evidence.
    """

    match: Match
    version: int
    now_ms: int
    left_ms: int | None
    log: Callable[[], list[LogEntry]] = field(repr=False)
    reinterpret: Callable[[Match], Match] = field(default=keep_match_rules, repr=False)
    cache: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def entries(self) -> list[LogEntry]:
        """All entries, from the first."""
        return self.log()

    @cached_property
    def effective_entries(self) -> list[LogEntry]:
        """The entries that still count after rewinds."""
        return effective_entries(self.entries)

    @cached_property
    def start_version(self) -> int:
        """The version of the start, 0 before it. No remedy goes back before it."""
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
        """When the match ended, in ms of the store's clock; 0 if it has not."""
        ends = (
            entry.at_ms
            for entry in self.effective_entries
            if any(isinstance(event, MatchEnded) for event in entry.events)
        )
        return max(ends, default=0)

    def find_entry(self, version: int) -> LogEntry | None:
        """Return the entry of this version; None if it does not exist or count in full."""
        found = next((each for each in self.effective_entries if each.version == version), None)
        written = self.entries[version - 1] if 0 < version <= len(self.entries) else None
        return found if found is not None and written is not None and found.events == written.events else None

    def replay_to(self, version: int) -> Match:
        """Return the match after entry `version` of the effective history."""
        return self.reinterpret(
            replay_entries(Match(), (entry for entry in self.effective_entries if entry.version <= version))
        )

    def replay_as_written(self, version: int, at: int | None = None) -> Match:
        """Return the match as it stood once entry `version` had been written.

        It does not matter whether that entry still counts. With `at` the entry counts up to its event at that place
        only.
        """
        written = self.entries[:version]
        if at is not None:
            written = [*written[:-1], up_to_event(written[-1], at)]
        return self.reinterpret(replay_entries(Match(), effective_entries(written)))

    def list_entries_since(self, version: int) -> list[LogEntry]:
        """Return the entries of the effective history after a version."""
        return [entry for entry in self.effective_entries if entry.version > version]
