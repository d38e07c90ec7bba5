"""What is known of lost histories, and what the host has decided about them.

A line of JSON each, in the folder of the marks. Lines are only added, so that what was accepted stays on record. They
hold ids, sizes and roots, and the reason that the host gave.
"""

from __future__ import annotations

import errno
import logging
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from referee.infrastructure.errors import MarksError
from referee.infrastructure.file_locks import lock_file
from referee.infrastructure.watermarks.mark_file import Mark

LOST, ACCEPTED, CLAIMED = "lost", "accepted", "claimed"
UNREADABLE = {"log": "", "what": "unreadable"}

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LostHistory:
    """A log that went back: what was signed, and what the store had instead."""

    name: str
    signed: Mark
    found: bytes | None

    def __str__(self) -> str:
        has = "nothing" if self.found is None else f"root {self.found.hex()[:16]}"
        return f"{self.name}: root {self.signed.root.hex()[:16]} was signed at {self.signed.size}, the store has {has}"


class HistoryJournal:
    """The journal in a folder; threads and processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "journal"
        self._seen: tuple[int, dict[str, str]] = (-1, {})

    def note_lost(self, lost: LostHistory) -> None:
        """Note that a log went back, unless that was noted. Raises OSError."""
        if self.read_states().get(lost.name) != LOST:
            found = None if lost.found is None else lost.found.hex()
            self._add(lost.name, LOST, size=lost.signed.size, root=lost.signed.root.hex(), found=found)

    def note_accepted(self, name: str, signed: Mark | None, now: Mark | None, reason: str) -> None:
        """Note that the host takes a log as it is now. Raises OSError."""
        before, after = (
            None if mark is None else {"size": mark.size, "root": mark.root.hex()} for mark in (signed, now)
        )
        self._add(name, ACCEPTED, before=before, after=after, reason=reason)

    def note_claimed(self, before: str, reason: str) -> None:
        """Note that this folder took the place of one with that id. Raises OSError."""
        self._add(CLAIMED, CLAIMED, before=before, reason=reason)

    def list_lost(self) -> list[str]:
        """Return the logs that went back and were not accepted. Raises MarksError."""
        return sorted(name for name, what in self.read_states().items() if what == LOST)

    def read_lines(self) -> list[dict[str, Any]]:
        """Return all that was noted, oldest first. Raises MarksError.

        A line that is damaged or was cut off is `unreadable`: the logs that went back are found again at each start.
        """
        try:
            return [_read_line(line) for line in self._path.read_bytes().splitlines() if line]
        except FileNotFoundError:
            return []
        except OSError as wrong:
            raise MarksError(f"{self._path} cannot be read: {wrong.strerror}") from wrong

    def read_states(self) -> dict[str, str]:
        """Return the last that was noted of each log. Raises MarksError."""
        try:
            size = self._path.stat().st_size
        except OSError:
            size = 0
        if size != self._seen[0]:  # it only grows
            self._seen = size, {line["log"]: line["what"] for line in self.read_lines()}
        return self._seen[1]

    def _add(self, name: str, what: str, **more: Any) -> None:
        line = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "log": name, "what": what, **more}
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            lock_file(handle)
            size, text = os.fstat(handle).st_size, orjson.dumps(line) + b"\n"
            if size and os.pread(handle, 1, size - 1) != b"\n":  # the last line was cut off
                text = b"\n" + text
            if os.write(handle, text) != len(text):
                os.ftruncate(handle, size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)


def _read_line(line: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(line)
    except ValueError:
        found = None
    if isinstance(found, dict) and isinstance(found.get("log"), str) and isinstance(found.get("what"), str):
        return found
    LOGGER.warning("a line of the journal of lost histories cannot be read")
    return dict(UNREADABLE)
