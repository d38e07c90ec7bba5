"""What a court may look at: the match, its whole log, and the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.match.aggregate import Ended, Match, Started
from referee.match.entries import Logged, course, folded, until


def as_it_is(match: Match) -> Match:
    """The match by the rules it is played by."""
    return match


@dataclass(frozen=True)
class Evidence:
    """A match at its last version, the time of the store (ms), and what is left of the open question's time (ms).

    `log` reads all entries from the first, whether or not they still count; it is asked once, and only if needed.
    `read_as`: how a match as it stood is read, where other rules are tried than those it was played by.
    """

    match: Match
    version: int
    now_ms: int
    left_ms: int | None
    log: Callable[[], list[Logged]] = field(repr=False)
    read_as: Callable[[Match], Match] = field(default=as_it_is, repr=False)
    crossings: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # found before

    @cached_property
    def entries(self) -> list[Logged]:
        """All entries, from the first."""
        return self.log()

    @cached_property
    def course(self) -> list[Logged]:
        """The entries that still count."""
        return course(self.entries)

    @cached_property
    def began(self) -> int:
        """The version of the start; 0 if play has not begun. No remedy goes back before it."""
        return next((entry.version for entry in self.course if any(isinstance(f, Started) for f in entry.facts)), 0)

    @cached_property
    def ended_ms(self) -> int:
        """When the match ended, by the store's clock (ms); 0 if it has not."""
        ends = (entry.at_ms for entry in self.course if any(isinstance(fact, Ended) for fact in entry.facts))
        return max(ends, default=0)

    def entry(self, version: int) -> Logged | None:
        """The entry of this version, if there is one and it still counts whole."""
        found = next((each for each in self.course if each.version == version), None)
        written = self.entries[version - 1] if 0 < version <= len(self.entries) else None
        return found if found is not None and written is not None and found.facts == written.facts else None

    def at(self, version: int) -> Match:
        """The match after entry `version` of the valid course, without what came later."""
        return self.read_as(folded(Match(), (entry for entry in self.course if entry.version <= version)))

    def then(self, version: int, at: int | None = None) -> Match:
        """The match as it stood when entry `version` had been written, whether or not that still counts; `at`: when it
        had been written up to that of its facts."""
        told = self.entries[:version]
        if at is not None:
            told = [*told[:-1], until(told[-1], at)]
        return self.read_as(folded(Match(), course(told)))

    def since(self, version: int) -> list[Logged]:
        """The entries of the valid course after a version."""
        return [entry for entry in self.course if entry.version > version]
