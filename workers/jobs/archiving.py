"""The archiver: archives matches that have been over for long enough.

It also closes lobbies in which nothing happens, and puts running matches to sleep. It is a process of its own and needs
no queue. Two may run at once, and each may be killed at any time (see `referee.audit.bundles.archiving`). The command
`archive` uses the same code.
"""

from __future__ import annotations

import json
import logging
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import count

from referee.audit.bundles.archiving import (
    ALREADY,
    ARCHIVED,
    ASLEEP,
    Bundler,
    archive_match,
    build_sealed_bundler,
    put_match_to_sleep,
)
from referee.eventstore.contract import PARTITIONS, MatchLog, StoreUnavailable
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.composition import build_publisher
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import Settings
from referee.match.aggregate import FINAL_STATUSES
from referee.match.errors import MatchUnavailable, UnknownMatch
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.service.match_service import MatchService
from workers.jobs.clock_jumps import ClockJumps
from workers.jobs.idle import CLOSED, IN_USE, close_idle_lobby
from workers.jobs.sweeper import is_orphaned

LOGGER = logging.getLogger("referee.workers.archiving")
DAY_MS = 24 * 3600 * 1000
LOOK_SECONDS = 60.0  # between two searches for matches whose time has come
ROWS = 1000
IDLE_LOOKS = 10  # of these searches one looks for idle matches, whose time is counted in days
RETRY_AFTER_LOOKS = 60  # searches until a match that failed is tried again


@dataclass(frozen=True)
class ArchiveService:
    """Archives matches: with their service, the files, and the maker of bundles."""

    service: MatchService
    archive: Archive
    bundling: Bundler

    def archive_match(self, match: str, *, now: bool = False) -> tuple[str, str]:
        """Archive a match, and return the result and a detail for people.

        The result is that of `archive_match`, or of `guard`. Raises StoreUnavailable.
        """
        return self.guard(match, lambda name: archive_match(self.service, self.archive, name, self.bundling, now=now))

    def guard(self, match: str, act: Callable[[str], str]) -> tuple[str, str]:
        """Do something with a match, and return the result and a detail for people.

        The result is that of `act`, or `unknown`, `lost`, `failed`: an error in one match must not keep the others from
        their turn. Raises StoreUnavailable.
        """
        try:
            return act(match), ""
        except StoreUnavailable:
            raise
        except (UnknownMatch, ValueError):
            return "unknown", ""
        except MatchUnavailable as lost:
            return "lost", str(lost)
        except HostError as wrong:
            return "failed", str(wrong)
        except Exception as wrong:
            LOGGER.exception("match %s cannot be archived", match)
            return "failed", repr(wrong)


def build_archive_service(settings: Settings, service: MatchService) -> ArchiveService:
    """Build the service that the settings describe. Raises HostError."""
    archive = Archive(settings.archive_path)
    return ArchiveService(
        service, archive, build_sealed_bundler(build_publisher(settings, service.log), OriginStore(archive))
    )


@dataclass(frozen=True)
class Errand:
    """What is done with idle matches of some statuses.

    `act` does it with a match whose last entry has to be older than a time, and returns a word: `done`, or one of
    `waits` if it is not time yet. Other words are failures. `says` is logged with the number of matches. With
    `every` it is done at one in that many searches, because each reads a row for every match of the store.
    """

    statuses: Collection[str]
    act: Callable[[ArchiveService, str, int], str]
    done: str
    waits: Collection[str]
    says: str
    every: int = 1


ARCHIVING = Errand(
    FINAL_STATUSES,
    lambda by, match, _before_ms: archive_match(by.service, by.archive, match, by.bundling),
    ARCHIVED,
    ("claims", "disputed", "running"),
    "%d matches were archived",
)
CLOSING = Errand(
    ("lobby",),
    lambda by, match, before_ms: close_idle_lobby(by.service, match, before_ms),
    CLOSED,
    (IN_USE,),
    "%d tables were closed at which nothing had happened before the start",
    IDLE_LOOKS,
)
SLEEPING = Errand(
    ("running", "disputed"),
    lambda by, match, before_ms: put_match_to_sleep(by.service, by.archive, match, by.bundling, before_ms),
    ASLEEP,
    ("running", "moved"),
    "%d matches sleep in which nothing had happened for long",
    IDLE_LOOKS,
)


def find_archivable_matches(log: MatchLog, before_ms: int) -> Iterator[str]:
    """Yield the finished matches in the store whose last entry is before that time."""
    return find_idle_matches(log, FINAL_STATUSES, before_ms)


def find_idle_matches(log: MatchLog, statuses: Collection[str], before_ms: int) -> Iterator[str]:
    """Yield the stored matches with such a status that are idle.

    Their last entry is before that time. The summary projection names them, also those of which it does not tell the
    time. It may be out of date, so each of them has to be checked again.
    """
    for partition in range(PARTITIONS):
        rows = log.read_projection(partition, "summary", PROJECTION_VERSIONS["summary"], "matches")
        if not rows:
            continue
        gone = set(_list_archived(log, partition))
        for match, body in sorted(rows.items()):
            row = json.loads(body)
            if match not in gone and row["status"] in statuses and (row["last_at_ms"] or 0) < before_ms:
                yield match


def _list_archived(log: MatchLog, partition: int) -> Iterator[str]:
    after = 0
    while page := log.list_archived(partition, after, ROWS):
        yield from (match for match, _ in page)
        after += len(page)


def archive_matches(by: ArchiveService, matches: tuple[str, ...], older_than: int | None, *, now: bool) -> int:
    """Archive these matches, or all older than some days; return the exit code.

    One line of JSON is printed for each. The code is 1 if a match that was named, or whose time has come, could not be
    archived. Raises StoreUnavailable.
    """
    log, well = by.service.log, True
    for match in matches or find_archivable_matches(log, log.now() - DAY_MS * (older_than or 0)):
        state, detail = by.archive_match(match, now=now)
        print(json.dumps({"match": match, "state": state, **({"detail": detail} if detail else {})}), flush=True)
        waits = not matches and state in ("claims", "disputed", "running")
        well = well and (waits or state in (ARCHIVED, ALREADY))
    return 0 if well else 1


class Archiver:
    """Finds matches whose time has come, and runs an errand with each of them."""

    def __init__(
        self, by: ArchiveService, days: int, errand: Errand = ARCHIVING, elapsed: Callable[[], float] = time.monotonic
    ) -> None:
        """Handle matches whose last entry is that many days old.

        A jump of the clock ahead is no time in which somebody could have played, so it does not count as such for as
        long as this process lives.
        """
        self._by, self._days, self._errand, self._looks = by, days, errand, 0
        self._jumps, self._skipped_ms = ClockJumps(elapsed), 0
        self._failed: dict[str, int] = {}

    def handle_due_matches(self, stop: threading.Event) -> int:
        """Handle the matches that are due, until `stop` is set; return how many.

        A match that fails is logged, and tried again after RETRY_AFTER_LOOKS searches. Raises StoreUnavailable.
        """
        log, done = self._by.service.log, 0
        self._looks += 1
        now_ms = log.now()
        self._skipped_ms = max(0, self._skipped_ms + self._jumps.measure_jump(now_ms))
        before_ms = now_ms - self._skipped_ms - DAY_MS * self._days
        for match in find_idle_matches(log, self._errand.statuses, before_ms):
            if stop.is_set() or is_orphaned():
                break
            if self._failed.get(match, -RETRY_AFTER_LOOKS) > self._looks - RETRY_AFTER_LOOKS:
                continue
            state, detail = self._by.guard(match, lambda name: self._errand.act(self._by, name, before_ms))
            if state == self._errand.done:
                done += 1
            elif state not in (ALREADY, *self._errand.waits):
                self._failed[match] = self._looks
                LOGGER.error("match %s cannot be archived: %s %s", match, state, detail)
        return done


def run_archiver(by: ArchiveService, settings: Settings) -> int:
    """Run all errands until a signal or the parent's death; return the exit code.

    Where no setting asks for any of it, it does nothing but wait.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    wanted = {CLOSING: settings.close_lobbies_after_days or None, SLEEPING: settings.sleep_after_days or None}
    wanted |= {ARCHIVING: settings.archive_after_days}
    archivers = [(errand, Archiver(by, days, errand)) for errand, days in wanted.items() if days is not None]
    for look in count():
        if stop.is_set() or is_orphaned():
            break
        try:
            for errand, archiver in archivers:
                if look % errand.every == 0 and (done := archiver.handle_due_matches(stop)):
                    LOGGER.info(errand.says, done)
        except StoreUnavailable as away:
            LOGGER.warning("the store is away: %s", away)
        for _ in range(int(LOOK_SECONDS)):
            if stop.wait(1.0) or is_orphaned():
                break
    return 0
