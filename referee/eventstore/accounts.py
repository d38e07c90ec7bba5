"""What a log keeps of players' accounts, outside the logs of matches."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol

DELETED_PLAYER = "-"  # stands in a link for a player whose account was deleted


class ItemWriteStatus(IntEnum):
    """What the store answers to a new item of an account."""

    KEPT = 1
    GONE = 0
    FULL = -1


class AccountStore(Protocol):
    """The contract of a store of players' accounts.

    No log of a match holds any of this, so that it can be changed and deleted. A link says which player sat down by an
    entry of a match (its version). The next player sits down by another entry, so a link never moves. It is only
    forgotten.
    """

    def create_player(self, player: str, token_hash: str, record: bytes) -> bool:
        """Keep a new account, and return whether it was new.

        Return False and write nothing if an account of that id exists.
        """

    def find_player(self, player: str) -> tuple[str, bytes] | None:
        """Return the token hash and the record of an account, or None if there is none."""

    def find_players(self, players: Sequence[str]) -> dict[str, bytes]:
        """Return the records of those of these accounts that exist."""

    def change_player(self, player: str, record: bytes) -> bool:
        """Replace the record of an account, and return False if there is no such account."""

    def add_sitting(self, player: str, sitting: str, note: bytes) -> bool:
        """Note with an account that its player sat down (`<match>:<version>`).

        The first note of a sitting stays. Return False and write nothing if there is no such account.
        """

    def read_sittings(self, player: str) -> dict[str, bytes]:
        """Return the notes of an account by sitting."""

    def revoke_first_token(self, player: str) -> None:
        """Revoke the token with which an account was made; its other devices stay."""

    def put_account_item(self, player: str, kind: str, name: str, record: bytes, most: int) -> ItemWriteStatus:
        """Keep something that belongs to an account, under a kind and a name.

        The first record under a name stays. Nothing is written if there is no such account, or if it has `most` items
        of this kind.
        """

    def find_account_item(self, player: str, kind: str, name: str) -> bytes | None:
        """Return the record of an item, or None; a deleted account has none."""

    def list_account_items(self, player: str, kind: str) -> dict[str, bytes]:
        """Return the records of an account's items of one kind by name."""

    def drop_account_item(self, player: str, kind: str, name: str) -> None:
        """Delete an item; an unknown one is no error."""

    def drop_player(self, player: str, known: int) -> bool:
        """Delete an account with all its parts, and return whether it is gone.

        Return False and delete nothing if the account has more than `known` notes. Return True if there is no such
        account.
        """

    def link_player(self, match: str, version: int, player: str) -> str:
        """Link a player to the entry by which that player sat down.

        The first link stays. Return the player that is linked now.
        """

    def unlink_player(self, match: str, version: int) -> None:
        """Forget who sat down by an entry: the link becomes DELETED_PLAYER.

        That also holds if nobody was linked.
        """

    def read_links(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """Return the links of these matches by version, without matches that have none."""

    def read_links_version(self) -> int:
        """Return a number that changes with each change of a link."""
