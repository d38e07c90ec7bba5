"""What a log promises of matches that go to another server, or come from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.eventstore.contract import AppendResult, Commit, IdempotencyRecord, StoredEntry


@dataclass(frozen=True, slots=True)
class TransferPayload:
    """What lies beside a match's log and goes along: records by the hash of a token, names and standing passes by seat,
    and what idempotency keys became."""

    grants: Mapping[str, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    passes: Mapping[int, bytes] = field(default_factory=dict)
    keys: Mapping[str, IdempotencyRecord] = field(default_factory=dict)


class TransferStore(Protocol):
    """The contract of leaving and arriving. Either is one act: it is done whole or not at all, and once."""

    def read_transfer_payload(self, match: str) -> TransferPayload:
        """What lies beside the log of a match now."""

    def transfer_out(self, commit: Commit, beside: TransferPayload, packed: bytes) -> AppendResult:
        """Adds the last entry here, as `append`, if tokens, names and passes beside the log are still these, else
        CONFLICT; and keeps what was packed of them. `commit.status` is `moved`: nobody adds anything from then on."""

    def find_departed_payload(self, match: str) -> bytes | None:
        """What was packed as a match left; None if it has not left, or came back."""

    def transfer_in(
        self, commit: Commit, entries: Sequence[StoredEntry], after: int, root: bytes, luggage: TransferPayload
    ) -> AppendResult:
        """Takes in a match with the entries after those that are here, and the first one of this server.

        `after` and `root`: how many entries are here, and the root over them; 0 and empty if there is no such match,
        else it has left from here. Tokens, names and passes beside the log become those of the luggage; its keys are
        added. OK, and all of it is there; DUP: this was done before; else nothing is done. CONFLICT: something else is
        here. FORK: the feed or the log do not fit themselves. TOOBIG: one of the entries.
        """
