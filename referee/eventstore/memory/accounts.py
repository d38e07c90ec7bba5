"""Accounts of players in memory; see `AccountStore`."""

from __future__ import annotations

from collections.abc import Sequence

from referee.eventstore.accounts import DELETED_PLAYER, ItemWriteStatus
from referee.eventstore.books import MemoryBookStore
from referee.eventstore.memory.decks import MemoryDeckStore
from referee.transparency.root_log import MemoryRootLog


class MemoryAccountStore(MemoryDeckStore, MemoryBookStore, MemoryRootLog):
    """The part of a log in memory that keeps accounts; the log supplies the lock."""

    def __init__(self) -> None:
        MemoryDeckStore.__init__(self)
        MemoryBookStore.__init__(self)
        MemoryRootLog.__init__(self)
        self._players: dict[str, tuple[str, bytes]] = {}
        self._sittings: dict[str, dict[str, bytes]] = {}
        self._items: dict[str, dict[tuple[str, str], bytes]] = {}
        self._links: dict[str, dict[int, str]] = {}
        self._links_changed = 0

    def create_player(self, player: str, token_hash: str, record: bytes) -> bool:
        with self._lock:
            return self._players.setdefault(player, kept := (token_hash, record)) is kept

    def find_player(self, player: str) -> tuple[str, bytes] | None:
        with self._lock:
            return self._players.get(player)

    def find_players(self, players: Sequence[str]) -> dict[str, bytes]:
        with self._lock:
            return {player: self._players[player][1] for player in players if player in self._players}

    def change_player(self, player: str, record: bytes) -> bool:
        with self._lock:
            kept = self._players.get(player)
            if kept is not None:
                self._players[player] = (kept[0], record)
            return kept is not None

    def add_sitting(self, player: str, sitting: str, note: bytes) -> bool:
        with self._lock:
            if player in self._players:
                self._sittings.setdefault(player, {}).setdefault(sitting, note)
            return player in self._players

    def read_sittings(self, player: str) -> dict[str, bytes]:
        with self._lock:
            return dict(self._sittings.get(player, {}))

    def revoke_first_token(self, player: str) -> None:
        with self._lock:
            if player in self._players:
                self._players[player] = ("", self._players[player][1])

    def put_account_item(self, player: str, kind: str, name: str, record: bytes, most: int) -> ItemWriteStatus:
        with self._lock:
            if player not in self._players:
                return ItemWriteStatus.GONE
            items = self._items.setdefault(player, {})
            if (kind, name) not in items and sum(other == kind for other, _ in items) >= most:
                return ItemWriteStatus.FULL
            items.setdefault((kind, name), record)
            return ItemWriteStatus.KEPT

    def find_account_item(self, player: str, kind: str, name: str) -> bytes | None:
        with self._lock:
            return self._items.get(player, {}).get((kind, name))

    def list_account_items(self, player: str, kind: str) -> dict[str, bytes]:
        with self._lock:
            return {name: record for (other, name), record in self._items.get(player, {}).items() if other == kind}

    def drop_account_item(self, player: str, kind: str, name: str) -> None:
        with self._lock:
            self._items.get(player, {}).pop((kind, name), None)

    def drop_player(self, player: str, known: int) -> bool:
        with self._lock:
            if len(self._sittings.get(player, {})) > known:
                return False
            self._players.pop(player, None)
            self._sittings.pop(player, None)
            self._items.pop(player, None)
            self._drop_decks(player)
            return True

    def link_player(self, match: str, version: int, player: str) -> str:
        with self._lock:
            self._links_changed += 1
            return self._links.setdefault(match, {}).setdefault(version, player)

    def unlink_player(self, match: str, version: int) -> None:
        with self._lock:
            self._links_changed += 1
            self._links.setdefault(match, {})[version] = DELETED_PLAYER

    def read_links(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        with self._lock:
            return {match: dict(self._links[match]) for match in matches if self._links.get(match)}

    def read_links_version(self) -> int:
        with self._lock:
            return self._links_changed
