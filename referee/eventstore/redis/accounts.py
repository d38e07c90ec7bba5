"""Accounts of players on a stream server: each in a slot of its own, its links beside the matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from referee.eventstore.access import hash_tag_for
from referee.eventstore.accounts import DELETED_PLAYER
from referee.eventstore.redis.books import RedisBookStore
from referee.eventstore.redis.decks import RedisDeckStore
from referee.eventstore.redis.roots import RedisRootLog

LINKS_VERSION_KEY = f"{hash_tag_for('links')}:links"


class RedisAccountStore(RedisBookStore, RedisDeckStore, RedisRootLog):
    """The part of a log on a stream server that keeps accounts; see `accounts.Accounts`."""

    @staticmethod
    def _account_keys(player: str) -> tuple[str, str]:
        return RedisAccountStore._player_key(player), RedisAccountStore._player_key(player, ":matches")

    def create_player(self, player: str, token_hash: str, record: bytes) -> bool:
        """Keeps a new account; False if there is one of that id."""
        return cast(int, self._run_script("make_player", self._account_keys(player)[:1], token_hash, record)) == 1

    def find_player(self, player: str) -> tuple[str, bytes] | None:
        """The hash of an account's token and its record; None if there is none."""
        found = self._call_store(lambda: self.client.hmget(self._account_keys(player)[0], "token", "record"))
        return None if found[0] is None else (found[0].decode(), found[1])

    def find_players(self, players: Sequence[str]) -> dict[str, bytes]:
        """The records of those of these accounts that there are."""

        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for player in players:
                pipe.hget(self._account_keys(player)[0], "record")
            return cast(list[Any], pipe.execute())

        found = zip(players, self._call_store(ask) if players else (), strict=True)
        return {player: record for player, record in found if record is not None}

    def change_player(self, player: str, record: bytes) -> bool:
        """Puts another record in place; False if there is no such account."""
        return cast(int, self._run_script("change_player", self._account_keys(player)[:1], record)) == 1

    def add_sitting(self, player: str, sitting: str, note: bytes) -> bool:
        """Notes a sitting with an account; False if there is no such account."""
        return cast(int, self._run_script("enlist", self._account_keys(player), sitting, note)) == 1

    def read_sittings(self, player: str) -> dict[str, bytes]:
        """The notes of an account by sitting."""
        found = self._call_store(lambda: self.client.hgetall(self._account_keys(player)[1]))
        return {sitting.decode(): note for sitting, note in found.items()}

    def drop_player(self, player: str, known: int) -> bool:
        """Forgets an account with its decks, if it has no more notes than are known."""
        keys = (*self._account_keys(player), self._player_key(player, ":decks"))
        return cast(int, self._run_script("drop_player", keys, known)) == 1

    def link_player(self, match: str, version: int, player: str) -> str:
        """Says who sat down by that entry; the first one stays, and is given."""
        linked: bytes = self._run_script("link", (self._match_key(match, "seats"),), version, player)
        self._call_store(lambda: self.client.incr(LINKS_VERSION_KEY))
        return linked.decode()

    def unlink_player(self, match: str, version: int) -> None:
        """Says that nobody knows who sat down by that entry."""
        self._call_store(lambda: self.client.hset(self._match_key(match, "seats"), str(version), DELETED_PLAYER))
        self._call_store(lambda: self.client.incr(LINKS_VERSION_KEY))

    def read_links(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """The links of these matches by version."""

        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for match in matches:
                pipe.hgetall(self._match_key(match, "seats"))
            return cast(list[Any], pipe.execute())

        found = zip(matches, self._call_store(ask) if matches else (), strict=True)
        return {
            match: {int(version): player.decode() for version, player in linked.items()}
            for match, linked in found
            if linked
        }

    def read_links_version(self) -> int:
        """A number that is another one after each change of a link."""
        return int(self._call_store(lambda: self.client.get(LINKS_VERSION_KEY)) or 0)
