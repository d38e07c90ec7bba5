"""Accounts of players on a stream server: each in a slot of its own, its links beside the matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from referee.eventstore.access import slot
from referee.eventstore.accounts import GONE
from referee.eventstore.redis.books import StreamBooks
from referee.eventstore.redis.decks import StreamDecks
from referee.eventstore.redis.roots import StreamRoots

CHANGES = f"{slot('links')}:links"


class Players(StreamBooks, StreamDecks, StreamRoots):
    """The part of a log on a stream server that keeps accounts; see `accounts.Accounts`."""

    @staticmethod
    def _account(player: str) -> tuple[str, str]:
        return Players._of_player(player), Players._of_player(player, ":matches")

    def make_player(self, player: str, token_hash: str, record: bytes) -> bool:
        """Keeps a new account; False if there is one of that id."""
        return cast(int, self._run("make_player", self._account(player)[:1], token_hash, record)) == 1

    def player(self, player: str) -> tuple[str, bytes] | None:
        """The hash of an account's token and its record; None if there is none."""
        found = self._ask(lambda: self.client.hmget(self._account(player)[0], "token", "record"))
        return None if found[0] is None else (found[0].decode(), found[1])

    def players(self, players: Sequence[str]) -> dict[str, bytes]:
        """The records of those of these accounts that there are."""

        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for player in players:
                pipe.hget(self._account(player)[0], "record")
            return cast(list[Any], pipe.execute())

        found = zip(players, self._ask(ask) if players else (), strict=True)
        return {player: record for player, record in found if record is not None}

    def change_player(self, player: str, record: bytes) -> bool:
        """Puts another record in place; False if there is no such account."""
        return cast(int, self._run("change_player", self._account(player)[:1], record)) == 1

    def enlist(self, player: str, sitting: str, note: bytes) -> bool:
        """Notes a sitting with an account; False if there is no such account."""
        return cast(int, self._run("enlist", self._account(player), sitting, note)) == 1

    def enlisted(self, player: str) -> dict[str, bytes]:
        """The notes of an account by sitting."""
        found = self._ask(lambda: self.client.hgetall(self._account(player)[1]))
        return {sitting.decode(): note for sitting, note in found.items()}

    def drop_player(self, player: str, known: int) -> bool:
        """Forgets an account with its decks, if it has no more notes than are known."""
        keys = (*self._account(player), self._of_player(player, ":decks"))
        return cast(int, self._run("drop_player", keys, known)) == 1

    def link(self, match: str, version: int, player: str) -> str:
        """Says who sat down by that entry; the first one stays, and is given."""
        linked: bytes = self._run("link", (self._of(match, "seats"),), version, player)
        self._ask(lambda: self.client.incr(CHANGES))
        return linked.decode()

    def unlink(self, match: str, version: int) -> None:
        """Says that nobody knows who sat down by that entry."""
        self._ask(lambda: self.client.hset(self._of(match, "seats"), str(version), GONE))
        self._ask(lambda: self.client.incr(CHANGES))

    def links(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """The links of these matches by version."""

        def ask() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for match in matches:
                pipe.hgetall(self._of(match, "seats"))
            return cast(list[Any], pipe.execute())

        found = zip(matches, self._ask(ask) if matches else (), strict=True)
        return {
            match: {int(version): player.decode() for version, player in linked.items()}
            for match, linked in found
            if linked
        }

    def links_changed(self) -> int:
        """A number that is another one after each change of a link."""
        return int(self._ask(lambda: self.client.get(CHANGES)) or 0)
