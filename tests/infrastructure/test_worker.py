"""The worker's connections: who sends or takes too slowly is cut off, and never waited for."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator

import pytest
from gunicorn.http.errors import (
    ExpectationFailed,
    InvalidChunkSize,
    InvalidHeader,
    LimitRequestHeaders,
    LimitRequestLine,
)

from referee.infrastructure.gunicorn import connection
from referee.infrastructure.gunicorn.connection import TimeoutSocket
from referee.infrastructure.gunicorn.worker import RequestBody, status_for_error


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TimeoutSocket, socket.socket]]:
    """Our end and the other one, with a second's patience."""
    monkeypatch.setattr(connection, "RECEIVE_TIMEOUT", 1)
    monkeypatch.setattr(connection, "SEND_TIMEOUT", 1)
    ours, other = socket.socketpair()
    line = TimeoutSocket(fileno=ours.detach()).set_timeouts()
    yield line, other
    line.close()
    other.close()


def test_who_sends_nothing_is_cut_off(pair: tuple[TimeoutSocket, socket.socket]) -> None:
    began = time.monotonic()
    with pytest.raises(ConnectionResetError):
        pair[0].recv(10)
    assert 0.9 < time.monotonic() - began < 9
    pair[1].sendall(b"at last")
    assert pair[0].recv(10) == b"at last"


def test_who_takes_nothing_is_cut_off(pair: tuple[TimeoutSocket, socket.socket]) -> None:
    began = time.monotonic()
    with pytest.raises(ConnectionResetError):
        pair[0].sendall(b"x" * (1 << 24))
    assert 0.9 < time.monotonic() - began < 18


def test_who_looks_without_waiting_is_told_that_there_is_nothing_yet(pair: tuple[TimeoutSocket, socket.socket]) -> None:
    with pytest.raises(BlockingIOError):
        pair[0].receive_at_once()
    assert not pair[0].has_more()
    pair[1].sendall(b"now")
    assert pair[0].has_more()
    assert pair[0].receive_at_once() == b"now"


def test_a_body_that_breaks_its_framing_is_broken_off() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise InvalidChunkSize(b"zz")

    with pytest.raises(OSError, match="malformed"):
        RequestBody(Broken()).read(5)
    assert RequestBody(io.BytesIO(b"abc")).read(2) == b"ab"
    assert list(RequestBody(io.BytesIO(b"a\nb")).readlines()) == [b"a\n", b"b"]


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (LimitRequestLine(9000, 4094), 414), (LimitRequestHeaders("much"), 431), (InvalidHeader("X"), 400),
        (ExpectationFailed("wonders"), 417),
    ],
)  # fmt: skip
def test_what_cannot_be_read_has_a_status(wrong: Exception, status: int) -> None:
    assert status_for_error(wrong) == status
