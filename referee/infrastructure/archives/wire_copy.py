"""A copy of a store that another server keeps, taken over the wire.

The server sends a snapshot of everything it holds at one moment, as it would to a new replica (SYNC). Every move that
was acknowledged before is in it. Nothing has to stop, and nothing is written there; the server forks once, as it does
when it rewrites its log.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any, BinaryIO, cast

from redis.exceptions import RedisError

from referee.infrastructure.clients import STORE_ERRORS, build_client, fetch_server_info, hide_password
from referee.infrastructure.embedded.log_files import FOLDER, MANIFEST
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.secrets import make_private_dir, write_private_file
from referee.infrastructure.settings import Settings
from referee.infrastructure.stores.requirements import read_server_version

BASE, INCREMENT = "appendonly.aof.1.base.rdb", "appendonly.aof.1.incr.aof"
NAMES = f"file {BASE} seq 1 type b\nfile {INCREMENT} seq 1 type i\n"
SILENT_SECONDS = 60.0  # a server says something at least every ten seconds while it prepares the snapshot
CHUNK = 1 << 20
MAX_LINE = 4096


def fetch_store(url: str, target: Path) -> int:
    """Write a snapshot of a server as a store's log, and return its size in bytes.

    A store server that is started in `target` reads it. Raises StoreNotFoundError if the server does not answer,
    HostError if it sends no snapshot, OSError if the files cannot be written.
    """
    make_private_dir(target / FOLDER)
    (target / FOLDER / BASE).unlink(missing_ok=True)  # of an earlier try
    client = build_client(url, retries=0)
    try:
        line = client.connection_pool.get_connection()
        try:
            _announce(line)
            line.send_command("SYNC", check_health=False)
            plain: socket.socket = line._sock  # the library has no name for it, and no command for what follows
            plain.settimeout(SILENT_SECONDS)
            with plain.makefile("rb", buffering=CHUNK) as stream, (target / FOLDER / BASE).open("xb") as file:
                size = _copy_snapshot(cast(BinaryIO, stream), file)
        finally:
            line.disconnect()
            client.connection_pool.release(line)
            client.close()
    except TimeoutError as slow:
        raise StoreNotFoundError(f"{hide_password(url)} said nothing for {SILENT_SECONDS:g} s") from slow
    except (*STORE_ERRORS, ConnectionError) as wrong:
        raise StoreNotFoundError(f"{hide_password(url)} does not answer: {wrong}") from wrong
    (target / FOLDER / BASE).chmod(0o600)
    write_private_file(target / FOLDER / INCREMENT, b"", replace=True)
    write_private_file(target / MANIFEST, NAMES.encode(), replace=True)
    return size


def find_reader(settings: Settings, url: str) -> Path | None:
    """Return an installed server of the same family as that of a URL, None for any.

    Families do not read each other's snapshots for ever. Raises StoreNotFoundError.
    """
    family, _ = read_server_version(fetch_server_info(url))
    found = find_installed_binaries(settings.store_server)
    return next((binary.path for binary in found if binary.family == family), settings.store_server)


def _announce(line: Any) -> None:
    """Say that this is no replica that could ever be promoted.

    Older servers do not know the word.
    """
    line.send_command("REPLCONF", "rdb-only", "1", check_health=False)
    try:
        line.read_response()
    except RedisError:
        return


def _copy_snapshot(stream: BinaryIO, file: BinaryIO) -> int:
    """Copy a snapshot from the answer to SYNC, and return its size. Raises HostError."""
    head = b"\n"
    while head == b"\n":  # a sign of life
        head = stream.readline(MAX_LINE)
    if not head.startswith(b"$") or not head[1:].strip().isdigit():
        raise HostError(f"the store sends no snapshot: {head.decode(errors='replace').strip() or 'it hung up'}")
    left = size = int(head[1:])
    while left:
        chunk = stream.read(min(CHUNK, left))
        if not chunk:
            raise HostError("the store hung up in the middle of its snapshot")
        file.write(chunk)
        left -= len(chunk)
    return size
