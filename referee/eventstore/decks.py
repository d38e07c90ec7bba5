"""What a log keeps of decks that players have made: each beside the account of its player, seen by nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class DeckWriteStatus(StrEnum):
    """What the log says to a write of a deck. Only OK wrote.

    DUP: this ask was done before. REUSED: the key stands for another ask. GONE: no such account, or no such deck to
    drop. STALE: the deck is not at the version held. FULL: the player has as many decks as may be.
    """

    OK = "OK"
    DUP = "DUP"
    REUSED = "REUSED"
    GONE = "GONE"
    STALE = "STALE"
    FULL = "FULL"


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck as it is kept. Versions count all changes of decks of its player, so none ever comes back."""

    version: int
    record: bytes


@dataclass(frozen=True, slots=True)
class DeckWriteResult:
    """What became of a write: the answer, and the version (that it made, that the key made before, or that stands
    there; 0 if there is none)."""

    status: DeckWriteStatus
    version: int


class DeckStore(Protocol):
    """The contract of decks. They go with the account (`AccountStore.drop_player`). `held` is the version that a write
    is meant for (0: that there is no such deck; None: any)."""

    def put_deck(
        self, player: str, deck: str, key: str, ask: bytes, record: bytes, ttl_ms: int, most: int,
        held: int | None = None,
    ) -> DeckWriteResult:  # fmt: skip
        """Keeps a deck under its name in place of what stood there, once per key, which is known for a while; no more
        than `most` decks of a player. Key and deck are written in one act."""

    def find_deck_write(self, player: str, key: str) -> tuple[bytes, int] | None:
        """The ask of a key of that player and the version it made; None if there is none any more."""

    def find_deck(self, player: str, deck: str) -> Deck | None:
        """A deck by its name; None if there is none."""

    def read_decks(self, player: str) -> dict[str, Deck]:
        """The decks of a player by name."""

    def drop_deck(self, player: str, deck: str, held: int | None = None) -> DeckWriteResult:
        """Forgets a deck: OK, GONE or STALE."""
