"""Signals that ask a command which runs on and on to stop in order."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class StopSignals:
    """SIGINT and SIGTERM, caught while the context is open.

    While `interrupts` is true, the first one interrupts at once, as during a start. Else they are only noted, so that
    everything can stop in order.
    """

    def __init__(self, *, interrupts: bool) -> None:
        self._stop_requested = threading.Event()
        self.interrupts = interrupts

    def _note_signal(self, number: int, frame: FrameType | None) -> None:
        self._stop_requested.set()
        if self.interrupts:
            self.interrupts = False  # a second Ctrl-C must not interrupt the stopping
            raise KeyboardInterrupt

    def __enter__(self) -> StopSignals:
        self._previous_handlers = {
            number: signal.signal(number, self._note_signal) for number in (signal.SIGINT, signal.SIGTERM)
        }
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)

    def wait_for_stop(self, seconds: float) -> bool:
        """Wait for a stop signal at most that long; return whether one has come."""
        return self._stop_requested.wait(seconds)
