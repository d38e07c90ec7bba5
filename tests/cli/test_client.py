"""The client of the API: answers in full, pieces of long ones, and lines that break off."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from referee.cli.client import ApiClient, ApiTokenError, ApiUnavailableError, ProblemError

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


def test_what_leads_elsewhere_is_no_answer(serve: Serve) -> None:
    elsewhere = HEAD % (b"302 Found", 0, b"Location: http://127.0.0.1:9/\r\n", b"")
    with pytest.raises(ApiUnavailableError, match=r"leads on to 'http://127.0.0.1:9/'"):
        ApiClient(serve(elsewhere)).get("/x")
    with pytest.raises(ApiUnavailableError, match="leitet weiter"):
        list(ApiClient(serve(elsewhere), language="de").download("/bundle", "*/*"))
    assert not ApiClient(serve(elsewhere)).is_alive()


@pytest.mark.parametrize("body", [b"<html>hello", b"[]", b"3"])
def test_another_server_is_told_from_an_api(serve: Serve, body: bytes) -> None:
    answer = HEAD % (b"200 OK", len(body), b"", body)
    with pytest.raises(ApiUnavailableError, match=rf"is no referee's API .'{re.escape(body.decode())}'"):
        ApiClient(serve(answer)).get("/x")
    assert not ApiClient(serve(answer)).is_alive()
    assert ApiClient(serve(answer)).get_text("/x") == body.decode()


def test_a_short_answer_that_breaks_off_is_told_in_the_language(serve: Serve) -> None:
    torn = HEAD % (b"200 OK", 500, b"", b'{"a"')
    with pytest.raises(
        ApiUnavailableError, match=r"^the answer from http://\S+ broke off \(Connection broken: [^']*\)$"
    ):
        ApiClient(serve(torn)).get("/x")
    with pytest.raises(ApiUnavailableError, match="brach ab"):
        ApiClient(serve(torn), language="de").get("/x")


@pytest.mark.parametrize(
    "body", [b"<h1>x</h1", b'{"errors":null,"title":"<h1>"}', b'{"errors":[1],"title":"<h1>"}', b""]
)
def test_a_refusal_of_any_form_is_a_problem(serve: Serve, body: bytes) -> None:
    with pytest.raises(ProblemError, match="502 .*<h1>" if body else "502 Bad Gateway"):
        ApiClient(serve(HEAD % (b"502 Bad Gateway", len(body), b"", body))).get("/x")


@pytest.mark.parametrize("token", ["ä", "a\nb", "a\r"])
def test_what_no_header_can_hold_is_no_token(token: str) -> None:
    with pytest.raises(ApiTokenError, match="no token has"):
        ApiClient("http://127.0.0.1:9", token)
