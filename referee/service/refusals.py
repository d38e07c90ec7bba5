"""Requests that were refused, kept beside the log as evidence.

TABLE-DISPUTE-8: A refusal can be disputed only if the request reached the server. The server keeps when each refused or
late move came in and upon which version, for a day or for as long as disputes may be opened after the end. It keeps no
move: only a keyed digest, by which a claim can be compared.

Only what the rules refused can have been legal after all. What was refused for its window or version, or because play
was halted, is known as such: who names an old version has nothing to claim by that.
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
from referee.match.errors import MoveRejected, VersionConflict, WindowClosed
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import DAY_MS
from referee.match.loaded import LoadedMatch
from referee.service.requests import MoveRequest

Refused = (MoveRejected, WindowClosed, VersionConflict)  # errors that name the version upon which a move was refused
WHYS = ("rules", "late", "table")  # why requests are refused; what the rules refused counts before the others


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refused requests of all matches.

    `identify(text)` makes an id that nobody can compute without the server's secret.
    """

    log: MatchLog
    identify: Callable[[str], str]

    def record(self, match: Match, seat: Seat, move: Move, version: int, now_ms: int, why: str = "rules") -> None:
        """Keep that a move was refused upon a version; the first such request counts.

        `why` is `rules`, `late` (for its window or version) or `table` (play was halted or over).
        """
        scope, digest = _scope(match.id), self._digest(match.id, seat, encode(move))
        record, ttl = (
            orjson.dumps({"version": version, "at_ms": now_ms, "why": why}),
            max(DAY_MS, match.courts.claims_ms),
        )
        for name in (f"{digest}:{version}:{why}", digest):
            self.log.remember_answer(scope, name, b"", record, ttl)

    def record_error(self, loaded: LoadedMatch, request: MoveRequest, refused: Exception) -> None:
        """Keep that a request ended in an error of `MatchService.make_move`."""
        version = refused.version if isinstance(refused, Refused) else loaded.version
        why = "rules" if isinstance(refused, MoveRejected) else "late" if isinstance(refused, Refused) else "table"
        self.record(loaded.match, request.seat, request.move, version, self.log.now(), why)

    def add_evidence(self, match: Match, command: OpenDispute) -> OpenDispute:
        """Return a seat's claim of a refusal with what is known of the request."""
        scope, digest = _scope(match.id), self._digest(match.id, Seat(int(command.by)), command.move)
        at = (self.log.find_answer(scope, f"{digest}:{command.about}:{why}") for why in WHYS)
        there = next((each for each in at if each is not None), None)
        elsewhere = None if there is not None else self.log.find_answer(scope, digest)
        kept = orjson.loads((there or elsewhere or (b"", b"{}"))[1])
        return replace(command, refusal={"found": there is not None, **kept})

    def _digest(self, match: str, seat: Seat, move: object) -> str:
        asked = hashlib.sha256(encode_canonical({"match": match, "seat": int(seat), "move": move})).hexdigest()
        return self.identify(f"refusal:{asked}")


def _scope(match: str) -> str:
    return f"refusals:{match}"
