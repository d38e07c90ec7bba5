"""Whether a whole request has come, however its bytes come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.infrastructure.gunicorn.whole_requests import (
    MAX_AWAITED_BYTES,
    MAX_HEAD_BYTES,
    Arrival,
    IncomingRequest,
)

GET = b"GET /v1/games HTTP/1.1\r\nHost: t\r\n\r\n"
POST = b"POST /v1/join HTTP/1.1\r\nHost: t\r\ncontent-LENGTH: 7\r\n\r\n1234567"


@given(st.sampled_from([GET, POST, POST + GET]), st.data())
def test_a_request_is_whole_with_its_last_byte(sent: bytes, data: st.DataObject) -> None:
    end = len(GET) if sent is GET else len(POST)
    cut = data.draw(st.integers(0, end - 1))
    incoming = IncomingRequest()
    for at in range(cut):
        incoming.add(sent[at : at + 1])
        assert incoming.check_arrival() is Arrival.PART
    incoming.add(sent[cut:])
    assert incoming.check_arrival() is Arrival.WHOLE
    assert incoming.received == sent


@pytest.mark.parametrize(
    "header",
    [
        b"Transfer-Encoding: chunked", b"transfer-encoding : chunked", b"Expect: 100-continue",
        b"Content-Length: %d" % (MAX_AWAITED_BYTES + 1),
    ],
)  # fmt: skip
def test_a_body_without_end_or_of_great_length_is_not_collected(header: bytes) -> None:
    incoming = IncomingRequest(b"POST / HTTP/1.1\r\nHost: t\r\n" + header)
    assert incoming.check_arrival() is Arrival.PART
    incoming.add(b"\r\n\r\n")
    assert incoming.check_arrival() is Arrival.LONG


@pytest.mark.parametrize("header", [b"Content-Length: much", b"Content-Length: -1", b"X: Content-Length: 9"])
def test_what_is_malformed_is_left_to_the_parser(header: bytes) -> None:
    assert IncomingRequest(b"POST / HTTP/1.1\r\n" + header + b"\r\n\r\n").check_arrival() is Arrival.WHOLE


def test_a_head_without_end_is_refused_at_some_point() -> None:
    incoming = IncomingRequest(b"GET / HTTP/1.1\r\nX: ")
    incoming.add(b"a" * MAX_HEAD_BYTES)
    assert incoming.check_arrival() is Arrival.ENDLESS
