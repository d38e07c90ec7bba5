"""Reads the commands of a store's increments, also around damage.

A script's writes stand between MULTI and EXEC: they are taken whole or not at all. A part that is damaged is left out
and reported with its bytes, in which the keys that it was about can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.infrastructure.embedded.aof_repair import MULTI_COMMAND, read_command
from referee.infrastructure.salvage.rdb_records import Lost

EXEC_COMMAND = b"*1\r\n$4\r\nEXEC\r\n"
COMMAND_START = re.compile(rb"\*[1-9][0-9]{0,6}\r\n\$[1-9][0-9]?\r\n[A-Za-z]+\r\n")
Command = list[bytes]


def iterate_transactions(name: str, text: bytes, at: int = 0) -> Iterator[list[Command] | Lost]:
    """Yield each transaction's commands, or a single one, and what is lost.

    What is incomplete at the end of the file and was never finished is left out in silence: it was not acknowledged.
    """
    while at < len(text):
        begin, commands, is_open = at, [], False
        while True:
            found = read_command(text, at)
            if found is None:
                break
            words, end = found
            word = words[0].upper()
            if word == b"MULTI" and is_open:  # EXEC is damaged: what follows shows that it was finished
                break
            at = end
            if word == b"MULTI":
                is_open = True
            elif word == b"EXEC":
                is_open = False
                break
            else:
                commands.append(words)
                if not is_open:
                    break
        if found is not None:
            yield commands
            continue
        broken, at = at, _find_next(text, begin, at, is_open=is_open)
        if is_open and at - broken == len(EXEC_COMMAND):  # EXEC alone is damaged: all before it is whole
            yield commands
        elif at < len(text) or EXEC_COMMAND in text[begin:]:
            yield Lost(name, begin, at, text[begin:at])


def _find_next(text: bytes, begin: int, broken: int, *, is_open: bool) -> int:
    """Return where reading goes on after the broken command."""
    if is_open:
        ended, next_one = text.find(EXEC_COMMAND, broken), text.find(MULTI_COMMAND, broken)
        if ended >= 0 and (next_one < 0 or ended < next_one):
            return ended + len(EXEC_COMMAND)
        return next_one if next_one >= 0 else len(text)
    at = max(begin, broken) + 1
    while start := COMMAND_START.search(text, at):
        if read_command(text, start.start()) is not None:
            return start.start()
        at = start.start() + 1
    return len(text)
