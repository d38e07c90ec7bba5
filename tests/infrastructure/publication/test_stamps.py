"""Timestamps by an authority of our own making: kept when they hold, and refused when anything is not as asked."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from referee.infrastructure.publication.http_post import PeerError
from referee.infrastructure.publication.stamp_files import StampFileError, iterate_stamps
from referee.infrastructure.publication.stamps import (
    MOST_BYTES,
    StampError,
    read_certificates,
    request_stamp,
    verify_stamp,
)
from tests.infrastructure.publication.authority import Authority, build_authority, serve_bytes
from tests.infrastructure.publication.test_tile_folder import build_publisher


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return build_authority(tmp_path_factory.mktemp("authority") / "town")


def note() -> str:
    return build_publisher().sign_checkpoint()[2]


def test_a_stamp_is_kept_with_its_request_and_openssl_verifies_it(authority: Authority, tmp_path: Path) -> None:
    trusted = read_certificates(authority.root)
    began = time.time()
    with serve_bytes(authority.answer) as url:
        kept, stamp = request_stamp(url, note(), trusted, tmp_path / "stamps")
    assert stamp.authority == "Clock of the town hall"
    assert began - 2 < stamp.at.timestamp() < time.time() + 3
    assert {path.name for path in kept.iterdir()} == {"checkpoint", "request.tsq", "response.tsr"}
    assert (kept / "request.tsq").read_bytes() == authority.asked[-1]
    assert (kept / "checkpoint").read_text() == note()
    assert list(iterate_stamps(tmp_path / "stamps")) == list(iterate_stamps(kept)) == [kept]
    response = (kept / "response.tsr").read_bytes()
    assert verify_stamp(note().encode(), response, read_certificates(authority.root)) == stamp
    command = ["openssl", "ts", "-verify", "-data", str(kept / "checkpoint"), "-in", str(kept / "response.tsr")]
    done = subprocess.run([*command, "-CAfile", str(authority.root)], capture_output=True, timeout=60, check=False)
    assert b"Verification: OK" in done.stdout


def test_a_stamp_over_something_else_or_by_another_authority_is_refused(authority: Authority, tmp_path: Path) -> None:
    other = build_authority(tmp_path / "other")
    with serve_bytes(authority.answer) as url:
        kept, _ = request_stamp(url, note(), read_certificates(authority.root), tmp_path / "stamps")
    response = (kept / "response.tsr").read_bytes()
    trusted = read_certificates(authority.root)
    for data, answer, certificates in (
        (b"another checkpoint", response, trusted),
        (note().encode(), response, read_certificates(other.root)),
        (note().encode(), response, []),
        (note().encode(), response[:-1], trusted),
        (note().encode(), b"", trusted),
    ):
        with pytest.raises(StampError):
            verify_stamp(data, answer, certificates)
    for at in range(0, len(response), 7):
        changed = response[:at] + bytes([response[at] ^ 1]) + response[at + 1 :]
        try:
            found = verify_stamp(note().encode(), changed, trusted)
        except StampError:
            continue
        assert found == verify_stamp(note().encode(), response, trusted), at


def test_an_answer_that_is_not_to_the_request_is_not_kept(authority: Authority, tmp_path: Path) -> None:
    trusted, folder = read_certificates(authority.root), tmp_path / "stamps"
    with serve_bytes(authority.answer) as url:
        kept, _ = request_stamp(url, note(), trusted, folder)
    replayed = (kept / "response.tsr").read_bytes()
    answers: tuple[tuple[bytes, int, str], ...] = (
        (replayed, 200, "application/timestamp-reply"),  # the nonce is that of another request
        (replayed, 500, "application/timestamp-reply"),
        (replayed, 200, "text/html"),
        (b"<html>", 200, "application/timestamp-reply"),
        (bytes(MOST_BYTES + 1), 200, "application/timestamp-reply"),
    )
    for body, status, media_type in answers:
        with serve_bytes(body, status, media_type) as url, pytest.raises((StampError, PeerError)):
            request_stamp(url, note(), trusted, folder)
    assert list(folder.iterdir()) == [kept]


def test_an_authority_that_refuses_or_says_nothing_is_named(authority: Authority, tmp_path: Path) -> None:
    trusted = read_certificates(authority.root)
    with serve_bytes(lambda _: authority.answer(b"no request")) as url, pytest.raises(StampError, match="refused"):
        request_stamp(url, note(), trusted, tmp_path)
    for url in ("ftp://127.0.0.1/", "tsa.example", "http://", "http://a:b@127.0.0.1/"):
        with pytest.raises(PeerError, match="no address"):
            request_stamp(url, note(), trusted, tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]

        def trickle() -> None:
            line, _ = silent.accept()
            with line:
                for _ in range(600):
                    try:
                        line.sendall(b"H")
                    except OSError:
                        return
                    time.sleep(0.1)

        threading.Thread(target=trickle, daemon=True).start()
        began = time.monotonic()
        with pytest.raises(PeerError, match="did not answer within"):
            request_stamp(f"http://127.0.0.1:{port}/", note(), trusted, tmp_path, seconds=0.5)
        assert time.monotonic() - began < 20
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/"
        with pytest.raises(PeerError, match="does not answer"):
            request_stamp(url, note(), trusted, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("response", [b"", bytes(9), b"-----BEGIN", b"\x30\x03\x02\x01"], ids=repr)
def test_what_is_no_response_is_said_in_words(authority: Authority, response: bytes) -> None:
    trusted = read_certificates(authority.root)
    with pytest.raises(StampError, match=r"^it is no answer of a timestamp authority \(RFC 3161\)$"):
        verify_stamp(b"data", response, trusted)


@pytest.mark.parametrize("url", ["nonsense", "file:///dev/null", "http://[::1", "http://me@a.example/"])
def test_a_stamp_is_asked_for_at_an_address_alone(authority: Authority, tmp_path: Path, url: str) -> None:
    with pytest.raises(PeerError, match="is no address"):
        request_stamp(url, note(), read_certificates(authority.root), tmp_path)


def test_folders_and_files_that_hold_no_stamp_are_named(tmp_path: Path) -> None:
    with pytest.raises(StampFileError, match="holds no timestamps") as refused:
        list(iterate_stamps(tmp_path))
    assert refused.value.exit_code == 65, "no code that says something of a match"
    with pytest.raises(StampFileError, match="cannot be read"):
        list(iterate_stamps(tmp_path / "none"))
    (tmp_path / "x").write_bytes(b"-----BEGIN CERTIFICATE-----")
    with pytest.raises(StampFileError, match="holds no certificate"):
        read_certificates(tmp_path / "x")
