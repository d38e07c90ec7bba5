"""A backup of a server while it runs: keys, store and archive.

A server can be started from the copy. The store's log on disk only grows, and an acknowledged write is in it before its
answer is sent. So the log at any moment is a state that the store was in. If its last command or transaction is
incomplete in the copy, the next start cuts it off, as after a loss of power. Nothing has to stop, and the store is
asked for nothing. A store that the settings name is asked for a snapshot instead.

The order matters. The keys come first and are compared again after the store: a key that was replaced in between would
be in one and not in the other. The archive comes last: a match leaves the store only once its file is there, so at
least one of the two copies has it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from referee.infrastructure.archives.archive import BUNDLE_SUFFIX, Archive
from referee.infrastructure.archives.provenance import ORIGIN_SUFFIX as OF_ORIGIN
from referee.infrastructure.archives.wire_copy import fetch_store, find_reader
from referee.infrastructure.composition import recover_after_start
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.embedded.aof_repair import truncate_incomplete
from referee.infrastructure.embedded.disk_guard import RESERVE_FILE
from referee.infrastructure.embedded.log_files import FOLDER, MANIFEST, SINGLE, list_needed, parse_manifest
from referee.infrastructure.embedded.servers import EmbeddedServers, end_orphans
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.file_locks import try_lock_file
from referee.infrastructure.integrity_check import Damage
from referee.infrastructure.secrets import make_private_dir, write_private_file
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.guard import FOLDER as WATERMARKS

# files of a running server, or copied separately; the watermarks are ahead of any copy of the store
RUNTIME_FILES = {"store", "queue", "run", "keeper.lock", "sockets.json", "archive", RESERVE_FILE, WATERMARKS}
OPTIONAL_KEY_FILES = ("signing.pem.next", "operator.sha256")
NOTE, LOCK = "backup.json", ".filling"
TRIES = 50  # the log is rewritten now and then, keys hardly ever change
CHUNK = 1 << 20


class BackupFolderError(HostError):
    """The target of a backup is not empty, or is no directory."""


NoteCopying = Callable[[str, int, int], None]  # what is copied, how much of it is, and how much there is


def _note_nothing(what: str, done: int, total: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class BackupResult:
    """The result of a backup.

    `store_bytes` counts the store's log, `archived` the files of the archive, `torn` the bytes at the log's end that
    belonged to an unacknowledged write. `damaged` is what is damaged in the copy, as it is in the store.
    """

    folder: Path
    store_bytes: int
    archived: int
    torn: int
    damaged: tuple[Damage, ...]


def create_backup(
    settings: Settings, folder: Path, *, store: bool = True, note_progress: NoteCopying = _note_nothing
) -> BackupResult:
    """Copy a data directory to a folder that is empty or missing.

    The folder appears completely, after a server has been started on the copy and has read it, or not at all. `store`
    says whether to copy the store: the directory's own, or the one that the settings name; `note_progress` is told how
    far each step is.

    Raises BackupFolderError; StoreNotFoundError if the store is missing or a cluster; HostError if a file cannot be
    read or written, or the copy cannot be read.
    """
    folder = folder.expanduser().absolute()
    if folder.resolve().is_relative_to(settings.data_dir.resolve()):  # also through links
        raise BackupFolderError(f"{folder} lies in the directory that is to be copied")
    if store and settings.store_cluster:
        raise StoreNotFoundError(
            "the store is a cluster, whose servers have no moment in common; copy each by its own means after "
            "--without-store, which copies keys and archive alone"
        )
    if store and settings.store_url is None and _read_manifest(settings.data_dir / "store") is None:
        raise StoreNotFoundError(
            f"there is no store in {settings.data_dir}; --without-store copies keys and archive alone"
        )
    try:
        with _open_staging_folder(folder) as part:
            return _fill_backup(settings, part, folder, store, note_progress)
    except OSError as wrong:
        raise HostError(f"the copy failed: {wrong}") from wrong


def _fill_backup(settings: Settings, part: Path, folder: Path, store: bool, note_progress: NoteCopying) -> BackupResult:
    taken = torn = 0
    for _ in range(TRIES):
        keys = _read_keys(settings)
        for name in OPTIONAL_KEY_FILES:  # left by an earlier try
            (part / name).unlink(missing_ok=True)
        for name, content in keys.items():
            write_private_file(part / name, content, replace=True)
        if store:
            shutil.rmtree(part / "store", ignore_errors=True)
            target = make_private_dir(part / "store")
            if settings.store_url is None:
                taken = copy_store(settings.data_dir / "store", target, note_progress)
            else:
                taken = fetch_store(settings.store_url, target)
            torn = truncate_incomplete(target)
        if _read_keys(settings) == keys:
            break
    else:
        raise HostError("the keys kept changing during the backup; try again")
    archived = _copy_archive(settings.archive_path, part / "archive", note_progress)
    _copy_other_files(settings, part)
    note_progress("reading the copy", 0, 0)
    damaged = _inspect_copy(settings, part) if store else ()
    note = {"store": store, "store_bytes": taken, "archived": archived, "damaged": [each.match for each in damaged]}
    write_private_file(part / NOTE, json.dumps(note).encode() + b"\n", replace=True)
    (part / LOCK).unlink()
    for path in sorted(part.rglob("*")):
        sync_to_disk(path)
    sync_to_disk(part)
    os.rename(part, folder)  # also replaces an empty directory
    sync_to_disk(folder.parent)
    return BackupResult(folder, taken, archived, torn, damaged)


# -- keys --------------------------------------------------------------------------------------------------------------


def _read_keys(settings: Settings) -> dict[str, bytes]:
    """Return the private files by their names in a data directory, wherever they are.

    An unfinished rotation adds the key that is to replace another. Raises HostError.
    """
    places = {
        "secret": settings.secret_file,
        "signing.pem": settings.signing_key_file,
        "signing.pem.next": settings.signing_key_file.with_name(f"{settings.signing_key_file.name}.next"),
        "operator.sha256": settings.operator_hash_file,
    }
    found: dict[str, bytes] = {}
    for name, path in places.items():
        try:
            found[name] = path.read_bytes()
        except FileNotFoundError:
            if name not in OPTIONAL_KEY_FILES:
                raise HostError(f"{path} is missing: no server was started here") from None
    return found


def _copy_other_files(settings: Settings, part: Path) -> None:
    """Copy the other files of the data directory, except those of a running server."""
    for path in sorted(settings.data_dir.rglob("*")):
        inside = path.relative_to(settings.data_dir)
        copied = (
            inside.parts[0] in RUNTIME_FILES or path.is_relative_to(settings.archive_path) or (part / inside).exists()
        )
        temporary = path.name.startswith(".") or path.name.endswith(".lock")
        if not (copied or temporary) and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                _copy_file_start(file, part / inside, os.fstat(file.fileno()).st_size)


# -- the store ---------------------------------------------------------------------------------------------------------


def copy_store(source: Path, target: Path, note_progress: NoteCopying = _note_nothing) -> int:
    """Copy the log of a store as it is at one moment during this call.

    The record of the server that wrote it is copied too. A server may write there meanwhile. Return the size of the log
    in bytes. Raises HostError, OSError.
    """
    for _ in range(TRIES):
        with contextlib.ExitStack() as files, contextlib.suppress(FileNotFoundError):
            manifest = _read_manifest(source)
            if manifest is None:
                break
            opened = [(name, files.enter_context((source / name).open("rb"))) for name in _list_log_files(manifest)]
            sizes = [os.fstat(file.fileno()).st_size for _, file in opened]
            if _read_manifest(source) != manifest:
                continue  # the log continues in another file, which may hold acknowledged writes
            for (name, file), size in zip(opened, sizes, strict=True):
                _copy_file_start(file, target / name, size, note_progress)
            if manifest:
                write_private_file(target / MANIFEST, manifest, replace=True)
            if (wrote := source / "written-by.json").exists():
                write_private_file(target / wrote.name, wrote.read_bytes(), replace=True)
            return sum(sizes)
    raise HostError(f"the log in {source} is missing, or its files kept changing; try again")


def _read_manifest(source: Path) -> bytes | None:
    """Return the text that names the files of a log.

    Return nothing if the log has only one file, and None if there is no log.
    """
    try:
        return (source / MANIFEST).read_bytes()
    except FileNotFoundError:
        return b"" if (source / SINGLE).exists() else None


def _list_log_files(manifest: bytes) -> list[str]:
    """Return the files of a log, without those that are history. Raises HostError."""
    if not manifest:
        return [SINGLE]
    named, wrong = parse_manifest(manifest)
    if wrong:  # a copy by it could lack a part of the log
        raise HostError(f"{wrong[0]} ({MANIFEST})")
    return [f"{FOLDER}/{name}" for name in list_needed(named)]


def _copy_file_start(file: IO[bytes], target: Path, size: int, note_progress: NoteCopying = _note_nothing) -> None:
    """Copy the first `size` bytes of an open file, which may grow or lose its name."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as copy:
        left = size
        while left:
            chunk = file.read(min(CHUNK, left))
            if not chunk:
                raise HostError(f"{target.name} has become shorter while it was copied")
            copy.write(chunk)
            left -= len(chunk)
            note_progress(f"bytes of {target.name}", size - left, size)


def _inspect_copy(settings: Settings, part: Path) -> tuple[Damage, ...]:
    """Start a server on the copy, and return the damage that it finds.

    Raises HostError if no server can be started.
    """
    own = settings.with_data_dir(part)
    server = settings.store_server if settings.store_url is None else find_reader(settings, settings.store_url)
    with EmbeddedServers(part, queue=False, server=server) as keeper:
        damaged = recover_after_start(replace(own, store_url=keeper.store_url))
    for name in ("run", "keeper.lock", "sockets.json"):
        path = part / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for words in (part / "store").glob("server.log*"):
        words.unlink()
    return tuple(damaged)


# -- the archive -------------------------------------------------------------------------------------------------------


def _copy_archive(source: Path, target: Path, note_progress: NoteCopying) -> int:
    """Copy the files of archived matches, and return their number.

    They never change once a match is archived.
    """
    archive, count = Archive(target), 0
    notes = set(source.glob(f"[0-9][0-9]/*{OF_ORIGIN}"))  # the origins of matches from elsewhere
    found = sorted({*notes, *source.glob(f"[0-9][0-9]/*{BUNDLE_SUFFIX}")})
    for number, path in enumerate(found, 1):
        copy = archive.path_for(path.name.partition(".")[0]).with_name(path.name)
        make_private_dir(target)
        make_private_dir(copy.parent)
        with path.open("rb") as file:
            _copy_file_start(file, copy, os.fstat(file.fileno()).st_size)
        note_progress("archived files", number, len(found))
        count += path not in notes
    return count


# -- the staging folder ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _open_staging_folder(folder: Path) -> Iterator[Path]:
    """Yield a directory next to the target, locked while it is being filled.

    It is removed afterwards unless it was renamed. Directories that killed processes left there are removed first.
    Raises BackupFolderError.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise BackupFolderError(f"{folder} is a link or is not empty; a backup goes to a directory of its own")
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f".{folder.name}.*.part"):
        with _try_hold_lock(left / LOCK) as free:
            if free:
                end_orphans(left)
                shutil.rmtree(left, ignore_errors=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))  # mode 0700
    try:
        with _try_hold_lock(part / LOCK):
            yield part
    finally:
        if part.exists():
            shutil.rmtree(part, ignore_errors=True)


@contextlib.contextmanager
def _try_hold_lock(lock: Path) -> Iterator[bool]:
    """Yield whether the lock is free, and hold it if so."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield try_lock_file(handle)
    finally:
        os.close(handle)
