"""What a log promises of matches that go to another server, or come from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.eventstore.contract import Appended, Commit, Entry, Known


@dataclass(frozen=True, slots=True)
class Luggage:
    """What lies beside a match's log and goes along: records by the hash of a token, names and standing passes by seat,
    and what idempotency keys became."""

    grants: Mapping[str, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    passes: Mapping[int, bytes] = field(default_factory=dict)
    keys: Mapping[str, Known] = field(default_factory=dict)


class Moves(Protocol):
    """The contract of leaving and arriving. Either is one act: it is done whole or not at all, and once."""

    def luggage(self, match: str) -> Luggage:
        """What lies beside the log of a match now."""

    def depart(self, commit: Commit, beside: Luggage, packed: bytes) -> Appended:
        """Adds the last entry here, as `append`, if tokens, names and passes beside the log are still these, else
        CONFLICT; and keeps what was packed of them. `commit.status` is `moved`: nobody adds anything from then on."""

    def departed(self, match: str) -> bytes | None:
        """What was packed as a match left; None if it has not left, or came back."""

    def adopt(self, commit: Commit, entries: Sequence[Entry], after: int, root: bytes, luggage: Luggage) -> Appended:
        """Takes in a match with the entries after those that are here, and the first one of this server.

        `after` and `root`: how many entries are here, and the root over them; 0 and empty if there is no such match,
        else it has left from here. Tokens, names and passes beside the log become those of the luggage; its keys are
        added. OK, and all of it is there; DUP: this was done before; else nothing is done. CONFLICT: something else is
        here. FORK: the feed or the log do not fit themselves. TOOBIG: one of the entries.
        """
