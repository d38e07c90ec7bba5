"""Fills an empty server with what is whole in the files of a damaged store."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError, ResponseError

from referee.infrastructure.embedded.log_files import find_log_files
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.salvage.aof_commands import Command, iterate_transactions
from referee.infrastructure.salvage.rdb_records import (
    STREAM_TYPES,
    Lost,
    RdbReader,
    Record,
    build_stream,
    list_stream_nodes,
)

KEY = re.compile(rb"\{p[0-6][0-9]\}:[\x21-\x7e]+")
MATCH_KEY = re.compile(r"\{p\d\d\}:m:(\d\d-T?[a-z]{26}):(log|head|keys)")
ENTRY_ID = re.compile(rb":log\r\n\$\d+\r\n(\d+)-0\r\n")
MAGIC = (b"REDIS", b"VALKEY")
PROBE_KEY = "salvage"
NO_CHECKSUM = bytes(8)


@dataclass
class Loading:
    """What was read from the files, and what could not be.

    `lost` are the parts left out, `keys` the keys named in them, and `matches` those whose history lacks something,
    with the versions of which that is known. `misfits` say what does not fit between the manifest and the files.
    """

    records: int = 0
    transactions: int = 0
    lost: list[Lost] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    matches: dict[str, set[int]] = field(default_factory=dict)
    misfits: tuple[str, ...] = ()


def load_files(store: Path, client: Any) -> Loading:
    """Load the files of a store, in their order, into the server of `client`.

    Raises StoreNotFoundError if there are none, OSError, RedisError.
    """
    files = find_log_files(store)
    if not files.names:
        raise StoreNotFoundError(f"there is no store in {store.parent}")
    done, loader = Loading(misfits=files.wrong), _Loader(client)
    for name in files.names:
        text = (store / name).read_bytes()
        at = 0
        if text.startswith(MAGIC) or name.endswith(".rdb"):
            reader = RdbReader(name, text)
            for found in reader.iterate_records():
                if isinstance(found, Lost):
                    _note(done, found)
                    continue
                done.records += 1
                if not loader.restore(found):
                    _note(done, Lost(name, 0, 0, found.key))
            at = reader.end
        for part in iterate_transactions(name, text, at):
            if isinstance(part, Lost):
                _note(done, part)
                continue
            done.transactions += 1
            for words in loader.run(part):
                _note(done, Lost(name, 0, 0, b"\r\n".join(words)))
    return done


def _note(done: Loading, lost: Lost) -> None:
    done.lost.append(lost)
    keys = {key.decode("ascii") for key in KEY.findall(lost.content)}
    done.keys |= keys
    for key in keys:
        if named := MATCH_KEY.match(key):
            versions = done.matches.setdefault(named[1], set())
            if len(keys) < 20:  # one transaction, whose entry is that match's
                versions |= {int(version) for version in ENTRY_ID.findall(lost.content)}


class _Loader:
    """Hands records and commands to a server, which judges them."""

    def __init__(self, client: Any) -> None:
        self._client = client
        client.execute_command("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1")  # a base has none for each value
        client.set(PROBE_KEY, b"")
        packed = client.dump(PROBE_KEY)
        client.delete(PROBE_KEY)
        self._version = packed[-10:-8]  # that of the server's own format

    def restore(self, record: Record) -> bool:
        """Restore a key; return whether all of it was whole."""
        if self._restore_value(record, record.value):
            return True
        if record.value[0] in STREAM_TYPES:
            nodes = [node for node in list_stream_nodes(record.value) if self._is_whole(record, node)]
            if nodes and self._restore_value(record, build_stream(nodes)):
                ((last, _),) = self._client.xrevrange(record.key, count=1)
                self._client.execute_command("XSETID", record.key, last)
        return False

    def _is_whole(self, record: Record, node: bytes) -> bool:
        whole = self._restore_value(record, build_stream([node]))
        if whole:
            try:
                self._client.xrange(record.key)
            except ResponseError:
                whole = False
        self._client.delete(record.key)
        return whole

    def _restore_value(self, record: Record, value: bytes) -> bool:
        packed = value + self._version + NO_CHECKSUM
        try:
            self._client.restore(record.key, record.expires_ms, packed, replace=True, absttl=record.expires_ms > 0)
        except ResponseError:
            return False
        return True

    def run(self, commands: list[Command]) -> list[Command]:
        """Run the commands of a transaction; return those that the server refused."""
        with self._client.pipeline(transaction=False) as pipe:
            for words in commands:
                pipe.execute_command(*words)
            answers = pipe.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, RedisError) and not isinstance(answer, ResponseError):
                raise answer
        return [words for words, answer in zip(commands, answers, strict=True) if isinstance(answer, ResponseError)]
