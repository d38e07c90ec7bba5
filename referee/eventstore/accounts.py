"""What a log keeps of players: accounts apart from every match, and which entry seated which of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

DELETED_PLAYER = "-"  # stands in a link for a player whose account was deleted


class AccountStore(Protocol):
    """The contract of accounts. None of it is in a log of matches, so that it can be changed and forgotten.

    A link says which player sat down by an entry of a match (its version): the log itself knows no accounts. As the
    next one to sit down does so by another entry, a link never has to be moved, only forgotten.
    """

    def create_player(self, player: str, token_hash: str, record: bytes) -> bool:
        """Keeps a new account; False, and nothing is written, if there is one of that id."""

    def find_player(self, player: str) -> tuple[str, bytes] | None:
        """The hash of an account's token and its record; None if there is no such account."""

    def find_players(self, players: Sequence[str]) -> dict[str, bytes]:
        """The records of those of these accounts that there are."""

    def change_player(self, player: str, record: bytes) -> bool:
        """Puts another record in place; False if there is no such account."""

    def add_sitting(self, player: str, sitting: str, note: bytes) -> bool:
        """Notes with an account that its player sat down (`<match>:<version>`), and what is to be known of it; the
        first note stays. False, and nothing is written, if there is no such account."""

    def read_sittings(self, player: str) -> dict[str, bytes]:
        """The notes of an account by sitting."""

    def drop_player(self, player: str, known: int) -> bool:
        """Forgets an account, its decks and its notes, if there are no more of these than are `known`; else False. An
        account that is not there is gone: True."""

    def link_player(self, match: str, version: int, player: str) -> str:
        """Says who sat down by that entry, and gives who is said to have: the first one stays."""

    def unlink_player(self, match: str, version: int) -> None:
        """Says that nobody knows any more who sat down by that entry (GONE), also if nobody was ever known."""

    def read_links(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """The links of these matches by version; matches without any are left out."""

    def read_links_version(self) -> int:
        """A number that is another one after each change of a link."""
