"""Repairs the end of a store's log file before the server reads it.

A script's writes stand in the file between MULTI and EXEC. If power fails in the middle of a command there, Redis
(7.0.15, measured) and Valkey before its #4342 cut off that command alone. They answer correctly, but leave the MULTI
open in the file. The start after the next one then reads the next commit as part of the torn one, and loses it. Cutting
before the MULTI is what they mean to do, and what Valkey does since (9.1.2, measured).
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path

MULTI_COMMAND = b"*1\r\n$5\r\nMULTI\r\n"
MAX_LENGTH_LINE = 32  # bytes; no length takes more


def truncate_incomplete(directory: Path) -> int:
    """Cut an unfinished transaction off the file to which a server appends.

    Return how many bytes were cut. No server may run in this directory.
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
    """Return the file to which a server appends, or None.

    That is the last one of its manifest, or the only one of servers before Redis 7.
    """
    folder = directory / "appendonlydir"
    manifest = folder / "appendonly.aof.manifest"
    if not manifest.exists():
        single = directory / "appendonly.aof"
        return single if single.exists() else None
    lines = re.findall(r"^file (\S+) seq \d+ type i", manifest.read_text("utf-8"), re.MULTILINE)
    path = folder / lines[-1] if lines else None
    return path if path is not None and path.exists() else None


def find_incomplete_transaction(text: bytes | mmap.mmap) -> int | None:
    """Return where a transaction begins that has no end, or None.

    The last MULTI in the file is where a transaction begins: a stored value could hold a line break and these words
    only in its random bytes.
    """
    begin = text.rfind(MULTI_COMMAND)
    if begin < 0 or (begin > 0 and text[begin - 2 : begin] != b"\r\n"):
        return None
    ended = any(command.upper() == b"EXEC" for command in iterate_commands(text, begin + len(MULTI_COMMAND)))
    return None if ended else begin


def iterate_commands(text: bytes | mmap.mmap, at: int) -> Iterator[bytes]:
    """Yield the first word of each complete command from `at` on.

    It stops at the first incomplete command.
    """
    while (found := read_command(text, at)) is not None:
        words, at = found
        yield words[0]


def read_command(text: bytes | mmap.mmap, at: int) -> tuple[list[bytes], int] | None:
    """Return the words of the command at `at`, and where it ends.

    Return None if it is incomplete, or there is none.
    """
    counted = _parse_length(text, at, b"*")
    if counted is None or counted[0] == 0:
        return None
    many, at = counted
    words = []
    for _ in range(many):
        measured = _parse_length(text, at, b"$")
        if measured is None:
            return None
        length, start = measured
        at = start + length + 2
        if at > len(text):
            return None
        words.append(text[start : start + length])
    return words, at


def _parse_length(text: bytes | mmap.mmap, at: int, sign: bytes) -> tuple[int, int] | None:
    """Return the number in a line with this sign, and where the next line begins.

    Return None if the line is incomplete, or has no such sign.
    """
    end = text.find(b"\r\n", at, at + MAX_LENGTH_LINE)
    if end < 0 or text[at : at + 1] != sign or not text[at + 1 : end].isdigit():
        return None
    return int(text[at + 1 : end]), end + 2
