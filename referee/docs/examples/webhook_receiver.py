"""Receive the messages of a webhook, and believe only those that are signed.

    python -m referee.docs.examples.webhook_receiver whsec_… 9000

The secret is in the answer to `POST /v1/webhooks`, once. Signatures are those of Standard Webhooks 1.0. Servers send to
https addresses that everybody can reach, so put this behind a proxy that has a certificate.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOLERANCE = 5 * 60  # seconds that a message may be old; one that was recorded and is sent again later is older
LONGEST = 1 << 20  # bytes of a message
REMEMBERED = 1000  # messages of which the receiver knows that it has had them


class SignatureError(Exception):
    """A message that the server did not sign, or not lately."""


class Inbox:
    """What is done with messages: each is checked, and handed on once."""

    def __init__(self, secret: str, handle: Callable[[Any], None], now: Callable[[], float] = time.time) -> None:
        self.key = base64.b64decode(secret.removeprefix("whsec_"))
        self.handle, self.now = handle, now
        self.known: dict[str, None] = {}

    def take(self, headers: Mapping[str, str], body: bytes) -> None:
        """Check a message, and hand it on if it is new. Raises SignatureError."""
        name = self.check({each.lower(): value for each, value in headers.items()}, body)
        if name in self.known:  # the server repeats a message whose answer it did not get
            return
        self.handle(json.loads(body))
        self.known[name] = None
        if len(self.known) > REMEMBERED:
            del self.known[next(iter(self.known))]

    def check(self, headers: Mapping[str, str], body: bytes) -> str:
        """Return the id of a message, if it is signed. Raises SignatureError."""
        name, sent = headers.get("webhook-id") or "", headers.get("webhook-timestamp") or ""
        if not sent.isdecimal() or abs(self.now() - int(sent)) > TOLERANCE:
            raise SignatureError("the message is too old, or says nothing of its age")
        signed = hmac.new(self.key, f"{name}.{sent}.".encode() + body, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(signed)
        # while a secret is being replaced the server signs with both
        given = (headers.get("webhook-signature") or "").encode().split()
        if not any(hmac.compare_digest(expected, each) for each in given):
            raise SignatureError("the signature is of another secret, or of another message")
        return name


def build_server(inbox: Inbox, port: int) -> ThreadingHTTPServer:
    """Return a server on this machine that hands what is posted to the inbox."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answer 204 once a message is dealt with: the server repeats it otherwise."""
            length = int(self.headers.get("Content-Length") or 0)
            try:
                if length > LONGEST:
                    raise SignatureError("no message is as long as that")
                inbox.take(dict(self.headers.items()), self.rfile.read(length))
                status = 204
            except SignatureError as wrong:
                self.log_error("refused: %s", wrong)
                status = 401
            self.send_response(status)
            self.end_headers()

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def print_message(message: dict[str, Any]) -> None:
    """Print what a message is about."""
    print(message["timestamp"], message["type"], json.dumps(message["data"], ensure_ascii=False))


def main() -> None:
    """Print every message until the program is stopped."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    secret, port = sys.argv[1:]
    build_server(Inbox(secret, print_message), int(port)).serve_forever()


if __name__ == "__main__":
    main()
