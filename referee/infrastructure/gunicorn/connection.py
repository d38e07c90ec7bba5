"""A client's connection: what has come on it, and how long it is waited for."""

from __future__ import annotations

import errno
import socket
import struct
import time
from typing import Any

from referee.infrastructure.gunicorn.whole_requests import IncomingRequest

SILENCE_SECONDS = 10.0  # until a connection on which nothing was sent is closed
RECEIVE_BYTES = 64 * 1024
RECEIVE_TIMEOUT = 10  # seconds within which more of a request must come
SEND_TIMEOUT = 20  # seconds within which the client must take more of an answer


class TimeoutSocket(socket.socket):
    """A connection that counts as broken when a wait has taken too long.

    What was collected of a request is received first. `deadline` limits all waits together.
    """

    collected: bytearray | None = None
    deadline: float | None = None

    def take_collected(self) -> bytes:
        """Return what was collected and not received yet."""
        taken, self.collected = bytes(self.collected or b""), None
        return taken

    def set_timeouts(self) -> TimeoutSocket:
        """Set the time limits of this server, and return the socket."""
        self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", RECEIVE_TIMEOUT, 0))
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", SEND_TIMEOUT, 0))
        return self

    def receive_at_once(self) -> bytes:
        """Receive what has come. Raises BlockingIOError if nothing has."""
        return super().recv(RECEIVE_BYTES, socket.MSG_DONTWAIT)

    def has_more(self) -> bool:
        """Return whether something has come that was not received."""
        try:
            return super().recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK) != b""
        except OSError:
            return False

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Receive as a socket does. Raises ConnectionResetError if nothing came in time."""
        if self.collected:
            found, self.collected = bytes(self.collected[:size]), self.collected[size:]
            return found
        if self.deadline is not None:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise ConnectionResetError(errno.ECONNRESET, "the request took too long")
            wait = max(1, int(1e6 * min(left, RECEIVE_TIMEOUT)))
            self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", *divmod(wait, 1_000_000)))
        try:
            return super().recv(size, flags)
        except BlockingIOError:
            raise ConnectionResetError(errno.ECONNRESET, "the other side is too slow") from None

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send as a socket does. Raises ConnectionResetError if nothing was taken in time."""
        try:
            super().sendall(data, flags)
        except BlockingIOError:
            raise ConnectionResetError(errno.ECONNRESET, "the other side is too slow") from None


class Connection:
    """A connection, with what has come of its next request.

    `environ` is what all its plain requests have in common, None if it has none. `answered` counts its requests.
    """

    def __init__(self, line: TimeoutSocket, client: Any, server: Any) -> None:
        self.sock, self.client, self.server = line, client, server
        self.environ: dict[str, Any] | None = None
        self.incoming = IncomingRequest()
        self.answered = 0
        self.deadline = time.monotonic() + SILENCE_SECONDS

    def is_idle(self) -> bool:
        """Return whether it was answered, and nothing has come since."""
        return self.answered > 0 and not self.incoming.received
