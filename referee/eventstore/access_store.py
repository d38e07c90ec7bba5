"""What a log keeps of access to matches: tokens, invitations, names and passes.

Kept answers and visits are here too. None of it is in the log, so that it can be changed and deleted. Some of it stays
secret.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol


class AccessStore(Protocol):
    """The contract of a store of who may do what.

    Times are in ms by the store's clock.
    """

    def put_grant(self, match: str, token_hash: str, record: bytes) -> None:
        """Keep what the bearer of a token may do in a match, which need not exist yet."""

    def read_grants(self, match: str) -> dict[str, bytes]:
        """Return the records of a match by token hash."""

    def revoke_grants(self, match: str, token_hashes: Sequence[str]) -> None:
        """Revoke tokens at once; unknown ones are no error."""

    def put_seat_names(self, match: str, names: Mapping[str, str | None]) -> None:
        """Set names by seat, and delete those that are None.

        Those who watch the match are woken, as by a visit.
        """

    def read_seat_names(self, match: str) -> dict[str, str]:
        """Return the names by seat."""

    def add_invitation(self, code: str, record: bytes, uses: int, ttl_ms: int) -> bool:
        """Keep an invitation of `uses` uses for `ttl_ms`; False if the code is taken."""

    def find_invitation(self, code: str) -> tuple[bytes, int] | None:
        """Return the record behind a code and the uses left.

        Return None if the code is unknown or has expired.
        """

    def redeem_invitation(self, code: str, key: str) -> tuple[bytes, bool] | None:
        """Use a code once per key, and return its record and whether this call used it.

        Return None if the code is unknown, has expired, or was used up by other keys.
        """

    def release_invitation(self, code: str, key: str) -> None:
        """Take back the use of a code under a key; an unknown code or key is no error."""

    def revoke_invitation(self, code: str) -> None:
        """Delete an invitation; its code is free again."""

    def remember_answer(self, scope: str, key: str, request: bytes, answer: bytes, ttl_ms: int) -> tuple[bytes, bytes]:
        """Keep request and answer of a write that makes no entry, and return what is kept.

        The first request and answer under a key stay, for `ttl_ms`.
        """

    def replace_answer(self, scope: str, key: str, answer: bytes) -> None:
        """Keep another answer under a key, for as long as the first, if it is kept."""

    def find_answer(self, scope: str, key: str) -> tuple[bytes, bytes] | None:
        """Return the request and the answer kept under a key, or None."""

    def reserve_opening(self, host: str, match: str, most: int, ttl_ms: int) -> bool:
        """Note that a host opens a match, and return whether it is noted.

        It is not if `most` other matches of the host are. All notes of a host stay for `ttl_ms` after the last one.
        """

    def read_openings(self, host: str) -> frozenset[str]:
        """Return the matches that are noted as opened by a host."""

    def drop_openings(self, host: str, matches: Collection[str]) -> None:
        """Delete the notes of these matches; unknown ones are no error."""

    def put_pass(
        self, match: str, seat: int, key: str, request: bytes, record: bytes, ttl_ms: int
    ) -> tuple[bytes, bytes]:
        """Keep a seat's standing pass once per key, and return what is kept under the key.

        The first request and record under a key stay, for `ttl_ms`. The standing pass counts until it is dropped.
        """

    def find_pass_by_key(self, match: str, seat: int, key: str) -> tuple[bytes, bytes] | None:
        """Return the request and the record kept under a key of that seat, or None."""

    def read_passes(self, match: str) -> dict[int, bytes]:
        """Return the standing passes by seat."""

    def drop_pass(self, match: str, seat: int | None = None) -> None:
        """Delete the standing pass of a seat, or of all seats; unknown ones are no error."""

    def record_visit(self, match: str, seat: int, visit: str, ttl_ms: int) -> None:
        """Note for `ttl_ms` that a client watches as this seat; 0 ends the visit.

        The match counts as changed if a seat came or went by this. A seat also goes if its visits are not renewed,
        which the next call notices.
        """

    def read_present_seats(self, match: str) -> frozenset[int]:
        """Return the seats as which a client watches now."""
