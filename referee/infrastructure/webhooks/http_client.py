"""Sends one message within a time limit, and reads only the status of the answer.

urllib3 speaks HTTP and checks certificates against the host's name. The connection goes to the address that was checked
before.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, SSLError, TimeoutError

from referee.infrastructure.webhooks.url_policy import (
    HostUnreachableError,
    Lookup,
    Network,
    UrlRefusedError,
    WebhookTarget,
    parse_target,
    resolve_addresses,
)

LOGGER = logging.getLogger("referee.infrastructure.webhooks")
USER_AGENT = "referee-webhooks/1"
ATTEMPT_SECONDS = 15.0  # for a whole attempt, once the name is looked up
CONNECT_SECONDS = 5.0
LOOKUP_SECONDS = 20.0  # a name server that takes longer has used up the attempt
MAX_ADDRESSES = 3  # the addresses of a name that are tried


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of an attempt: a status, or the reason why there is none.

    `error` is unreachable, tls, timeout or broken. `retry_after` is the number of seconds that the receiver asked to
    wait.
    """

    status: int | None
    error: str = ""
    retry_after: int | None = None

    @property
    def is_accepted(self) -> bool:
        """Whether the receiver has accepted the message, by any 2xx.

        Redirects are not followed, so they do not count.
        """
        return self.status is not None and 200 <= self.status < 300


class _Deadline:
    """Cuts a connection when its time is up, even if bytes still trickle in.

    A time limit per read would not do that.
    """

    def __init__(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._cut_connection)
        self._timer.daemon = True
        self._line: socket.socket | None = None
        self._lock = threading.Lock()
        self.is_over = False

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._timer.cancel()
        with self._lock:
            if self._line is not None:
                self._line.close()
                self._line = None

    def watch_socket(self, line: socket.socket) -> None:
        """Take a second handle on the connection; it stays valid when TLS takes the first."""
        with self._lock:
            if self._line is not None:
                self._line.close()
            self._line = line.dup()

    def _cut_connection(self) -> None:
        with self._lock:
            self.is_over = True
            if self._line is not None:
                try:
                    self._line.shutdown(socket.SHUT_RDWR)
                except OSError as gone:  # it has just ended by itself
                    LOGGER.debug("a line had ended already: %s", gone)


class _PinnedConnection(HTTPConnection):
    """A connection to a given address, wherever its host's name leads by now."""

    def __init__(self, *args: Any, address: str, deadline: _Deadline, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._address, self._deadline = address, deadline

    def _new_conn(self) -> socket.socket:
        try:
            line = socket.create_connection((self._address, self.port or 0), CONNECT_SECONDS)
        except OSError as wrong:
            if isinstance(wrong, socket.timeout):
                raise ConnectTimeoutError(self, "no answer") from wrong
            raise NewConnectionError(self, "no connection") from wrong
        self._deadline.watch_socket(line)
        return line


class _PinnedTlsConnection(_PinnedConnection, HTTPSConnection):
    """The same by TLS, checked for the host's name."""


class _PinnedPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _PinnedConnection


class _PinnedTlsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _PinnedTlsConnection


class WebhookSender:
    """Sends messages to permitted targets.

    `context` says which certificates to trust, by default those of the system.
    """

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        lookup: Lookup = socket.getaddrinfo,
        context: ssl.SSLContext | None = None,
        seconds: float = ATTEMPT_SECONDS,
    ) -> None:
        self._allowed, self._lookup, self._seconds = tuple(allowed), lookup, seconds
        self._context = ssl.create_default_context() if context is None else context

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Post a body, JSON unless a header says otherwise, and return the result.

        The network may do whatever it does.
        """
        try:
            at, began = parse_target(url, self._allowed), time.monotonic()
            addresses = resolve_addresses(at, self._allowed, self._lookup)
        except (UrlRefusedError, HostUnreachableError) as wrong:
            LOGGER.warning("no webhook is sent: %s", wrong)
            return Reply(None, "unreachable")
        if time.monotonic() - began > LOOKUP_SECONDS:
            return Reply(None, "unreachable")
        reply = Reply(None, "unreachable")
        with _Deadline(self._seconds) as deadline:
            for address in addresses[:MAX_ADDRESSES]:
                reply = self._post_body(at, address, deadline, headers, body)
                if reply.error != "unreachable" or deadline.is_over:
                    break
        if reply.error:
            LOGGER.info("%s did not answer a webhook: %s", at.origin, reply.error)
        return reply

    def _post_body(
        self, at: WebhookTarget, address: str, deadline: _Deadline, headers: Mapping[str, str], body: bytes
    ) -> Reply:
        line: dict[str, Any] = {"address": address, "deadline": deadline, "maxsize": 1}
        pool = (
            _PinnedTlsPool(at.host, at.port, ssl_context=self._context, **line)
            if at.scheme == "https"
            else _PinnedPool(at.host, at.port, **line)
        )
        try:
            with pool:
                answer = pool.urlopen(
                    "POST",
                    at.path,
                    body=body,
                    headers={"Content-Type": "application/json", **headers, "User-Agent": USER_AGENT},
                    retries=False,
                    redirect=False,
                    assert_same_host=False,
                    timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=self._seconds),
                    preload_content=False,
                    decode_content=False,
                )
                status, after = int(answer.status), answer.headers.get("Retry-After", "")
                answer.close()  # unread, because it might have no end
        except (HTTPError, OSError, ValueError) as wrong:
            return Reply(None, _classify_error(wrong, deadline))
        if deadline.is_over:  # headers that were cut off look like complete ones
            return Reply(None, "timeout")
        return Reply(status, "", int(after) if after.isascii() and after.isdecimal() and len(after) < 8 else None)


def _classify_error(wrong: Exception, deadline: _Deadline) -> str:
    """Return what went wrong in one word: all that the webhook's owner learns."""
    if isinstance(wrong, NewConnectionError | ConnectTimeoutError):
        return "unreachable"
    if deadline.is_over or isinstance(wrong, TimeoutError):
        return "timeout"
    return "tls" if isinstance(wrong, SSLError | ssl.SSLError) else "broken"
