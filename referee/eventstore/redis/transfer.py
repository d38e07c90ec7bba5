"""Leaving and arriving on a stream server; see `moves.Moves`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.eventstore.access import Access
from referee.eventstore.contract import LARGEST, Answer, Appended, Commit, Entry, Known, partition_of
from referee.eventstore.transfer import Luggage


class StreamMoves(Access):
    """The part of a log on a stream server by which matches leave and arrive."""

    def luggage(self, match: str) -> Luggage:
        """What lies beside the log of a match now."""
        pipe = self.client.pipeline(transaction=False)
        for what in ("grants", "names", "passes", "keys"):
            pipe.hgetall(self._of(match, what))
        grants, names, passes, keys = self._ask(pipe.execute)
        return Luggage(
            {token.decode(): record for token, record in grants.items()},
            {seat.decode(): name.decode() for seat, name in names.items()},
            {int(seat): record for seat, record in passes.items()},
            {key.decode(): Known(int(version), ask) for key, (version, ask) in _split(keys).items()},
        )

    def depart(self, commit: Commit, beside: Luggage, packed: bytes) -> Appended:
        """Adds the last entry here, if what lies beside the log is still that, and keeps what was packed of it."""
        held, called, stand = _pairs(beside.grants), _pairs(beside.names), _pairs(beside.passes)
        counts = (held[0], called[0], stand[0])
        return self._moved("depart", commit, packed, *counts, *held[1:], *called[1:], *stand[1:])

    def departed(self, match: str) -> bytes | None:
        """What was packed as a match left."""
        found: bytes | None = self._ask(lambda: self.client.get(self._of(match, "luggage")))
        return found

    def adopt(self, commit: Commit, entries: Sequence[Entry], after: int, root: bytes, luggage: Luggage) -> Appended:
        """Takes in a match with its entries and its luggage."""
        if any(len(entry.envelope) + len(entry.sealed) > LARGEST for entry in entries):
            return Appended(Answer.TOOBIG, after, 0, False)
        rows = [part for each in entries for part in (each.version, each.envelope, each.sealed, each.root)]
        keys = {key: b"%d:" % known.version + known.ask for key, known in luggage.keys.items()}
        beside = (*_pairs(luggage.grants), *_pairs(luggage.names), *_pairs(luggage.passes), *_pairs(keys))
        return self._moved("adopt", commit, after, root, len(entries), *rows, *beside)

    def _moved(self, script: str, commit: Commit, *more: Any) -> Appended:
        match, part = commit.match, f"{{p{partition_of(commit.match):02d}}}"
        keys = (
            *(self._of(match, what) for what in ("log", "head", "keys")),
            *(f"{part}:{what}" for what in ("due", "feed", "wake", "about")),
            *(self._of(match, what) for what in ("luggage", "grants", "names", "passes")),
        )  # fmt: skip
        found = self._run(script, keys, *self._told(commit), *more)
        answer, version, position, woke = found
        return Appended(Answer(answer.decode()), version, position, woke == 1)

    def _told(self, commit: Commit) -> tuple[Any, ...]:
        """A commit as the script that appends reads it."""
        raise TypeError("derive from this")


def _split(keys: Mapping[bytes, bytes]) -> dict[bytes, tuple[bytes, bytes]]:
    return {key: (told.partition(b":")[0], told.partition(b":")[2]) for key, told in keys.items()}


def _pairs(held: Mapping[Any, Any]) -> tuple[Any, ...]:
    return len(held), *(part for pair in held.items() for part in pair)
