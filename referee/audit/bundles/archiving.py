"""Putting finished matches away: first the file, read back and compared, then the tombstone in the store's place of it.

Whoever is killed on the way has lost nothing: before the tombstone the store still has it all, and the file, whole or
not there, is written anew the next time; from the tombstone on the file is known to be on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.audit.bundles.export import SEALED, beside, lines
from referee.audit.bundles.format import Line, written
from referee.eventstore.contract import Answer
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import Origins
from referee.infrastructure.errors import HostError
from referee.infrastructure.root_publisher import Publisher
from referee.service.finality import unsettled
from referee.service.match_service import Desk, Loaded
from referee.transparency.key_chain import RootLeaf

PAGE = 200
TRIES = 3  # a match that somebody adds to all the time is not settled anyway
ARCHIVED, ALREADY = "archived", "already"

Bundling = Callable[[Desk, Loaded], Iterator[Line]]


class NotTheSame(HostError):
    """What was read back from the disk is not what the store holds: nothing was dropped."""


def put_away(desk: Desk, archive: Archive, match: str, bundling: Bundling, *, now: bool = False) -> str:
    """Archives a match: `archived`, or `already`, or why it cannot be (`desk.settled.unsettled`, `fork` where the
    store's own notes do not fit). With `now` also while somebody may still dispute it.

    Raises UnknownMatch, HostError (the disk), NotTheSame, Lost (what was written cannot be read), StoreAway.
    """
    if (why := _wanting(desk, desk.load(match), now)) is not None:
        return why
    with archive.alone(match):
        for _ in range(TRIES):
            loaded = desk.load(match)
            if (why := _wanting(desk, loaded, now)) is not None:
                return why
            head = loaded.head
            archive.keep(match, written(bundling(desk, loaded)))
            _read_back(desk, archive, loaded)
            answer = desk.log.archive(match, head.version, head.root)
            if answer in (Answer.OK, Answer.DUP):
                return ARCHIVED
            if answer is not Answer.CONFLICT:
                return answer.value.lower()
    return "running"


def _wanting(desk: Desk, loaded: Loaded, now: bool) -> str | None:
    """What a match has become, or why it stays; None if it can go."""
    if loaded.head.status == "archived":
        return ALREADY
    why = unsettled(desk, loaded)
    return None if not why or (now and why == "claims") else why


def _read_back(desk: Desk, archive: Archive, loaded: Loaded) -> None:
    """Compares the file with the store, byte by byte. Raises NotTheSame, Lost."""
    match, head = loaded.match.id, loaded.head
    filed = archive.entries(match, head.version, head.root)
    for start in range(0, head.version, PAGE):
        page = desk.log.entries(match, start, min(PAGE, head.version - start))
        if filed[start : start + PAGE] != page:
            raise NotTheSame(f"match {match}: what lies on the disk after entry {start} is not what the store holds")


def sealed(publisher: Publisher, origins: Origins | None = None) -> Bundling:
    """The bundle of a match with all that the store holds of it, once its root stands in the log of roots: the file is
    to say where. `origins`: where matches were before they came here. Raises as `publisher.publish`."""

    def bundled(desk: Desk, loaded: Loaded) -> Iterator[Line]:
        match = loaded.match
        publisher.publish(RootLeaf(match.id, loaded.version, loaded.head.root, match.status))
        return lines(desk, loaded, SEALED, beside(publisher, origins))

    return bundled
