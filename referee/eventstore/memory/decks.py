"""Decks of players in memory; see `DeckStore`."""

from __future__ import annotations

from referee.eventstore.decks import Deck, DeckWriteResult, DeckWriteStatus
from referee.eventstore.memory.access import MemoryAccess


class MemoryDeckStore(MemoryAccess):
    """The part of a log in memory that keeps decks.

    The log supplies the lock, the clock and the accounts.
    """

    _players: dict[str, tuple[str, bytes]]

    def __init__(self) -> None:
        super().__init__()
        self._decks: dict[str, dict[str, Deck]] = {}
        self._deck_changes: dict[str, int] = {}
        self._deck_puts: dict[tuple[str, str], tuple[int, bytes, int]] = {}

    def put_deck(
        self, player: str, deck: str, key: str, request: bytes, record: bytes, ttl_ms: int, most: int,
        held: int | None = None,
    ) -> DeckWriteResult:  # fmt: skip
        with self._lock:
            if player not in self._players:
                return DeckWriteResult(DeckWriteStatus.GONE, 0)
            earlier = self.find_deck_write(player, key)
            if earlier is not None:
                return (
                    DeckWriteResult(DeckWriteStatus.DUP, earlier[1])
                    if earlier[0] == request
                    else DeckWriteResult(DeckWriteStatus.REUSED, 0)
                )
            decks = self._decks.setdefault(player, {})
            version_now = decks[deck].version if deck in decks else 0
            if held is not None and held != version_now:
                return DeckWriteResult(DeckWriteStatus.STALE, version_now)
            if not version_now and len(decks) >= most:
                return DeckWriteResult(DeckWriteStatus.FULL, 0)
            version = self._deck_changes[player] = self._deck_changes.get(player, 0) + 1
            decks[deck] = Deck(version, record)
            self._deck_puts[player, key] = (self.now() + ttl_ms, request, version)
            return DeckWriteResult(DeckWriteStatus.OK, version)

    def find_deck_write(self, player: str, key: str) -> tuple[bytes, int] | None:
        with self._lock:
            kept = self._deck_puts.get((player, key))
            return None if kept is None or kept[0] <= self.now() else (kept[1], kept[2])

    def find_deck(self, player: str, deck: str) -> Deck | None:
        with self._lock:
            return self._decks.get(player, {}).get(deck)

    def read_decks(self, player: str) -> dict[str, Deck]:
        with self._lock:
            return dict(self._decks.get(player, {}))

    def drop_deck(self, player: str, deck: str, held: int | None = None) -> DeckWriteResult:
        with self._lock:
            decks = self._decks.get(player, {})
            if deck not in decks:
                return DeckWriteResult(DeckWriteStatus.GONE, 0)
            version_now = decks[deck].version
            if held is not None and held != version_now:
                return DeckWriteResult(DeckWriteStatus.STALE, version_now)
            del decks[deck]
            return DeckWriteResult(DeckWriteStatus.OK, version_now)

    def _drop_decks(self, player: str) -> None:
        """Delete all decks of a player, with the account."""
        self._decks.pop(player, None)
        self._deck_changes.pop(player, None)
