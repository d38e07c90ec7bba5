"""Who may do what, on a stream server: tokens, invitations, names and passes.

Small answers that are kept and visits are here too. None of it is in the log, so that it can be changed and deleted.
Some of it stays secret.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from referee.eventstore.contract import MAX_PRESENCE_NOTES, PARTITIONS, partition_for_match
from referee.eventstore.redis.replies import parse_names, parse_present_seats

T = TypeVar("T")


def hash_tag_for(name: str) -> str:
    """Return the hash tag (slot) of something that belongs to no match."""
    return f"{{p{hashlib.sha256(name.encode()).digest()[0] % PARTITIONS:02d}}}"


class RedisAccess:
    """The part of a log on a stream server that concerns access; see `AccessStore`."""

    client: Any

    def _run_script(self, name: str, keys: Sequence[str], *args: Any) -> Any:
        raise TypeError("derive from this")

    def _call_store(self, call: Callable[[], T]) -> T:
        raise TypeError("derive from this")

    def _write_store(self, key: str, call: Callable[[], T]) -> T:
        raise TypeError("derive from this")

    @staticmethod
    def _match_key(match: str, what: str) -> str:
        return f"{{p{partition_for_match(match):02d}}}:m:{match}:{what}"

    def put_grant(self, match: str, token_hash: str, record: bytes) -> None:
        """Keep what the bearer of a token may do in a match."""
        key = self._match_key(match, "grants")
        self._write_store(key, lambda: self.client.hset(key, token_hash, record))

    def read_grants(self, match: str) -> dict[str, bytes]:
        """Return the records of a match by token hash."""
        found = self._call_store(lambda: self.client.hgetall(self._match_key(match, "grants")))
        return {token.decode(): record for token, record in found.items()}

    def revoke_grants(self, match: str, token_hashes: Sequence[str]) -> None:
        """Revoke tokens at once."""
        if token_hashes:
            key = self._match_key(match, "grants")
            self._write_store(key, lambda: self.client.hdel(key, *token_hashes))

    def put_seat_names(self, match: str, names: Mapping[str, str | None]) -> None:
        """Set names by seat, and delete those that are None."""
        if names:
            part = f"{{p{partition_for_match(match):02d}}}"
            keys = (self._match_key(match, "names"), f"{part}:notes", f"{part}:about")
            args = [each for seat, name in names.items() for each in (seat, int(name is not None), name or "")]
            self._run_script("name_seats", keys, match, MAX_PRESENCE_NOTES, *args)

    def read_seat_names(self, match: str) -> dict[str, str]:
        """Return the names by seat."""
        found = self._call_store(lambda: self.client.hgetall(self._match_key(match, "names")))
        return parse_names([part for pair in found.items() for part in pair])

    @staticmethod
    def _invitation_keys(code: str) -> tuple[str]:
        return (f"{hash_tag_for(code)}:code:{code}",)

    def add_invitation(self, code: str, record: bytes, uses: int, ttl_ms: int) -> bool:
        """Keep an invitation, and return False if the code is taken."""
        return bool(self._run_script("invite", self._invitation_keys(code), record, uses, ttl_ms))

    def find_invitation(self, code: str) -> tuple[bytes, int] | None:
        """Return the record behind a code and the uses left, or None if there is none."""
        found = self._run_script("invited", self._invitation_keys(code))
        return (found[0], int(found[1])) if found else None

    def redeem_invitation(self, code: str, key: str) -> tuple[bytes, bool] | None:
        """Use a code once per key, and return its record and whether this was the first.

        Return None if the code is unknown, expired or used up.
        """
        found = self._run_script("redeem", self._invitation_keys(code), key)
        return (found[0], found[1] == 1) if found else None

    def release_invitation(self, code: str, key: str) -> None:
        """Take back the use of a code under a key."""
        (kept,) = self._invitation_keys(code)
        self._write_store(kept, lambda: self.client.hdel(kept, f"k:{key}"))

    def revoke_invitation(self, code: str) -> None:
        """Delete an invitation."""
        (kept,) = self._invitation_keys(code)
        self._write_store(kept, lambda: self.client.delete(kept))

    def remember_answer(self, scope: str, key: str, request: bytes, answer: bytes, ttl_ms: int) -> tuple[bytes, bytes]:
        """Keep the answer to a request for a while, and return what is kept.

        The first request and answer under a key stay.
        """
        found = self._run_script("remember", (self._answer_key(scope, key),), request, answer, ttl_ms)
        return found[0], found[1]

    def replace_answer(self, scope: str, key: str, answer: bytes) -> None:
        """Keep another answer under a key, for as long as the first, if it is kept."""
        self._run_script("replace_answer", (self._answer_key(scope, key),), answer)

    def find_answer(self, scope: str, key: str) -> tuple[bytes, bytes] | None:
        """Return the request and the answer kept under a key, or None."""
        found = self._call_store(lambda: self.client.hmget(self._answer_key(scope, key), "ask", "answer"))
        return (found[0], found[1]) if found[0] is not None else None

    def reserve_opening(self, host: str, match: str, most: int, ttl_ms: int) -> bool:
        """Note that a host opens a match, and return False if too many others are noted."""
        return bool(self._run_script("reserve", (self._openings_key(host),), match, most, ttl_ms))

    def read_openings(self, host: str) -> frozenset[str]:
        """Return the matches that are noted as opened by a host."""
        found = self._call_store(lambda: self.client.smembers(self._openings_key(host)))
        return frozenset(match.decode() for match in found)

    def drop_openings(self, host: str, matches: Collection[str]) -> None:
        """Delete the notes of these matches."""
        if matches:
            self._call_store(lambda: self.client.srem(self._openings_key(host), *matches))

    @staticmethod
    def _openings_key(host: str) -> str:
        return f"{hash_tag_for(host)}:opened:{host}"

    def put_pass(
        self, match: str, seat: int, key: str, request: bytes, record: bytes, ttl_ms: int
    ) -> tuple[bytes, bytes]:
        """Keep a seat's standing pass once per key, and return what is kept under the key."""
        keys = (self._match_key(match, "passes"), self._match_key(match, f"pass:{seat}:{key}"))
        found = self._run_script("put_pass", keys, seat, request, record, ttl_ms)
        return found[0], found[1]

    def find_pass_by_key(self, match: str, seat: int, key: str) -> tuple[bytes, bytes] | None:
        """Return the request and the record kept under a key of that seat, or None."""
        found = self._call_store(
            lambda: self.client.hmget(self._match_key(match, f"pass:{seat}:{key}"), "ask", "record")
        )
        return (found[0], found[1]) if found[0] is not None else None

    def read_passes(self, match: str) -> dict[int, bytes]:
        """Return the standing passes by seat."""
        found = self._call_store(lambda: self.client.hgetall(self._match_key(match, "passes")))
        return {int(seat): record for seat, record in found.items()}

    def drop_pass(self, match: str, seat: int | None = None) -> None:
        """Delete the standing pass of a seat, or of all seats."""
        key = self._match_key(match, "passes")
        self._write_store(key, lambda: self.client.delete(key) if seat is None else self.client.hdel(key, str(seat)))

    def record_visit(self, match: str, seat: int, visit: str, ttl_ms: int) -> None:
        """Note for `ttl_ms` that a client watches as this seat; 0 ends the visit."""
        part = f"{{p{partition_for_match(match):02d}}}"
        keys = (self._match_key(match, "visits"), f"{part}:notes", f"{part}:about")
        self._run_script("attend", keys, match, seat, visit, ttl_ms, MAX_PRESENCE_NOTES)

    def read_present_seats(self, match: str) -> frozenset[int]:
        """Return the seats as which a client watches now."""
        found = self._run_script("attending", (self._match_key(match, "visits"),))
        return parse_present_seats(found)

    @staticmethod
    def _answer_key(scope: str, key: str) -> str:
        # the length distinguishes ("a:b", "c") from ("a", "b:c")
        return f"{hash_tag_for(scope + key)}:answer:{len(scope)}:{scope}:{key}"
