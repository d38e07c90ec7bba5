"""Long commands say on standard error how far they are: a bar on a terminal, else lines, and nothing with --json."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import progress
from referee.cli.progress import show_progress, track_progress

CODE = """
import time
from referee.cli.progress import track_progress
for _ in track_progress(["one", "two", "three"], "matches", 3):
    time.sleep(0.5)  # the bar is drawn ten times a second: each step has to last longer
print("done")
"""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that have gone by, which a test moves on."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_without_a_terminal_a_line_is_printed_now_and_then_and_one_at_the_end(
    capsys: pytest.CaptureFixture[str], clock: list[float]
) -> None:
    for _ in track_progress(range(50), "matches", 50):
        clock[0] += 1
    assert capsys.readouterr().err.splitlines() == [
        *(f"matches: {done} of 50" for done in (10, 20, 30, 40, 50)),
    ]
    for _ in track_progress(["a", "b"], "matches"):
        clock[0] += 1
    assert capsys.readouterr().err == "matches, b: 2\n"


def test_one_thing_alone_is_no_progress_and_nothing_is_shown_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(track_progress([1], "files", 1)) == [1]
    assert list(track_progress([1, 2], "files", 2, is_hidden=True)) == [1, 2]
    with show_progress("steps") as note:
        assert callable(note)
    assert capsys.readouterr() == ("", "")


def test_what_breaks_off_says_nothing_of_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    halves = track_progress((1 // (2 - each) for each in range(9)), "files", 9)
    with pytest.raises(ZeroDivisionError):
        list(halves)
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_bar_that_is_gone_afterwards_and_standard_output_stays_clean() -> None:
    mine, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], stderr=theirs, stdout=subprocess.PIPE, env=environment, timeout=120, check=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    os.close(theirs)
    shown = os.read(mine, 65536).decode()
    os.close(mine)
    assert done.stdout == b"done\n"
    assert "━" in shown
    assert "2/3" in shown
    assert shown.rstrip("\r\n").endswith("\x1b[2K") or shown.endswith("\x1b[2K"), "the line of the bar is cleared"
