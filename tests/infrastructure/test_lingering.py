"""Connections that are done: closed in form, and nobody waits for who keeps his end open."""

from __future__ import annotations

import socket
import time

import pytest

from referee.infrastructure.gunicorn import lingering_close
from referee.infrastructure.gunicorn.lingering_close import LingeringCloser
from tests.infrastructure.machine import eventually


def test_many_who_keep_their_end_open_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering_close, "LINGER_SECONDS", 0.3)
    seen_off, pairs = LingeringCloser(), [socket.socketpair() for _ in range(200)]
    began = time.monotonic()
    for ours, _ in pairs:
        seen_off.close_gracefully(ours)
    assert time.monotonic() - began < 20.0, "a third of a second each would be a minute"
    for _, theirs in pairs:
        theirs.settimeout(30.0)
        assert theirs.recv(1) == b"", "our side of the conversation is over"
    eventually(lambda: all(ours.fileno() == -1 for ours, _ in pairs))


def test_who_closes_is_gone_at_once_and_what_he_still_said_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering_close, "LINGER_SECONDS", 600)
    seen_off = LingeringCloser()
    ours, theirs = socket.socketpair()
    theirs.sendall(b"x" * 1000)
    seen_off.close_gracefully(ours)
    time.sleep(0.05)
    assert ours.fileno() != -1
    theirs.close()
    eventually(lambda: ours.fileno() == -1)


def test_who_goes_on_talking_is_cut_off() -> None:
    seen_off = LingeringCloser()
    ours, theirs = socket.socketpair()
    seen_off.close_gracefully(ours)
    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        theirs.sendall(b"x" * 40_000_000)
    eventually(lambda: ours.fileno() == -1)


def test_what_is_gone_already_is_closed() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    ours.close()
    LingeringCloser().close_gracefully(ours)
    assert ours.fileno() == -1
