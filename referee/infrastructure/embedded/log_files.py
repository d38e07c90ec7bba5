"""The files of a store's log, by its manifest and as they lie there.

A server follows its manifest alone. Without one it begins with an empty store and replaces the files that are there; a
manifest that was cut leaves out whatever stood in the rest. So the manifest is checked before a server reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = "appendonlydir"
MANIFEST = f"{FOLDER}/appendonly.aof.manifest"
SINGLE = "appendonly.aof"
BASE, HISTORY = "b", "h"
LINE = re.compile(r"file (\S+) seq \d+ type ([bih])(?: \w+ \d+)*")
FILE_NAME = re.compile(r"appendonly\.aof\.(?P<number>\d+)\.(?P<kind>base|incr)\.(?:rdb|aof)")
EMPTY_BASE_BYTES = 512  # a base without any key is smaller


@dataclass(frozen=True)
class LogFiles:
    """The files of a log below the store's folder, in their order.

    `wrong` says what does not fit between the manifest and the files that are there, a sentence each. Then `names` are
    all the files that are there.
    """

    names: tuple[str, ...]
    wrong: tuple[str, ...]


def find_log_files(store: Path) -> LogFiles:
    """Return the files of the log in a store's folder. Raises OSError."""
    there = _list_files(store / FOLDER)
    try:
        manifest = (store / MANIFEST).read_bytes()
    except FileNotFoundError:
        if (store / SINGLE).exists():  # of a server before Redis 7
            return LogFiles((SINGLE,), ())
        gone: tuple[str, ...] = ("the manifest is missing",) if any(map(_holds_something, there)) else ()
        return LogFiles(_name(there), gone)
    named, wrong = parse_manifest(manifest)
    wrong = (*wrong, *_compare(named, store / FOLDER))
    return LogFiles(_name(there) if wrong else tuple(f"{FOLDER}/{name}" for name in list_needed(named)), wrong)


def parse_manifest(manifest: bytes) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """Return the files that a manifest names, their kinds, and what is wrong."""
    text = manifest.decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    read = [LINE.fullmatch(line) for line in lines]
    is_whole = text.endswith("\n") and all(read)
    named = [(found[1], found[2]) for found in read if found]
    return named, () if is_whole else ("the manifest is damaged",)


def list_needed(named: list[tuple[str, str]]) -> list[str]:
    """Return the names of the files that a server reads, all but its history."""
    return [name for name, kind in named if kind != HISTORY]


def _compare(named: list[tuple[str, str]], folder: Path) -> Iterator[str]:
    """Yield what is named and missing, and what is there and should be named.

    A server that is killed while it rewrites its log may leave a new base, or an empty increment, without a name.
    """
    there = sorted(path for path in folder.glob("*") if FILE_NAME.fullmatch(path.name))
    found = {path.name for path in there}
    yield from (f"{name} is missing" for name in list_needed(named) if name not in found)
    if not any(kind == BASE for _, kind in named) and any(".base." in name for name in found):
        yield "the manifest names no base"
    names = {name for name, _ in named}
    for path in there:
        if path.name not in names and ".incr." in path.name and _holds_something(path):
            yield f"the manifest does not name {path.name}"


def _holds_something(path: Path) -> bool:
    return path.stat().st_size > (EMPTY_BASE_BYTES if ".base." in path.name else 0)


def _list_files(folder: Path) -> list[Path]:
    found = [(match, path) for path in folder.glob("*") if (match := FILE_NAME.fullmatch(path.name))]
    # of two bases the later one holds what is in the other
    bases = sorted((int(match["number"]), path) for match, path in found if match["kind"] == "base")[-1:]
    increments = sorted((int(match["number"]), path) for match, path in found if match["kind"] == "incr")
    return [path for _, path in (*bases, *increments)]


def _name(paths: list[Path]) -> tuple[str, ...]:
    return tuple(f"{FOLDER}/{path.name}" for path in paths)
