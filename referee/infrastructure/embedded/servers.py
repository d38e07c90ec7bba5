"""Keeps the embedded servers: the store, durable on disk, and the queue's.

Two locks guard the data directory. `keeper.lock` belongs to this process alone, so a second keeper is refused as long
as the first lives. The servers inherit the lock on the directory itself. It is held as long as one of them writes
there, even if their keeper was killed with -9. On Linux they then end by themselves. The next keeper finds orphans by
their sockets, stops them cleanly, and continues with all that was acknowledged.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

from referee.infrastructure.embedded.aof_repair import truncate_incomplete
from referee.infrastructure.embedded.disk_guard import DiskGuard
from referee.infrastructure.embedded.log_files import find_log_files
from referee.infrastructure.embedded.server import (
    POLL_SECONDS,
    EmbeddedServer,
    ServerPlan,
    ServerUnreachableError,
    compact_log,
    send_command,
)
from referee.infrastructure.embedded.store_binaries import (
    StoreBinary,
    choose_binary,
    find_installed_binaries,
    record_writer,
)
from referee.infrastructure.errors import AlreadyServedError, HostError
from referee.infrastructure.file_locks import try_lock_file
from referee.infrastructure.secrets import make_private_dir, write_private_file

LOGGER = logging.getLogger(__name__)

LONGEST_SOCKET = 103  # bytes: macOS takes 103, Linux 107
ORPHANS_GO_WITHIN = 10.0
ORPHANS_LOOK = 0.2  # seconds between two looks for them
SOCKETS = "sockets.json"
# in the last words of a server that cannot read its files
DAMAGE_WORDS = re.compile(
    r"bad file format|corrupt|checksum|wrong signature|reading the (RDB|append)|manifest|EOF", re.I
)
SALVAGE_HINT = (
    "If its files are damaged: `referee salvage DIR` recovers what is whole into a new folder, match by match, and "
    "names what is lost. It changes nothing here."
)


class EmbeddedServers:
    """One data directory and the servers in it, as a context manager.

    The servers are started on entry and stopped on exit.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        store: bool = True,
        queue: bool = True,
        durable: bool = True,
        server: Path | None = None,
        store_options: Mapping[str, str] | None = None,
    ) -> None:
        """Choose the servers to run; nothing is started yet.

        `store` and `queue` say which servers to run, `durable` whether the store writes to disk. `server` is a binary
        to use instead of an installed one, `store_options` what the store is to do otherwise than usual.
        """
        self.data_dir = data_dir
        self._wanted = [name for name, wanted in (("store", store), ("queue", queue)) if wanted]
        self._durable = durable
        self._chosen = server
        self._store_options = store_options or {}
        self._keeper_lock: int | None = None
        self._lock: int | None = None
        self.binary: StoreBinary | None = None
        self.plans: dict[str, ServerPlan] = {}
        self.servers: dict[str, EmbeddedServer] = {}
        self.disk: DiskGuard | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    @property
    def store_url(self) -> str | None:
        """The store's address, if this keeper runs one."""
        return self.plans["store"].url if "store" in self.plans else None

    @property
    def queue_url(self) -> str | None:
        """The queue's address, if this keeper runs one."""
        return self.plans["queue"].url if "queue" in self.plans else None

    def start(self) -> None:
        """Lock the directory and start the servers, the store first.

        Raises AlreadyServedError if another keeper lives; StoreNotFoundError if there is no server, or the directory is
        another server's; HostError, also if the directory cannot be written to, or is called as no store can take it.
        """
        name = f"{self.data_dir}/"  # workers read the path of a socket in it from lines of UTF-8
        if len(name.splitlines()) > 1 or name.encode("utf-8", "replace").decode() != name:
            raise HostError(f"{str(self.data_dir)!a} cannot be used: its name has a line break, or is not UTF-8")
        try:
            self._start()
        except OSError as wrong:
            raise HostError(f"{self.data_dir} cannot be used: {wrong.strerror}") from wrong

    def _start(self) -> None:
        candidates = find_installed_binaries(self._chosen)
        make_private_dir(self.data_dir)
        self._keeper_lock = self._take_keeper_lock()
        try:
            self._lock = self._take_directory_lock()
            self.binary = choose_binary(make_private_dir(self.data_dir / "store"), candidates)
            sockets = self._make_socket_dir()
            self.plans = {
                name: ServerPlan(
                    name,
                    make_private_dir(self.data_dir / name),
                    sockets / f"{name}.sock",
                    durable=self._durable and name == "store",
                )
                for name in self._wanted
            }
            if "store" in self._wanted and self._durable:
                self.disk = DiskGuard(self.data_dir, self.plans["store"])
                self.disk.measure_free()  # a start needs some room
            for name in self._wanted:
                self._start_server(name, self._store_options if name == "store" else {})
        except BaseException:
            self.stop()
            raise

    def _start_server(self, name: str, options: Mapping[str, str]) -> None:
        assert self.binary is not None
        plan = replace(self.plans[name], options=options)
        if plan.durable and (wrong := find_log_files(plan.directory).wrong):
            raise HostError(f"the files in {plan.directory} do not fit together: {'; '.join(wrong)}\n{SALVAGE_HINT}")
        if plan.durable and (cut := truncate_incomplete(plan.directory)):
            LOGGER.warning("the store's last write was incomplete: %d unacknowledged bytes are cut off", cut)
        try:
            self.servers[name] = EmbeddedServer.start(self.binary, plan, self._lock)
        except HostError as wrong:
            if plan.durable and DAMAGE_WORDS.search(str(wrong)):
                raise HostError(f"{wrong}\n{SALVAGE_HINT}") from wrong
            raise
        if plan.durable:
            # before any client can write, and only after this server has read the directory
            record_writer(plan.directory, self.binary)

    def find_dead_servers(self) -> list[str]:
        """Return the names of the servers that have ended by themselves."""
        return [name for name in self._wanted if name in self.servers and not self.servers[name].is_running()]

    def restart_server(self, name: str) -> None:
        """Restart a server that has ended, at the same address. Raises HostError."""
        is_guarded = self.disk is not None and self.plans[name].durable
        self._start_server(name, self.disk.prepare_start() if self.disk is not None and is_guarded else {})

    def guard_disk(self) -> str:
        """Refuse or admit writes as the disk has room.

        Call it often. Return what to tell the operator; that is empty unless something changed.
        """
        return "" if self.disk is None else self.disk.look()

    def stop(self, within: float = 2.0) -> None:
        """Stop the queue, then the store, and release the directory.

        The store's log is shortened first if there is time.
        """
        deadline = time.monotonic() + within
        for name in reversed(self._wanted):
            server = self.servers.pop(name, None)
            if server is None or not server.is_running():
                continue
            if server.plan.durable and self.disk is not None and self.disk.has_room_to_rewrite():
                with contextlib.suppress(ServerUnreachableError, ValueError):  # it only makes the next start faster
                    compact_log(server.plan.socket, (deadline - time.monotonic()) / 2)
            server.stop(max(0.5, deadline - time.monotonic()))
            with contextlib.suppress(FileNotFoundError):
                server.plan.socket.unlink()
        self._remove_socket_dir()
        for lock in (self._lock, self._keeper_lock):
            if lock is not None:
                os.close(lock)
        self._lock = self._keeper_lock = None

    def _take_keeper_lock(self) -> int:
        """Lock the directory for this process; no server inherits this lock."""
        lock = os.open(self.data_dir / "keeper.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not _try_lock(lock, within=0.5):
            holder = os.read(lock, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(lock)
            raise AlreadyServedError(f"{self.data_dir} is served by another Referee (process {holder})")
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        return lock

    def _take_directory_lock(self) -> int:
        """Lock the directory itself, and stop orphans that hold the lock.

        The servers inherit this lock.
        """
        lock = os.open(self.data_dir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            deadline = time.monotonic() + ORPHANS_GO_WITHIN
            while not _try_lock(lock):  # an orphan that was just starting when its keeper died has no socket yet
                self._stop_orphans()
                if not _try_lock(lock, within=ORPHANS_LOOK) and time.monotonic() > deadline:
                    raise AlreadyServedError(
                        f"a store server of an earlier run still writes in {self.data_dir} and cannot be reached by its"
                        f" socket; end it by hand (`fuser {self.data_dir}` or `lsof {self.data_dir}` names it)"
                    )
        except BaseException:
            os.close(lock)
            raise
        return lock

    def _stop_orphans(self) -> None:
        """Shut down the servers that an earlier keeper left behind."""
        for folder in self._find_socket_dirs():
            for name in ("queue", "store"):
                path = folder / f"{name}.sock"
                if path.exists():
                    # the caller reports a server that still holds the lock
                    with contextlib.suppress(ServerUnreachableError):
                        send_command(path, "SHUTDOWN", "NOSAVE", timeout=ORPHANS_GO_WITHIN)

    def _find_socket_dirs(self) -> list[Path]:
        """Return the directories in which sockets of this data directory may lie."""
        found = [self.data_dir / "run"]
        record = self.data_dir / SOCKETS
        with contextlib.suppress(FileNotFoundError):
            try:
                found.append(Path(json.loads(record.read_text("utf-8"))["directory"]))
            except (ValueError, KeyError, TypeError) as wrong:
                raise HostError(f"{record} cannot be read ({wrong}); remove it if no server runs here") from wrong
        return found

    def _make_socket_dir(self) -> Path:
        """Return a private directory for the sockets.

        It is in the data directory, or elsewhere if that path is too long for a socket.
        """
        inside = self.data_dir / "run"
        if len(os.fsencode(inside / "store.sock")) <= LONGEST_SOCKET:
            return make_private_dir(inside)
        for earlier in self._find_socket_dirs()[1:]:
            if _is_private_dir(earlier):
                return earlier
        short = Path(tempfile.mkdtemp(prefix="referee-", dir=_find_short_base()))
        record = json.dumps({"directory": str(short)}) + "\n"
        write_private_file(self.data_dir / SOCKETS, record.encode(), replace=True)
        return short

    def _remove_socket_dir(self) -> None:
        """Remove the short directory, if one was made, once no socket is in use."""
        if self._lock is None:
            return
        for folder in self._find_socket_dirs()[1:]:
            if _is_private_dir(folder):
                shutil.rmtree(folder)
        with contextlib.suppress(FileNotFoundError):
            (self.data_dir / SOCKETS).unlink()


def _try_lock(lock: int, within: float = 0.0) -> bool:
    """Return whether the lock could be taken in that many seconds."""
    deadline = time.monotonic() + within
    while True:
        if try_lock_file(lock):
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)


def _is_private_dir(folder: Path) -> bool:
    """Return whether this is a real directory of this user, closed to others.

    In a shared place any user may create a file of this name.
    """
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700


def _find_short_base() -> str:
    """Return a directory in which one with a short path can be made.

    That is the user's own runtime directory, or a temporary one. Raises HostError.
    """
    bases = (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp")  # noqa: S108  (mkdtemp makes it private)
    for base in bases:
        longest = len(os.fsencode(base)) + len("/referee-12345678/store.sock")
        if base.startswith("/") and longest <= LONGEST_SOCKET and os.access(base, os.W_OK | os.X_OK):
            return base
    raise HostError(f"no directory for sockets has a short enough path: {' '.join(filter(None, bases))}; set TMPDIR")


def find_holder(data_dir: Path) -> str | None:
    """Return which process serves this directory, for people to read, or None.

    It takes no lock.
    """
    try:
        lock = os.open(data_dir / "keeper.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        if _try_lock(lock):
            return None
        return f"process {os.read(lock, 32).decode('ascii', 'replace').strip()}"
    finally:
        os.close(lock)


def end_orphans(data_dir: Path) -> None:
    """End the servers that a killed keeper left in this directory. Raises HostError."""
    EmbeddedServers(data_dir)._stop_orphans()


def find_store_url(data_dir: Path) -> str | None:
    """Return the address of the store that runs in this directory now, or None.

    Raises HostError.
    """
    if find_holder(data_dir) is None:
        return None
    for folder in EmbeddedServers(data_dir, store=True, queue=False)._find_socket_dirs():
        path = folder / "store.sock"
        if path.exists():
            return ServerPlan("store", data_dir / "store", path, durable=True).url
    return None
