"""What a log keeps of decks that players made, with the account of each player."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class DeckWriteStatus(StrEnum):
    """What the log answers to a write of a deck. Only OK wrote.

    DUP: this request was done before. REUSED: the key belongs to another request.
    GONE: there is no such account, or no such deck to delete.
    STALE: the deck is not at the version held. FULL: the player has the most decks allowed.
    """

    OK = "OK"
    DUP = "DUP"
    REUSED = "REUSED"
    GONE = "GONE"
    STALE = "STALE"
    FULL = "FULL"


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck as it is kept.

    The version counts all changes to the player's decks, so no version is ever used twice.
    """

    version: int
    record: bytes


@dataclass(frozen=True, slots=True)
class DeckWriteResult:
    """The answer to a write of a deck, and a version.

    The version is the one that the write made, or that the key made before, or the one kept now (0 if there is none).
    """

    status: DeckWriteStatus
    version: int


class DeckStore(Protocol):
    """The contract of a store of decks. They are deleted with their account.

    `held` is the version that a write is meant for (0: there is no such deck; None: any).
    """

    def put_deck(
        self, player: str, deck: str, key: str, request: bytes, record: bytes, ttl_ms: int, most: int,
        held: int | None = None,
    ) -> DeckWriteResult:  # fmt: skip
        """Keep a deck under its name, once per key, in place of the deck kept there.

        A player has at most `most` decks. Key and deck are written in one act. The key is remembered for `ttl_ms`.
        """

    def find_deck_write(self, player: str, key: str) -> tuple[bytes, int] | None:
        """Return the request under a key of that player and the version it made, or None."""

    def find_deck(self, player: str, deck: str) -> Deck | None:
        """Return a deck by its name, or None."""

    def read_decks(self, player: str) -> dict[str, Deck]:
        """Return the decks of a player by name."""

    def drop_deck(self, player: str, deck: str, held: int | None = None) -> DeckWriteResult:
        """Delete a deck: OK, GONE or STALE."""
