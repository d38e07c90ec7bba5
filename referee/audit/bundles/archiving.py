"""Putting finished matches away: first the file, read back and compared, then the tombstone in the store's place of it.

Whoever is killed on the way has lost nothing: before the tombstone the store still has it all, and the file, whole or
not there, is written anew the next time; from the tombstone on the file is known to be on the disk.
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
from referee.match.loaded import LoadedMatch
from referee.service.finality import find_archive_blocker
from referee.service.match_service import MatchService
from referee.transparency.key_chain import RootLeaf

PAGE = 200
TRIES = 3  # a match that somebody adds to all the time is not settled anyway
ARCHIVED, ALREADY = "archived", "already"

Bundler = Callable[[MatchService, LoadedMatch], Iterator[BundleLine]]


class ArchiveMismatch(HostError):
    """What was read back from the disk is not what the store holds: nothing was dropped."""


def archive_match(service: MatchService, archive: Archive, match: str, bundling: Bundler, *, now: bool = False) -> str:
    """Archives a match: `archived`, or `already`, or why it cannot be (`desk.settled.unsettled`, `fork` where the
    store's own notes do not fit). With `now` also while somebody may still dispute it.

    Raises UnknownMatch, HostError (the disk), ArchiveMismatch, ArchiveMissing (what was written cannot be read),
    StoreUnavailable.
    """
    if (why := _find_obstacle(service, service.load_match(match), now)) is not None:
        return why
    with archive.lock_partition_of(match):
        for _ in range(TRIES):
            loaded = service.load_match(match)
            if (why := _find_obstacle(service, loaded, now)) is not None:
                return why
            head = loaded.head
            archive.write_bundle(match, encode_bundle(bundling(service, loaded)))
            _compare_archive(service, archive, loaded)
            answer = service.log.archive_match(match, head.version, head.root)
            if answer in (LogWriteStatus.OK, LogWriteStatus.DUP):
                return ARCHIVED
            if answer is not LogWriteStatus.CONFLICT:
                return answer.value.lower()
    return "running"


def _find_obstacle(service: MatchService, loaded: LoadedMatch, now: bool) -> str | None:
    """What a match has become, or why it stays; None if it can go."""
    if loaded.head.status == "archived":
        return ALREADY
    why = find_archive_blocker(service, loaded)
    return None if not why or (now and why == "claims") else why


def _compare_archive(service: MatchService, archive: Archive, loaded: LoadedMatch) -> None:
    """Compares the file with the store, byte by byte. Raises ArchiveMismatch, ArchiveMissing."""
    match, head = loaded.match.id, loaded.head
    filed = archive.load_entries(match, head.version, head.root)
    for start in range(0, head.version, PAGE):
        page = service.log.read_entries(match, start, min(PAGE, head.version - start))
        if filed[start : start + PAGE] != page:
            raise ArchiveMismatch(
                f"match {match}: what lies on the disk after entry {start} is not what the store holds"
            )


def build_sealed_bundler(publisher: RootPublisher, origins: OriginStore | None = None) -> Bundler:
    """The bundle of a match with all that the store holds of it, once its root stands in the log of roots: the file is
    to say where. `origins`: where matches were before they came here. Raises as `publisher.publish`."""

    def bundled(service: MatchService, loaded: LoadedMatch) -> Iterator[BundleLine]:
        match = loaded.match
        publisher.publish_root(RootLeaf(match.id, loaded.version, loaded.head.root, match.status))
        return build_bundle_lines(service, loaded, SEALED, collect_bundle_metadata(publisher, origins))

    return bundled
