"""A desk over a log in memory, with a fixed secret: for tests that want no machine."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Callable

from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.match.events.ending_events import EndMatch
from referee.service.match_service import MatchService
from referee.transparency.randomness import compute_commitment, derive_thought_seed


class FixedDraws:
    """Chance that is the same in every run."""

    def __init__(self, key: bytes = b"test") -> None:
        self.key = key

    def secret(self, match: str, generation: int = 0) -> bytes:
        return hashlib.sha256(self.key + match.encode() + bytes(generation)).digest()

    def commitment(self, match: str, generation: int = 0) -> str:
        return compute_commitment(self.secret(match, generation))

    def source(
        self, match: str, generation: int, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
    ) -> Callable[[int], int]:
        more = f"|{generation}|{seeds!r}" if generation or seeds else ""
        return random.Random(f"{self.key!r}{match}{place}{purpose}{more}").randrange

    def salt(self, match: str, generation: int, version: int, who: str) -> bytes:
        name = f"{match}|{version}|{who}" + (f"|{generation}" if generation else "")
        return hmac.digest(self.key, name.encode(), "sha256")

    def thought_seed(self, match: str, generation: int, version: int, seat: int) -> str:
        return derive_thought_seed(self.secret(match, generation), match, version, seat)


def identify(key: str) -> str:
    """A match id from the key of its opening."""
    digest = hashlib.sha256(key.encode()).digest()
    letters = "".join("abcdefghijklmnopqrstuvwxyz"[byte % 26] for byte in digest[:26])
    return f"{digest[-1] % 64:02d}-{letters}"


def end_agreed_by_all(reason: str, placement: tuple[tuple[int, ...], ...] = ()) -> EndMatch:
    """The end of a match upon which everybody at the table agrees at once."""
    return EndMatch(reason, placement, "host", tuple(range(20)))


def service(log: MatchLog | None = None, elapsed: Callable[[], float] | None = None) -> MatchService:
    """A desk that signs with the root itself and wakes nobody."""
    return MatchService(
        log if log is not None else MemoryLog(),
        FixedDraws(),
        lambda match, size, root: f"{match} {size} {root.hex()}",
        lambda partition: None,
        identify,
        elapsed,
    )
