"""Jumps of the store's clock: the machine slept, or the clock was set."""

from __future__ import annotations

import time
from collections.abc import Callable

NOTICED_FROM_MS = 5000  # below that a clock is only a little off, or an answer of the store took that long


class ClockJumps:
    """Compares the store's clock with this process's own.

    That one runs on evenly, and stands still while the machine sleeps.
    """

    def __init__(self, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._elapsed = elapsed
        self._offset_ms: int | None = None

    def measure_jump(self, now_ms: int) -> int:
        """Return how far the store's clock has jumped since the last call (ms).

        Below 0: back. 0: not worth a word.
        """
        offset = now_ms - int(1000 * self._elapsed())
        jump = 0 if self._offset_ms is None else offset - self._offset_ms
        self._offset_ms = offset
        return jump if abs(jump) > NOTICED_FROM_MS else 0
