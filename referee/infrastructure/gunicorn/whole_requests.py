"""Tells whether the bytes that came on a connection are a whole request.

A thread gets only whole requests. Otherwise as many clients as there are threads, each of whom sends a byte now and
then, would hold every thread.
"""

from __future__ import annotations

import re
from enum import Enum, auto

MAX_HEAD_BYTES = 64 * 1024  # of a head that has no end yet
MAX_AWAITED_BYTES = 128 * 1024  # of a body that is collected first; it is beyond what most calls take
HEAD_END = b"\r\n\r\n"
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)
OPEN_ENDED = re.compile(rb"\r\n(?:transfer-encoding|expect)[ \t]*:", re.IGNORECASE)


class Arrival(Enum):
    """How much of a request has come.

    PART: more has to come. WHOLE: all of it. ENDLESS: a head that is too long, without its end. LONG: its head, before
    a body that is too long to be collected, or whose length nobody knows.
    """

    PART = auto()
    ENDLESS = auto()
    WHOLE = auto()
    LONG = auto()


class IncomingRequest:
    """The bytes that have come of a request, and perhaps of what follows it."""

    def __init__(self, received: bytes | bytearray = b"") -> None:
        self.received = bytearray(received)
        self._searched, self._needed = 0, 0

    def add(self, received: bytes) -> None:
        """Add bytes that came."""
        self.received += received

    def check_arrival(self) -> Arrival:
        """Return how much of the request has come."""
        if not self._needed:
            end = self.received.find(HEAD_END, self._searched)
            if end < 0:
                self._searched = max(0, len(self.received) - len(HEAD_END))
                return Arrival.ENDLESS if len(self.received) > MAX_HEAD_BYTES else Arrival.PART
            head = bytes(self.received[: end + 2])
            if OPEN_ENDED.search(head):
                return Arrival.LONG
            length = CONTENT_LENGTH.search(head)
            if length is not None and int(length[1]) > MAX_AWAITED_BYTES:
                return Arrival.LONG
            self._needed = end + len(HEAD_END) + (0 if length is None else int(length[1]))
        return Arrival.WHOLE if len(self.received) >= self._needed else Arrival.PART
