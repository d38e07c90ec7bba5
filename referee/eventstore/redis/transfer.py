"""Matches that leave a stream server or arrive at it; see `TransferStore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.eventstore.access import RedisAccess
from referee.eventstore.contract import (
    MAX_ENTRY_BYTES,
    AppendResult,
    Commit,
    IdempotencyRecord,
    LogWriteStatus,
    StoredEntry,
    partition_for_match,
)
from referee.eventstore.transfer import TransferPayload


class RedisTransferStore(RedisAccess):
    """The part of a log on a stream server by which matches leave and arrive."""

    def read_transfer_payload(self, match: str) -> TransferPayload:
        """Return what is kept of a match outside its log now."""
        pipe = self.client.pipeline(transaction=False)
        for what in ("grants", "names", "passes", "keys"):
            pipe.hgetall(self._match_key(match, what))
        grants, names, passes, keys = self._call_store(pipe.execute)
        return TransferPayload(
            {token.decode(): record for token, record in grants.items()},
            {seat.decode(): name.decode() for seat, name in names.items()},
            {int(seat): record for seat, record in passes.items()},
            {
                key.decode(): IdempotencyRecord(int(version), request)
                for key, (version, request) in _split_key_records(keys).items()
            },
        )

    def transfer_out(self, commit: Commit, expected: TransferPayload, packed: bytes) -> AppendResult:
        """Add the last entry and keep the packed payload, unless `expected` has changed."""
        held, called, stand = (
            _flatten_pairs(expected.grants),
            _flatten_pairs(expected.names),
            _flatten_pairs(expected.passes),
        )
        counts = (held[0], called[0], stand[0])
        return self._run_transfer("transfer_out", commit, packed, *counts, *held[1:], *called[1:], *stand[1:])

    def find_departed_payload(self, match: str) -> bytes | None:
        """Return what was packed when a match left, or None."""
        found: bytes | None = self._call_store(lambda: self.client.get(self._match_key(match, "luggage")))
        return found

    def transfer_in(
        self, commit: Commit, entries: Sequence[StoredEntry], after: int, root: bytes, payload: TransferPayload
    ) -> AppendResult:
        """Take in a match with its entries and its payload."""
        if any(len(entry.envelope) + len(entry.sealed) > MAX_ENTRY_BYTES for entry in entries):
            return AppendResult(LogWriteStatus.TOOBIG, after, 0, False)
        rows = [part for each in entries for part in (each.version, each.envelope, each.sealed, each.root)]
        keys = {key: b"%d:" % record.version + record.fingerprint for key, record in payload.keys.items()}
        pairs = (
            *_flatten_pairs(payload.grants),
            *_flatten_pairs(payload.names),
            *_flatten_pairs(payload.passes),
            *_flatten_pairs(keys),
        )
        return self._run_transfer("transfer_in", commit, after, root, len(entries), *rows, *pairs)

    def _run_transfer(self, script: str, commit: Commit, *more: Any) -> AppendResult:
        match, part = commit.match, f"{{p{partition_for_match(commit.match):02d}}}"
        keys = (
            *(self._match_key(match, what) for what in ("log", "head", "keys")),
            *(f"{part}:{what}" for what in ("due", "feed", "wake", "about")),
            *(self._match_key(match, what) for what in ("luggage", "grants", "names", "passes")),
        )  # fmt: skip
        found = self._run_script(script, keys, *self._build_script_args(commit), *more)
        answer, version, position, woke = found
        return AppendResult(LogWriteStatus(answer.decode()), version, position, woke == 1)

    def _build_script_args(self, commit: Commit) -> tuple[Any, ...]:
        """Return a commit as the arguments of the script that appends."""
        raise TypeError("derive from this")


def _split_key_records(keys: Mapping[bytes, bytes]) -> dict[bytes, tuple[bytes, bytes]]:
    return {key: (record.partition(b":")[0], record.partition(b":")[2]) for key, record in keys.items()}


def _flatten_pairs(held: Mapping[Any, Any]) -> tuple[Any, ...]:
    return len(held), *(part for pair in held.items() for part in pair)
