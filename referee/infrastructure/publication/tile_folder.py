"""The root log as a folder of files for a static host.

The form is C2SP tlog-tiles. Tiles are written first, each in one act, and the checkpoint that needs them last. So
whatever is interrupted, the folder shows a whole tree, and the next call goes on. A full tile is written once and never
again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.file_locks import try_lock_file
from referee.infrastructure.root_publisher import RootLogError, RootPublisher
from referee.transparency.receipts import InvalidNoteError, verify_note
from referee.transparency.tiles import (
    CHECKPOINT_PATH,
    ENTRIES,
    HASH_BYTES,
    Tile,
    compute_root_of_tiles,
    encode_bundle_of_entries,
    iterate_tiles,
    list_last_tiles,
    split_hashes,
)

BEGUN = ".begun."  # how the names of files begin that are not finished
LONGEST_CHECKPOINT = 64 * 1024


@dataclass(frozen=True, slots=True)
class TilesWritten:
    """What a call wrote: the size before and now, and the number of new tiles."""

    size_before: int
    size: int
    files: int


def write_tiles(publisher: RootPublisher, folder: Path, *, entries: bool = False) -> TilesWritten:
    """Bring the folder to the root log as it is now.

    With `entries`, what the leaves say is written too, which names every match. Raises HostError if the folder cannot
    be written, is written by another process, or shows another history; RootLogError; StoreUnavailable.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _hold_lock(folder):
            return _write_missing(publisher, folder, entries=entries)
    except OSError as wrong:
        raise HostError(f"{folder} cannot be written: {wrong.strerror}") from wrong


@contextlib.contextmanager
def _hold_lock(folder: Path) -> Iterator[None]:
    """Keep other processes from writing the folder.

    What a killed one left is removed.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if not try_lock_file(handle):
            raise HostError(f"another process is writing {folder}")
        for begun in folder.glob(f"{BEGUN}*"):
            begun.unlink()
        yield
    finally:
        os.close(handle)


def _write_missing(publisher: RootPublisher, folder: Path, *, entries: bool) -> TilesWritten:
    size, root, note = publisher.sign_checkpoint()
    before = _check_history(publisher, folder, size)
    entries = entries or (folder / Tile(ENTRIES, 0).path).parent.exists()  # a monitor that follows them needs all
    files, grown = 0, list[Path]()
    for tile in iterate_tiles(size, entries=entries):
        path = folder / tile.path
        if tile.is_full and tile.end <= before and path.exists():
            _require_whole(tile, path)
            continue
        data = _read_tile(publisher, tile)
        if path.exists():  # written by a call that was interrupted, or a partial tile that stayed as it was
            if path.read_bytes() == data:
                continue
            if tile.is_full:
                raise HostError(f"{path} is not of this log; begin with an empty folder")
        _write_file(folder, path, data)
        files += 1
        if tile.is_full:
            grown.append(path.with_name(f"{path.name}.p"))
    rows = [split_hashes((folder / tile.path).read_bytes()) for tile in list_last_tiles(size)]
    if compute_root_of_tiles(size, rows) != root:
        raise HostError(f"the tiles in {folder} do not come to the root of the log; begin with an empty folder")
    if size != before:
        _write_file(folder, folder / CHECKPOINT_PATH, note.encode())
    for partial in grown:  # the partial tiles of a full one may go (C2SP tlog-tiles, Partial Tiles)
        if partial.exists():
            shutil.rmtree(partial)
    return TilesWritten(before, size, files)


def _check_history(publisher: RootPublisher, folder: Path, size: int) -> int:
    """Return the size of the tree that the folder shows (0: none).

    Raises HostError if that is no earlier state of this log: nothing that was published may be contradicted.
    """
    try:
        with (folder / CHECKPOINT_PATH).open("rb") as file:
            note = file.read(LONGEST_CHECKPOINT).decode("utf-8", "replace")
    except FileNotFoundError:
        if (folder / "tile").exists() or not any(folder.iterdir()):
            return 0
        raise HostError(f"{folder} holds other files; give an empty folder") from None
    try:
        keys = [key.public for key in publisher.load_chain()]
        shown = verify_note(note, keys, publisher.origin)
    except InvalidNoteError as wrong:
        raise HostError(f"{folder} shows another log: {wrong}") from wrong
    if shown.size > size or shown.root != publisher.load_root(shown.size):
        raise RootLogError(
            f"{folder} shows {shown.size} leaves, and this log of {size} does not begin with them: "
            "history was changed or lost"
        )
    return shown.size


def _require_whole(tile: Tile, path: Path) -> None:
    """Raise HostError if a full tile was damaged, as its length shows."""
    length = path.stat().st_size
    if tile.level != ENTRIES and length != tile.width * HASH_BYTES:
        raise HostError(f"{path} was damaged: it has {length} bytes; remove it, and it is written again")


def _read_tile(publisher: RootPublisher, tile: Tile) -> bytes:
    if tile.level == ENTRIES:
        return encode_bundle_of_entries(publisher.read_leaves(tile.start, tile.width))
    return b"".join(publisher.read_subtrees(tile.subtrees))


def _write_file(folder: Path, path: Path, data: bytes) -> None:
    """Write a file in one act; it is on the disk when this returns.

    A web server may read it.
    """
    _make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=folder, prefix=BEGUN)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o644)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    sync_to_disk(path.parent)


def _make_folder(path: Path) -> None:
    """Make a folder and those above it.

    Their names are on the disk when this returns.
    """
    if not path.exists():
        _make_folder(path.parent)
        path.mkdir(exist_ok=True)
        sync_to_disk(path.parent)
