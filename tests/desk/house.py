"""A desk over a log in memory, with a fixed secret: for tests that want no machine."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Callable

from referee.desk.desk import Desk
from referee.store.base import MatchLog
from referee.store.memory import MemoryLog


class FixedDraws:
    """Chance that is the same in every run."""

    def __init__(self, secret: bytes = b"test") -> None:
        self.secret = secret

    def commitment(self, match: str) -> str:
        return hashlib.sha256(self.secret + match.encode()).hexdigest()

    def source(self, match: str, version: int, purpose: str) -> Callable[[int], int]:
        return random.Random(f"{self.secret!r}{match}{version}{purpose}").randrange

    def salt(self, match: str, version: int, who: str) -> bytes:
        return hmac.digest(self.secret, f"{match}|{version}|{who}".encode(), "sha256")


def identify(key: str) -> str:
    """A match id from the key of its opening."""
    digest = hashlib.sha256(key.encode()).digest()
    letters = "".join("abcdefghijklmnopqrstuvwxyz"[byte % 26] for byte in digest[:26])
    return f"{digest[-1] % 64:02d}-{letters}"


def desk(log: MatchLog | None = None) -> Desk:
    """A desk that signs with the root itself and wakes nobody."""
    return Desk(
        log if log is not None else MemoryLog(),
        FixedDraws(),
        lambda match, size, root: f"{match} {size} {root.hex()}",
        lambda partition: None,
        identify,
    )
