"""The terminal: single keys, and a screen of its own.

Lines are written only where they changed, so that little goes over a slow line.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

from rich.console import Console
from rich.text import Text

NAMES = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x1b": "esc", "\x03": "quit",
    "\x04": "quit", "\x1b[A": "up", "\x1b[B": "down", "\x1bOA": "up", "\x1bOB": "down", "\x1b[Z": "backtab",
    "\x1b[5~": "backtab", "\x1b[6~": "tab", "\x0c": "redraw",
}  # fmt: skip
ONE_KEY = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|.", re.DOTALL)
OPEN, CLOSE = "\x1b[?1049h\x1b[?25l\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"  # terminals that know it show what is between at once


def split_keys(typed: str) -> list[str]:
    """Return the keys in what was read: names, or the characters themselves."""
    return [NAMES.get(key, key) for key in ONE_KEY.findall(typed) if key in NAMES or len(key) == 1]


@dataclass
class Terminal:
    """A terminal that shows lines and reads keys."""

    console: Console
    wake: int  # the end of a pipe to read from
    wake_end: int
    shown: list[str] = field(default_factory=list)
    size: tuple[int, int] = (0, 0)
    half: bytes = b""  # of a letter that was read in parts

    def wake_up(self) -> None:
        """Let `read_keys` return at once; threads and signals call it."""
        with contextlib.suppress(BlockingIOError, OSError):  # the pipe is full, which wakes as well; or it is the end
            os.write(self.wake_end, b".")

    def read_keys(self, seconds: float) -> list[str]:
        """Return the keys pressed, or nothing after these seconds or when woken up."""
        ready, _, _ = select.select([0, self.wake], [], [], seconds)
        if self.wake in ready:
            os.read(self.wake, 4096)
        if 0 not in ready:
            return []
        read = os.read(0, 1024)
        if not read:
            return ["quit"]  # the terminal has gone
        data, self.half = self.half + read, b""
        try:
            return split_keys(data.decode())
        except UnicodeDecodeError as cut:
            if cut.end == len(data) and cut.reason == "unexpected end of data":
                self.half = data[cut.start :]
            return split_keys(data[: cut.start].decode())

    def measure(self) -> tuple[int, int]:
        """Return columns and lines as they are now."""
        return shutil.get_terminal_size((80, 24)) if not sys.stdout.isatty() else os.get_terminal_size(1)

    def show(self, lines: list[Text], *, afresh: bool = False) -> None:
        """Write the lines that are not there yet."""
        size = self.measure()
        if afresh or size != self.size:
            self.shown, self.size = [], size
        drawn = [self.encode(line) for line in lines]
        if drawn == self.shown:
            return
        out = [BEGIN, "" if self.shown else "\x1b[0m\x1b[2J"]
        for at, line in enumerate(drawn):
            if at >= len(self.shown) or self.shown[at] != line:
                out.append(f"\x1b[{at + 1};1H\x1b[0m{line}\x1b[0m\x1b[K")
        self.shown = drawn
        sys.stdout.write("".join([*out, END]))
        sys.stdout.flush()

    def encode(self, line: Text) -> str:
        """Return a line with the colours that the terminal has."""
        paper = StringIO()
        writer = Console(
            file=paper, force_terminal=True, no_color=self.console.no_color, width=1000, legacy_windows=False
        )
        writer.print(line, end="", soft_wrap=True, highlight=False)
        return paper.getvalue()


@contextlib.contextmanager
def open_terminal() -> Iterator[Terminal]:
    """Take over the terminal, and give it back as it was, whatever happens."""
    before = termios.tcgetattr(0)
    wake, wake_end = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_end, False)
    terminal = Terminal(Console(highlight=False), wake, wake_end)
    old_resize = signal.signal(signal.SIGWINCH, lambda *_: terminal.wake_up())
    old_end = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        tty.setraw(0)
        sys.stdout.write(OPEN)
        sys.stdout.flush()
        yield terminal
    finally:
        sys.stdout.write(CLOSE)
        sys.stdout.flush()
        termios.tcsetattr(0, termios.TCSADRAIN, before)
        signal.signal(signal.SIGWINCH, old_resize)
        signal.signal(signal.SIGTERM, old_end)
