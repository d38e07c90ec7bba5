"""A match on a real pseudo-terminal and as plain lines, against somebody who plays by the example client."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.docs.clients.referee_client import Referee
from tests.clients.house import served
from tests.infrastructure.machine import ROOT

LINE = re.compile(r"\x1b\[(\d+);1H(.*?)\x1b\[K", re.DOTALL)
STYLE = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 120  # seconds on a loaded machine


class Screen:
    """`referee` on a terminal of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.raw, self.lines = "", {}  # type: ignore[var-annotated]
        self.master, slave = pty.openpty()
        self.resize(80, 24)
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        settings = {"XDG_CONFIG_HOME": str(home), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee.cli", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=kept | settings,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def read(self, seconds: float = 0.1) -> str:
        """What stands on the screen."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                self.raw += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:
                break
            seconds = 0.02
        end = 0
        for found in LINE.finditer(self.raw):
            if "\x1b[2J" in self.raw[end : found.start()]:
                self.lines = {}
            self.lines[int(found[1])] = STYLE.sub("", found[2])
            end = found.end()
        self.raw = self.raw[end:]
        return "\n".join(self.lines.get(at, "") for at in range(1, max(self.lines, default=0) + 1))

    def wait_for(self, holds: Callable[[str], Any]) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            shown = self.read()
            if holds(shown):
                return shown
        raise AssertionError(self.read() + self.raw)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)


class Table:
    """A match of Mau-Mau with one free seat; the other player makes the first move of each list that is no pass."""

    def __init__(self, base: str) -> None:
        anyone = Referee(base)
        seats = [{"kind": "human"}, {"kind": "human"}]
        opened = anyone.request("POST", "/v1/matches", {"game": "mau_mau", "seats": seats, "visibility": "public"})
        self.code = opened["invitations"][0]["code"]
        self.host = Referee(base, opened["token"], opened["match"])
        self.ben = anyone.join(opened["invitations"][1]["code"], "Ben")

    def start(self) -> None:
        """Starts once the other seat is taken, and plays along."""
        until = time.monotonic() + PATIENCE
        while any(not seat["taken"] for seat in self.host.request("GET", f"/v1/matches/{self.host.match}")["seats"]):
            assert time.monotonic() < until
            time.sleep(0.1)
        self.host.write_at_present(f"/v1/matches/{self.host.match}/start")
        threading.Thread(target=self.play, daemon=True).start()

    def play(self) -> None:
        for event in self.ben.stream_situations():
            moves = event.data["moves"]
            if moves and moves["awaited"] and moves["legal"]:
                self.ben.make_move(moves["legal"][-1]["move"], seen=moves["version"])


@pytest.fixture
def table() -> Iterator[Table]:
    with served() as (base, _app):
        yield Table(base)


def find_moves(shown: str) -> list[str]:
    """The keys of moves that the rules allow."""
    left = [line.split("│")[0] for line in shown.splitlines()[4:19]]
    found = [re.match(r" ([1-9a-z])  (.*)", line) for line in left]
    return [each[1] for each in found if each and "?" not in each[2]]


@pytest.mark.deep
def test_a_whole_match_is_played_on_a_terminal(table: Table, tmp_path: Path) -> None:
    screen = Screen(tmp_path, "play", f"{table.host.base}/join#{table.code}", "--name", "Ada")
    try:
        screen.wait_for(lambda shown: "It begins when the host starts" in shown)
        [kept] = (tmp_path / "referee" / "seats").iterdir()
        assert kept.stat().st_mode & 0o777 == 0o600
        table.start()
        screen.wait_for(lambda shown: "lies on top" in shown)
        screen.press(" ")
        shown = screen.wait_for(lambda shown: "Space hides it" in shown and "Not now" in shown)

        key = next(key for key in re.findall(r"(?m)^ ([1-9a-z])  [^│]*\?", shown))
        screen.press(key)
        assert "MM-" in screen.wait_for(lambda shown: "Any key goes back" in shown)
        screen.press("x")
        screen.resize(100, 30)
        assert len(screen.wait_for(lambda shown: len(shown.splitlines()) == 30).splitlines()[4]) == 100
        screen.resize(80, 24)
        screen.wait_for(lambda shown: len(shown.splitlines()) == 24)

        until = time.monotonic() + 4 * PATIENCE
        while table.host.request("GET", f"/v1/matches/{table.host.match}")["status"] == "running":
            assert time.monotonic() < until
            version = re.search(r" v(\d+)", screen.read())
            if keys := find_moves(screen.read()):
                screen.press(keys[-1])
            time.sleep(0.3 if version else 0.1)
        screen.wait_for(lambda shown: "The winner" in shown)
        screen.press("Q")
        assert screen.process.wait(PATIENCE) == 0
        screen.read()
        assert re.search(r"Mau-Mau: .* ha(s|ve) won!|Mau-Mau: .* wins", screen.raw.replace("You have", "x have"))
    finally:
        screen.close()


@pytest.mark.deep
def test_plain_lines_ask_by_numbers_and_end_with_the_input(table: Table, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee.cli", "play", "--url", table.host.base, table.code, "--name", "Ada"]
    settings = {"XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    playing = subprocess.Popen(
        [*command, "--lang", "de"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | settings,
    )
    assert playing.stdin is not None
    assert playing.stdout is not None
    said = []
    for line in playing.stdout:
        said.append(line.strip())
        if line.startswith("Ada sitzt jetzt am Tisch."):
            table.start()  # not before: a match that has begun is told from its first move on
        if line.startswith("Nummer deines Zuges"):
            playing.stdin.write("99\n1\n")
            playing.stdin.close()
            break
    said += playing.stdout.read().splitlines()
    assert playing.wait(PATIENCE) == 0
    assert said[0] == "Mau-Mau"
    assert "Du bist dran" in said
    assert "Diese Nummer gibt es nicht." in said
    assert not any("\x1b" in line for line in said)


@pytest.mark.deep
def test_an_onlooker_follows_to_the_end(table: Table, tmp_path: Path) -> None:
    ada = Referee(table.host.base).join(table.code, "Ada")
    table.start()
    watched = subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "watch", "--url", table.host.base, table.host.match],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )
    for event in ada.stream_situations():
        moves = event.data["moves"]
        if moves and moves["awaited"] and moves["legal"]:
            ada.make_move(moves["legal"][-1]["move"], seen=moves["version"])
    said, _ = watched.communicate(timeout=PATIENCE)
    assert re.search(r"(Ada|Ben) wins\n$", said)
    assert [
        named
        for named in re.findall(r"draws \d+ cards?: (.*?)[.\n]", said)
        if set(named.split(", ")) != {"a hidden card"}
    ] == []
    assert watched.returncode == 0
    assert list(tmp_path.iterdir()) == [], "nothing is kept of a public match"
