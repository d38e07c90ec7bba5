"""Looks at the logs of all matches under way when a server starts: a flipped byte loads silently, and is found here.

A damaged match is frozen: it can be read and not written, so that nothing is built upon what nobody said.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.eventstore.contract import PARTITIONS, MatchLog, StoredEntry
from referee.infrastructure.archives.archive import Archive
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

PAGE_SIZE = 500
SaltFunction = Callable[[str, int, int, str], bytes]  # match, generation of the secret, version, whose
RENEWED = "table.ChanceRenewed"  # from the entry with this fact on salts come from the next secret


@dataclass(frozen=True)
class Damage:
    """The first entry of a match that is not what was written, and how that shows. `what`: `log` (there is none),
    `missing` (an entry), `public`, `hidden` (parts of it that were changed), `head`, or `archive` (there is none)."""

    match: str
    version: int
    says: str
    what: str = "log"

    def __str__(self) -> str:
        return f"match {self.match}, version {self.version}: {self.says}"


def freeze_damaged_matches(log: MatchLog, salt: SaltFunction) -> list[Damage]:
    """The damaged ones of the matches under way, each frozen by now. Raises StoreUnavailable."""
    found = []
    for match in iterate_matches(log):
        if damage := check_match(log, match, salt):
            log.freeze_match(match)
            found.append(damage)
    return found


def find_missing_archives(log: MatchLog, archive: Archive) -> list[Damage]:
    """The archived matches that have no file. Raises StoreUnavailable.

    What the files hold is looked at when somebody reads them, and by an audit: that takes as long as there are many.
    """
    found = []
    for partition in range(PARTITIONS):
        after = 0
        while page := log.list_archived(partition, after, PAGE_SIZE):
            after += len(page)
            lost = [(match, version) for match, version in page if not archive.has_file(match)]
            says = "it is archived, and its file is missing"
            found += [Damage(match, version, says, "archive") for match, version in lost]
    return found


def iterate_matches(log: MatchLog) -> Iterator[str]:
    """Every match of the store, once, as the feeds name them."""
    for partition in range(PARTITIONS):
        seen: set[str] = set()
        after = 0
        while page := log.read_feed(partition, after, PAGE_SIZE):
            after = page[-1][0]
            new = dict.fromkeys(match for _, match, _ in page if match not in seen)
            seen |= new.keys()
            yield from new


def check_match(log: MatchLog, match: str, salt: SaltFunction) -> Damage | None:
    """What is wrong with a match's log; None if it is sound or archived."""
    head = log.read(match, limit=0).head
    if head is None:
        return Damage(match, 0, "the feed names it, and it has no log")
    if head.status == "frozen":  # told at every look, or it would be forgotten after the first
        return Damage(match, head.version, "it is frozen since an earlier check failed")
    return check_match_log(log, match, salt) if head.status in ("open", "moved") else None


def check_match_log(log: MatchLog, match: str, salt: SaltFunction) -> Damage | None:
    """What is wrong with the log of a match that is in the store, whatever its status; None if it is sound, or was
    archived meanwhile."""
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
            generation += _renews_secret(entry)
            if not _is_sealed_as_committed(entry, salt(match, generation, entry.version, "full")):
                return Damage(match, size, "the hidden part is not what was written", "hidden")
        head = log.read(match, limit=0).head  # after its entries: somebody may be writing, and it never lags behind
        if head is None or head.status == "archived":
            return None
        if size >= head.version:
            break
    else:
        head = log.read(match, limit=0).head
        if head is None or head.status == "archived":
            return None
    if size < head.version:
        return Damage(match, size + 1, "the entry is missing", "missing")
    if size > head.version or frontier != head.frontier or root != head.root:
        return Damage(match, size, "the head of the log does not fit its entries", "head")
    return None


def _renews_secret(entry: StoredEntry) -> bool:
    """Whether an entry, its own salts among it, comes from another secret than the one before it."""
    try:
        return any(event["type"] == RENEWED for event in json.loads(entry.envelope)["events"])
    except (ValueError, KeyError, TypeError):
        return False  # what is no entry its root or its hidden part tells


def _is_sealed_as_committed(entry: StoredEntry, salt: bytes) -> bool:
    """Whether the hidden part is the one to which the public part is bound."""
    try:
        committed = json.loads(entry.envelope)["commitments"]["full"]
    except (ValueError, KeyError, TypeError):
        return False
    found = hashlib.sha256(salt + entry.sealed).hexdigest()
    return bool(found == committed)
