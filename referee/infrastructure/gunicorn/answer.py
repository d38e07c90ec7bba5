"""An answer whose head goes out together with the first bytes of its body."""

from __future__ import annotations

from typing import Any

from gunicorn.http.wsgi import Response


class Answer(Response):  # type: ignore[misc]
    """Gunicorn's response, with its head sent in one piece with the body.

    The head is sent by itself only where no body follows at once.
    """

    headers_sent: bool
    _head = b""

    def send_headers(self) -> None:
        """Put the head before the first bytes."""
        if not self.headers_sent:
            lines = [*self.default_headers(), *(f"{name}: {value}\r\n" for name, value in self.headers), "\r\n"]
            self._head, self.headers_sent = "".join(lines).encode("latin-1"), True

    def _emit_body(self, data: bytes) -> None:
        framed = b"%X\r\n%b\r\n" % (len(data), data) if self.chunked else data
        head, self._head = self._head, b""
        self.sock.sendall(head + framed if head else framed)

    def write(self, arg: Any) -> None:
        """Send bytes of the body; what is empty sends the head."""
        super().write(arg)
        self._send_head()

    def close(self) -> None:
        """Send what is still to be sent."""
        self.send_headers()
        self._send_head()
        if self.chunked:
            self.sock.sendall(b"0\r\n\r\n")

    def _send_head(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self.sock.sendall(head)
