"""What the store's tests write: commits that carry a correct tree, and a look at whole logs."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from referee.eventstore.contract import AppendResult, Commit, Head, LogWriteStatus, MatchLog
from referee.transparency.merkle import compute_root, compute_root_of_leaves, extend_frontier, leaf_hash

NOTHING = Head(0, b"", (), "open", 0, "", "")
MATCH = "07-abcdefghijklmnopqrstuvwxyz"
OTHER = "07-zyxwvutsrqponmlkjihgfedcba"  # of the same partition
ELSEWHERE = "63-abcdefghijklmnopqrstuvwxyz"


def asking(what: str) -> bytes:
    """The hash of an ask."""
    return hashlib.sha256(what.encode()).digest()


def following(match: str, head: Head | None, key: str, envelope: bytes = b"{}", **given: Any) -> Commit:
    """The commit that adds an entry to a log which stands at `head`, under a key, and asks for what the key says."""
    head = head or NOTHING
    frontier = extend_frontier(head.frontier, head.version, leaf_hash(envelope))
    commit = Commit(
        match=match,
        version=head.version + 1,
        envelope=envelope,
        sealed=b"sealed " + key.encode(),
        root=compute_root(frontier, head.version + 1),
        frontier=frontier,
        previous_root=head.root,
        key=key,
        fingerprint=asking(key),
    )
    return replace(commit, **given)


def head_of(log: MatchLog, match: str) -> Head:
    """Where a match stands that must be there."""
    head = log.read(match, limit=0).head
    assert head is not None
    return head


def add(log: MatchLog, match: str, key: str, envelope: bytes = b"{}", **given: Any) -> AppendResult:
    """Adds an entry at the head, which nobody else moves meanwhile."""
    appended = log.append(following(match, log.read(match, limit=0).head, key, envelope, **given))
    assert appended.status is LogWriteStatus.OK
    return appended


def grow(log: MatchLog, match: str, count: int) -> None:
    """Adds so many entries, each different."""
    start = log.read(match, limit=0).head or NOTHING
    for version in range(start.version + 1, start.version + count + 1):
        add(log, match, f"0:{match}{version}", f'{{"n":{version}}}'.encode())


def check_whole(log: MatchLog, match: str) -> int:
    """A log without a gap whose every root is right (promise 1); how many entries it has."""
    reading = log.read(match)
    entries, head = reading.entries, reading.head
    if head is None:
        assert not entries
        return 0
    assert [entry.version for entry in entries] == list(range(1, head.version + 1))
    leaves, frontier = [], ()
    for entry in entries:
        leaves.append(leaf_hash(entry.envelope))
        frontier = extend_frontier(frontier, entry.version - 1, leaves[-1])
        assert entry.root == compute_root(frontier, entry.version)
    assert head.frontier == frontier
    assert head.root == entries[-1].root == compute_root_of_leaves(leaves)
    return head.version


def check_feed(log: MatchLog, partition: int, matches: dict[str, int]) -> None:
    """A feed that holds each entry of these matches once, in their order, at positions without a gap (promise 6)."""
    total = sum(matches.values())
    assert log.read_partition_info(partition).position == total
    fed = log.read_feed(partition, 0, total + 1)
    assert [position for position, _, _ in fed] == list(range(1, total + 1))
    for match, count in matches.items():
        assert [version for _, of, version in fed if of == match] == list(range(1, count + 1))


def everything(log: MatchLog, match: str, key: str = "") -> Any:
    """All that a commit may touch and that does not move by itself, to see that it was left alone."""
    reading = log.read(match, key=key)
    partition = int(match[:2])
    far = reading.now_ms + 10**9
    return (
        replace(reading, now_ms=0),
        log.read_feed(partition, 0),
        log.read_partition_info(partition),
        log.find_due_deadlines(partition, far),
    )
