"""What a log promises of matches that move to another server or come from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.eventstore.contract import AppendResult, Commit, IdempotencyRecord, StoredEntry


@dataclass(frozen=True, slots=True)
class TransferPayload:
    """What is kept of a match outside its log and moves with it.

    Token records by hash, names and standing passes by seat, and the versions that idempotency keys led to.
    """

    grants: Mapping[str, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    passes: Mapping[int, bytes] = field(default_factory=dict)
    keys: Mapping[str, IdempotencyRecord] = field(default_factory=dict)


class TransferStore(Protocol):
    """The contract of a store that matches leave and arrive at.

    Each move is one act: it is done once, and completely or not at all.
    """

    def read_transfer_payload(self, match: str) -> TransferPayload:
        """Return what is kept of a match outside its log now."""

    def transfer_out(self, commit: Commit, expected: TransferPayload, packed: bytes) -> AppendResult:
        """Add the last entry of a match here, and keep the packed payload with it.

        Return CONFLICT if tokens, names or passes are no longer those of `expected`. Otherwise answer as `append`.
        `commit.status` is `moved`: nobody adds an entry from then on.
        """

    def find_departed_payload(self, match: str) -> bytes | None:
        """Return what was packed when a match left, or None if it is here.

        None also if the match came back.
        """

    def transfer_in(
        self, commit: Commit, entries: Sequence[StoredEntry], after: int, root: bytes, payload: TransferPayload
    ) -> AppendResult:
        """Take in a match: the entries that are missing here, and the first one made here.

        `after` and `root` say how many entries are here and the root over them: 0 and empty if there is no such match,
        otherwise it has left from here. The payload replaces tokens, names and passes. Its keys are added.

        OK: all of it is written; DUP: it was before. Otherwise nothing is written.
        CONFLICT: something else is here. FORK: the feed or the log contradicts itself. TOOBIG: an entry is too long.
        """
