"""Leaving and arriving in memory; see `moves.Moves`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.eventstore.contract import LARGEST, Answer, Appended, Commit, Entry
from referee.eventstore.memory.accounts import MemoryPlayers
from referee.eventstore.transfer import Luggage


class MemoryMoves(MemoryPlayers):
    """The part of a log in memory by which matches leave and arrive; the log brings lock, matches and partitions."""

    _matches: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self._departed: dict[str, bytes] = {}

    def append(self, commit: Commit) -> Appended:
        raise TypeError("derive from this")

    def _begun(self, match: str, entries: Sequence[Entry], root: bytes) -> Any:
        """The match with these entries more, and open."""
        raise TypeError("derive from this")

    def luggage(self, match: str) -> Luggage:
        with self._lock:
            kept = self._matches.get(match)
            keys = dict(kept.keys) if kept is not None else {}
            return Luggage(self.grants(match), self.names(match), self.passes(match), keys)

    def depart(self, commit: Commit, beside: Luggage, packed: bytes) -> Appended:
        with self._lock:
            now = self.luggage(commit.match)
            kept = self._matches.get(commit.match)
            if (now.grants, now.names, now.passes) != (dict(beside.grants), dict(beside.names), dict(beside.passes)):
                return Appended(Answer.CONFLICT, kept.head.version if kept else 0, 0, False)
            done = self.append(commit)
            if done.answer is Answer.OK:
                self._departed[commit.match] = packed
            return done

    def departed(self, match: str) -> bytes | None:
        with self._lock:
            return self._departed.get(match)

    def adopt(self, commit: Commit, entries: Sequence[Entry], after: int, root: bytes, luggage: Luggage) -> Appended:
        with self._lock:
            match, kept = commit.match, self._matches.get(commit.match)
            at, here = (kept.head.version, kept.head.root) if kept is not None else (0, b"")
            if kept is not None and commit.key in kept.keys:
                return self.append(commit)
            if (kept is not None and kept.head.status != "moved") or (at, here) != (after, root):
                return Appended(Answer.CONFLICT, at, 0, False)
            sizes = [len(each.envelope) + len(each.sealed) for each in entries]
            if max([*sizes, len(commit.envelope) + len(commit.sealed)]) > LARGEST:
                return Appended(Answer.TOOBIG, at, 0, False)
            self._begun(match, entries, commit.was_root)
            done = self.append(commit)
            self._departed.pop(match, None)
            self._take(match, luggage)
            self._matches[match].keys |= luggage.keys
            return done

    def _take(self, match: str, luggage: Luggage) -> None:
        self._grants[match], self._names[match] = dict(luggage.grants), dict(luggage.names)
        self._passes[match] = _numbered(luggage.passes)


def _numbered(passes: Mapping[int, bytes]) -> dict[int, bytes]:
    return {int(seat): record for seat, record in passes.items()}
