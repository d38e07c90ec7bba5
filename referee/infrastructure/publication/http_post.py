"""Sends one request to another server.

Time and the length of the answer are limited.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from referee.infrastructure.errors import HostError

SECONDS = 30.0  # for a whole request, however slowly the answer trickles in
CONNECT_SECONDS, READ_SECONDS = 5.0, 10.0
USER_AGENT = "referee"


class PeerError(HostError):
    """Another server does not answer, or not as agreed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of an answer, its media type, and its body."""

    status: int
    media_type: str
    body: bytes


def post_bytes(
    url: str, body: bytes, media_type: str, *, accept: str = "*/*", most_bytes: int, seconds: float = SECONDS
) -> Answer:
    """Send bytes and return the answer. Redirects are not followed.

    Raises PeerError if there is no address, no answer in time, or more than `most_bytes`.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise PeerError(f"{url} is no address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.fragment:
        raise PeerError(f"{url} is no address that begins with http:// or https://")
    found: queue.SimpleQueue[Answer | Exception] = queue.SimpleQueue()

    def send() -> None:
        try:
            found.put(_send(url, body, {"Content-Type": media_type, "Accept": accept}, most_bytes))
        except (HTTPError, OSError, ValueError, PeerError) as wrong:
            found.put(wrong)

    # a limit for each read does not end an answer that trickles in, so the whole request has a thread to leave behind
    threading.Thread(target=send, daemon=True).start()
    try:
        answer = found.get(timeout=seconds)
    except queue.Empty:
        raise PeerError(f"{url} did not answer within {seconds:g} seconds") from None
    if isinstance(answer, PeerError):
        raise answer
    if isinstance(answer, Exception):
        raise PeerError(f"{url} does not answer: {answer}") from answer
    return answer


def _send(url: str, body: bytes, headers: dict[str, str], most_bytes: int) -> Answer:
    with urllib3.PoolManager(num_pools=1) as pool:
        response = pool.request(
            "POST", url, body=body, headers={"User-Agent": USER_AGENT, **headers}, redirect=False, retries=False,
            preload_content=False, timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS),
        )  # fmt: skip
        try:
            read = b"".join(_read_limited(response, most_bytes))
        finally:
            response.close()
    if len(read) > most_bytes:
        raise PeerError(f"{url} answered with more than {most_bytes} bytes")
    return Answer(response.status, response.headers.get("Content-Type", "").partition(";")[0].strip().lower(), read)


def _read_limited(response: urllib3.BaseHTTPResponse, most_bytes: int) -> list[bytes]:
    pieces, size = list[bytes](), 0
    for piece in response.stream(8192):
        pieces.append(piece)
        size += len(piece)
        if size > most_bytes:
            break
    return pieces
