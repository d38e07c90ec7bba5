"""The client of the API: answers in full, pieces of long ones, and lines that break off."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from referee.cli.client import ApiClient, ApiUnavailableError, ProblemError

Serve = Callable[[bytes], str]
HEAD = b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s"


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A server on this machine that gives one connection this answer and closes it; returns its address."""
    sockets: list[socket.socket] = []

    def start(answer: bytes) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        sockets.append(listener)

        def give() -> None:
            line, _ = listener.accept()
            line.recv(65536)
            line.sendall(answer)
            line.close()

        threading.Thread(target=give, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}/under"

    yield start
    for each in sockets:
        each.close()


def test_a_long_answer_comes_in_pieces_and_one_that_breaks_off_is_told(serve: Serve) -> None:
    whole = HEAD % (b"200 OK", 200_000, b"", b"x" * 200_000)
    pieces = list(ApiClient(serve(whole)).download("/bundle", "*/*"))
    assert (len(b"".join(pieces)), len(pieces) > 1) == (200_000, True)
    with pytest.raises(ApiUnavailableError, match="broke off"):
        list(ApiClient(serve(whole[:-5])).download("/bundle", "*/*"))
    refused = HEAD % (b"404 Not Found", 16, b"", b'{"title":"None"}')
    with pytest.raises(ProblemError, match="404 None"):
        list(ApiClient(serve(refused)).download("/bundle", "*/*"))


def test_a_line_that_closes_or_stays_silent_is_no_answer(serve: Serve) -> None:
    with pytest.raises(ApiUnavailableError, match="no API answers at http://"):
        ApiClient(serve(b"")).get("/healthz")
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, pytest.raises(ApiUnavailableError, match="no API answers"):
        ApiClient(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2).get("/healthz")
    with pytest.raises(ApiUnavailableError, match=r"\(\[Errno \d+\] Connection refused\)"):
        ApiClient("http://127.0.0.1:9").get("/healthz")


def test_redirects_are_not_followed_and_what_is_no_json_is_quoted(serve: Serve) -> None:
    elsewhere = HEAD % (b"302 Found", 0, b"Location: http://127.0.0.1:9/\r\n", b"")
    assert ApiClient(serve(elsewhere)).get("/x").body is None
    with pytest.raises(ProblemError, match="<h1>"):
        ApiClient(serve(HEAD % (b"502 Bad Gateway", 9, b"", b"<h1>x</h1"))).get("/x")
