"""Signs only what continues the history that was signed before.

Before each signature the log has to hold, at the size of its mark, the root of its mark. If it does not, entries were
lost or replaced behind the server's back: a replica that lagged has become the store, or an old copy was put in its
place. Then the match is frozen, and nothing of it is signed, so there are never two signed roots of one size.
"""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Lock

from cachetools import LRUCache

from referee.eventstore.contract import Commit, MatchLog
from referee.infrastructure.archives.provenance import SignCheckpoint
from referee.infrastructure.errors import HostError, MarksError
from referee.infrastructure.watermarks.lost_history import HistoryJournal, LostHistory
from referee.infrastructure.watermarks.mark_file import Mark, MarkFile, MarksUnavailable
from referee.match.errors import MatchUnavailable

FOLDER = "watermarks"  # in the data directory
MAX_RUNS = 4096  # matches of which a process remembers what it wrote last
MAX_RUN = 32  # entries of each
NOTHING_WRITTEN: Mapping[int, bytes] = {}

LOGGER = logging.getLogger(__name__)


class HistoryLostError(HostError):
    """A log no longer has what was signed of it."""

    def __init__(self, lost: LostHistory) -> None:
        super().__init__(f"the history of {lost}")
        self.lost = lost


class SignedHistory:
    """What this server has signed, of all logs."""

    def __init__(self, folder: Path) -> None:
        self.marks, self.journal = MarkFile(folder), HistoryJournal(folder)

    def require_continued(
        self,
        name: str,
        mark: Mark,
        find_root: Callable[[int], bytes | None],
        written: Mapping[int, bytes] = NOTHING_WRITTEN,
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        """Raise the mark of a log to `mark`, if that continues what was signed.

        `find_root(size)` gives the root that the log has at a size, or None. `written` are roots of one history, that
        of `mark`, by their sizes: they need not be looked up, and they are settled. What others wrote has to be
        settled first, so that a failover does not take it back. When this returns the mark is on the disk. Raises
        HistoryLostError, MarksUnavailable.
        """
        while mark.size:
            last = self.marks.find(name)
            if last is not None and last != mark and written.get(last.size) != last.root:
                self.require_kept(name, last, find_root)
                if mark.size <= last.size and find_root(mark.size) != mark.root:
                    raise MarksUnavailable(f"{name} has another history since this was written to it")
            if last is not None and mark.size <= last.size:
                self.marks.sync()  # another process may have raised it just now
                return
            if not written:
                settle()
            if self.marks.replace(name, last, mark):
                return

    def require_kept(self, name: str, mark: Mark, find_root: Callable[[int], bytes | None]) -> None:
        """Raise HistoryLostError unless the log has the root of its mark."""
        if (found := find_root(mark.size)) != mark.root:
            raise HistoryLostError(self._note_lost(LostHistory(name, mark, found)))

    def accept(self, name: str, now: Mark | None, reason: str) -> Mark | None:
        """Take a log as it is now, whatever was signed of it, and put that on record.

        `now` is its size and root (None: it is gone). Return the mark that it had. Raises MarksUnavailable, HostError.
        """
        while True:
            mark = self.marks.find(name)
            try:
                self.journal.note_accepted(name, mark, now, reason)
            except OSError as wrong:
                raise HostError(f"what was accepted cannot be written down: {wrong.strerror}") from wrong
            if self.marks.replace(name, mark, now):
                return mark

    def _note_lost(self, lost: LostHistory) -> LostHistory:
        LOGGER.error("HISTORY LOST, nothing of this log is signed any more: %s", lost)
        try:
            self.journal.note_lost(lost)
        except (OSError, HostError) as wrong:
            LOGGER.error("that cannot be noted: %s", wrong)
        return lost


def find_root(log: MatchLog, match: str, size: int) -> bytes | None:
    """Return the root of a match at a size, or None if its log is shorter."""
    found = log.read_entries(match, size - 1, 1)
    return found[0].root if found else None


class HistoryGuard:
    """Guards the matches of a log, before each entry and before each signature."""

    def __init__(self, history: SignedHistory, log: MatchLog) -> None:
        self.history, self._log = history, log
        self._runs: LRUCache[str, dict[int, bytes]] = LRUCache(MAX_RUNS)
        self._lock = Lock()

    def guard_signature(self, sign: SignCheckpoint) -> SignCheckpoint:
        """Return `sign`, but only for what continues that history.

        It raises MatchUnavailable (`frozen`) for anything else, StoreUnavailable if that cannot be found out.
        """

        def guarded(match: str, size: int, root: bytes) -> str:
            self._require_continued(match, Mark(size, root))
            return sign(match, size, root)

        return guarded

    def is_history_lost(self) -> bool:
        """Return whether a log went back and the host has not accepted that.

        If nobody can tell, the answer is yes.
        """
        try:
            return bool(self.history.journal.list_lost())
        except MarksError as wrong:
            LOGGER.error("%s", wrong)
            return True

    def check_append(self, commit: Commit) -> None:
        """Raise MatchUnavailable (`frozen`) if an entry builds on a lost history.

        Raises StoreUnavailable if that cannot be found out.
        """
        mark, size = self.history.marks.find(commit.match), commit.version - 1
        # a writer may also be slow: then the log has the entry of the mark, and will answer that others were faster
        if mark is not None and mark.size >= size and mark != Mark(size, commit.previous_root):
            with self._freeze_if_lost(commit.match):
                self.history.require_kept(commit.match, mark, functools.partial(find_root, self._log, commit.match))

    def note_append(self, commit: Commit) -> None:
        """Remember the roots of an entry that was added.

        That saves reading them before the next signature.
        """
        with self._lock:
            run = self._runs.get(commit.match)
            if run is None or run.get(commit.version - 1) != commit.previous_root or len(run) >= MAX_RUN:
                run = {commit.version - 1: commit.previous_root}
            self._runs[commit.match] = {**run, commit.version: commit.root}

    def _require_continued(self, match: str, mark: Mark) -> None:
        with self._lock:
            run = self._runs.get(match, NOTHING_WRITTEN)
        written = run if run.get(mark.size) == mark.root else NOTHING_WRITTEN
        with self._freeze_if_lost(match):
            self.history.require_continued(
                match,
                mark,
                functools.partial(find_root, self._log, match),
                written,
                functools.partial(self._log.wait_for_replicas, match),
            )

    @contextlib.contextmanager
    def _freeze_if_lost(self, match: str) -> Iterator[None]:
        try:
            yield
        except HistoryLostError as lost:
            self._log.freeze_match(match)
            raise MatchUnavailable("frozen", match) from lost
