"""The archiver: archives matches that have been over for long enough.

It is a process of its own and needs no queue. Two may run at once, and each may be killed at any time (see
`referee.audit.bundles.archiving`). The command `archive` uses the same code.
"""

from __future__ import annotations

import json
import logging
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from referee.audit.bundles.archiving import ALREADY, ARCHIVED, Bundler, archive_match, build_sealed_bundler
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
from workers.jobs.sweeper import is_orphaned

LOGGER = logging.getLogger("referee.workers.archiving")
DAY_MS = 24 * 3600 * 1000
LOOK_SECONDS = 60.0  # between two searches for matches whose time has come
ROWS = 1000
RETRY_AFTER_LOOKS = 60  # searches until a match that failed is tried again


@dataclass(frozen=True)
class ArchiveService:
    """Archives matches: with their service, the files, and the maker of bundles."""

    service: MatchService
    archive: Archive
    bundling: Bundler

    def archive_match(self, match: str, *, now: bool = False) -> tuple[str, str]:
        """Archive a match, and return the result and a detail for people.

        The result is that of `archive_match`, or `unknown`, `lost`, `failed`. An error in one match must not keep the
        others from being archived. Raises StoreUnavailable.
        """
        try:
            return archive_match(self.service, self.archive, match, self.bundling, now=now), ""
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


def find_archivable_matches(log: MatchLog, before_ms: int) -> Iterator[str]:
    """Yield the finished matches in the store whose last entry is before that time.

    The summary projection names them. It may be out of date, so the archive service checks each of them again.
    """
    for partition in range(PARTITIONS):
        rows = log.read_projection(partition, "summary", PROJECTION_VERSIONS["summary"], "matches")
        if not rows:
            continue
        gone = set(_list_archived(log, partition))
        for match, body in sorted(rows.items()):
            row = json.loads(body)
            if match not in gone and row["status"] in FINAL_STATUSES and (row["last_at_ms"] or before_ms) < before_ms:
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
    """Finds matches whose time has come, and archives them."""

    def __init__(self, by: ArchiveService, days: int) -> None:
        self._by, self._days, self._looks = by, days, 0
        self._failed: dict[str, int] = {}

    def archive_due_matches(self, stop: threading.Event) -> int:
        """Archive the matches that are due, until `stop` is set; return how many.

        A match that fails is logged, and tried again after an hour. Raises StoreUnavailable.
        """
        log, done = self._by.service.log, 0
        self._looks += 1
        for match in find_archivable_matches(log, log.now() - DAY_MS * self._days):
            if stop.is_set() or is_orphaned():
                break
            if self._failed.get(match, -RETRY_AFTER_LOOKS) > self._looks - RETRY_AFTER_LOOKS:
                continue
            state, detail = self._by.archive_match(match)
            if state == ARCHIVED:
                done += 1
            elif state not in (ALREADY, "claims", "disputed", "running"):
                self._failed[match] = self._looks
                LOGGER.error("match %s cannot be archived: %s %s", match, state, detail)
        return done


def run_archiver(by: ArchiveService, days: int | None) -> int:
    """Archive matches until a signal or the parent's death; return the exit code.

    Without a number of days it does nothing but wait.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    archiver = None if days is None else Archiver(by, days)
    while not stop.is_set() and not is_orphaned():
        try:
            done = archiver.archive_due_matches(stop) if archiver is not None else 0
            if done:
                LOGGER.info("%d matches were archived", done)
        except StoreUnavailable as away:
            LOGGER.warning("the store is away: %s", away)
        for _ in range(int(LOOK_SECONDS)):
            if stop.wait(1.0) or is_orphaned():
                break
    return 0
