"""Being told that this process is to stop, before its server waits for the requests that are still under way.

An answer that never ends by itself, a stream, would else hold up the stop until it is cut off.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable
from types import FrameType

_listeners: list[Callable[[], None]] = []


def add_stop_listener(listener: Callable[[], None]) -> None:
    """Has `listener` called, in a thread of its own, when this process is asked to stop."""
    _listeners.append(listener)


def install_signal_handler(number: int = signal.SIGTERM) -> None:
    """Tells the listeners when the signal comes, and then does what was done before. Called in the main thread."""
    asked: queue.SimpleQueue[None] = queue.SimpleQueue()
    before = signal.getsignal(number)

    def pass_on() -> None:
        asked.get()
        for listener in _listeners:
            listener()

    def note(number: int, frame: FrameType | None) -> None:
        asked.put(None)  # all that a handler may do: it may have interrupted whoever holds the locks of the listeners
        if callable(before):
            before(number, frame)

    threading.Thread(target=pass_on, name="stopping", daemon=True).start()
    signal.signal(number, note)
