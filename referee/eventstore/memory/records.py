"""What a log in memory keeps of matches and partitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.eventstore.contract import Head, IdempotencyRecord, Snapshot, StoredEntry


@dataclass
class MatchRecord:
    """What is kept of a match."""

    head: Head
    log: list[StoredEntry] = field(default_factory=list)
    keys: dict[str, IdempotencyRecord] = field(default_factory=dict)
    snapshot: Snapshot | None = None
    status_before: str = "open"  # its status before it was frozen


@dataclass
class PartitionRecord:
    """What is kept of a partition."""

    feed: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    due: dict[tuple[str, str], int] = field(default_factory=dict)
    wake_until: int = 0
    epoch: int = 0
    views: dict[str, dict[str, bytes]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    cursors: dict[str, int] = field(default_factory=dict)
    archived: dict[str, int] = field(default_factory=dict)
