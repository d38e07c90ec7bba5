"""Decks of players on a stream server: a hash for each player, a field a deck."""

from __future__ import annotations

from referee.eventstore.access import RedisAccess, hash_tag_for
from referee.eventstore.decks import Deck, DeckWriteResult, DeckWriteStatus


def _parse_deck(found: bytes) -> Deck:
    version, _, record = found.partition(b":")
    return Deck(int(version), record)


class RedisDeckStore(RedisAccess):
    """The part of a log on a stream server that keeps decks; see `DeckStore`."""

    @staticmethod
    def _player_key(player: str, what: str = "") -> str:
        return f"{hash_tag_for(player)}:player:{player}{what}"

    def put_deck(
        self, player: str, deck: str, key: str, request: bytes, record: bytes, ttl_ms: int, most: int,
        held: int | None = None,
    ) -> DeckWriteResult:  # fmt: skip
        """Keep a deck under its name, once per key."""
        keys = [self._player_key(player, what) for what in ("", ":decks", f":deck-put:{key}")]
        found = self._run_script("put_deck", keys, deck, request, record, ttl_ms, most, "" if held is None else held)
        return DeckWriteResult(DeckWriteStatus(found[0].decode()), found[1])

    def find_deck_write(self, player: str, key: str) -> tuple[bytes, int] | None:
        """Return the request under a key and the version it made, or None."""
        kept = self._player_key(player, f":deck-put:{key}")
        found = self._call_store(lambda: self.client.hmget(kept, "ask", "version"))
        return None if found[0] is None else (found[0], int(found[1]))

    def find_deck(self, player: str, deck: str) -> Deck | None:
        """Return a deck by its name, or None."""
        found = self._call_store(lambda: self.client.hget(self._player_key(player, ":decks"), deck))
        return None if found is None else _parse_deck(found)

    def read_decks(self, player: str) -> dict[str, Deck]:
        """Return the decks of a player by name."""
        found = self._call_store(lambda: self.client.hgetall(self._player_key(player, ":decks")))
        return {deck.decode(): _parse_deck(kept) for deck, kept in found.items()}

    def drop_deck(self, player: str, deck: str, held: int | None = None) -> DeckWriteResult:
        """Delete a deck: OK, GONE or STALE."""
        found = self._run_script("drop_deck", [self._player_key(player, ":decks")], deck, "" if held is None else held)
        return DeckWriteResult(DeckWriteStatus(found[0].decode()), found[1])
