"""Accounts of players on a stream server: each in a slot, links with the matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from referee.eventstore.access import hash_tag_for
from referee.eventstore.accounts import DELETED_PLAYER, ItemWriteStatus
from referee.eventstore.redis.books import RedisBookStore
from referee.eventstore.redis.decks import RedisDeckStore
from referee.eventstore.redis.roots import RedisRootLog

LINKS_VERSION_KEY = f"{hash_tag_for('links')}:links"


class RedisAccountStore(RedisBookStore, RedisDeckStore, RedisRootLog):
    """The part of a log on a stream server that keeps accounts; see `AccountStore`."""

    @staticmethod
    def _account_keys(player: str) -> tuple[str, str]:
        return RedisAccountStore._player_key(player), RedisAccountStore._player_key(player, ":matches")

    def create_player(self, player: str, token_hash: str, record: bytes) -> bool:
        """Keep a new account, and return False if an account of that id exists."""
        return cast(int, self._run_script("make_player", self._account_keys(player)[:1], token_hash, record)) == 1

    def find_player(self, player: str) -> tuple[str, bytes] | None:
        """Return the token hash and the record of an account, or None."""
        found = self._call_store(lambda: self.client.hmget(self._account_keys(player)[0], "token", "record"))
        return None if found[0] is None else (found[0].decode(), found[1])

    def find_players(self, players: Sequence[str]) -> dict[str, bytes]:
        """Return the records of those of these accounts that exist."""

        def read() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for player in players:
                pipe.hget(self._account_keys(player)[0], "record")
            return cast(list[Any], pipe.execute())

        found = zip(players, self._call_store(read) if players else (), strict=True)
        return {player: record for player, record in found if record is not None}

    def change_player(self, player: str, record: bytes) -> bool:
        """Replace the record of an account, and return False if there is no such account."""
        return cast(int, self._run_script("change_player", self._account_keys(player)[:1], record)) == 1

    def add_sitting(self, player: str, sitting: str, note: bytes) -> bool:
        """Note a sitting with an account, and return False if there is no such account."""
        return cast(int, self._run_script("enlist", self._account_keys(player), sitting, note)) == 1

    def read_sittings(self, player: str) -> dict[str, bytes]:
        """Return the notes of an account by sitting."""
        found = self._call_store(lambda: self.client.hgetall(self._account_keys(player)[1]))
        return {sitting.decode(): note for sitting, note in found.items()}

    def revoke_first_token(self, player: str) -> None:
        """Revoke the token with which an account was made."""
        self._run_script("revoke_token", self._account_keys(player)[:1])

    def put_account_item(self, player: str, kind: str, name: str, record: bytes, most: int) -> ItemWriteStatus:
        """Keep an item of an account; the first record under a name stays."""
        keys = (self._player_key(player), self._player_key(player, ":items"))
        return ItemWriteStatus(self._run_script("put_item", keys, f"{kind}:", name, record, most))

    def find_account_item(self, player: str, kind: str, name: str) -> bytes | None:
        """Return the record of an item, or None."""
        found = self._call_store(lambda: self.client.hget(self._player_key(player, ":items"), f"{kind}:{name}"))
        return cast("bytes | None", found)

    def list_account_items(self, player: str, kind: str) -> dict[str, bytes]:
        """Return the records of an account's items of one kind by name."""
        found = self._call_store(lambda: self.client.hgetall(self._player_key(player, ":items")))
        items = {name.decode(): record for name, record in found.items()}
        return {name[len(kind) + 1 :]: items[name] for name in items if name.startswith(f"{kind}:")}

    def drop_account_item(self, player: str, kind: str, name: str) -> None:
        """Delete an item."""
        key = self._player_key(player, ":items")
        self._write_store(key, lambda: self.client.hdel(key, f"{kind}:{name}"))

    def drop_player(self, player: str, known: int) -> bool:
        """Delete an account with its parts, unless it has more than `known` notes."""
        keys = (*self._account_keys(player), self._player_key(player, ":decks"), self._player_key(player, ":items"))
        return cast(int, self._run_script("drop_player", keys, known)) == 1

    def link_player(self, match: str, version: int, player: str) -> str:
        """Link a player to an entry, and return the player linked: the first one stays."""
        linked: bytes = self._run_script("link", (self._match_key(match, "seats"),), version, player)
        self._call_store(lambda: self.client.incr(LINKS_VERSION_KEY))
        return linked.decode()

    def unlink_player(self, match: str, version: int) -> None:
        """Forget who sat down by an entry."""
        key = self._match_key(match, "seats")
        self._write_store(key, lambda: self.client.hset(key, str(version), DELETED_PLAYER))
        self._call_store(lambda: self.client.incr(LINKS_VERSION_KEY))

    def read_links(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """Return the links of these matches by version."""

        def read() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for match in matches:
                pipe.hgetall(self._match_key(match, "seats"))
            return cast(list[Any], pipe.execute())

        found = zip(matches, self._call_store(read) if matches else (), strict=True)
        return {
            match: {int(version): player.decode() for version, player in linked.items()}
            for match, linked in found
            if linked
        }

    def read_links_version(self) -> int:
        """Return a number that changes with each change of a link."""
        return int(self._call_store(lambda: self.client.get(LINKS_VERSION_KEY)) or 0)
