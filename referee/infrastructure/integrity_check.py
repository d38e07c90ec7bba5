"""Checks the logs of all running matches, and of all tournaments, at the start.

The store loads a changed byte without noticing. A damaged match is frozen: it can be read but not written, so that
nothing is built upon damage.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from referee.eventstore.contract import PARTITIONS, MatchLog, StoredEntry
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.root_publisher import ORIGIN_SUFFIX
from referee.infrastructure.watermarks.guard import HistoryLostError, SignedHistory, find_root
from referee.infrastructure.watermarks.mark_file import Mark
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

PAGE_SIZE = 500
SaltFunction = Callable[[str, int, int, str], bytes]  # of a match, a generation of the secret, a version, a viewer
LOST_SAYS = "receipts were given for entries that it no longer has (`referee history lost`)"
RENEWED = "table.ChanceRenewed"  # from the entry with this event on, salts come from the next secret


@dataclass(frozen=True)
class Damage:
    """The first entry of a match that is not what was written, and how that shows.

    `what` is `log` (there is none), `missing` (an entry), `public` or `hidden` (a changed part), `head`, `archive`
    (there is none), or `signed` (receipts say otherwise).
    """

    match: str
    version: int
    says: str
    what: str = "log"

    def __str__(self) -> str:
        return f"match {self.match}, version {self.version}: {self.says}"


def freeze_damaged_matches(log: MatchLog, salt: SaltFunction) -> list[Damage]:
    """Freeze the damaged ones of the running matches, and return them.

    Raises StoreUnavailable.
    """
    found = []
    for match in iterate_matches(log):
        if damage := check_match(log, match, salt):
            log.freeze_match(match)
            found.append(damage)
    return found


def freeze_lost_matches(log: MatchLog, history: SignedHistory) -> list[Damage]:
    """Freeze the matches that no longer have what was signed of them.

    Return them, without those that were frozen before. Raises StoreUnavailable.
    """
    found = []
    for name, mark in find_lost_histories(log, history):
        head = log.read(name, after=mark.size, limit=0).head
        if head is None or head.status != "frozen":
            log.freeze_match(name)
            found.append(Damage(name, mark.size, LOST_SAYS, "signed"))
    return found


def find_lost_histories(log: MatchLog, history: SignedHistory) -> Iterator[tuple[str, Mark]]:
    """Yield the matches that no longer have what was signed of them, with their marks.

    The root log is not among them, because it is checked before each signature. Raises StoreUnavailable.
    """
    for name, mark in history.marks.list_marks():
        if name == ORIGIN_SUFFIX:
            continue
        head = log.read(name, after=mark.size, limit=0).head
        is_filed = head is not None and (head.status == "archived" or head.asleep)
        if head is not None and is_filed and head.version >= mark.size:
            continue  # its file is checked against its head when it is read
        try:
            history.require_kept(name, mark, functools.partial(find_root, log, name))
        except HistoryLostError:
            yield name, mark


def find_missing_archives(log: MatchLog, archive: Archive) -> list[Damage]:
    """Return the archived and sleeping matches that have no file.

    Raises StoreUnavailable.

    The content of the files is checked when they are read, and by an audit, because that takes long if there are many.
    """
    found = []
    for partition in range(PARTITIONS):
        after = 0
        while page := log.list_archived(partition, after, PAGE_SIZE):
            after += len(page)
            lost = [(match, version) for match, version in page if not archive.has_file(match)]
            says = "it is archived or asleep, and its file is missing"
            found += [Damage(match, version, says, "archive") for match, version in lost]
    return found


def iterate_matches(log: MatchLog) -> Iterator[str]:
    """Yield every match of the store once, as the feeds name them."""
    for partition in range(PARTITIONS):
        seen: set[str] = set()
        after = 0
        while page := log.read_feed(partition, after, PAGE_SIZE):
            after = page[-1][0]
            new = dict.fromkeys(match for _, match, _ in page if match not in seen)
            seen |= new.keys()
            yield from new


def check_match(log: MatchLog, match: str, salt: SaltFunction) -> Damage | None:
    """Return what is wrong with a match's log, or None if it is sound or in a file."""
    head = log.read(match, after=1, limit=0).head  # after 1, so that no snapshot is loaded
    if head is None:
        return Damage(match, 0, "the feed names it, and it has no log")
    if head.status == "frozen":  # reported each time, or it would be forgotten after the first
        return Damage(match, head.version, "it is frozen since an earlier check failed")
    if head.asleep:  # its file is checked when it is read
        return None
    return check_match_log(log, match, salt) if head.status in ("open", "over", "moved") else None


def check_match_log(log: MatchLog, match: str, salt: SaltFunction) -> Damage | None:
    """Return what is wrong with the log of a match in the store, whatever its status.

    Return None if it is sound, or was archived meanwhile.
    """
    frontier: tuple[bytes, ...] = ()
    size, root, generation = 0, b"", 0
    while page := log.read_entries(match, size, PAGE_SIZE):
        for entry in page:
            if entry.version != size + 1:
                return Damage(match, size + 1, "the entry is missing", "missing")
            frontier = extend_frontier(frontier, size, leaf_hash(entry.envelope))
            size, root = size + 1, entry.root
            if compute_root(frontier, size) != root:
                return Damage(match, size, "the public part or the root is not what was written", "public")
            said = _read_envelope(entry)
            generation += _renews_secret(said)
            if not _is_sealed_as_committed(entry, said, salt(match, generation, entry.version, "full")):
                return Damage(match, size, "the hidden part is not what was written", "hidden")
        head = log.read(match, after=1, limit=0).head  # read last, because a writer may add entries meanwhile
        if head is None or head.status == "archived":
            return None
        if size >= head.version:
            break
    else:
        head = log.read(match, after=1, limit=0).head
        if head is None or head.status == "archived":
            return None
    if size < head.version:
        return Damage(match, size + 1, "the entry is missing", "missing")
    if size > head.version or frontier != head.frontier or root != head.root:
        return Damage(match, size, "the head of the log does not fit its entries", "head")
    return None


def _read_envelope(entry: StoredEntry) -> Any:
    """Return what the public part of an entry says, or None if it is malformed."""
    try:
        return orjson.loads(entry.envelope)
    except ValueError:
        return None  # a malformed entry shows by its root or its sealed part


def _renews_secret(said: Any) -> bool:
    """Return whether an entry and its own salts come from a new secret."""
    try:
        return any(event["type"] == RENEWED for event in said["events"])
    except (KeyError, TypeError):
        return False


def _is_sealed_as_committed(entry: StoredEntry, said: Any, salt: bytes) -> bool:
    """Return whether the sealed part is the one that the envelope commits to."""
    try:
        committed = said["commitments"]["full"]
    except (KeyError, TypeError):
        return False
    found = hashlib.sha256(salt + entry.sealed).hexdigest()
    return bool(found == committed)
