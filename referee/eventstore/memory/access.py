"""Who may do what, in memory: tokens, invitations, names, standing passes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field


@dataclass
class _Invitation:
    record: bytes
    uses: int
    until: int
    redeemed: set[str] = field(default_factory=set)


class MemoryAccess:
    """The part of a log in memory that concerns access; see `AccessStore`.

    The log supplies the lock and the clock.
    """

    _lock: AbstractContextManager[object]

    def __init__(self) -> None:
        self._invitations: dict[str, _Invitation] = {}
        self._answers: dict[tuple[str, str], tuple[int, bytes, bytes]] = {}
        self._openings: dict[str, tuple[int, set[str]]] = {}
        self._grants: dict[str, dict[str, bytes]] = {}
        self._names: dict[str, dict[str, str]] = {}
        self._passes: dict[str, dict[int, bytes]] = {}
        self._visits: dict[str, dict[tuple[int, str], int]] = {}
        self._puts: dict[tuple[str, int, str], tuple[int, bytes, bytes]] = {}

    def _note_presence_change(self, match: str) -> None:
        """Notify those who follow a match that somebody came or went."""
        raise TypeError("derive from this")

    def now(self) -> int:
        """Return the time by the log's clock in ms."""
        raise TypeError("derive from this")

    def put_grant(self, match: str, token_hash: str, record: bytes) -> None:
        with self._lock:
            self._grants.setdefault(match, {})[token_hash] = record

    def read_grants(self, match: str) -> dict[str, bytes]:
        with self._lock:
            return dict(self._grants.get(match, {}))

    def revoke_grants(self, match: str, token_hashes: Sequence[str]) -> None:
        with self._lock:
            for token in token_hashes:
                self._grants.get(match, {}).pop(token, None)

    def put_seat_names(self, match: str, names: Mapping[str, str | None]) -> None:
        with self._lock:
            kept = self._names.setdefault(match, {})
            for seat, name in names.items():
                if name is None:
                    kept.pop(seat, None)
                else:
                    kept[seat] = name
            if names:
                self._note_presence_change(match)

    def read_seat_names(self, match: str) -> dict[str, str]:
        with self._lock:
            return dict(self._names.get(match, {}))

    def add_invitation(self, code: str, record: bytes, uses: int, ttl_ms: int) -> bool:
        with self._lock:
            if self._find_open_invitation(code) is not None:
                return False
            self._invitations[code] = _Invitation(record, uses, self.now() + ttl_ms)
            return True

    def _find_open_invitation(self, code: str) -> _Invitation | None:
        kept = self._invitations.get(code)
        return kept if kept is not None and kept.until > self.now() else None

    def find_invitation(self, code: str) -> tuple[bytes, int] | None:
        with self._lock:
            kept = self._find_open_invitation(code)
            return None if kept is None else (kept.record, kept.uses - len(kept.redeemed))

    def redeem_invitation(self, code: str, key: str) -> tuple[bytes, bool] | None:
        with self._lock:
            kept = self._find_open_invitation(code)
            if kept is None:
                return None
            if key in kept.redeemed:
                return kept.record, False
            if len(kept.redeemed) >= kept.uses:
                return None
            kept.redeemed.add(key)
            return kept.record, True

    def release_invitation(self, code: str, key: str) -> None:
        with self._lock:
            kept = self._find_open_invitation(code)
            if kept is not None:
                kept.redeemed.discard(key)

    def revoke_invitation(self, code: str) -> None:
        with self._lock:
            self._invitations.pop(code, None)

    def remember_answer(self, scope: str, key: str, request: bytes, answer: bytes, ttl_ms: int) -> tuple[bytes, bytes]:
        with self._lock:
            kept = self.find_answer(scope, key)
            if kept is not None:
                return kept
            self._answers[scope, key] = (self.now() + ttl_ms, request, answer)
            return request, answer

    def replace_answer(self, scope: str, key: str, answer: bytes) -> None:
        with self._lock:
            if (kept := self._answers.get((scope, key))) is not None and kept[0] > self.now():
                self._answers[scope, key] = (kept[0], kept[1], answer)

    def find_answer(self, scope: str, key: str) -> tuple[bytes, bytes] | None:
        with self._lock:
            kept = self._answers.get((scope, key))
            return None if kept is None or kept[0] <= self.now() else (kept[1], kept[2])

    def reserve_opening(self, host: str, match: str, most: int, ttl_ms: int) -> bool:
        with self._lock:
            opened = self.read_openings(host)
            if match not in opened and len(opened) >= most:
                return False
            self._openings[host] = (self.now() + ttl_ms, {*opened, match})
            return True

    def read_openings(self, host: str) -> frozenset[str]:
        with self._lock:
            until, opened = self._openings.get(host, (0, set()))
            return frozenset(opened) if until > self.now() else frozenset()

    def drop_openings(self, host: str, matches: Collection[str]) -> None:
        with self._lock:
            if host in self._openings:
                self._openings[host][1].difference_update(matches)

    def put_pass(
        self, match: str, seat: int, key: str, request: bytes, record: bytes, ttl_ms: int
    ) -> tuple[bytes, bytes]:
        with self._lock:
            kept = self.find_pass_by_key(match, seat, key)
            if kept is not None:
                return kept
            self._puts[match, seat, key] = (self.now() + ttl_ms, request, record)
            self._passes.setdefault(match, {})[seat] = record
            return request, record

    def find_pass_by_key(self, match: str, seat: int, key: str) -> tuple[bytes, bytes] | None:
        with self._lock:
            kept = self._puts.get((match, seat, key))
            return None if kept is None or kept[0] <= self.now() else (kept[1], kept[2])

    def read_passes(self, match: str) -> dict[int, bytes]:
        with self._lock:
            return dict(self._passes.get(match, {}))

    def drop_pass(self, match: str, seat: int | None = None) -> None:
        with self._lock:
            if seat is None:
                self._passes.pop(match, None)
            else:
                self._passes.get(match, {}).pop(seat, None)

    def record_visit(self, match: str, seat: int, visit: str, ttl_ms: int) -> None:
        with self._lock:
            kept = self._visits.setdefault(match, {})
            before = {of for of, _ in kept}
            for gone in [each for each, until in kept.items() if until <= self.now()]:
                del kept[gone]
            if ttl_ms > 0:
                kept[seat, visit] = self.now() + ttl_ms
            else:
                kept.pop((seat, visit), None)
            if before != {of for of, _ in kept}:
                self._note_presence_change(match)

    def read_present_seats(self, match: str) -> frozenset[int]:
        with self._lock:
            return frozenset(seat for (seat, _), until in self._visits.get(match, {}).items() if until > self.now())
