"""What the match service takes and returns: move requests, results of commands."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.bots.decisions import NO_DECISION, BotDecision
from referee.match.entries import LogEntry
from referee.match.loaded import LoadedMatch
from referee.match.table.signed_moves import MoveSignature


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a write: its entry, the match after all follow-ups, the receipt.

    `entries` are the entry and its follow-ups if they were just written; empty if they have to be read. `before` is the
    match before them; None if it has to be read.
    """

    entry: int
    after: LoadedMatch
    receipt: str
    replayed: bool
    entries: tuple[LogEntry, ...] = ()
    before: Match | None = None

    @property
    def version(self) -> int:
        """The version after all follow-ups."""
        return self.after.version

    @property
    def match(self) -> Match:
        """The match at that version."""
        return self.after.match


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move that a seat, a bot, chance or the clock wants to make.

    - `key`: the idempotency key, unique within `scope` (by default the seat).
    - `actor`: how the move is made; after a colon stands the seat of the caller (`reporter:2`).
    - `seen`: the version that the caller looked at. If the version has changed, the move is made only if nothing since
    has reopened the question and no entry since was this seat's.
    - `strict`: the version whose play the request insists on. Table commands beside the play do not matter for either.
    - `decision`: what a bot's move rests on, at version `seen`; it is sealed into the entry.
    - `window`: the window that the move is meant for, if any; it is made only while that window is open.
    - `own`: all seats of the reporter; none of them can be a witness.
    - `link`: the next link of the seat's chain, in hex; empty: none. It does not tell requests apart.
    - `signed`: what the seat's device signed, at version `seen`. It does not tell requests apart.
    - `reports`: what real dice and cards showed after the move, in order; None: nobody reacts. `reporter` says so: the
    number of a seat, or `host`.
    """

    match: str
    seat: Seat
    move: Move
    key: str
    scope: str = ""
    actor: str = "player"
    seen: int | None = None
    strict: int | None = None
    decision: BotDecision = NO_DECISION
    window: str = ""
    own: tuple[int, ...] = ()
    reports: tuple[Move | None, ...] = ()
    reporter: str = ""
    link: str = ""
    signed: MoveSignature | None = None

    @property
    def scoped_key(self) -> str:
        """The key under which the log keeps it."""
        return f"{self.scope or f'seat{self.seat}'}:{self.key}"

    @property
    def fingerprint(self) -> bytes:
        """The hash that tells this request from another under the same key."""
        return hash_request(self.move, self.seat, self.seen, self.window, self.reports)


def hash_request(
    command: Move,
    seat: int = BYSTANDER,
    seen: int | None = None,
    window: str = "",
    reports: tuple[Move | None, ...] = (),
) -> bytes:
    """Return the hash that tells a request from others under the same key."""
    named: dict[str, Any] = {"window": window} if window else {}
    if reports:
        named["reports"] = [None if each is None else encode(each) for each in reports]
    return hashlib.sha256(encode_canonical({"ask": encode(command), "seat": seat, "seen": seen, **named})).digest()
