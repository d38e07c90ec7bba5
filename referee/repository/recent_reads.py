"""What this process last saw of matches beside their state.

That is the time, the deadline, the standing passes and the rights of tokens. It is good enough to decide upon, because
the log takes the entry only if match, token and time still are as assumed (`Commit`). It is never good enough to tell
anybody anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock

from cachetools import LRUCache

from referee.eventstore.contract import AppendResult, Commit, Deadline, Head, ReadResult

MAX_AGE_MS = 30_000  # after which a match is read again
MAX_TOKENS = 24  # remembered of a match
Elapsed = Callable[[], float]  # seconds by a clock that never goes back


@dataclass(frozen=True, slots=True)
class _Recent:
    """What was seen of a match at a version.

    `elapsed_ms` is the time of that on the process's own clock.
    """

    version: int
    root: bytes
    elapsed_ms: int
    reading: ReadResult
    grants: Mapping[str, bytes]


class RecentReads:
    """Remembers the last readings of matches; without a clock, nothing."""

    def __init__(self, elapsed: Elapsed | None, size: int) -> None:
        self._elapsed = elapsed
        self._recent: LRUCache[str, _Recent] = LRUCache(size)
        self._lock = Lock()

    def note_read(self, match: str, head: Head, reading: ReadResult, token_hash: str) -> None:
        """Remember a reading that a decision may rest on.

        `token_hash` is that of the token looked up in it.
        """
        if self._elapsed is None:
            return
        bare = replace(reading, head=None, entries=(), known=None, snapshot=None, grant=None)
        with self._lock:
            before = self._recent.get(match)
            grants = dict(before.grants) if before is not None else {}
            grants.pop(token_hash, None)
            if token_hash and reading.grant is not None:
                grants[token_hash] = reading.grant
                if len(grants) > MAX_TOKENS:
                    del grants[next(iter(grants))]
            self._recent[match] = _Recent(head.version, head.root, self._read_clock(), bare, grants)

    def note_append(self, commit: Commit, question_version: int, appended: AppendResult) -> None:
        """Remember what the answer to a write says of time, deadline and standing passes."""
        if self._elapsed is None:
            return
        due = None if appended.due_ms is None else Deadline(appended.due_ms, str(question_version))
        with self._lock:
            before = self._recent.get(commit.match)
            if before is None:
                return
            reading = replace(
                before.reading, now_ms=appended.now_ms, due=due, passes=appended.passes, people=appended.people
            )
            self._recent[commit.match] = _Recent(
                commit.version, commit.root, self._read_clock(), reading, before.grants
            )

    def recall(self, match: str, head: Head, token_hash: str) -> ReadResult | None:
        """Return what was last seen of a match at this head.

        It has the rights of a token and the time of now. None if nothing was, if it is too old, or if the token was not
        looked up.
        """
        if self._elapsed is None:
            return None
        with self._lock:
            found = self._recent.get(match)
        if found is None or (found.version, found.root) != (head.version, head.root):
            return None
        age_ms = self._read_clock() - found.elapsed_ms
        grant = found.grants.get(token_hash)
        if grant is None or not 0 <= age_ms <= MAX_AGE_MS:
            return None
        return replace(found.reading, head=head, now_ms=found.reading.now_ms + age_ms, grant=grant)

    def _read_clock(self) -> int:
        assert self._elapsed is not None
        return int(1000 * self._elapsed())
