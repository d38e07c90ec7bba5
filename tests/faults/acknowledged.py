"""What was acknowledged to players over HTTP, and the line on which they ask until there is an answer."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.faults.between import Address

GIVE_UP = 300.0  # seconds without an answer after which a match counts as stuck
TIMEOUT = 20.0
AGAIN = (503, 429)  # with Retry-After: ask again under the same key


class Stuck(AssertionError):
    """Something that is to go on does not, or an answer came that may not come."""


@dataclass(frozen=True)
class Acknowledged:
    """A write that was answered: in which match, under which key, what it became. `body` is the whole answer."""

    match: str
    key: str  # with its scope, as the store keeps it
    version: int
    body: dict[str, Any]
    viewer: str  # the address of the log as this viewer sees it
    token: str


@dataclass
class Ledger:
    """What was acknowledged to all players, and how often they had to ask again; shared by their threads."""

    writes: list[Acknowledged] = field(default_factory=list)
    times: list[tuple[float, float]] = field(default_factory=list)  # of each write: when it was first asked, answered
    resent: int = 0
    repeated: int = 0  # acknowledged writes that were asked again and got the same answer
    finished: dict[str, int] = field(default_factory=dict)  # match -> how many entries it came to
    opened: dict[str, dict[str, Any]] = field(default_factory=dict)  # match -> what was asked for at its opening
    stood: list[float] = field(default_factory=list)  # per match: the longest time in which nothing was added, seconds
    stills: list[str] = field(default_factory=list)  # those that were long, and whom the match awaited
    courts: Counter[str] = field(default_factory=Counter)  # what was asked of courts, and what came of it
    had: Counter[str] = field(default_factory=Counter)  # how often each kind of remedy was acknowledged
    remedies: list[tuple[float, float, set[str]]] = field(default_factory=list)  # when asked, answered; of which kinds
    amid: threading.Event = field(default_factory=threading.Event)  # while something is asked for that may be a remedy
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, write: Acknowledged, began: float) -> None:
        with self.lock:
            self.writes.append(write)
            self.times.append((began, time.monotonic()))


class Line:
    """A connection to the API that is opened anew whenever it breaks."""

    def __init__(self, address: Address, ledger: Ledger) -> None:
        self._address, self._ledger = address, ledger
        self._line: http.client.HTTPConnection | None = None

    def ask(
        self, method: str, path: str, body: Any = None, *, key: str = "", token: str = "", if_match: str = ""
    ) -> tuple[int, dict[str, Any], http.client.HTTPMessage]:
        """The answer, however often it takes to ask. Raises Stuck: none came in time."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"If-Match": if_match} if if_match else {}
        data = None if body is None else json.dumps(body)
        until, last = time.monotonic() + GIVE_UP, "nothing"
        while time.monotonic() < until:
            try:
                if self._line is None:
                    self._line = http.client.HTTPConnection(*self._address, timeout=TIMEOUT)  # type: ignore[misc]
                self._line.request(method, path, data, headers)
                answer = self._line.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException) as wrong:
                last = repr(wrong)
                self.hang_up()
            else:
                if answer.status not in AGAIN:
                    return answer.status, json.loads(text) if text else {}, answer.headers
                last = f"{answer.status} {text[:300]!r}"
                if "Retry-After" not in answer.headers:
                    raise Stuck(f"{method} {path}: {last}, and no Retry-After")
            self._ledger.resent += 1
            time.sleep(0.05)
        raise Stuck(f"{method} {path}: no answer within {GIVE_UP:g} s, last {last}")

    def hang_up(self) -> None:
        """Closes the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None
