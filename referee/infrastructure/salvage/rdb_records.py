"""Reads the records of a store's base file, also around damage.

A base file (RDB) holds one record for each key. The server refuses the whole file for one wrong byte. Here only as much
is read as tells where a record ends; the server judges the values, one by one. After a record that does not end where
another begins, reading goes on at the next one that can be recognized: every key begins with the tag of a partition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

EXPIRE_MS, EXPIRE_S, SELECT, RESIZE, AUX, END = 0xFC, 0xFD, 0xFE, 0xFB, 0xFA, 0xFF
HEADER_BYTES = 9  # REDIS0011 or VALKEY080
STREAM_TYPES = {15: 0, 19: 5, 21: 5}  # with how many numbers between the last id and the groups
PLAIN_TYPES = {  # type -> what follows: strings in all (0: one), or a number of elements with so many strings each
    **dict.fromkeys((0, 9, 10, 11, 12, 13, 16, 17, 20), 0),
    **dict.fromkeys((1, 2, 14), 1),
    4: 2,
}
SORTED_SET, QUICKLIST = 5, 18
# type, length of the key in one or two bytes, key
RECORD_START = re.compile(rb"[\x00-\x15](?:[\x00-\x3f]|[\x40-\x7f][\x00-\xff])\{p[0-6][0-9]\}:")


class MalformedRecordError(Exception):
    """The bytes at this place are no record."""


@dataclass(frozen=True)
class Record:
    """A key, its value as in the file (type first), and when it expires (0: never)."""

    key: bytes
    value: bytes
    expires_ms: int


@dataclass(frozen=True)
class Lost:
    """A part of a file that could not be read, and the keys that are named in it."""

    file: str
    begin: int
    end: int
    content: bytes


class RdbReader:
    """The records of one base file."""

    def __init__(self, name: str, text: bytes) -> None:
        self._name, self._text = name, text
        self.end = len(text)  # where the base ends and commands may follow

    def iterate_records(self) -> Iterator[Record | Lost]:
        """Yield every record that can be told apart, and the parts that cannot."""
        at, expires = HEADER_BYTES, 0
        while at < len(self._text):
            begin = at
            try:
                kind = self._text[at]
                if kind == END:
                    self.end = min(at + 9, len(self._text))
                    return
                if kind in (EXPIRE_MS, EXPIRE_S):
                    width = 8 if kind == EXPIRE_MS else 4
                    given = int.from_bytes(self._take(at + 1, width), "little")
                    expires, at = given * (1 if kind == EXPIRE_MS else 1000), at + 1 + width
                elif kind in (SELECT, RESIZE, AUX):
                    at = self._skip_directive(kind, at + 1)
                else:
                    key, value = self._read_string(at + 1)
                    at = self._skip_value(kind, value)
                    if key is None or not self._can_begin(at):
                        raise MalformedRecordError
                    yield Record(key, bytes([kind]) + self._text[value:at], expires)
                    expires = 0
            except (MalformedRecordError, IndexError):
                found = RECORD_START.search(self._text, begin + 1)
                at, expires = found.start() if found else len(self._text), 0
                yield Lost(self._name, begin, at, self._text[begin:at])

    def _can_begin(self, at: int) -> bool:
        """Return whether a record or a directive can begin here."""
        return self._text[at] in (EXPIRE_MS, EXPIRE_S, SELECT, RESIZE, AUX, END) or bool(
            RECORD_START.match(self._text, at)
        )

    def _skip_directive(self, kind: int, at: int) -> int:
        if kind == AUX:
            return self._skip_strings(at, 2)
        _, at = self._read_length(at)
        return self._read_length(at)[1] if kind == RESIZE else at

    def _skip_value(self, kind: int, at: int) -> int:
        if kind in STREAM_TYPES:
            nodes, at = self._read_length(at)
            at = self._skip_strings(at, 2 * nodes)
            for _ in range(3 + STREAM_TYPES[kind]):
                _, at = self._read_length(at)
            groups, at = self._read_length(at)
            if groups:
                raise MalformedRecordError  # Referee makes none
            return at
        if kind == SORTED_SET:
            count, at = self._read_length(at)
            for _ in range(count):
                at = self._skip_strings(at, 1) + 8
            return at
        if kind == QUICKLIST:
            count, at = self._read_length(at)
            for _ in range(count):
                at = self._skip_strings(self._read_length(at)[1], 1)
            return at
        each = PLAIN_TYPES.get(kind)
        if each is None:
            raise MalformedRecordError
        if each == 0:
            return self._skip_strings(at, 1)
        count, at = self._read_length(at)
        return self._skip_strings(at, count * each)

    def _skip_strings(self, at: int, count: int) -> int:
        for _ in range(count):
            _, at = self._read_string(at)
        return at

    def _read_string(self, at: int) -> tuple[bytes | None, int]:
        """Return a string (None if it is packed or a number), and where it ends."""
        first = self._text[at]
        if first >> 6 != 3:
            length, at = self._read_length(at)
            return self._take(at, length), at + length
        if first in (0xC0, 0xC1, 0xC2):
            return None, at + 1 + (1 << (first & 3))
        if first != 0xC3:
            raise MalformedRecordError
        packed, at = self._read_length(at + 1)
        _, at = self._read_length(at)
        self._take(at, packed)
        return None, at + packed

    def _read_length(self, at: int) -> tuple[int, int]:
        first = self._text[at]
        if first >> 6 == 0:
            return first, at + 1
        if first >> 6 == 1:
            return (first & 0x3F) << 8 | self._text[at + 1], at + 2
        if first in (0x80, 0x81):
            width = 4 if first == 0x80 else 8
            return int.from_bytes(self._take(at + 1, width), "big"), at + 1 + width
        raise MalformedRecordError

    def _take(self, at: int, length: int) -> bytes:
        found = self._text[at : at + length]
        if len(found) < length:
            raise MalformedRecordError
        return found


def list_stream_nodes(content: bytes) -> list[bytes]:
    """Return the nodes of a stream's value, as far as they can be told apart.

    A node is an id and a list of entries, as they lie in the file; the value begins with its type.
    """
    reader = RdbReader("", content)
    nodes: list[bytes] = []
    try:
        count, at = reader._read_length(1)
        for _ in range(count):
            end = reader._skip_strings(at, 2)
            nodes.append(content[at:end])
            at = end
    except (MalformedRecordError, IndexError):
        pass  # the rest of the value is what is damaged
    return nodes


def build_stream(nodes: list[bytes]) -> bytes:
    """Return the value of a stream of these nodes; its last id is set afterwards."""
    return bytes([15]) + b"\x81" + len(nodes).to_bytes(8, "big") + b"".join(nodes) + b"\x00\x00\x00\x00"
