"""Archived matches on disk, each a sealed bundle packed by gzip.

Their files are `<folder>/<partition>/<match>.bundle.gz`. A file appears completely or not at all, mode 0600, and is on
the disk before the store drops the match.

Entries are returned only if all of them lead to the root that the store's tombstone keeps, and each sealed part is the
one that its envelope commits to. So a changed byte is never served. What was read is cached in this process, within
bounds.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import logging
import os
import re
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

import orjson
from cachetools import LRUCache

from referee.eventstore.contract import StoredEntry
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.file_locks import lock_file
from referee.infrastructure.secrets import make_private_dir, write_private_file
from referee.match.errors import MatchUnavailable
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash

BUNDLE_SUFFIX = ".bundle.gz"
CACHE_BYTES = 32 << 20  # bytes of entries that a process caches
ENTRY_OVERHEAD_BYTES = 300  # bytes that a cached entry takes besides its text
LOST_FOLDER = "lost"  # the folder of notes about missing or damaged files
MAX_LOST_COUNTED = 1000  # the most notes that are counted
LOGGER = logging.getLogger(__name__)
ID = re.compile("[0-9]{2}-[a-z]+")
FileSignature = tuple[int, int, int]  # inode, size and time of a file, which differ for another file


class ArchiveMissing(MatchUnavailable):
    """The entries of an archived match cannot be read: the file is missing or damaged.

    The match can be read again as soon as the right file is back in its place.
    """

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
    """The files of one folder. Several threads and processes may use it at once."""

    def __init__(self, folder: Path, held: int = CACHE_BYTES) -> None:
        """Keep up to `held` bytes of entries in memory."""
        self.folder = folder
        self._kept: LRUCache[str, _CachedEntries] = LRUCache(held, lambda entries: min(entries.size, held))
        self._lock, self._loading = Lock(), Lock()

    def path_for(self, match: str) -> Path:
        """Return the path of a match's file, whether or not it exists.

        Raises ValueError if `match` is no id.
        """
        if not ID.fullmatch(match):
            raise ValueError(f"{match!r} is no match")
        return self.folder / match[:2] / f"{match}{BUNDLE_SUFFIX}"

    def has_file(self, match: str) -> bool:
        """Return whether a match's file exists; its content is not checked."""
        return self.path_for(match).is_file()

    # -- writing ---------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def lock_partition_of(self, match: str) -> Iterator[None]:
        """Let no other process on this machine write a file of the match's partition.

        A process that began with an older state of the match must not replace what another has archived since. The lock
        also ends with the process. Raises HostError.
        """
        folder = self._ensure_partition_folder(match)
        with open(os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "rb") as lock:
            lock_file(lock.fileno())
            for begun in folder.glob(f".{match}.*"):  # left by a process that was killed
                begun.unlink()
            yield

    def write_bundle(self, match: str, lines: Iterable[bytes]) -> Path:
        """Write the lines of a bundle to its file, which is on the disk when this returns.

        Raises HostError if the disk is full or the folder cannot be written.
        """
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
                with contextlib.suppress(FileNotFoundError):  # it was renamed to its place
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
        """Yield the lines of a match's bundle as they were written.

        Raises ArchiveMissing, also after some lines.
        """
        try:
            with gzip.open(self.path_for(match), "rb") as file:
                yield from file
        except FileNotFoundError:
            raise ArchiveMissing(match, "the file is missing") from None
        except (OSError, EOFError, zlib.error) as wrong:
            raise ArchiveMissing(match, f"the file cannot be read: {wrong}") from None

    def load_entries(self, match: str, version: int, root: bytes) -> tuple[StoredEntry, ...]:
        """Return all entries of a match that was archived at that version with that root.

        Raises ArchiveMissing unless the file holds these entries.
        """
        signature = self._read_file_signature(match)
        if (kept := self._find_cached(match, signature, root)) is not None:
            return kept
        with self._loading:  # one thread at a time, so that simultaneous readers load a long match once
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
        """Return how many matches some process could not read, if the file is unchanged."""
        count = 0
        for note in islice((self.folder / LOST_FOLDER).glob("*"), MAX_LOST_COUNTED):
            with contextlib.suppress(FileNotFoundError, ValueError):  # another process removed it, or it is no note
                if note.read_text("ascii") == _format_signature(self._read_file_signature(note.name)):
                    count += 1
                else:
                    note.unlink()
        return count

    def note_unreadable(self, match: str, signature: FileSignature | None = None) -> None:
        """Note for all processes that this file is damaged, or missing (None)."""
        try:
            folder = make_private_dir(make_private_dir(self.folder) / LOST_FOLDER)
            write_private_file(folder / match, _format_signature(signature).encode(), replace=True)
        except (HostError, OSError) as wrong:
            LOGGER.warning("cannot note that the archive of %s is lost: %s", match, wrong)

    def _read_file_signature(self, match: str) -> FileSignature | None:
        try:
            found = self.path_for(match).stat()
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):  # opening a pipe would wait for a writer
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _find_cached(self, match: str, signature: FileSignature | None, root: bytes) -> tuple[StoredEntry, ...] | None:
        with self._lock:
            kept = self._kept.get(match)
            if kept is None or kept.signature != signature or kept.root != root:
                return None
            return kept.entries

    def _cache_entries(self, match: str, held: _CachedEntries) -> None:
        with self._lock:
            self._kept[match] = held


def read_verified_entries(match: str, lines: Iterable[bytes], version: int, root: bytes) -> tuple[StoredEntry, ...]:
    """Return the entries among the lines of a sealed bundle.

    Raises ArchiveMissing unless they are 1..version of this match under this root, with the sealed parts that they
    commit to, and the last line counts the others.
    """
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
        raise ArchiveMissing(match, "the file is another match's, or is incomplete")


def _parse_entry(match: str, data: dict[str, Any]) -> StoredEntry:
    """Return the entry of a line whose sealed part is what its envelope commits to.

    Raises ArchiveMissing.
    """
    envelope = data["envelope"].encode()
    public = orjson.loads(envelope)
    (sealed,) = (part for part in data["parts"] if part["who"] == "full")
    hidden = sealed["part"].encode()
    committed = hashlib.sha256(base64.b64decode(sealed["salt"]) + hidden).hexdigest()
    if (public["match"], public["version"]) != (match, data["version"]) or committed != public["commitments"]["full"]:
        raise ArchiveMissing(match, f"entry {data['version']} is not what was archived")
    return StoredEntry(data["version"], envelope, hidden, base64.b64decode(data["root"]))


def _format_signature(signature: FileSignature | None) -> str:
    return " ".join(map(str, signature or ()))


def _compute_size(entry: StoredEntry) -> int:
    return ENTRY_OVERHEAD_BYTES + len(entry.envelope) + len(entry.sealed)
