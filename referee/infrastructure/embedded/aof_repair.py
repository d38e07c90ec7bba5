"""Mends the end of a store's log file before the server reads it: a transaction that lacks its end is cut off whole.

What a script writes stands in the file between MULTI and EXEC. Where power failed in the middle of a command there,
Redis (7.0.15, measured) and Valkey before its #4342 cut off that command alone. They answer rightly, but leave the
MULTI open in the file, so that the start after the next one reads the next commit as part of the torn one, and it is
lost. Cutting before the MULTI is what they mean to do, and what Valkey does since (9.1.2, measured).
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path

MULTI_COMMAND = b"*1\r\n$5\r\nMULTI\r\n"
MAX_LENGTH_LINE = 32  # bytes: no length takes more


def truncate_incomplete(directory: Path) -> int:
    """Cuts an unfinished transaction off the file to which the server of this directory appends; how many bytes.

    A server must not be running there.
    """
    path = find_append_file(directory)
    if path is None or path.stat().st_size == 0:
        return 0
    with path.open("r+b") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
            size, whole = len(text), find_incomplete_transaction(text)
        if whole is None:
            return 0
        file.truncate(whole)
        os.fsync(file.fileno())
    return size - whole


def find_append_file(directory: Path) -> Path | None:
    """The file that a server appends to: the last one of its manifest, or the only one of servers before Redis 7."""
    folder = directory / "appendonlydir"
    manifest = folder / "appendonly.aof.manifest"
    if not manifest.exists():
        single = directory / "appendonly.aof"
        return single if single.exists() else None
    lines = re.findall(r"^file (\S+) seq \d+ type i", manifest.read_text("utf-8"), re.MULTILINE)
    path = folder / lines[-1] if lines else None
    return path if path is not None and path.exists() else None


def find_incomplete_transaction(text: bytes | mmap.mmap) -> int | None:
    """Where a transaction begins that has no end; None if there is none.

    No value that is stored holds a line break and these words but in bytes that were drawn at random, so the last of
    them is where a transaction begins.
    """
    begin = text.rfind(MULTI_COMMAND)
    if begin < 0 or (begin > 0 and text[begin - 2 : begin] != b"\r\n"):
        return None
    ended = any(command.upper() == b"EXEC" for command in iterate_commands(text, begin + len(MULTI_COMMAND)))
    return None if ended else begin


def iterate_commands(text: bytes | mmap.mmap, at: int) -> Iterator[bytes]:
    """The first words of the whole commands from there on; it stops where one is not whole."""
    while (counted := _parse_length(text, at, b"*")) is not None:
        many, at = counted
        word = b""
        for position in range(many):
            measured = _parse_length(text, at, b"$")
            if measured is None:
                return
            length, start = measured
            at = start + length + 2
            if at > len(text):
                return
            if position == 0:
                word = text[start : start + length]
        yield word


def _parse_length(text: bytes | mmap.mmap, at: int, sign: bytes) -> tuple[int, int] | None:
    """The number in a line that begins with this sign, and where the next line begins; None if it is not all there."""
    end = text.find(b"\r\n", at, at + MAX_LENGTH_LINE)
    if end < 0 or text[at : at + 1] != sign or not text[at + 1 : end].isdigit():
        return None
    return int(text[at + 1 : end]), end + 2
