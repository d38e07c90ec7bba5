"""The log of a server at a terminal: data in a file, and lines for people.

The children write to the file themselves, so nothing of theirs waits for this process or is lost with it. This process
reads what they wrote in its own loop, because it may have no thread: a process with threads does not fork.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MAX_LOG_BYTES = 20_000_000  # then the file becomes `.old`, and the one before it goes
MAX_READ_BYTES = 1_000_000  # at one look
QUIET_SECONDS = 10.0  # for which the same line is not shown again, only counted
MATCH = "/v1/matches/<match:match>"
EVENTS = {  # what a successful request means, by method and rule
    ("POST", "/v1/matches"): "a match was opened",
    ("POST", "/v1/join"): "somebody joined",
    ("POST", f"{MATCH}/start"): "a match was started",
    ("POST", f"{MATCH}/end"): "a match is to end",
    ("POST", f"{MATCH}/rematches"): "a rematch was opened",
    ("POST", f"{MATCH}/disputes"): "a dispute was opened",
}
LOGGED = ("a match has ended",)  # what workers log, as it stands
TOLD_STATUSES = (421, 429)  # refusals that an operator can do something about
WARNING_LEVELS = ("warning", "error", "critical")


class EventLog:
    """The log file of a server, and what of it is shown."""

    def __init__(self, path: Path, show: Callable[[str], None]) -> None:
        self.path, self._show = path, show
        self._rest, self._shown = b"", dict[str, tuple[float, int]]()
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._read_upto = os.fstat(self.descriptor).st_size

    def show_new_lines(self) -> None:
        """Show what matters of what was written since the last look."""
        written = os.pread(self.descriptor, MAX_READ_BYTES, self._read_upto)
        self._read_upto += len(written)
        *lines, self._rest = (self._rest + written).split(b"\n")
        for line in lines:
            if told := describe_line(line.decode("utf-8", "replace")):
                self._show_once(told)
        if not written and self._read_upto > MAX_LOG_BYTES:
            self._start_over()

    def _show_once(self, told: str) -> None:
        """Show a line, unless the same one was shown just now."""
        now = time.monotonic()
        shown_at, more = self._shown.get(told, (-QUIET_SECONDS, 0))
        if now - shown_at < QUIET_SECONDS:
            self._shown[told] = shown_at, more + 1
            return
        again = f" (and {more} times before)" if more else ""
        self._show(f"{time.strftime('%H:%M:%S')} {told}{again}")
        self._shown = {line: kept for line, kept in self._shown.items() if now - kept[0] < QUIET_SECONDS or kept[1]}
        self._shown[told] = now, 0

    def _start_over(self) -> None:
        """Keep the file as `.old`, and empty it: the children go on writing at its end."""
        shutil.copyfile(self.path, self.path.with_suffix(".log.old"))
        os.truncate(self.descriptor, 0)
        self._read_upto = 0

    def close(self) -> None:
        """Show the rest, and close the file."""
        self.show_new_lines()
        os.close(self.descriptor)


def describe_line(line: str) -> str:
    """Return what to show of a line of the log; "" if it does not matter."""
    try:
        data = json.loads(line)
    except ValueError:
        return make_printable(line)  # no part of the log: the last words of a process
    return make_printable(" ".join(describe_entry(data))) if isinstance(data, dict) else ""


def describe_entry(data: dict[str, Any]) -> Iterator[str]:
    """Yield what to show of an entry of the log."""
    if data.get("event") == "request":
        status = data.get("status")
        if not isinstance(status, int):
            return
        if status in (200, 201):
            yield EVENTS.get((str(data.get("method")), str(data.get("rule"))), "")
        elif status in TOLD_STATUSES or status >= 500:
            yield f"{data.get('method')} {data.get('rule') or 'without a route'}: {status} {data.get('problem')}"
    elif data.get("event") in LOGGED:
        yield str(data["event"])
    elif data.get("level") in WARNING_LEVELS:
        cause = data.get("cause") or next((each.get("exc_type") for each in data.get("exception") or ()), "")
        yield f"{data['level']}: {data.get('event')}" + (f": {cause}" if cause else "")


def make_printable(text: str) -> str:
    """Return a text without signs that a terminal would obey."""
    return "".join(sign if sign.isprintable() or sign == "\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)
