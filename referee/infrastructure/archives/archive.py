"""Archived matches on disk: `<folder>/<partition>/<match>.bundle.gz`, a sealed bundle each, packed by gzip.

A file appears whole or not at all, mode 0600, and is on the disk before anybody hears of it. Whoever reads one is given
the entries only if all of them lead to the root that the store's tombstone keeps, and each hidden part is the one its
envelope commits to; so a changed byte is never served. What was read is kept in this process, within bounds.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import gzip
import hashlib
import logging
import os
import re
import stat
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

from referee.eventstore.contract import StoredEntry
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import make_private_dir, write_private_file
from referee.match.errors import MatchUnavailable
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

BUNDLE_SUFFIX = ".bundle.gz"
CACHE_BYTES = 32 << 20  # bytes of entries that a process keeps
ENTRY_OVERHEAD_BYTES = 300  # bytes that an entry takes besides what it says
LOST_FOLDER = "lost"  # the folder of notes of files that were missing or damaged
MAX_LOST_COUNTED = 1000  # of them that are counted
LOGGER = logging.getLogger(__name__)
ID = re.compile("[0-9]{2}-[a-z]+")
FileSignature = tuple[int, int, int]  # inode, size and time of a file: another one is another file


class ArchiveMissing(MatchUnavailable):
    """The entries of an archived match cannot be had: its file is missing or is not what was archived. It can be read
    again as soon as the right file is back in its place."""

    def __init__(self, match: str, says: str) -> None:
        super().__init__("frozen", match)
        self.detail = says

    def __str__(self) -> str:
        return f"the archive of {self.match}: {self.detail}"


@dataclass(frozen=True, slots=True)
class _CachedEntries:
    signature: FileSignature
    root: bytes
    entries: tuple[StoredEntry, ...]
    size: int


class Archive:
    """The files of one folder. It may be used by many threads, and by many processes side by side."""

    def __init__(self, folder: Path, held: int = CACHE_BYTES) -> None:
        """`held` is how many bytes of entries are kept in memory."""
        self.folder, self._most = folder, held
        self._kept: OrderedDict[str, _CachedEntries] = OrderedDict()
        self._lock, self._loading = Lock(), Lock()

    def path_for(self, match: str) -> Path:
        """Where a match's file lies, or would lie. Raises ValueError if that is no id."""
        if not ID.fullmatch(match):
            raise ValueError(f"{match!r} is no match")
        return self.folder / match[:2] / f"{match}{BUNDLE_SUFFIX}"

    def has_file(self, match: str) -> bool:
        """Whether there is a file; what it holds is not looked at."""
        return self.path_for(match).is_file()

    # -- writing ---------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def lock_partition_of(self, match: str) -> Iterator[None]:
        """Nobody else on this machine puts a file of that partition in place meanwhile: who began with an older state
        of the match must not replace what somebody has archived since. Ends with the process too. Raises HostError."""
        folder = self._ensure_partition_folder(match)
        with open(os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for begun in folder.glob(f".{match}.*"):  # by somebody who was killed
                begun.unlink()
            yield

    def write_bundle(self, match: str, lines: Iterable[bytes]) -> Path:
        """Puts the lines of a bundle in their place: on the disk, name and all, when this comes back. Raises HostError:
        the disk is full, or the folder is not to be written."""
        folder, path = self._ensure_partition_folder(match), self.path_for(match)
        name = ""
        try:
            handle, name = tempfile.mkstemp(dir=folder, prefix=f".{match}.")  # mode 0600 from the start
            with os.fdopen(handle, "wb") as file:
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    for line in lines:
                        packed.write(line)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
            sync_to_disk(folder)
        except OSError as wrong:
            raise HostError(f"{path} cannot be written: {wrong.strerror}") from wrong
        finally:
            if name:
                with contextlib.suppress(FileNotFoundError):  # gone once it is in its place
                    os.unlink(name)
        return path

    def _ensure_partition_folder(self, match: str) -> Path:
        folder = self.path_for(match).parent
        if not folder.is_dir():
            make_private_dir(self.folder)
            make_private_dir(folder)
            sync_to_disk(self.folder.parent)
            sync_to_disk(self.folder)
        return folder

    # -- reading ---------------------------------------------------------------------------------------------------

    def read_lines(self, match: str) -> Iterator[bytes]:
        """The lines of a match's bundle as they were written. Raises ArchiveMissing, also on the way."""
        try:
            with gzip.open(self.path_for(match), "rb") as file:
                yield from file
        except FileNotFoundError:
            raise ArchiveMissing(match, "the file is missing") from None
        except (OSError, EOFError, zlib.error) as wrong:
            raise ArchiveMissing(match, f"the file cannot be read: {wrong}") from None

    def load_entries(self, match: str, version: int, root: bytes) -> tuple[StoredEntry, ...]:
        """All entries of a match that was archived at that version with that root. Raises ArchiveMissing unless they
        are these, and nothing else stands in their place."""
        signature = self._read_file_signature(match)
        if (kept := self._find_cached(match, signature, root)) is not None:
            return kept
        with self._loading:  # one at a time: many who ask for a long match at once need it once
            if (kept := self._find_cached(match, signature, root)) is not None:
                return kept
            try:
                if signature is None:
                    raise ArchiveMissing(match, "the file is missing")
                found = read_verified_entries(match, self.read_lines(match), version, root)
            except ArchiveMissing:
                self.note_unreadable(match, signature)
                raise
            self._cache_entries(match, _CachedEntries(signature, root, found, sum(map(_compute_size, found))))
            return found

    def count_unreadable(self) -> int:
        """How many matches somebody could not read, in whatever process, whose files are as they were then."""
        count = 0
        for note in islice((self.folder / LOST_FOLDER).glob("*"), MAX_LOST_COUNTED):
            with contextlib.suppress(FileNotFoundError, ValueError):  # seen to by somebody else; or no note
                if note.read_text("ascii") == _format_signature(self._read_file_signature(note.name)):
                    count += 1
                else:
                    note.unlink()
        return count

    def note_unreadable(self, match: str, signature: FileSignature | None = None) -> None:
        """Leaves word for all processes that this file is not what it is to be; None: that it is missing."""
        try:
            folder = make_private_dir(make_private_dir(self.folder) / LOST_FOLDER)
            write_private_file(folder / match, _format_signature(signature).encode(), replace=True)
        except (HostError, OSError) as wrong:
            LOGGER.warning("that the archive of %s is lost cannot be noted: %s", match, wrong)

    def _read_file_signature(self, match: str) -> FileSignature | None:
        try:
            found = self.path_for(match).stat()
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):  # to open a pipe is to wait for whoever writes
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _find_cached(self, match: str, signature: FileSignature | None, root: bytes) -> tuple[StoredEntry, ...] | None:
        with self._lock:
            kept = self._kept.get(match)
            if kept is None or kept.signature != signature or kept.root != root:
                return None
            self._kept.move_to_end(match)
            return kept.entries

    def _cache_entries(self, match: str, held: _CachedEntries) -> None:
        with self._lock:
            self._kept[match] = held
            self._kept.move_to_end(match)
            while len(self._kept) > 1 and sum(each.size for each in self._kept.values()) > self._most:
                self._kept.popitem(last=False)


def read_verified_entries(match: str, lines: Iterable[bytes], version: int, root: bytes) -> tuple[StoredEntry, ...]:
    """The entries among the lines of a sealed bundle. Raises ArchiveMissing unless they are 1..version of this match
    under this root, with the hidden parts that they commit to, and the last line counts the others."""
    found: list[StoredEntry] = []
    frontier: tuple[bytes, ...] = ()
    count, ended = 0, False
    for count, line in enumerate(lines, 1):
        if ended:
            raise ArchiveMissing(match, "something follows the end")
        try:
            data = orjson.loads(line)
            if data["kind"] == "end":
                ended = data["lines"] == count - 1
            elif data["kind"] == "header":
                _check_header(match, data)
            elif data["kind"] == "entry":
                entry = _parse_entry(match, data)
                frontier = extend_frontier(frontier, len(found), leaf_hash(entry.envelope))
                found.append(entry)
                if entry.version != len(found) or compute_root(frontier, len(found)) != entry.root:
                    raise ArchiveMissing(match, f"entry {len(found)} is not what was archived")
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            raise ArchiveMissing(match, f"line {count} is not what was archived") from wrong
    if not ended or len(found) != version or found[-1].root != root:
        raise ArchiveMissing(match, "the entries are not those that were archived")
    return tuple(found)


def _check_header(match: str, header: dict[str, Any]) -> None:
    if (header["match"], header["eyes"]) != (match, "sealed"):
        raise ArchiveMissing(match, "the file is another match's, or does not hold all of it")


def _parse_entry(match: str, data: dict[str, Any]) -> StoredEntry:
    """The entry of a line, its hidden part compared with what its envelope commits to."""
    envelope = data["envelope"].encode()
    told = orjson.loads(envelope)
    (sealed,) = (part for part in data["parts"] if part["who"] == "full")
    hidden = sealed["part"].encode()
    committed = hashlib.sha256(base64.b64decode(sealed["salt"]) + hidden).hexdigest()
    if (told["match"], told["version"]) != (match, data["version"]) or committed != told["commitments"]["full"]:
        raise ArchiveMissing(match, f"entry {data['version']} is not what was archived")
    return StoredEntry(data["version"], envelope, hidden, base64.b64decode(data["root"]))


def _format_signature(signature: FileSignature | None) -> str:
    return " ".join(map(str, signature or ()))


def _compute_size(entry: StoredEntry) -> int:
    return ENTRY_OVERHEAD_BYTES + len(entry.envelope) + len(entry.sealed)
