"""A backup put back into a store that another server keeps.

`referee serve --data-dir DIR` starts from a backup as it is. A store that the settings name gets its keys over the wire
instead, one by one, so it may be of a later version, and a cluster. It must be empty, and so must the places of the
server's own keys. A store that was filled only in part starts no server: it says that its marks are elsewhere.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from redis.exceptions import ResponseError

from referee.infrastructure.archives.backup import NOTE, OPTIONAL_KEY_FILES, copy_store
from referee.infrastructure.archives.wire_copy import find_reader
from referee.infrastructure.clients import STORE_ERRORS, build_client, build_store_client, hide_password
from referee.infrastructure.composition import recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.integrity_check import Damage
from referee.infrastructure.secrets import make_private_dir, write_private_file
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.sharing import KEY as MARKS_KEY

UNFINISHED = b"restore-unfinished"  # in place of the id of a folder of marks
BATCH = 500  # keys in one pipeline


class RestoreError(HostError):
    """A backup cannot be put there: it is none, or something is there already."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The result of a restore: how many keys the store got, and what is damaged."""

    keys: int
    damaged: tuple[Damage, ...]


def restore_backup(settings: Settings, folder: Path) -> RestoreResult:
    """Fill the settings' store and data directory from a backup.

    Matches that lack what was signed are frozen, if the marks of this server are still there. Raises RestoreError,
    StoreNotFoundError, HostError.
    """
    folder = folder.expanduser().absolute()
    if settings.store_url is None:
        raise RestoreError(
            f"REFEREE_STORE_URL names no store to fill; `referee serve --data-dir {folder}` starts from it"
        )
    _require_backup(folder)
    client = build_store_client(settings)
    try:
        _require_empty(client, settings)
        files = list(_list_files(settings, folder))
        for source, target in files:
            if target.exists() and target.read_bytes() != source.read_bytes():
                raise RestoreError(f"{target} is there already, and differs from the backup's: move it aside")
        client.set(MARKS_KEY, UNFINISHED)
        make_private_dir(settings.data_dir)
        count = _copy_keys(settings, folder, client)
        for source, target in files:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private_file(target, source.read_bytes(), replace=True)
        client.delete(MARKS_KEY)  # the next start notes where the marks are
    except ResponseError as refused:
        raise RestoreError(
            f"{hide_password(settings.store_url)} takes none of it ({refused.args[0].rpartition(': ')[2]}); a backup "
            "goes into a store of the family that wrote it, of the same version or a later one"
        ) from refused
    except STORE_ERRORS as wrong:
        raise StoreNotFoundError(f"{hide_password(settings.store_url)}: {wrong}") from wrong
    except OSError as wrong:
        raise HostError(f"the backup could not be put back: {wrong}") from wrong
    return RestoreResult(count, tuple(recover_after_start(settings)))


def _require_backup(folder: Path) -> None:
    try:
        note = json.loads((folder / NOTE).read_bytes())
    except (OSError, ValueError) as wrong:
        raise RestoreError(f"{folder} is no backup: {NOTE} cannot be read") from wrong
    if not note["store"]:
        raise RestoreError(f"{folder} was made with --without-store: it has no store in it")


def _require_empty(client: Any, settings: Settings) -> None:
    """Raise RestoreError unless the store is empty or was filled only in part."""
    if client.get(MARKS_KEY) == UNFINISHED:
        client.flushall()
    elif count := client.dbsize():
        raise RestoreError(
            f"{hide_password(settings.store_url or '')} is not empty: it holds {count} keys. A backup goes into an "
            "empty store; start a new one beside it, or remove its files while it is stopped"
        )


def _list_files(settings: Settings, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield each file of a backup but the store's, and where it belongs."""
    places = {
        "secret": settings.secret_file,
        "signing.pem": settings.signing_key_file,
        "signing.pem.next": settings.signing_key_file.with_name(f"{settings.signing_key_file.name}.next"),
        "operator.sha256": settings.operator_hash_file,
    }
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or inside.parts[0] == "store" or str(inside) == NOTE:
            continue
        if inside.parts[0] == "archive":
            yield path, settings.archive_path.joinpath(*inside.parts[1:])
        else:
            yield path, places.get(str(inside), settings.data_dir / inside)
    missing = [name for name in places if name not in OPTIONAL_KEY_FILES and not (folder / name).exists()]
    if missing:
        raise RestoreError(f"{folder} lacks {', '.join(missing)}")


def _copy_keys(settings: Settings, folder: Path, target: Any) -> int:
    """Copy every key of the backup's store, and return their number.

    The server is started on a copy, because it would write into the backup.
    """
    work = Path(tempfile.mkdtemp(prefix=".restore-", dir=settings.data_dir))
    try:
        copy_store(folder / "store", make_private_dir(work / "store"))
        assert settings.store_url is not None
        with EmbeddedServers(work, queue=False, server=find_reader(settings, settings.store_url)) as keeper:
            assert keeper.store_url is not None
            source = build_client(keeper.store_url)
            keys, count = source.scan_iter(count=BATCH), 0
            while batch := tuple(islice(keys, BATCH)):
                count += _copy_batch(source, target, batch)
            return count
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _copy_batch(source: Any, target: Any, keys: tuple[bytes, ...]) -> int:
    asked = source.pipeline(transaction=False)
    for key in keys:
        asked.dump(key)
        asked.pttl(key)
    answers = iter(asked.execute())
    sent, count = target.pipeline(transaction=False), 0
    for key, value, left in zip(keys, answers, answers, strict=True):
        if value is None or key == MARKS_KEY.encode():  # it has expired; or it says where other marks are
            continue
        sent.restore(key, max(0, left), value, replace=True)
        count += 1
    sent.execute()
    return count
