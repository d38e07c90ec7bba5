"""The high-water marks: of each log the largest size signed, and its root.

Marks are kept outside the store, because they tell whether the store has lost something. Two files in one folder hold
them, as records of a fixed length:

- `tail` only grows. A new mark is appended to it, and is on the disk before anything is signed. Of two records of one
  log the later one counts.
- `base` has one record for each log, sorted by name, and a checksum. It is searched on the disk. When the tail has
  become long, both are merged into a new base, which replaces the old one in one act; then the tail is emptied.

So a process keeps no more than the tail in memory. Several processes may use one folder: a lock on the tail is held for
each reading and writing, which begins with what others have added. A record that was cut off by a crash is removed:
nothing was signed upon it.
"""

from __future__ import annotations

import bisect
import contextlib
import errno
import logging
import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from referee.eventstore.contract import StoreUnavailable
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import MarksError
from referee.infrastructure.file_locks import lock_file, unlock_file

NAME_BYTES = 32
RECORD = struct.Struct(f">{NAME_BYTES}sQ32sI")  # the log, the size, the root, and the CRC-32 of these
HEADER = struct.Struct(">8sI")  # of the base: what it is, and the CRC-32 of its records
MAGIC = b"RFMARKS1"
MAX_TAIL_BYTES = RECORD.size * 2**15  # then the tail is merged into the base

MARKS_HINT = (
    "Put that folder back as it was. If nobody has it any more, move it aside: the server then begins without marks, "
    "and cannot notice what the store lost before."
)

LOGGER = logging.getLogger(__name__)


class MarksUnavailable(StoreUnavailable):
    """The marks cannot be read or written, so nothing may be signed now."""


def build_marks_error(wrong: MarksUnavailable) -> MarksError:
    """Return the error with which a command ends that needs the marks."""
    return MarksError(f"{wrong}. {MARKS_HINT}")


@dataclass(frozen=True, slots=True)
class Mark:
    """The largest size of a log that was signed, and the root at that size."""

    size: int
    root: bytes


NO_MARK = Mark(0, bytes(32))  # the record of a log whose mark was taken away


class MarkFile:
    """The marks of a folder; threads and forks may share it.

    Any call raises MarksUnavailable if the disk is full or the files are damaged.
    """

    def __init__(self, folder: Path, max_tail_bytes: int = MAX_TAIL_BYTES) -> None:
        self._folder, self._max_tail = folder, max_tail_bytes
        self._start_anew()

    def _start_anew(self) -> None:
        """Know nothing yet; a process that was forked must not share the lock."""
        self._pid = os.getpid()
        self._lock, self._sync_lock = Lock(), Lock()
        self._tail = -1
        self._forget()
        self._read = self._synced = 0  # bytes of the tail seen by this process; they never become fewer
        self._is_distrusted = False  # after a failed sync nobody knows what is on the disk

    def _forget(self) -> None:
        self._base: memoryview | None = None
        self._base_signature: tuple[int, int, int] | None = None
        self._recent: dict[bytes, Mark] = {}
        self._offset = 0  # how far the tail has been read
        self._merge_at = self._max_tail

    # -- for callers -----------------------------------------------------------------------------------------------

    def find(self, name: str) -> Mark | None:
        """Return the mark of a log, or None."""
        with self._hold():
            return self._find(_encode_name(name))

    def replace(self, name: str, seen: Mark | None, mark: Mark | None) -> bool:
        """Replace the mark of a log, unless it is no longer the one that was `seen`.

        If the result is True, the new mark is on the disk.
        """
        key = _encode_name(name)
        with self._hold():
            if self._find(key) != seen:
                return False
            self._append(key, NO_MARK if mark is None else mark)
        self.sync()
        return True

    def sync(self) -> None:
        """Return once every mark that was found so far is on the disk.

        A thread that comes while another one syncs waits, and the next sync is for all that wait.
        """
        upto = self._read
        with self._sync_lock:
            if self._synced >= upto:
                return
            if self._is_distrusted:  # another sync of the same file could succeed although something is missing
                with self._hold():
                    self._merge()
                self._is_distrusted = False
                return
            reached = self._read
            try:
                os.fdatasync(self._tail)
            except OSError as wrong:
                self._is_distrusted = True
                raise MarksUnavailable(f"the marks in {self._folder} cannot be synced: {wrong.strerror}") from wrong
            self._synced = max(self._synced, reached)

    def list_marks(self) -> Iterator[tuple[str, Mark]]:
        """Yield every log with its mark, by name, as they are now."""
        if not self._folder.exists():
            return
        with self._hold():
            recent, base = dict(self._recent), self._base
        for record in _merge(base, recent):
            for name, mark in _parse(record):
                if mark != NO_MARK:
                    yield name.rstrip(b"\0").decode("ascii"), mark

    # -- the files -------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _hold(self) -> Iterator[None]:
        """Hold the lock, with everything read that other processes have written."""
        if self._pid != os.getpid():
            if self._tail >= 0:
                os.close(self._tail)
            self._start_anew()
        with self._lock:
            try:
                if self._tail < 0:
                    self._open()
                lock_file(self._tail)
                try:
                    self._refresh()
                    yield
                finally:
                    unlock_file(self._tail)
            except OSError as wrong:
                says = f"the marks in {self._folder} cannot be used: {wrong.strerror}"
                LOGGER.error("%s", says)
                raise MarksUnavailable(says) from wrong

    def _open(self) -> None:
        for each in (self._folder.parent, self._folder):  # `parents` alone leaves the data directory open
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._tail = os.open(self._folder / "tail", os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        sync_to_disk(self._folder)
        sync_to_disk(self._folder.parent)

    def _refresh(self) -> None:
        """Read what others have written since."""
        if not _is_same_file(self._tail, self._folder / "tail"):  # others would not know what is written here
            raise OSError(errno.ESTALE, "the tail was removed or replaced while it was in use; put it back, or restart")
        try:
            found = os.stat(self._folder / "base")
            signature = found.st_ino, found.st_mtime_ns, found.st_size
        except FileNotFoundError:
            signature = None
        if signature != self._base_signature:
            self._forget()
            self._base, self._base_signature = _open_base(self._folder / "base"), signature
        size = os.fstat(self._tail).st_size
        if size < self._offset and not self._is_distrusted:  # else a failed sync took it, and it is written again
            raise OSError(errno.EIO, "the tail has become shorter")
        if size > self._offset:
            self._read_tail(size - self._offset)

    def _read_tail(self, length: int) -> None:
        data = os.pread(self._tail, length, self._offset)
        count = len(data) // RECORD.size
        whole = [data[at * RECORD.size : (at + 1) * RECORD.size] for at in range(count)]
        sound = next((at for at, record in enumerate(whole) if not _is_sound(record)), count)
        if _holds_sound_record(data[sound * RECORD.size :]):
            raise OSError(errno.EIO, f"record {self._offset // RECORD.size + sound + 1} of the tail is damaged")
        if sound * RECORD.size < len(data):
            LOGGER.warning("the last mark in %s was cut off, and nothing was signed upon it", self._folder)
            os.ftruncate(self._tail, self._offset + sound * RECORD.size)
        self._recent.update(_parse(b"".join(whole[:sound])))
        self._offset += sound * RECORD.size
        self._read += sound * RECORD.size

    def _find(self, key: bytes) -> Mark | None:
        mark = self._recent.get(key)
        if mark is None and self._base is not None:
            at = _search(self._base, key)
            found = dict(_parse(self._base[at * RECORD.size : (at + 1) * RECORD.size]))
            mark = found.get(key)
        return None if mark == NO_MARK else mark

    def _append(self, key: bytes, mark: Mark) -> None:
        record = _pack(key, mark)
        try:
            if os.write(self._tail, record) != len(record):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            os.ftruncate(self._tail, self._offset)
            raise
        self._recent[key] = mark
        self._offset += len(record)
        self._read += len(record)
        if self._offset >= self._merge_at:
            try:
                self._merge()
            except OSError as wrong:  # the mark itself is in the tail; a merge can wait
                self._merge_at += self._max_tail
                LOGGER.warning("the marks in %s cannot be merged: %s", self._folder, wrong.strerror)

    def _merge(self) -> None:
        """Write a new base with all marks, and empty the tail.

        If this is cut short in between, the tail is read again over the new base, and says the same.
        """
        half = self._folder / "base.new"
        half.unlink(missing_ok=True)
        checksum = 0
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(HEADER.pack(MAGIC, 0))
            for records in _merge(self._base, self._recent):
                file.write(records)
                checksum = zlib.crc32(records, checksum)
            file.seek(0)
            file.write(HEADER.pack(MAGIC, checksum))
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, self._folder / "base")
        sync_to_disk(self._folder)
        os.ftruncate(self._tail, 0)
        self._synced = max(self._synced, self._read)
        self._refresh()


def _encode_name(name: str) -> bytes:
    """Return a log's name as records have it. Raises ValueError if it is too long."""
    found = name.encode("ascii")
    if not 0 < len(found) <= NAME_BYTES:
        raise ValueError(f"no log can be called {name!r}")
    return found.ljust(NAME_BYTES, b"\0")


def _pack(key: bytes, mark: Mark) -> bytes:
    record = RECORD.pack(key, mark.size, mark.root, 0)[:-4]
    return record + zlib.crc32(record).to_bytes(4, "big")


def _is_sound(record: bytes) -> bool:
    return zlib.crc32(record[:-4]) == int.from_bytes(record[-4:], "big")


def _holds_sound_record(data: bytes) -> bool:
    """Return whether a record begins anywhere.

    Then what stands before it was not the last one that was written.
    """
    return any(_is_sound(data[at : at + RECORD.size]) for at in range(len(data) - RECORD.size + 1))


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _parse(records: bytes | memoryview) -> Iterator[tuple[bytes, Mark]]:
    for name, size, root, _ in RECORD.iter_unpack(records):
        yield name, Mark(size, root)


def _open_base(path: Path) -> memoryview | None:
    """Return the records of a base, or None without one.

    Raises OSError if they are damaged.
    """
    try:
        with path.open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        return None
    except ValueError:  # an empty file cannot be mapped
        mapped = memoryview(b"")
    records = mapped[HEADER.size :]
    if mapped[: HEADER.size] != HEADER.pack(MAGIC, zlib.crc32(records)) or len(records) % RECORD.size:
        raise OSError(errno.EIO, "the base is damaged")
    return records


def _search(base: memoryview, key: bytes) -> int:
    """Return the place of a name among the records, or where it would stand."""
    names = range(len(base) // RECORD.size)
    return bisect.bisect_left(names, key, key=lambda at: bytes(base[at * RECORD.size : at * RECORD.size + NAME_BYTES]))


def _merge(base: memoryview | None, recent: dict[bytes, Mark]) -> Iterator[bytes | memoryview]:
    """Yield the records of both, sorted by name; those of `recent` count."""
    base = memoryview(b"") if base is None else base
    done = 0
    for key in sorted(recent):
        at = _search(base, key) * RECORD.size
        yield base[done:at]
        yield _pack(key, recent[key])
        done = at + RECORD.size * (bytes(base[at : at + NAME_BYTES]) == key)
    yield base[done:]
