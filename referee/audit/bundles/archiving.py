"""Archives finished matches, and puts idle ones to sleep.

First the file is written, then the tombstone in the store. The file is read back and compared before. A process that
is killed in between loses nothing: before the tombstone the store still has everything, and the file is written again
the next time. After the tombstone the file is known to be on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.audit.bundles.export import SEALED, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import BundleLine, encode_bundle
from referee.eventstore.contract import LogWriteStatus
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.errors import HostError
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.aggregate import FINAL_STATUSES
from referee.match.loaded import LoadedMatch
from referee.service.finality import find_archive_blocker
from referee.service.match_service import MatchService
from referee.transparency.key_chain import RootLeaf

PAGE = 200
TRIES = 3  # a match to which entries are added all the time is not finished anyway
ARCHIVED, ASLEEP, ALREADY = "archived", "asleep", "already"

Bundler = Callable[[MatchService, LoadedMatch], Iterator[BundleLine]]


class ArchiveMismatch(HostError):
    """What was read back from the disk differs from the store: nothing was dropped."""


def archive_match(service: MatchService, archive: Archive, match: str, bundling: Bundler, *, now: bool = False) -> str:
    """Archive a match: `archived`, `already`, or the reason why it cannot be.

    The reasons are those of `find_archive_blocker`, and `fork` if the store contradicts itself. With `now`, a match is
    archived even while a player may still dispute it.

    Raises UnknownMatch, HostError (the disk), ArchiveMismatch, ArchiveMissing (the file cannot be read back),
    StoreUnavailable.
    """
    return (
        _file_match(
            *(service, archive, match, bundling),
            lambda loaded: _find_obstacle(service, loaded, now),
            service.log.archive_match,
        )
        or ARCHIVED
    )


def put_match_to_sleep(service: MatchService, archive: Archive, match: str, bundling: Bundler, before_ms: int) -> str:
    """Let a running match lie in its file until somebody writes to it.

    The answer is `asleep`, `running` if something happened in it since `before_ms`, or another reason why it stays in
    the store. Raises as `archive_match`.
    """
    return (
        _file_match(
            *(service, archive, match, bundling),
            lambda loaded: _find_reason_to_stay(service, loaded, before_ms),
            service.log.put_to_sleep,
        )
        or ASLEEP
    )


def _file_match(
    service: MatchService,
    archive: Archive,
    match: str,
    bundling: Bundler,
    find_obstacle: Callable[[LoadedMatch], str | None],
    drop: Callable[[str, int, bytes], LogWriteStatus],
) -> str | None:
    """Write the file of a match and drop its entries; return why not, or None."""
    if (why := find_obstacle(service.load_match(match))) is not None:
        return why
    with archive.lock_partition_of(match):
        for _ in range(TRIES):
            loaded = service.load_match(match)
            if (why := find_obstacle(loaded)) is not None:
                return why
            archive.write_bundle(match, encode_bundle(bundling(service, loaded)))
            _compare_archive(service, archive, loaded)
            answer = drop(match, loaded.head.version, loaded.head.root)
            if answer in (LogWriteStatus.OK, LogWriteStatus.DUP):
                return None
            if answer is not LogWriteStatus.CONFLICT:
                return answer.value.lower()
    return "running"


def _find_reason_to_stay(service: MatchService, loaded: LoadedMatch, before_ms: int) -> str | None:
    """Return why a match is not put to sleep, or None if it is to be."""
    if loaded.head.asleep:
        return ALREADY
    if loaded.head.status != "open":
        return loaded.head.status
    running = loaded.match.status == "running"
    return None if running and service.find_last_time(loaded) < before_ms else "running"


def _find_obstacle(service: MatchService, loaded: LoadedMatch, now: bool) -> str | None:
    """Return why a match is not archived now, or None if it can be."""
    if loaded.head.status == "archived":
        return ALREADY
    why = find_archive_blocker(service, loaded)
    return None if not why or (now and why == "claims") else why


def _compare_archive(service: MatchService, archive: Archive, loaded: LoadedMatch) -> None:
    """Compare the file with the store, byte by byte.

    Raises ArchiveMismatch, ArchiveMissing.
    """
    match, head = loaded.match.id, loaded.head
    filed = archive.load_entries(match, head.version, head.root)
    for start in range(0, head.version, PAGE):
        page = service.log.read_entries(match, start, min(PAGE, head.version - start))
        if filed[start : start + PAGE] != page:
            raise ArchiveMismatch(f"match {match}: the file on the disk differs from the store after entry {start}")


def build_sealed_bundler(publisher: RootPublisher, origins: OriginStore | None = None) -> Bundler:
    """Return a function that makes the sealed bundle of a match.

    It publishes the root of a match that is over first, so that the file can say where. `origins` says where matches
    came from. Raises as `publish_root`.
    """

    def bundled(service: MatchService, loaded: LoadedMatch) -> Iterator[BundleLine]:
        match = loaded.match
        if match.status in FINAL_STATUSES:
            publisher.publish_root(RootLeaf(match.id, loaded.version, loaded.head.root, match.status))
        return build_bundle_lines(service, loaded, SEALED, collect_bundle_metadata(publisher, origins))

    return bundled
