"""Requests that were refused, kept beside the log as evidence.

TABLE-DISPUTE-8: A refusal can be disputed only if the request reached the server. The server keeps when each refused or
late move came in and upon which version, for a day or for as long as disputes may be opened after the end. It keeps no
move: only a keyed digest, by which a claim can be compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import orjson

from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.engine.seats import Seat
from referee.eventstore.contract import MatchLog
from referee.match.aggregate import Match
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import DAY_MS


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refused requests of all matches.

    `identify(text)` makes an id that nobody can compute without the server's secret.
    """

    log: MatchLog
    identify: Callable[[str], str]

    def record(self, match: Match, seat: Seat, move: Move, version: int, now_ms: int) -> None:
        """Keep that a move was refused upon a version; the first such request counts."""
        scope, digest = _scope(match.id), self._digest(match.id, seat, encode(move))
        record, ttl = orjson.dumps({"version": version, "at_ms": now_ms}), max(DAY_MS, match.courts.claims_ms)
        for name in (f"{digest}:{version}", digest):
            self.log.remember_answer(scope, name, b"", record, ttl)

    def add_evidence(self, match: Match, command: OpenDispute) -> OpenDispute:
        """Return a seat's claim of a refusal with what is known of the request."""
        scope, digest = _scope(match.id), self._digest(match.id, Seat(int(command.by)), command.move)
        there = self.log.find_answer(scope, f"{digest}:{command.about}")
        elsewhere = None if there is not None else self.log.find_answer(scope, digest)
        kept = orjson.loads((there or elsewhere or (b"", b"{}"))[1])
        return replace(command, refusal={"found": there is not None, **kept})

    def _digest(self, match: str, seat: Seat, move: object) -> str:
        asked = hashlib.sha256(encode_canonical({"match": match, "seat": int(seat), "move": move})).hexdigest()
        return self.identify(f"refusal:{asked}")


def _scope(match: str) -> str:
    return f"refusals:{match}"
