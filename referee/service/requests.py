"""What goes into the match service and what comes out: move requests and results of commands."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.loaded import LoadedMatch


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of a write: its entry, the match after what followed by itself, the receipt.

    `entries` are those of both, where they were just written; empty where they have to be read.
    """

    entry: int
    after: LoadedMatch
    receipt: str
    replayed: bool
    entries: tuple[LogEntry, ...] = ()

    @property
    def version(self) -> int:
        """The version after what followed by itself."""
        return self.after.version

    @property
    def match(self) -> Match:
        """The match at that version."""
        return self.after.match


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move that a seat, a bot, chance or the clock wants to make.

    - `key`: the idempotency key, unique within `scope` (by default the seat).
    - `actor`: how it is moved; what follows a colon says by which seat (`reporter:2`).
    - `seen`: the version the seat looked at. If the log has moved on, the move stands only where nothing since has
      reopened the question and none of it was this seat's.
    - `strict`: the version whose play the request insists on. Neither minds what the table does beside the play.
    - `view_hash`: that of the view a bot decided on, at version `seen`; it is sealed into the entry.
    - `window`: the one that the move is meant for, if any; the move stands only while that one is open.
    - `own`: all seats of the person who reports; none of them is a witness.
    """

    match: str
    seat: Seat
    move: Move
    key: str
    scope: str = ""
    actor: str = "player"
    seen: int | None = None
    strict: int | None = None
    view_hash: str = ""
    window: str = ""
    own: tuple[int, ...] = ()

    @property
    def scoped_key(self) -> str:
        """The key as the log keeps it."""
        return f"{self.scope or f'seat{self.seat}'}:{self.key}"

    @property
    def fingerprint(self) -> bytes:
        """What tells this request from another under the same key."""
        return hash_request(self.move, self.seat, self.seen, self.window)


def hash_request(command: Move, seat: int = BYSTANDER, seen: int | None = None, window: str = "") -> bytes:
    named = {"window": window} if window else {}
    return hashlib.sha256(encode_canonical({"ask": encode(command), "seat": seat, "seen": seen, **named})).digest()
