"""Tells listeners that this process is to stop, before running requests end.

Without that, an answer that never ends by itself, a stream, would delay the stop until it is cut off.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable
from types import FrameType

_listeners: list[Callable[[], None]] = []


def add_stop_listener(listener: Callable[[], None]) -> None:
    """Have `listener` called, in a thread, when this process is asked to stop."""
    _listeners.append(listener)


def install_signal_handler(number: int = signal.SIGTERM) -> None:
    """Call the listeners when the signal comes, then the handler installed before.

    To be called in the main thread.
    """
    requests: queue.SimpleQueue[None] = queue.SimpleQueue()
    before = signal.getsignal(number)

    def pass_on() -> None:
        requests.get()
        for listener in _listeners:
            listener()

    def note(number: int, frame: FrameType | None) -> None:
        requests.put(None)  # no more: the handler may have interrupted code that holds a lock of the listeners
        if callable(before):
            before(number, frame)

    threading.Thread(target=pass_on, name="stopping", daemon=True).start()
    signal.signal(number, note)
