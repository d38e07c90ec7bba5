"""A server at a terminal: lines for people there, and the log as data in a file."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from referee.cli.banner import print_banner
from referee.cli.commands.running import event_lines
from referee.cli.commands.running.event_lines import EventLog, describe_line
from referee.infrastructure.logs import LossyFile
from referee.infrastructure.settings import PREFIX, Settings
from tests.cli.serving import environment, stand_ins
from tests.infrastructure.machine import ROOT

TOKEN = "rfs_" + "t" * 43


def request(method: str, rule: str | None, status: int, problem: str | None = None) -> str:
    return json.dumps({"event": "request", "method": method, "rule": rule, "status": status, "problem": problem})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (request("POST", "/v1/matches", 201), "a match was opened"),
        (request("POST", "/v1/join", 201), "somebody joined"),
        (request("POST", "/v1/join", 404, "unknown-code"), ""),
        (request("GET", "/v1/matches", 200), ""),
        (request("POST", "/v1/matches/<match:match>/seats/<seat:seat>/moves", 201), ""),
        (request("GET", "/readyz", 503, "store-away"), "GET /readyz: 503 store-away"),
        (request("GET", None, 421, "host-unknown"), "GET without a route: 421 host-unknown"),
        (json.dumps({"event": "the store is away", "level": "warning"}), "warning: the store is away"),
        (json.dumps({"event": "it", "level": "error", "exception": [{"exc_type": "KeyError"}]}), "error: it: KeyError"),
        (json.dumps({"event": "a match has ended", "level": "info"}), "a match has ended"),
        (json.dumps({"event": "as ever", "level": "info"}), ""),
        ('RuntimeError: the last words of a process', 'RuntimeError: the last words of a process'),
        (json.dumps({"event": "\x1b[2J", "level": "error"}), "error: \ufffd[2J"),
        ("\x1b]0;title\x07", "\ufffd]0;title\ufffd"),
        ("[1, 2]", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_line(line: str, told: str) -> None:
    assert describe_line(line) == told


@pytest.fixture
def shown() -> list[str]:
    return []


def test_lines_are_shown_once_they_are_whole_and_only_the_new_ones(tmp_path: Path, shown: list[str]) -> None:
    path = tmp_path / "referee.log"
    path.write_text(request("POST", "/v1/matches", 201) + "\n")  # of the run before
    log = EventLog(path, shown.append)
    assert path.stat().st_mode & 0o077 == 0 or path.stat().st_mode & 0o777 == 0o644, "a new file is private"
    line = request("POST", "/v1/join", 201).encode() + b"\n"
    os.write(log.descriptor, line[:20])
    log.show_new_lines()
    assert shown == []
    os.write(log.descriptor, line[20:])
    log.show_new_lines()
    log.show_new_lines()
    assert [each[9:] for each in shown] == ["somebody joined"]
    os.write(log.descriptor, b"last words\n")
    log.close()
    assert shown[-1].endswith("last words")


def test_a_line_that_comes_again_and_again_is_shown_now_and_then(
    tmp_path: Path, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log, line = EventLog(tmp_path / "referee.log", shown.append), request("GET", "/", 429, "too-many-requests") + "\n"
    os.write(log.descriptor, 500 * line.encode())
    log.show_new_lines()
    assert len(shown) == 1
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + event_lines.QUIET_SECONDS)
    os.write(log.descriptor, line.encode())
    log.close()
    assert [each[9:] for each in shown] == [
        "GET /: 429 too-many-requests",
        "GET /: 429 too-many-requests (and 499 times before)",
    ]


def test_the_file_does_not_grow_for_ever(tmp_path: Path, shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_lines, "MAX_LOG_BYTES", 1000)
    path = tmp_path / "referee.log"
    log = EventLog(path, shown.append)
    assert path.stat().st_mode & 0o777 == 0o600
    for number in range(100):
        os.write(log.descriptor, f"line {number}\n".encode() * 5)
        log.show_new_lines()
        log.show_new_lines()
    log.close()
    assert path.stat().st_size < 1100
    assert path.with_suffix(".log.old").stat().st_size < 1100
    assert len(shown) == 100


def test_a_full_disk_loses_lines_of_the_log_and_nothing_else() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    full = Path("/dev/full").open("w")  # noqa: SIM115  (its end fails, too)
    lossy = LossyFile(full)
    lossy.write("a line\n")
    lossy.flush()
    with pytest.raises(OSError, match="space"):
        full.close()


def test_the_token_is_the_last_thing_that_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(tmp_path, tmp_path, tmp_path, tmp_path, lan_url="http://192.0.2.7:8080")
    print_banner(settings, None, TOKEN, as_json=False)
    printed = capsys.readouterr().out
    assert "\u2588" in printed or "\u2580" in printed, "a QR code"
    assert printed.rstrip().endswith(TOKEN)
    print_banner(settings, None, None, as_json=False)
    assert "rfs_" not in capsys.readouterr().out


class Terminal:
    """A program at a terminal of its own, and what it has shown there."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self._inner, outer = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee.cli", *arguments],
            env=kept | {"PYTHONPATH": str(ROOT), "REFEREE_WORKERS": "1", "NO_COLOR": "1"} | variables,
            stdin=outer, stdout=outer, stderr=outer, start_new_session=True,
        )  # fmt: skip
        os.close(outer)
        self.text = ""

    def read_until(self, word: str, within: float = 90.0) -> str:
        until = time.monotonic() + within
        while word not in self.text:
            assert time.monotonic() < until, self.text
            if select.select([self._inner], [], [], 1)[0]:
                try:
                    self.text += os.read(self._inner, 65536).decode()
                except OSError:  # the other side is closed
                    break
        assert word in self.text, self.text
        return self.text

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@pytest.mark.deep
def test_a_server_at_a_terminal_shows_events_and_logs_into_a_file(tmp_path: Path) -> None:
    terminal = Terminal("serve", "--port", "0", "--data-dir", str(tmp_path / "data"))
    try:
        shown = terminal.read_until("rfs_")
        url = re.search(r"http://127\.0\.0\.1:[0-9]+", shown)
        assert url is not None
        body = {"game": "monster_combat", "variant": "V1", "seats": [{"kind": "human"}, {"kind": "bot"}]}
        headers = {"Idempotency-Key": "k" * 22, "Content-Type": "application/json"}
        asked = urllib.request.Request(f"{url[0]}/v1/matches", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            assert answer.status == 201
        terminal.read_until("a match was opened")
    finally:
        code = terminal.stop()
    assert code == 0
    shown = terminal.read_until("stopping")
    assert '"event"' not in shown
    log = tmp_path / "data" / "referee.log"
    assert str(log) in shown.replace("\r\n", "")
    assert log.stat().st_mode & 0o777 == 0o600
    entries: list[Any] = [json.loads(line) for line in log.read_text().splitlines()]
    assert any(entry["event"] == "request" and entry.get("rule") == "/v1/matches" for entry in entries)


@pytest.mark.deep
def test_an_api_that_cannot_start_tells_why_at_the_terminal(tmp_path: Path) -> None:
    broken = environment(stand_ins(tmp_path / "stand-ins"), BROKEN_API="1")
    terminal = Terminal("serve", "--port", "0", "--data-dir", str(tmp_path / "data"), **broken)
    shown = terminal.read_until("the API ended while it was starting")
    assert shown.index("this API is broken") < shown.index("the API ended while it was starting")
    assert terminal.process.wait(60) == 1
