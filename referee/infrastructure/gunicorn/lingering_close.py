"""Finished connections: closed gracefully, without waiting for the client.

A server that closes a connection with unread bytes may have its last answer cut off by a reset (RFC 9112, section 9.6).
So the writing side is closed first, incoming bytes are read and discarded, and the rest is closed when the client has
closed, or soon. Gunicorn does that in the thread that accepts new connections, two seconds for each that stays open:
forty idle ones stopped everything for half a minute (measured).
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections import deque

LINGER_SECONDS = 2.0
MAX_DISCARDED_BYTES = 65536
POLL_SECONDS = 0.5  # between two checks for connections whose time is up


class LingeringCloser:
    """One thread that closes all finished connections."""

    def __init__(self) -> None:
        self._new: deque[socket.socket] = deque()
        self._wake, self._woken = socket.socketpair()
        self._woken.setblocking(False)
        self._wake.setblocking(False)
        self._started = threading.Lock()
        self._thread: threading.Thread | None = None

    def close_gracefully(self, line: socket.socket) -> None:
        """Close this connection gracefully, and return at once."""
        try:
            line.setblocking(False)
            line.shutdown(socket.SHUT_WR)
        except OSError:  # the client has closed it already
            line.close()
            return
        with self._started:
            if self._thread is None:  # started late, because a process may fork until it serves
                self._thread = threading.Thread(target=self._run_loop, name="lingering", daemon=True)
                self._thread.start()
        self._new.append(line)
        with contextlib.suppress(BlockingIOError):  # the pipe is full, so the thread will wake up anyway
            self._wake.send(b".")

    def _run_loop(self) -> None:
        waiting: dict[socket.socket, tuple[float, int]] = {}  # until when, and how many bytes came
        with selectors.DefaultSelector() as chosen:
            chosen.register(self._woken, selectors.EVENT_READ)
            while True:
                for key, _ in chosen.select(POLL_SECONDS):
                    line = key.fileobj
                    assert isinstance(line, socket.socket)
                    if line is self._woken:
                        with contextlib.suppress(BlockingIOError):
                            line.recv(4096)
                        continue
                    until, come = waiting[line]
                    waiting[line] = until, come + discard_received(line)
                while self._new:
                    fresh = self._new.popleft()
                    chosen.register(fresh, selectors.EVENT_READ)
                    waiting[fresh] = time.monotonic() + LINGER_SECONDS, 0
                now = time.monotonic()
                for line in [
                    line for line, (until, come) in waiting.items() if until <= now or come >= MAX_DISCARDED_BYTES
                ]:
                    chosen.unregister(line)
                    del waiting[line]
                    line.close()


def discard_received(line: socket.socket) -> int:
    """Read and discard bytes, and return how many came.

    Return MAX_DISCARDED_BYTES once no more can come, so that the connection is closed.
    """
    try:
        return len(line.recv(4096)) or MAX_DISCARDED_BYTES
    except BlockingIOError:
        return 0
    except OSError:
        return MAX_DISCARDED_BYTES
