"""Matches that leave a log in memory or arrive at it; see `TransferStore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.eventstore.contract import MAX_ENTRY_BYTES, AppendResult, Commit, LogWriteStatus, StoredEntry
from referee.eventstore.memory.accounts import MemoryAccountStore
from referee.eventstore.transfer import TransferPayload


class MemoryTransferStore(MemoryAccountStore):
    """The part of a log in memory by which matches leave and arrive.

    The log supplies lock, matches and partitions.
    """

    _matches: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self._departed: dict[str, bytes] = {}

    def _append(self, commit: Commit) -> AppendResult:
        raise TypeError("derive from this")

    def _reopen_with_entries(self, match: str, entries: Sequence[StoredEntry], root: bytes) -> Any:
        """Return the match with these entries added, open again."""
        raise TypeError("derive from this")

    def read_transfer_payload(self, match: str) -> TransferPayload:
        with self._lock:
            kept = self._matches.get(match)
            keys = dict(kept.keys) if kept is not None else {}
            return TransferPayload(self.read_grants(match), self.read_seat_names(match), self.read_passes(match), keys)

    def transfer_out(self, commit: Commit, expected: TransferPayload, packed: bytes) -> AppendResult:
        with self._lock:
            now = self.read_transfer_payload(commit.match)
            kept = self._matches.get(commit.match)
            if (now.grants, now.names, now.passes) != (
                dict(expected.grants),
                dict(expected.names),
                dict(expected.passes),
            ):
                return AppendResult(LogWriteStatus.CONFLICT, kept.head.version if kept else 0, 0, False)
            done = self._append(commit)
            if done.status is LogWriteStatus.OK:
                self._departed[commit.match] = packed
            return done

    def find_departed_payload(self, match: str) -> bytes | None:
        with self._lock:
            return self._departed.get(match)

    def transfer_in(
        self, commit: Commit, entries: Sequence[StoredEntry], after: int, root: bytes, payload: TransferPayload
    ) -> AppendResult:
        with self._lock:
            match, kept = commit.match, self._matches.get(commit.match)
            at, here = (kept.head.version, kept.head.root) if kept is not None else (0, b"")
            if kept is not None and commit.key in kept.keys:
                return self._append(commit)
            if (kept is not None and kept.head.status != "moved") or (at, here) != (after, root):
                return AppendResult(LogWriteStatus.CONFLICT, at, 0, False)
            sizes = [len(each.envelope) + len(each.sealed) for each in entries]
            if max([*sizes, len(commit.envelope) + len(commit.sealed)]) > MAX_ENTRY_BYTES:
                return AppendResult(LogWriteStatus.TOOBIG, at, 0, False)
            self._reopen_with_entries(match, entries, commit.previous_root)
            done = self._append(commit)
            self._departed.pop(match, None)
            self._install_payload(match, payload)
            self._matches[match].keys |= payload.keys
            return done

    def _install_payload(self, match: str, payload: TransferPayload) -> None:
        self._grants[match], self._names[match] = dict(payload.grants), dict(payload.names)
        self._passes[match] = _with_seat_numbers(payload.passes)


def _with_seat_numbers(passes: Mapping[int, bytes]) -> dict[int, bytes]:
    return {int(seat): record for seat, record in passes.items()}
