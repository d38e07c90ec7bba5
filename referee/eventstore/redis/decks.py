"""Decks of players on a stream server: a hash beside each account, a field for each deck."""

from __future__ import annotations

from referee.eventstore.access import Access, slot
from referee.eventstore.decks import Deck, DeckPut, Put


def _kept(found: bytes) -> Deck:
    version, _, record = found.partition(b":")
    return Deck(int(version), record)


class StreamDecks(Access):
    """The part of a log on a stream server that keeps decks; see `decks.Decks`."""

    @staticmethod
    def _of_player(player: str, what: str = "") -> str:
        return f"{slot(player)}:player:{player}{what}"

    def put_deck(
        self, player: str, deck: str, key: str, ask: bytes, record: bytes, ttl_ms: int, most: int,
        held: int | None = None,
    ) -> DeckPut:  # fmt: skip
        """Keeps a deck under its name, once per key."""
        keys = [self._of_player(player, what) for what in ("", ":decks", f":deck-put:{key}")]
        found = self._run("put_deck", keys, deck, ask, record, ttl_ms, most, "" if held is None else held)
        return DeckPut(Put(found[0].decode()), found[1])

    def deck_put(self, player: str, key: str) -> tuple[bytes, int] | None:
        """The ask of a key and the version it made; None if there is none any more."""
        kept = self._of_player(player, f":deck-put:{key}")
        found = self._ask(lambda: self.client.hmget(kept, "ask", "version"))
        return None if found[0] is None else (found[0], int(found[1]))

    def deck(self, player: str, deck: str) -> Deck | None:
        """A deck by its name; None if there is none."""
        found = self._ask(lambda: self.client.hget(self._of_player(player, ":decks"), deck))
        return None if found is None else _kept(found)

    def decks(self, player: str) -> dict[str, Deck]:
        """The decks of a player by name."""
        found = self._ask(lambda: self.client.hgetall(self._of_player(player, ":decks")))
        return {deck.decode(): _kept(kept) for deck, kept in found.items()}

    def drop_deck(self, player: str, deck: str, held: int | None = None) -> DeckPut:
        """Forgets a deck."""
        found = self._run("drop_deck", [self._of_player(player, ":decks")], deck, "" if held is None else held)
        return DeckPut(Put(found[0].decode()), found[1])
